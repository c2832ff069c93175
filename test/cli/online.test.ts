// `--online`: what the service says about the declarations, with as few requests as possible, and what happens if it
// does not answer.

import { describe, expect, it } from 'vitest';
import type { ValidateDocument } from '../../src/commands/validate/validate-document.ts';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { EmulatedDocument } from '../../src/emulator/store.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { displayWidth } from '../../src/report/text/terminal-text.ts';
import { type ExampleFiles, readDiagnosticsPage } from '../support/diagnostics-page.ts';
import { expectDocument } from '../support/schemas.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied, openWorld } from '../support/world.ts';

const mail = {
  identifier: '12db1a0a',
  name: 'Mail',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Hi',
};
const alert = {
  ...mail,
  name: 'Alert',
  conditionType: 'RESULTS_PRESENT',
  conditionQueryMapKey: '1',
  queryIdentifierMapKey: 'Jmn2r3KV',
  filterConfig: { region: { values: ['EU'] } },
};
const sales = {
  identifier: '12db1a0a',
  filters: { order_status: { values: ['shipped'] } },
  controls: { metric: { hidden: true } },
  filterOrder: ['region', 'metric', 'order_status', 'order_date'],
};

async function stage(declared: JsonObject, options: EmulatorOptions = {}, environment: Record<string, string> = {}) {
  const workspace = await openWorld({ 'schedules/all.yaml': declared }, { environment, ...options });
  const check = async (...flags: readonly string[]) => {
    workspace.asked();
    const { stdout, stderr, code } = await workspace.run('validate', '--online', '--format', 'json', ...flags);
    const document = expectDocument<ValidateDocument & Record<string, unknown>>('validate', stdout);
    const requests = workspace.asked().map((line) => line.replace('/v1', ''));
    return { ...document, code, stderr, requests: requests.sort() };
  };
  return { ...workspace, workspace, check };
}

const everything = { schedules: { mail, alert }, dashboards: { sales } };

describe('declarations that fit', () => {
  it('valid declarations take one request for the list, and with operations full at most three per dashboard', async () => {
    const core = await stage(everything, { operations: 'core' });
    expect(await core.check()).toMatchObject({ code: 0, diagnostics: [], requests: ['GET /documents'] });
    const { check } = await stage(everything);
    expect(await check()).toMatchObject({
      code: 0,
      diagnostics: [],
      requests: [
        'GET /dashboards/12db1a0a/filters',
        'GET /documents',
        'GET /documents/12db1a0a/queries',
        'GET /v2/documents/12db1a0a',
      ],
    });
  });

  it('names of user groups take one access list a dashboard, and ids none', async () => {
    const named = { ...mail, userGroups: ['Board'] };
    const wrong = { ...mail, name: 'Wrong', userGroups: ['Bord', 'a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31'] };
    const { check } = await stage({ schedules: { named, wrong } });
    const { diagnostics, requests } = await check();
    expect(requests.filter((line) => line.includes('access-list'))).toHaveLength(1);
    expect(diagnostics).toMatchObject([
      { code: 'unknown-group', address: 'schedules.wrong', line: 30, message: expect.stringContaining('`Bord`') },
    ]);
  });

  it('members of groups are judged where recipient-not-inside is on and Omni has the schedule', async () => {
    const config = { checks: { 'recipient-not-inside': 'error' }, safety: { internalDomains: ['acme.com'] } };
    const board = { ...mail, recipients: ['ana@acme.com'], userGroups: ['Board'] };
    const unmade = { ...board, name: 'Not made yet', userGroups: ['Sales team'], identifier: '7ae01c55' };
    const world = await openApplied({ schedules: { board } }, { config });
    const accept = { 'recipient-not-inside': { reason: 'a partner', until: '2099-06-30' } };
    world.asked();
    const check = async (declared: JsonObject) => {
      world.write({ 'schedules/all.yaml': { schedules: { ...declared, unmade } } });
      const { stdout, stderr, code } = await world.run('validate', '--online', '--format', 'json');
      return { code, stderr, ...expectDocument<ValidateDocument>('validate', stdout) };
    };
    const { code, stderr, diagnostics } = await check({ board });
    expect([code, diagnostics]).toMatchObject([
      1,
      [{ code: 'recipient-not-inside', severity: 'error', address: 'schedules.board' }],
    ]);
    expect(diagnostics[0]?.message).toMatch(/`Board`.*@example\.com`/);
    expect(world.asked().filter((line) => line.endsWith('/recipients'))).toHaveLength(1);
    expect(stderr).toContain('1 user group was not judged');
    expect(await check({ board: { ...board, accept } })).toMatchObject({ code: 0 });
  });

  it('online checks ask only about what the named files declare', async () => {
    const mailOn = (identifier: string) => ({ ...mail, identifier, name: identifier });
    const { check } = await stage({
      schedules: { mail, orders: mailOn('3f9c2b71'), alert: { ...alert, filterConfig: {} } },
      dashboards: { customers: { identifier: '7ae01c55', filters: { region: { values: [] } } } },
    });
    expect((await check()).requests).toEqual([
      'GET /dashboards/7ae01c55/filters',
      'GET /documents',
      'GET /documents/12db1a0a/queries',
      'GET /v2/documents/12db1a0a',
      'GET /v2/documents/3f9c2b71',
    ]);
  });

  it('no request is sent without --online, nor if no dashboard is named', async () => {
    const job = { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'How are you?' };
    const { check, workspace, emulator } = await stage({ aiJobs: { job } });
    expect((await check()).requests).toEqual([]);
    workspace.write({ 'schedules/all.yaml': everything });
    await workspace.run('validate');
    await workspace.plan();
    expect(emulator.requests()).toEqual([]);
  });

  it('online checks among 2,500 documents take one request per hundred, and -v says how many', async () => {
    const { check, emulator } = await stage(everything);
    emulator.edit(({ documents }) => {
      const model = documents[0] as EmulatedDocument;
      for (let index = documents.length; index < 2500; index += 1)
        documents.push({ ...structuredClone(model), identifier: `many-${index}`, name: `Many ${index % 200}` });
    });
    const { stderr, requests, diagnostics } = await check('-v');
    expect(diagnostics).toEqual([]);
    expect(requests).toHaveLength(28);
    expect(stderr).toContain('Online checks: 28 requests.');
  });
});

/** A finding in short: where, what, and the way out. */
async function findingsOf(
  declared: JsonObject,
  options: EmulatorOptions = {},
  environment: Record<string, string> = {},
) {
  const { check } = await stage(declared, options, environment);
  const { diagnostics, code } = await check();
  expect(code).toBe(diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0);
  expect(diagnostics.every(({ line, file }) => line !== undefined && file !== undefined)).toBe(true);
  return diagnostics.map(({ code: each, path, hint }) => [each, path, hint]);
}

describe('an identifier', () => {
  const of = (identifier: string) => findingsOf({ schedules: { mail: { ...mail, identifier } } });

  it.each<[string, string, string]>([
    ['12db1a0b', 'unknown-document', 'Did you mean `12db1a0a` (Sales overview)?'],
    ['Sales Overveiw', 'unknown-document', 'Did you mean `12db1a0a` (Sales overview)?'],
    ['customer', 'unknown-document', 'Did you mean `7ae01c55` (Customer health)?'],
    ['nothing-like-it', 'unknown-document', '`almanac list documents` lists the documents.'],
    [
      '0ddba115',
      'deleted-dashboard',
      'Restore it in Omni, or declare another one. Did you mean `12db1a0a` (Sales overview)?',
    ],
    [
      'a17b3e94',
      'no-dashboard',
      'Add a dashboard to it in Omni, or declare another one. `almanac list documents` lists the documents.',
    ],
  ])('the identifier %s is reported as %s: %s', async (identifier, code, hint) => {
    const [found, ...more] = await of(identifier);
    expect(more).toEqual([]);
    expect(found).toEqual([code, '/schedules/mail/identifier', hint]);
  });

  it('an identifier that only the token may not see is reported as such', async () => {
    const { workspace, check, personalToken } = await stage({
      dashboards: { sales },
      schedules: { mail: { ...mail, identifier: 'a17b3e94' } },
    });
    workspace.environment['OMNI_API_TOKEN'] = personalToken;
    expect((await check()).diagnostics).toMatchObject([
      { code: 'unknown-document', message: expect.stringContaining('that the token can see') },
    ]);
  });

  it('an identifier from a default is reported once, at the default', async () => {
    const { identifier: _, ...rest } = mail;
    const { check, workspace } = await stage({
      defaults: { schedules: { identifier: '12db1a0b' } },
      schedules: { a: { ...rest, name: 'A' }, b: { ...rest, name: 'B' } },
    });
    expect((await check()).diagnostics).toMatchObject([
      { code: 'unknown-document', path: '/defaults/schedules/identifier', file: 'schedules/all.yaml' },
    ]);
    const { stdout } = await workspace.run('validate', '--online');
    expect(stdout).toContain('^');
  });

  it('an identifier that is a UUID is judged only by what the service says about it', async () => {
    const uuid = '11111111-2222-4333-8444-555555555555';
    expect(await findingsOf({ schedules: { mail: { ...mail, identifier: uuid } } })).toEqual([]);
    expect(await findingsOf({ dashboards: { sales: { ...sales, identifier: uuid } } })).toMatchObject([
      ['unknown-document', '/dashboards/sales/identifier', expect.any(String)],
    ]);
  });
});

describe('ids of a dashboard', () => {
  it('wrong ids of a dashboard have their place, their code and a way out', async () => {
    const found = await findingsOf({
      dashboards: {
        sales: {
          identifier: '12db1a0a',
          filters: { Region: { values: [] }, 'order-status': { values: [] }, metric: { values: [] } },
          controls: { metrics: {}, region: {} },
          filterOrder: ['region', 'nothing'],
        },
        summary: { identifier: 'e5521fd8', filters: { region: { values: [] } } },
      },
      schedules: {
        alert: {
          ...alert,
          filterConfig: { metric: { values: ['revenue'] } },
          queryIdentifierMapKey: 'jmn2r3kv',
          conditionQueryMapKey: '7',
        },
        named: { ...mail, name: 'Named', queryIdentifierMapKey: 'query 2' },
      },
    });
    const sameButCase = 'the ids differ only in case, and case matters here.';
    expect(found.map(([code, path, hint]) => `${code} ${path}: ${hint}`).sort()).toEqual(
      [
        `unknown-filter-key /dashboards/sales/filters/Region: Write \`region\`: ${sameButCase}`,
        'unknown-filter-key /dashboards/sales/filters/order-status: Did you mean `order_status`?',
        'unknown-filter-key /dashboards/sales/filters/metric: Declare it under `controls`.',
        'unknown-control /dashboards/sales/controls/metrics: Did you mean `metric`?',
        'unknown-control /dashboards/sales/controls/region: Declare it under `filters`.',
        'unknown-filter-key /dashboards/sales/filterOrder/1: Available: `order_status`, `order_date`, `region`, `metric`.',
        'unknown-filter-key /schedules/alert/filterConfig/metric: A schedule can set only filters: remove it.',
        `unknown-query /schedules/alert/queryIdentifierMapKey: Write \`Jmn2r3KV\`: ${sameButCase}`,
        'unknown-query /schedules/alert/conditionQueryMapKey: Available: `Jmn2r3KV` (Query Jmn2r3KV), `1` (Query 1), `2` (Query 2).',
        'unknown-query /schedules/named/queryIdentifierMapKey: Write `2`.',
        'unknown-filter-key /dashboards/summary/filters/region: The dashboard `e5521fd8` has no filter at all.',
      ].sort(),
    );
  });

  it('ids that the service does not report are a warning, and the dashboards are still checked', async () => {
    const { check, workspace, baseUrl } = await stage(
      { dashboards: { sales }, schedules: { mail: { ...mail, identifier: '12db1a0b' } } },
      { operations: 'core' },
    );
    // The operations that return filters and queries are missing, whatever the file says.
    workspace.write({ 'almanac.yaml': { api: { baseUrl, operations: 'full', rateLimit: 0 } } });
    const { diagnostics, code } = await check();
    expect(code).toBe(1);
    expect(diagnostics.map((each) => [each.code, each.severity, each.path])).toEqual([
      ['not-read', 'warning', '/dashboards/sales/identifier'],
      ['unknown-document', 'error', '/schedules/mail/identifier'],
    ]);
  });

  it('ids of a dashboard fit 80 columns and cannot control the terminal', async () => {
    const { workspace, emulator } = await stage({ schedules: { mail: { ...mail, identifier: '12db1a0b' } } });
    emulator.edit(({ documents }) => {
      (documents[0] as EmulatedDocument).name = `\u001b[2J\u202e四半期の売上報告書${'x'.repeat(200)}`;
    });
    const { stdout } = await workspace.run('validate', '--online');
    expect(stdout).toContain('四半期');
    for (const obeyed of ['\u001b', '\u202e']) expect(stdout).not.toContain(obeyed);
    expect(Math.max(...stdout.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });
});

describe('when nothing can be asked', () => {
  it('an online check without a token fails as an apply does, and also reports errors in the files', async () => {
    const { workspace } = await stage(
      { schedules: { mail: { ...mail, timezone: 'Mars/Base' } } },
      {},
      { OMNI_API_TOKEN: '' },
    );
    const ran = await workspace.run('validate', '--online');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('error[missing-token]: No API token');
    expect(ran.stderr).toContain('error[invalid-timezone]');
    workspace.write({ 'schedules/all.yaml': everything });
    for (const command of [
      ['plan', '--online'],
      ['apply', '--auto-approve'],
    ])
      expect((await workspace.run(...command)).stderr).toContain('error[missing-token]: No API token');
  });

  it('a network failure in an online check is reported as one', async () => {
    const { workspace, emulator } = await stage(everything);
    await emulator.close();
    const ran = await workspace.run('plan', '--online');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toEqual(says('error[api-unreachable]: The online checks could not be made. No connection'));
    const { stdout } = await workspace.run('validate', '--online', '--format', 'json');
    expect(expectDocument('error', stdout)).toMatchObject({ error: { code: 'api-unreachable' } });
  });
});

describe('plan --online', () => {
  it('plan --online plans nothing if the checks find an error, and says where', async () => {
    const { workspace } = await stage({ schedules: { mail: { ...mail, identifier: '12db1a0b' } } });
    const ran = await workspace.run('plan', '--online');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain('error[unknown-document]');
    expect(ran.stderr).toContain('Did you mean `12db1a0a` (Sales overview)?');
  });

  it('plan --online gives the same plan as without, and asks for filters once, also with --refresh', async () => {
    const { workspace, emulator } = await stage(everything);
    expect((await workspace.plan('--online')).digest).toBe((await workspace.plan()).digest);
    await workspace.apply();
    const before = emulator.requests().length;
    await workspace.plan('--online', '--refresh');
    const filters = emulator
      .requests()
      .slice(before)
      .filter(({ path }) => path.endsWith('/filters'));
    expect(filters).toHaveLength(1);
  });
});

describe('the examples of docs/diagnostics.md', () => {
  const { workspace: files, sections } = readDiagnosticsPage();
  const online = sections.filter(({ by, failing }) => by === 'online' && failing !== undefined);

  it.each(online)(
    'the online example of $code in docs/diagnostics.md is correct',
    async ({ code, failing = {}, fixed = {} }) => {
      const data = demoOrganization();
      data.members.push({
        id: '00000000-0000-4000-8000-000000000000',
        name: 'Gone',
        email: 'gone@example.com',
        active: false,
      });
      const { workspace, check } = await stage({}, { data });
      const config = JSON.parse(workspace.read('almanac.yaml')) as JsonObject;
      const asking = (example: ExampleFiles) => ({
        ...example,
        'almanac.yaml': `api: ${JSON.stringify(config['api'])}\n${example['almanac.yaml'] ?? files['almanac.yaml'] ?? ''}`,
      });
      workspace.write({ 'schedules/all.yaml': '', ...asking(failing) });
      expect((await check()).diagnostics.map((each) => each.code)).toEqual([code]);
      workspace.write(asking(fixed));
      expect((await check()).diagnostics).toEqual([]);
    },
  );
});
