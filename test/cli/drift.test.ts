// Changes that others made in Omni: found with few requests, shown apart from changes of the declarations, and reverted
// or recorded in the state.

import { describe, expect, it } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { connecting } from '../support/cli/connecting.ts';
import { type Change, paused, resumed, set, to, zoned } from '../support/cli/drift-stage.ts';
import { refusal } from '../support/emulator/service.ts';
import { says } from '../support/vocabulary.ts';
import { makeFolder, start, workspaceIn } from '../support/workspace.ts';
import { inBrief as inBriefRequests, openApplied } from '../support/world.ts';

const common = { identifier: '12db1a0a', schedule: '0 9 ? * MON *', timezone: 'Europe/London', format: 'pdf' };
const email = { ...common, destinationType: 'email', recipients: ['ana@example.com', 'Bo@example.com'], subject: 'Hi' };
const schedules: Readonly<Record<string, JsonObject>> = {
  mail: { ...email, name: 'Mail', textBody: 'See below.', paperFormat: 'a4', hideTitle: true },
  hook: { ...common, name: 'Hook', destinationType: 'webhook', url: 'https://hooks.example.com/in' },
  chat: { ...common, name: 'Chat', destinationType: 'slack', slackRecipientType: 'users', recipients: 'U1,U2' },
  drop: {
    ...common,
    name: 'Drop',
    destinationType: 'sftp',
    address: 'sftp.example.com',
    port: 22,
    username: 'omni',
    path: '/in',
  },
  bucket: {
    ...common,
    name: 'Bucket',
    destinationType: 's3',
    bucketName: 'acme-reports',
    region: 'eu-west-1',
    roleArn: 'arn:aws:iam::123456789012:role/omni',
    keyPrefix: '/sales/',
  },
  alert: {
    ...email,
    name: 'Alert',
    conditionType: 'RESULTS_PRESENT',
    conditionQueryMapKey: '1',
    filterConfig: { region: { values: ['EU'] } },
  },
  quiet: { ...email, name: 'Quiet', paused: true },
};
const dashboards = {
  sales: {
    identifier: '12db1a0a',
    filters: { order_status: { values: ['shipped'] } },
    filterOrder: ['region', 'order_status', 'order_date'],
  },
};

async function stage(options: EmulatorOptions = {}, declared: JsonObject = { schedules, dashboards }) {
  const workspace = await openApplied(declared, {
    config: { safety: { maxDeletePercent: 100 }, checks: { 'odd-prefix': 'off' } },
    ...options,
  });
  const { emulator } = workspace;
  const sent = async (run: () => Promise<unknown>): Promise<string[]> => {
    workspace.asked();
    await run();
    return [...inBriefRequests(workspace.asked())];
  };
  const remove = (name: string) =>
    emulator.edit((data) => {
      data.schedules = data.schedules.filter(({ fields }) => fields['name'] !== name);
    });
  return { emulator, workspace, remove, sent };
}

const inBrief = ({ changes }: PlanDocument) =>
  changes.map(({ address, action, reason }) => `${action} ${address} (${reason})`);

describe('nothing was changed', () => {
  it('unchanged schedules of every destination have no drift, at one request per hundred schedules and one per dashboard', async () => {
    const { workspace, sent } = await stage();
    const requests = await sent(async () => {
      expect(await workspace.plan('--refresh')).toMatchObject({ drift: [], changes: [], diagnostics: [] });
    });
    expect(requests.sort()).toEqual(['GET /dashboards/12db1a0a/filters', 'GET /schedules']);
  });

  it('unchanged schedules have no deep drift from defaults, effective filters or normalized prefixes', async () => {
    const { workspace, sent } = await stage();
    const requests = await sent(async () => {
      expect(await workspace.plan('--refresh=deep')).toMatchObject({ drift: [], changes: [] });
    });
    // An e-mail takes one, anything else two; the tiles of the dashboard of an alert take one.
    const { length: mails } = Object.values(schedules).filter(({ destinationType }) => destinationType === 'email');
    expect(requests).toHaveLength(3 + 2 * Object.keys(schedules).length - mails);
    expect(await workspace.run('drift', '--deep')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No drift'),
    });
  });
});

describe('drift', () => {
  it.each<[string, string, Change, string, '--refresh'?]>([
    [
      'recipients added',
      'Mail',
      to('ana@example.com', 'bo@example.com', 'cy@example.com'),
      '/recipients/2',
      '--refresh',
    ],
    ['paused', 'Hook', paused, '/paused', '--refresh'],
    ['resumed', 'Quiet', resumed, '/paused', '--refresh'],
    ['another zone', 'Chat', zoned('UTC'), '/timezone', '--refresh'],
    ['another address of a webhook', 'Hook', set('url', 'https://other.example.com/'), '/url'],
    ['a recipient for another', 'Mail', to('ana@example.com', 'x@example.com'), '/recipients/1'],
    ['another port', 'Drop', set('port', 2222), '/port'],
    ['another prefix', 'Bucket', set('keyPrefix', 'other/'), '/keyPrefix'],
    ['another query', 'Alert', set('conditionQueryMapKey', '2'), '/conditionQueryMapKey'],
  ])('drift is found in the list if that can show it, and else in the details: %s', async (...row) => {
    const [, name, change, path, refresh = '--refresh=deep'] = row;
    const { workspace } = await stage();
    workspace.change(name, change);
    const plan = await workspace.plan(refresh);
    expect(plan.drift.flatMap(({ diff }) => diff.map((each) => each.path))).toContain(path);
    if (refresh !== '--refresh') expect((await workspace.plan('--refresh')).drift).toEqual([]);
    await workspace.apply(refresh);
    expect(await workspace.plan('--refresh=deep')).toMatchObject({ drift: [], changes: [] });
  });

  it('drift of a dashboard covers only what is declared, and a PATCH reverts it', async () => {
    const { workspace, emulator, sent } = await stage();
    emulator.edit(({ documents }) => {
      const dashboard = documents.find(({ identifier }) => identifier === '12db1a0a')?.dashboard;
      if (dashboard === undefined || dashboard === null) throw new Error('no dashboard');
      (dashboard.filters['order_status'] as Record<string, unknown>)['values'] = ['cancelled'];
      (dashboard.filters['region'] as Record<string, unknown>)['values'] = ['US'];
    });
    const plan = await workspace.plan('--refresh');
    expect(inBrief(plan)).toEqual(['update dashboards.sales (drifted)']);
    expect(plan.drift).toHaveLength(1);
    const requests = await sent(() => workspace.apply('--refresh'));
    expect(requests.filter((request) => !request.startsWith('GET'))).toEqual(['PATCH /dashboards/12db1a0a/filters']);
    expect((await workspace.plan('--refresh')).drift).toEqual([]);
  });

  it.each(['--refresh', '--refresh-only'])(
    'apply %s needs --force if everything is missing, because the token may see nothing',
    async (refresh) => {
      const { workspace, emulator } = await stage();
      emulator.edit((data) => {
        data.schedules = [];
      });
      const words = expect.stringContaining('None of the tracked schedules');
      expect((await workspace.plan(refresh)).diagnostics).toMatchObject([{ code: 'gives-up-many', message: words }]);
      for (const target of [[], ['--target', 'schedules.mail']]) {
        const refused = await workspace.run('apply', '--auto-approve', refresh, ...target);
        expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
      }
      expect(emulator.data().schedules).toEqual([]);
      expect(Object.keys(workspace.state().resources)).toContain('schedules.mail');
      await workspace.apply(refresh, '--force');
      expect(emulator.data().schedules).toHaveLength(refresh === '--refresh' ? Object.keys(schedules).length : 0);
    },
  );

  it('a missing schedule that was the only one asked for needs no --force if others exist', async () => {
    const { workspace, remove } = await stage();
    remove('Mail');
    expect((await workspace.apply('--refresh', '--target', 'schedules.mail')).summary.applied).toBe(1);
  });

  it('apply --refresh-only records drift in the state and sends only reads', async () => {
    const { workspace, remove, sent } = await stage();
    workspace.change('Hook', set('timezone', 'UTC'));
    remove('Chat');
    expect(inBrief(await workspace.plan('--refresh-only'))).toEqual([
      'forget schedules.chat (missing)',
      'update schedules.hook (refreshed)',
    ]);
    const { stdout: said } = await workspace.run('plan', '--refresh-only');
    expect(said).toEqual(
      says(
        'This changes only the state: the next apply changes Omni back to what is declared. To keep what others changed, run `almanac drift --deep --write` first.',
      ),
    );
    expect((await workspace.run('plan', '--refresh')).stdout).not.toContain('This changes only the state');
    const requests = await sent(() => workspace.apply('--refresh-only'));
    expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
    expect(workspace.state().resources['schedules.hook']?.attributes).toMatchObject({ timezone: 'UTC' });
    expect(workspace.state().resources['schedules.chat']).toBeUndefined();
    expect((await workspace.run('drift')).code).toBe(0);
    for (const command of ['plan', 'apply']) {
      const { stdout } = await workspace.run(
        command,
        '--refresh-only',
        ...(command === 'apply' ? ['--auto-approve'] : []),
      );
      expect(stdout).toContain('No changes. Everything that can be read back matches the state.');
    }
    expect(inBrief(await workspace.plan())).toEqual([
      'create schedules.chat (not-in-state)',
      'update schedules.hook (changed)',
    ]);
  });

  it('apply --refresh-only leaves the open changes of an earlier apply open', async () => {
    const { workspace } = await stage();
    const state = workspace.state();
    const open = {
      address: 'schedules.hook',
      action: 'update',
      since: '2026-11-01T00:00:00.000Z',
      attributes: { ...state.resources['schedules.hook']?.attributes, url: 'https://hooks.example.com/new' },
    };
    workspace.write({ 'almanac.state.json': { ...state, unresolved: [open] } });
    workspace.change('Hook', set('timezone', 'UTC'));
    await workspace.apply('--refresh-only');
    expect(workspace.state().resources['schedules.hook']?.attributes).toMatchObject({ timezone: 'UTC' });
    expect(workspace.state().unresolved).toEqual([open]);
  });
});

it('drift warns of a schedule that Omni has stopped, with the reason', async () => {
  const { workspace } = await stage();
  workspace.change('Mail', (_, schedule) => {
    schedule.systemDisabled = { at: new Date(start).toISOString(), reason: 'noAccess' };
  });
  const { diagnostics, changes } = await workspace.plan('--refresh');
  expect(changes).toEqual([]);
  expect(diagnostics).toMatchObject([{ code: 'stopped-by-service', message: expect.stringContaining('noAccess') }]);
});

it('drift says of what Omni does not show that its drift is unknown, and exits with 0 where no table judges it', async () => {
  const connect = connecting(() => ({ getSchedule: () => Promise.reject(refusal(403, 'api-unauthorized')) }));
  const { workspace } = await stage({}, { schedules: { mail: schedules['mail'] ?? {} } });
  const { code, stdout, stderr } = await workspaceIn(workspace, workspace.environment, { connect }).run(
    'drift',
    '--deep',
  );
  expect(code).toBe(0);
  expect(stdout).toContain('No drift was found, but not everything could be looked at.');
  expect(stdout).not.toContain('as it was applied');
  expect(stderr).toContain('not-read');
});

it('drift needs operations full and says so', async () => {
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl: 'http://127.0.0.1:1/api' } },
    'schedules/all.yaml': { schedules },
  });
  const workspace = workspaceIn(folder, { OMNI_API_TOKEN: 'omni_osk_x' });
  for (const command of [
    ['drift'],
    ['drift', '--write'],
    ['plan', '--refresh'],
    ['apply', '--auto-approve', '--refresh-only'],
  ])
    expect(await workspace.run(...command)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('operations: full'),
    });
});

it('an unknown depth of --refresh is refused with an explanation', async () => {
  const refused = { code: 1, stderr: expect.stringContaining('deep') };
  expect(await workspaceIn(makeFolder({}), {}).run('plan', '--refresh=shallow')).toMatchObject(refused);
});
