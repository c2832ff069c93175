// `almanac import` in this process against an emulator with the full operations: existing schedules become
// declarations, and the next plan is empty.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportDocument } from '../../src/commands/import/import-document.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { connecting } from '../support/cli/connecting.ts';
import { expectDocument } from '../support/schemas.ts';
import { says } from '../support/vocabulary.ts';
import { type Workspace, workspaceIn } from '../support/workspace.ts';
import { openWorld, type World } from '../support/world.ts';

const organizationKey = 'omni_osk_demo_organization_key';

/** One schedule of each destination, with texts that are difficult for YAML, keys and interpolation. */
async function makeSchedules({ create, send, asked }: World): Promise<Readonly<Record<string, string>>> {
  const made = {
    email: await create('email', {
      name: 'Weekly ✨ "sales" ${report}',
      subject: '${not.a} $${reference}: "quoted" # and',
      textBody: 'Hi\n\tthere \u202e\n',
      filterConfig: { region: { values: ['Europe'] } },
    }),
    paused: await create('webhook', { name: 'Paused: 007', format: 'json', identifier: '3f9c2b71' }),
    alert: await create('slack', {
      name: "Someone's alert",
      format: 'png',
      recipients: ['U0123456789', 'U0AAAAAAAAA'],
      slackRecipientType: 'users',
      conditionType: 'RESULTS_PRESENT',
      conditionQueryMapKey: '1',
    }),
    tile: await create('sftp', {
      name: '売上',
      format: 'csv',
      queryIdentifierMapKey: '1',
      overrideRowLimit: true,
      maxRowLimit: 500,
      passwordUnencrypted: 'a-secret',
    }),
    s3: await create('s3', { name: '12 months', format: 'xlsx', keyPrefix: '/a/b', timezoneOverride: 'Asia/Tokyo' }),
  };
  await send('PUT', `/v1/schedules/${made.paused}/pause`);
  asked();
  return made;
}

async function openMade() {
  const world = await openWorld();
  return { ...world, made: await makeSchedules(world) };
}

/** Sets what the files refer to. */
function setVariables({ read, environment }: World, path: string): void {
  for (const [, name = ''] of read(path).matchAll(/(?<!\$)\$\{env\.([A-Z0-9_]+)\}/g)) environment[name] = 'a-secret';
}

const actionsOf = async ({ plan }: World) =>
  (await plan()).changes.map(({ address, action, requests }) => [address, action, requests]);

const adopted = [
  ['schedules.paused-007', 'adopt', 0],
  ['schedules.schedule', 'adopt', 0],
  ['schedules.schedule-12-months', 'adopt', 0],
  ['schedules.someones-alert', 'adopt', 0],
  ['schedules.weekly-sales-report', 'adopt', 0],
];

describe('an import', () => {
  it('an import leads through adopt entries to an empty plan and changes nothing in Omni', async () => {
    const stage = await openMade();
    const { made } = stage;
    const before = stage.emulator.data().schedules;
    const document = await stage.import();
    expect(document.files).toEqual([
      { path: 'schedules/operations/orders-in-progress.yaml', resources: 1 },
      { path: 'schedules/sales/sales-overview.yaml', resources: 4 },
    ]);
    expect(document).toMatchObject({ skipped: [], tracked: 0, requests: 14 });
    expect(new Map(document.imported.map(({ address, id }) => [address, id]))).toEqual(
      new Map([
        ['schedules.weekly-sales-report', made['email']],
        ['schedules.paused-007', made['paused']],
        ['schedules.someones-alert', made['alert']],
        ['schedules.schedule', made['tile']],
        ['schedules.schedule-12-months', made['s3']],
      ]),
    );
    const sent = stage.asked();
    expect(sent).toHaveLength(14);
    expect(sent.every((request) => request.startsWith('GET '))).toBe(true);

    expect((await stage.run('validate')).code).toBe(0);
    expect(await actionsOf(stage)).toEqual(adopted);
    setVariables(stage, 'schedules/sales/sales-overview.yaml');
    const { stderr } = await stage.run('apply', '--auto-approve', '--format', 'json');
    // The filters of the dashboards, and each schedule in full, once. The details of an e-mail say to whom it goes.
    const mailed = stage.emulator.data().schedules.find(({ fields }) => fields['destinationType'] === 'email')?.id;
    const inFull = document.imported.flatMap(({ id }) => [
      `GET /v1/schedules/${id}`,
      ...(id === mailed ? [] : [`GET /v1/schedules/${id}/recipients`]),
    ]);
    // One list for each of two dashboards.
    const lists = ['GET /v1/schedules', 'GET /v1/schedules'];
    const filters = ['3f9c2b71', '12db1a0a'].map((of) => `GET /v1/dashboards/${of}/filters`);
    const asked = [...lists, ...filters, ...inFull];
    expect([...stage.asked()].sort()).toEqual(asked.sort());
    expect(stderr).toContain(`${asked.length} requests to see what exists.`);
    expect(await actionsOf(stage)).toEqual([]);
    expect(await stage.run('drift', '--deep')).toMatchObject({ code: 0 });
    expect(stage.emulator.data().schedules).toEqual(before);
    expect(existsSync(join(stage.path, '.almanac-import.json'))).toBe(false);
  });

  it('an import declares filter values that are no maps as they are, and says once what it allows in almanac.yaml', async () => {
    const stage = await openWorld();
    for (const name of ['One', 'Two']) await stage.create('email', { name, filterConfig: { region: ['Europe'] } });
    const { code, stderr } = await stage.run('import', '--write-state');
    expect(code).toBe(0);
    expect(stderr.replace(/\s+/g, ' ').split('`checks: { filter-shape: warning }`')).toHaveLength(2);
    expect(stage.read('schedules/sales/sales-overview.yaml')).toContain('region: [Europe]');
    expect(stage.read('almanac.yaml')).toMatch(/"checks": \{ "filter-shape": "warning" \}/);
    expect(await actionsOf(stage)).toEqual([]);
    expect((await stage.run('validate')).stdout).toContain('warning[filter-shape]');
  });

  it('an import whose file cannot be written leaves almanac.yaml as it was', async () => {
    const stage = await openWorld();
    await stage.create('email', { filterConfig: { region: ['Europe'] } });
    const before = stage.read('almanac.yaml');
    writeFileSync(join(stage.path, 'mine'), 'a file where a folder is needed');
    const { code, stderr } = await stage.run('import', '--out', 'mine');
    expect(code).toBe(1);
    expect(stderr).not.toContain('now says');
    expect(stage.read('almanac.yaml')).toBe(before);
  });

  it('an import says what to write for filter values that are no maps where almanac.yaml cannot be edited', async () => {
    const stage = await openWorld();
    await stage.create('email', { filterConfig: { region: ['Europe'] } });
    const before = `api: { operations: full, baseUrl: "${stage.baseUrl}" }\nchecks: &none {}\nvariables: *none\n`;
    writeFileSync(join(stage.path, 'almanac.yaml'), before);
    const { code, stderr } = await stage.run('import');
    expect(code).toBe(0);
    expect(stderr).toEqual(says('write `checks: { filter-shape: warning }` in almanac.yaml'));
    expect(stage.read('almanac.yaml')).toBe(before);
  });

  it('a subject that an import guessed is a danger of the first update alone', async () => {
    const stage = await openWorld();
    await stage.create('email', { name: 'Weekly', identifier: '12db1a0a' });
    stage.emulator.edit(({ schedules }) => {
      for (const { fields } of schedules) fields['subject'] = '';
    });
    await stage.import('--write-state');
    expect(stage.state().resources['schedules.weekly']?.unread).toContain('subject');
    expect(await actionsOf(stage)).toEqual([]);
    const path = 'schedules/sales/sales-overview.yaml';
    stage.write({ [path]: stage.read(path).replace('pdf', 'png') });
    const { dangers } = await stage.plan();
    expect(dangers).toContainEqual(
      expect.objectContaining({ code: 'unread', items: [expect.objectContaining({ subject: 'subject' })] }),
    );
    await stage.apply();
    expect(stage.state().resources['schedules.weekly']?.unread).toBeUndefined();
  });

  it('an import declares the current filters of dashboards, including those that are named', async () => {
    const stage = await openMade();
    const document = await stage.import('--dashboards', '--identifier', '3f9c2b71', '7ae01c55');
    expect(document.files).toEqual([
      { path: 'schedules/operations/orders-in-progress.yaml', resources: 2 },
      { path: 'schedules/sales/customer-health.yaml', resources: 1 },
    ]);
    const { changes } = await stage.plan();
    expect(changes.map(({ address, action }) => [address, action])).toEqual([
      ['dashboards.customer-health', 'create'],
      ['dashboards.orders-in-progress', 'create'],
      ['schedules.paused-007', 'adopt'],
    ]);
    const before = stage.emulator.data().documents;
    await stage.apply();
    expect(stage.emulator.data().documents.map(({ dashboard }) => dashboard)).toEqual(
      before.map(({ dashboard }) => dashboard),
    );
    expect(await actionsOf(stage)).toEqual([]);
  });

  it('an import says that a named dashboard does not exist', async () => {
    const stage = await openWorld();
    const ran = await stage.run('import', '--dashboards', '--identifier', 'nope');
    expect(ran).toMatchObject({ code: 0, stdout: 'Imported 0 schedules into 0 files.\n' });
    expect(ran.stderr).toContain('warning: No schedule delivers the dashboard nope.');
    expect(ran.stderr).toMatch(/warning: The filters of nope \(nope\) are not declared\. .*404/);
  });

  it('an import adopts an orphan, which is then no longer listed', async () => {
    const stage = await openMade();
    const { made } = stage;
    await stage.import('--write-state');
    const { ['schedules.paused-007']: _, ...resources } = stage.state().resources;
    const orphan = {
      id: made['paused'],
      address: 'schedules.old',
      identifier: '3f9c2b71',
      name: 'x',
      since: '2026-01-01T00:00:00Z',
    };
    stage.write({
      'almanac.state.json': { ...stage.state(), resources, orphans: [orphan] },
      'schedules/operations/orders-in-progress.yaml': '',
    });
    expect(await stage.import('--write-state')).toMatchObject({ imported: [{ id: made['paused'] }] });
    expect(stage.state()).toMatchObject({ orphans: [], serial: 2 });
    expect(await actionsOf(stage)).toEqual([]);
  });

  it('an import draws a progress bar on a terminal and removes it', async () => {
    const stage = await openMade();
    let text = '';
    const stderr = { isTerminal: true, width: 80, write: (part: string) => (text += part) };
    const workspace = stage.beside({ stderr });
    expect((await workspace.run('import', '--no-color')).code).toBe(0);
    expect(text).toContain('[====================] 7/7: ');
    expect(text.endsWith('\r\u001b[2K')).toBe(true);
    text = '';
    rmSync(join(stage.path, 'schedules'), { recursive: true });
    expect((await workspace.run('import', '--quiet')).code).toBe(0);
    expect(text).toBe('');
  });

  it('an import skips what is tracked and what an adopt entry names', async () => {
    const stage = await openMade();
    await stage.import('--identifier', '12db1a0a');
    expect(await stage.import()).toMatchObject({ tracked: 4, imported: [{ address: 'schedules.paused-007' }] });
    expect(await stage.import()).toMatchObject({ tracked: 5, imported: [], files: [], requests: 2 });
  });

  it('an import says what it does and how long it takes', async () => {
    const stage = await openMade();
    const ran = await stage.run('import');
    expect(ran).toMatchObject({
      code: 0,
      stderr: 'Reading 5 schedules and the filters of 2 dashboards in 11 requests.\n',
    });
    expect(ran.stdout).toContain('schedules/sales/sales-overview.yaml: 4 resources');
    expect(ran.stdout).toContain('Imported 5 schedules into 2 files.');
    stage.write({
      'almanac.yaml': { api: { baseUrl: stage.baseUrl, operations: 'full', rateLimit: 5, concurrency: 1 } },
    });
    rmSync(join(stage.path, 'schedules'), { recursive: true });
    const slow = await stage.run('import');
    expect(slow.stderr).toMatch(/in 11 requests; the rate\s+limit makes them take about 2 min\./);
  });
});

describe('what can not be declared', () => {
  it('a schedule that cannot be declared cannot control the terminal', async () => {
    const stage = await openWorld();
    await stage.create('email', {
      name: '\u001b[31mred\u0007\u202e',
      schedule: '0 9 ? * MON *',
      subject: '\u0085\u009b',
    });
    stage.emulator.edit(({ schedules }) => {
      for (const schedule of schedules) schedule.fields['timezone'] = 'Nowhere/\u001b[0m';
    });
    const ran = await stage.run('import');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point
    expect(ran.stdout + ran.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe('a refusal', () => {
  const failure = async ({ run }: World, ...argv: readonly string[]) => {
    const ran = await run('import', '--format', 'json', ...argv);
    expect(ran.code).toBe(1);
    return expectDocument<{ error: { code: string; message: string; hint: string } }>('error', ran.stdout).error;
  };

  it('an import with operations core says what to set, and sends nothing', async () => {
    const stage = await openWorld({}, { api: { operations: 'core' } });
    const { code, hint } = await failure(stage);
    expect([code, hint]).toEqual(['usage', expect.stringContaining('api: { operations: full }')]);
    expect(stage.asked()).toEqual([]);
  });

  it('an import writes beside a file that is there, under the next free name, and says so', async () => {
    const [mine, other] = ['schedules/sales/sales-overview.yaml', 'schedules/sales/sales-overview-2.yaml'];
    const stage = await openWorld({ [mine]: '# mine\n', [other]: '# mine too\n' });
    await makeSchedules(stage);
    const ran = await stage.run('import');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('sales-overview-3.yaml: 4 resources') });
    expect(ran.stdout).toEqual(says(`${mine} already exists and was not changed; new resources are in a second file.`));
    expect([stage.read(mine), stage.read(other)]).toEqual(['# mine\n', '# mine too\n']);
    expect(await actionsOf(stage)).toEqual(adopted);
  });

  it('a new schedule on an imported dashboard gets a file of its own, as drift says, and the other file stays', async () => {
    const stage = await openMade();
    await stage.import('--write-state');
    const before = stage.read('schedules/sales/sales-overview.yaml');
    await stage.create('email', { name: 'Another' });
    const drift = await stage.run('drift', '--untracked');
    expect(drift.stdout).toContain('almanac import --identifier 12db1a0a');
    const { files, beside } = await stage.import('--identifier', '12db1a0a');
    expect(files.map(({ path }) => path)).toEqual(['schedules/sales/sales-overview-2.yaml']);
    expect(beside.map(({ there }) => there)).toEqual(['schedules/sales/sales-overview.yaml']);
    expect(stage.read('schedules/sales/sales-overview.yaml')).toBe(before);
    await stage.create('email', { name: 'One more' });
    const again = await stage.import('--identifier', '12db1a0a');
    expect(again.files.map(({ path }) => path)).toEqual(['schedules/sales/sales-overview-3.yaml']);
    expect((await actionsOf(stage)).map(([address]) => address)).toEqual(['schedules.another', 'schedules.one-more']);
  });

  it('an import refuses to write a state for files that no glob matches', async () => {
    const stage = await openMade();
    expect((await failure(stage, '--write-state', '--out', 'elsewhere')).hint).toContain('sources');
    expect(existsSync(join(stage.path, 'almanac.state.json'))).toBe(false);
    expect((await failure(stage, '--out', '..')).code).toBe('usage');
    stage.asked();
    stage.write({
      'almanac.yaml': { api: { baseUrl: stage.baseUrl, operations: 'full' }, sources: ['elsewhere/**/*.yaml'] },
    });
    const { paired, files } = await stage.import('--write-state', '--resume');
    expect([paired.length, files]).toEqual([5, []]);
    expect(await actionsOf(stage)).toEqual([]);
  });
});

describe('an import that did not finish', () => {
  /** Before the nth request for details. */
  function disturbed(stage: World, at: number, disturb: (controller: AbortController) => void): Workspace {
    const controller = new AbortController();
    let count = 0;
    const counted =
      <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
      async (...given: A): Promise<R> => {
        count += 1;
        if (count === at) disturb(controller);
        return call(...given);
      };
    const connect = connecting(({ getSchedule, getRecipients, getFilters }) => ({
      getSchedule: counted(getSchedule),
      getRecipients: counted(getRecipients),
      getFilters: counted(getFilters),
    }));
    return workspaceIn(stage, stage.environment, { connect, signal: controller.signal });
  }

  const fail = () => {
    throw new Failure('api-unreachable', 'The network is down.', { hint: 'Check it.' });
  };

  it.each([2, 5, 8, 11])(
    'an interrupted import repeats only the lists and the filters of dashboards whose schedules are left (broken off before request %i)',
    async (at) => {
      for (const disturb of [fail, (controller: AbortController) => controller.abort()]) {
        const stage = await openMade();
        const ran = await disturbed(stage, at, disturb).run('import', '--format', 'json');
        expect(ran.code).toBe(1);
        expect(expectDocument<{ error: { hint: string } }>('error', ran.stdout).error.hint).toContain('--resume');
        const first = stage.asked();
        expect(first.length).toBeLessThan(15);

        const refused = await stage.run('import');
        expect(refused.code).toBe(1);
        expect(refused.stderr).toEqual(says('Continue with --resume, or remove the file to start over.'));
        expect(stage.asked()).toEqual([]);

        const document = await stage.import('--resume');
        const [list, routines, ...others] = stage.asked();
        expect([list, routines]).toEqual(['GET /v1/schedules', 'GET /v1/ai/routines']);
        const all = [...first, ...others];
        expect(new Set(all).size).toBe(14);
        const again = all.filter((request, index) => all.indexOf(request) < index);
        expect(again.every((request) => request.endsWith('/filters'))).toBe(true);
        expect(document.imported).toHaveLength(5);
        expect(await actionsOf(stage)).toEqual(adopted);
        expect(existsSync(join(stage.path, '.almanac-import.json'))).toBe(false);
      }
    },
  );

  it('an import whose state was changed while it read keeps its files, and tracks what they declare when it continues', async () => {
    const stage = await openMade();
    await stage.import('--write-state', '--identifier', '3f9c2b71');
    const change = () => stage.write({ 'almanac.state.json': { ...stage.state(), serial: 2 } });
    const ran = await disturbed(stage, 5, change).run('import', '--write-state');
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('error[state-conflict]') });
    expect(ran.stderr).toEqual(says('Continue with --write-state --resume.'));
    expect(await stage.import('--write-state', '--resume')).toMatchObject({ files: [], paired: { length: 4 } });
    expect(await actionsOf(stage)).toEqual([]);
  });

  it('what went or was changed in Omni since is read again, also where that reading breaks off', async () => {
    const stage = await openMade();
    const { made } = stage;
    await disturbed(stage, 11, fail).run('import', '--write-state');
    stage.emulator.edit((data) => {
      data.schedules = data.schedules.filter(({ id }) => id !== made['email']);
      for (const { id, fields } of data.schedules) if (id === made['alert']) fields['schedule'] = '0 7 * * ? *';
    });
    await disturbed(stage, 1, fail).run('import', '--write-state', '--resume');
    const { imported } = await stage.import('--write-state', '--resume');
    expect(imported.map(({ id }) => id)).not.toContain(made['email']);
    expect(imported).toHaveLength(4);
    expect((await stage.drift('--deep')).document.changes).toEqual([]);
  });

  it('an interrupted import is refused with the line and the way out when its progress file was changed', async () => {
    const stage = await openMade();
    await disturbed(stage, 9, fail).run('import');
    stage.asked();
    const name = '.almanac-import.json';
    const lines = readFileSync(join(stage.path, name), 'utf8').split('\n');
    const broken: readonly (readonly [at: number, line: string, words: string])[] = [
      [0, '{}', 'in line 1, /type is missing'],
      [1, '{"type":"listed","id":"","answer":[{}]}', 'in line 2, /answer/0/id is missing'],
      [2, '{"type":"filters","id":"x","answer":"none"}', 'in line 3, /answer is not an object'],
      [2, '{"type":"other","id":"x","answer":{}}', 'in line 3, /type is not one that Almanac writes'],
    ];
    for (const [at, line, words] of broken) {
      stage.write({ [name]: lines.with(at, line).join('\n') });
      const ran = await stage.run('import', '--resume');
      expect(ran.code).toBe(1);
      expect(ran.stderr).toEqual(says(words));
      expect(ran.stderr).toContain('Remove it to start over.');
    }
    expect(stage.asked()).toEqual([]);
  });

  it('an interrupted import starts over once its file is removed, and does not continue for other dashboards', async () => {
    const stage = await openMade();
    await disturbed(stage, 9, fail).run('import');
    stage.asked();
    const other = await stage.run('import', '--resume', '--identifier', '12db1a0a');
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('another import') });
    expect(stage.asked()).toEqual([]);
    rmSync(join(stage.path, '.almanac-import.json'));
    expect(await stage.import()).toMatchObject({ requests: 14 });
    expect(stage.asked()).toHaveLength(14);
  });

  it('an import skips schedules that Omni lists without a name or a dashboard', async () => {
    const stage = await openMade();
    const { made } = stage;
    const lacking: Readonly<Record<string, object>> = {
      [made['email'] ?? '']: { identifier: '' },
      [made['alert'] ?? '']: { name: '' },
    };
    const connect = connecting(({ listSchedules }) => ({
      listSchedules: async (...request) =>
        (await listSchedules(...request)).map((row) => ({ ...row, ...lacking[row.id] })),
    }));
    const ran = await workspaceIn(stage, { OMNI_API_TOKEN: organizationKey }, { connect }).run(
      'import',
      '--format',
      'json',
    );
    const { skipped, imported } = expectDocument<ImportDocument>('import', ran.stdout);
    expect(skipped).toMatchObject([
      { id: made['email'], reason: 'Omni does not say which dashboard it delivers.' },
      { id: made['alert'], reason: 'Omni does not say what its name is.' },
    ]);
    expect(imported).toHaveLength(3);
  });

  it('an import skips schedules that disappeared meanwhile or may not be seen', async () => {
    const stage = await openMade();
    const { made } = stage;
    const remove = () =>
      stage.emulator.edit((data) => {
        data.schedules = data.schedules.filter(({ id }) => id !== made['email']);
      });
    const ran = await disturbed(stage, 1, remove).run('import', '--format', 'json');
    const document = expectDocument<ImportDocument>('import', ran.stdout);
    expect(document.skipped).toMatchObject([{ id: made['email'], reason: expect.stringContaining('does not exist') }]);
    expect(document.imported).toHaveLength(4);
  });
});

it('an import is refused while the outcome of an earlier create is unknown', async () => {
  const stage = await openMade();
  await stage.import('--write-state');
  const unresolved = [{ address: 'schedules.open', action: 'create', since: '2026-01-01T00:00:00Z' }];
  stage.write({ 'almanac.state.json': { ...stage.state(), unresolved } });
  const ran = await stage.run('import');
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('schedules.open') });
});

it('--write-state records what Omni calls the dashboard by, so that a rename is known', async () => {
  const world = await openWorld({});
  await world.create('webhook', { name: 'One', format: 'json' });
  await world.import('--write-state');
  const { resources } = JSON.parse(world.read('almanac.state.json'));
  const uuid = expect.stringMatching(/^[0-9a-f]{8}-/);
  expect(Object.values(resources)).toEqual([expect.objectContaining({ entityId: uuid })]);
});

describe('by URL', () => {
  const page = (world: World, path: string) => `${new URL(world.baseUrl).origin}/dashboards/${path}`;

  it('a schedule is imported alone, by the URL of its page', async () => {
    const world = await openWorld({});
    const id = await world.create('webhook', { name: 'One', format: 'json' });
    await world.create('webhook', { name: 'Two', format: 'json' });
    await world.create('webhook', { name: 'Three', format: 'json', identifier: '3f9c2b71' });
    const { imported } = await world.import(page(world, `12db1a0a/schedules/${id.toUpperCase()}?x=1`));
    expect(imported.map((each) => each.id)).toEqual([id]);
  });

  it('the URL of a dashboard means all of its schedules, and adds to what else is named', async () => {
    const world = await openWorld({});
    const one = await world.create('webhook', { name: 'One', format: 'json' });
    const two = await world.create('webhook', { name: 'Two', format: 'json' });
    const three = await world.create('webhook', { name: 'Three', format: 'json', identifier: '3f9c2b71' });
    await world.create('webhook', { name: 'Four', format: 'json', identifier: '3f9c2b71' });
    const urls = [page(world, '12db1a0a'), page(world, `3f9c2b71/schedules/${three}`)];
    const { imported } = await world.import(...urls);
    expect(new Set(imported.map((each) => each.id))).toEqual(new Set([one, two, three]));
  });

  it('a schedule that is not there is named', async () => {
    const world = await openWorld({});
    const missing = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
    const { stderr } = await world.run('import', page(world, `12db1a0a/schedules/${missing}`));
    expect(stderr).toContain(`no schedule with the id ${missing}`);
  });

  it.each([
    ['https://other.omniapp.co/dashboards/12db1a0a', 'is at other.omniapp.co, and the organization'],
    ['12db1a0a', 'is an id, and an import takes the URL'],
    ['https://acme.omniapp.co/w/12db1a0a', 'is not the URL of an Omni dashboard or schedule'],
  ])('%s is refused', async (url, words) => {
    const { code, stderr } = await (await openWorld({})).run('import', url);
    expect({ code, stderr }).toEqual({ code: 1, stderr: says(words) });
  });

  it('without a base URL, a page is refused because nobody knows its organization', async () => {
    const world = await openWorld({});
    world.write({ 'almanac.yaml': { api: { operations: 'full' } } });
    const { code, stderr } = await world.run('import', 'https://acme.omniapp.co/dashboards/12db1a0a');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('missing-base-url') });
  });
});
