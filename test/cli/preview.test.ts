// `almanac preview` against the emulator: what is sent, with whose rights, and where the files go.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ids } from '../support/emulator/start-emulator.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const email = {
  identifier: '12db1a0a',
  name: 'Weekly',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['kim@customer.com'],
  subject: 'Weekly sales',
};
const filterConfig = { region: { values: ['North Pine'] } };
const whole = { region: { ...filterConfig.region, kind: 'EQUALS', type: 'string' } };
const weekly = { ...email, filterConfig };

const bodies = ({ emulator }: World) =>
  emulator
    .requests()
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/download'))
    .map(({ body, query }) => ({ body, query }));
const fileOf = ({ path }: World, name: string) => readFileSync(join(path, name), 'latin1');

test('a preview is a file of what would be delivered, in a folder that git ignores', async () => {
  const world = await openWorld({ schedules: { weekly: { ...weekly, hideTitle: true, paperFormat: 'a4' } } });
  const ran = await world.run('preview schedules.weekly');
  expect(ran).toEqual({
    code: 0,
    stdout: '.almanac/previews/schedules.weekly.pdf\n',
    stderr:
      '1 preview: at least 3 requests, at most 123.\n' +
      'schedules.weekly is rendered with the rights of the organization key, because no owner is known.\n',
  });
  expect(fileOf(world, '.almanac/previews/schedules.weekly.pdf')).toMatch(/^%PDF-/);
  expect(fileOf(world, '.almanac/previews/.gitignore')).toBe('*\n');
  expect(world.slept).toEqual([5000]);
});

test('a preview sends what a delivery shows, and nothing of where it goes', async () => {
  const world = await openWorld({
    schedules: {
      weekly: { ...weekly, textBody: 'Hello', hideTitle: true, paperFormat: 'a4', fanOut: true, meta: { note: 'x' } },
      hook: {
        ...email,
        destinationType: 'sftp',
        recipients: undefined,
        subject: undefined,
        address: 'sftp.customer.com',
        port: 22,
        username: 'reports',
        path: '/in/x.csv',
        passwordUnencrypted: '${env.NOT_SET}',
        format: 'csv',
        queryIdentifierMapKey: '1',
        enableFormatting: true,
      },
    },
  });
  const { code, stderr } = await world.run('preview', 'kind:schedule');
  expect(code, stderr).toBe(0);
  expect(bodies(world)).toEqual([
    { body: { format: 'pdf', filterConfig: whole, hideTitle: true, paperFormat: 'a4' }, query: {} },
    { body: { format: 'csv', queryIdentifierMapKey: '1', enableFormatting: true }, query: {} },
  ]);
  expect(stderr).toContain('A preview does not show the text of the message, what each recipient may see (fanOut).\n');
});

test('a whole dashboard as CSV is saved as a ZIP', async () => {
  const world = await openWorld({ schedules: { weekly: { ...weekly, format: 'csv' } } });
  expect((await world.run('preview schedules.weekly')).stdout).toBe('.almanac/previews/schedules.weekly.zip\n');
});

test.each(['png', 'xlsx', 'csv', 'json'])('a tile is saved as %s', async (format) => {
  const world = await openWorld({ schedules: { weekly: { ...weekly, format, queryIdentifierMapKey: '1' } } });
  const ran = await world.run('preview schedules.weekly');
  expect(ran.stdout, ran.stderr).toBe(`.almanac/previews/schedules.weekly.${format}\n`);
});

test('previews of one dashboard and user are made one after the other, of every instance of a loop', async () => {
  const world = await openWorld({
    schedules: {
      regional: {
        ...email,
        name: '${each.key}',
        format: 'csv',
        queryIdentifierMapKey: 'Jmn2r3KV',
        forEach: { north: { region: 'North Pine' }, south: { region: 'South Oak' } },
        filterConfig: { region: { values: ['${each.region}'] } },
      },
    },
  });
  const ran = await world.run('preview schedules.regional --out out');
  expect(ran).toMatchObject({
    code: 0,
    stdout: 'out/schedules.regional.north.csv\nout/schedules.regional.south.csv\n',
  });
  expect(fileOf(world, 'out/schedules.regional.north.csv')).toContain('North Pine');
  expect(fileOf(world, 'out/schedules.regional.south.csv')).toContain('South Oak');
  expect(world.emulator.requests().map(({ status }) => status)).not.toContain(409);
});

test('a declared owner decides with whose rights a preview is rendered', async () => {
  const world = await openWorld({ schedules: { weekly: { ...weekly, owner: 'bo@example.com' } } });
  const ran = await world.run('preview schedules.weekly');
  expect(ran.stderr).toContain('schedules.weekly is rendered with the rights of bo@example.com.\n');
  expect(bodies(world)).toMatchObject([{ query: { userId: ids.bo } }]);
});

test('a schedule without a declared owner is rendered with the rights of the owner that Omni lists', async () => {
  const world = await openApplied({ schedules: { weekly } });
  world.change('Weekly', (_, schedule) => {
    schedule.ownerId = ids.ana;
  });
  const ran = await world.run('preview schedules.weekly');
  expect(ran.stderr).toContain('schedules.weekly is rendered with the rights of ana@example.com.\n');
  expect(bodies(world)).toMatchObject([{ query: { userId: ids.ana } }]);
});

test('a personal token renders with its own rights, whatever owner is declared, and says so', async () => {
  const world = await openWorld({ schedules: { weekly: { ...weekly, owner: 'bo@example.com' } } });
  const personal = world.beside({}, { OMNI_API_TOKEN: world.personalToken });
  const ran = await personal.run('preview', 'schedules.weekly');
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      'with the rights of the member of the token; rows may differ from what bo@example.com may see.\n',
    ),
  });
  expect(bodies(world)).toMatchObject([{ query: {} }]);
});

test('a member who may not see the dashboard gets no preview of it', async () => {
  const world = await openWorld({
    schedules: { weekly: { ...email, identifier: 'b4d86e20', owner: 'bo@example.com' } },
  });
  const ran = await world.run('preview schedules.weekly');
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('schedules.weekly: Omni does not let this user download the dashboard.');
  expect(ran.stderr).not.toContain('is there already');
});

test('a preview goes to the standard output byte for byte', async () => {
  const world = await openWorld({ schedules: { weekly: { ...weekly, format: 'png' } } });
  const ran = await world.run('preview schedules.weekly --out - --quiet');
  expect(ran.code).toBe(0);
  expect(ran.stderr).toBe('');
  expect(ran.stdout.slice(0, 8)).toBe('\x89PNG\r\n\x1a\n');
  expect(existsSync(join(world.path, '.almanac'))).toBe(false);
});

test('a file that exists is replaced only with --force, and nothing is sent before that is known', async () => {
  const world = await openWorld({ schedules: { weekly } });
  writeFileSync(join(world.path, 'weekly.pdf'), 'mine');
  const refused = await world.run('preview schedules.weekly --out weekly.pdf');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('weekly.pdf is there already; nothing was sent.');
  expect(world.asked()).toEqual([]);
  expect((await world.run('preview schedules.weekly --out weekly.pdf --force')).stdout).toBe('weekly.pdf\n');
  expect(fileOf(world, 'weekly.pdf')).toMatch(/^%PDF-/);
});

test('no preview replaces the state or a source file, or goes through a link', async () => {
  const world = await openApplied({ schedules: { weekly } });
  world.link('/tmp', '.almanac');
  for (const line of ['--force --out almanac.state.json', '--force --out schedules/all.yaml', '']) {
    const ran = await world.run(`preview schedules.weekly ${line}`);
    expect(ran.code, ran.stderr).toBe(1);
  }
  expect(bodies(world)).toEqual([]);
});

test.each([
  ['dashboards.sales', 'is of the kind dashboard, and only schedules can be rendered'],
  ['aiJobs.why', 'is of the kind AI job, and only schedules can be rendered'],
  ['routines.digest', 'is of the kind routine, and only schedules can be rendered'],
  ['schedules.link', 'delivers only a link (format: link_only), and Omni renders no file of that'],
  ['schedules.rows', 'has format: json, which Omni renders only of one tile (queryIdentifierMapKey)'],
])('%s has no preview', async (address, why) => {
  const world = await openWorld({
    schedules: { link: { ...email, format: 'link_only' }, rows: { ...email, name: 'Rows', format: 'json' } },
    dashboards: { sales: { identifier: '12db1a0a', filters: { region: { values: ['EMEA'] } } } },
    aiJobs: { why: { modelId: ids.model, prompt: 'Why?' } },
    routines: {
      digest: {
        modelId: ids.model,
        name: 'Digest',
        prompt: 'What changed?',
        schedule: '0 9 ? * MON *',
        timezone: 'UTC',
        destination: { type: 'email', recipientEmails: ['ana@example.com'] },
      },
    },
  });
  const ran = await world.run('preview', address);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toEqual(says(why));
  expect(world.asked()).toEqual([]);
});

test('a preview needs operations full', async () => {
  const world = await openWorld({ schedules: { weekly } }, { operations: 'core' });
  const ran = await world.run('preview schedules.weekly');
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('With operations core') });
});

test('what a pattern selects and Omni cannot render is left out, with a line', async () => {
  const world = await openWorld({ schedules: { weekly, link: { ...email, name: 'Link', format: 'link_only' } } });
  const ran = await world.run('preview', 'schedules.*');
  expect(ran).toMatchObject({ code: 0, stdout: '.almanac/previews/schedules.weekly.pdf\n' });
  expect(ran.stderr).toContain('schedules.link is left out: it delivers only a link (format: link_only)');
});

test('a preview reads no state, so it needs no access to the place where that is kept', async () => {
  const config = { state: { backend: 'postgres', table: 'almanac_state' } };
  const world = await openWorld({ schedules: { weekly } }, { config });
  const ran = await world.run('preview schedules.weekly');
  expect(ran.code, ran.stderr).toBe(0);
});

test('a preview of another kind says that only schedules can be rendered', async () => {
  const dashboards = { sales: { identifier: '12db1a0a', filters: { region: { values: ['EMEA'] } } } };
  const world = await openWorld({ schedules: { weekly }, dashboards });
  const { code, stderr } = await world.run('preview kind:dashboard');
  expect(code).toBe(1);
  expect(stderr).toEqual(says('`kind:dashboard` selects nothing here: only schedules can be rendered.'));
});
