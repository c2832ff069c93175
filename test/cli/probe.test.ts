// `almanac doctor --probe`: that the emulator does what Almanac relies on, that a fault shows as a difference, what is sent and
// what is not, and that nothing which a probe has made is left, however it ends.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ProbeDocument } from '../../src/commands/doctor/probe/probe-document.ts';
import { probeName } from '../../src/model/service/remote.ts';
import type { Api } from '../../src/omni/api.ts';
import { connecting } from '../support/cli/connecting.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { setsOf } from '../support/runs/runs.ts';
import { expectDocument } from '../support/schemas.ts';
import { hook, inOneLine, mail, says } from '../support/vocabulary.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

const uuid = '11111111-2222-4333-8444-555555555555';
const name = probeName(uuid);
const named = '.almanac/probe.json';
const to = ['--to', 'ana@example.com'];
const everything = [...to, '--group', 'Board'];

/** The answers have the time of this machine in their headers, so the emulator and the program have it, too. */
const open = (options: WorldOptions = {}) =>
  openWorld({}, { now: Date.now, downloadDurationMs: 0, outside: { clock: makeInstantClock(Date.now()) }, ...options });

/** As `open`, and the dashboard has a second filter of regions, which is set. */
async function openWithPair(options: WorldOptions = {}): Promise<World> {
  const world = await open(options);
  world.emulator.edit(({ documents }) => {
    const dashboard = documents.find(({ identifier }) => identifier === '12db1a0a')?.dashboard;
    const region = dashboard?.filters['region'];
    if (!dashboard || region === undefined) throw new Error('no filter of regions');
    Object.assign(dashboard.filters, { ship_region: { ...region, values: ['Europe'] } });
    dashboard.filterOrder.push('ship_region');
  });
  return world;
}

const editSales = ({ emulator }: World, changed: object) =>
  emulator.edit(({ documents }) => {
    Object.assign(documents.find(({ identifier }) => identifier === '12db1a0a') ?? {}, changed);
  });

const ask = (world: Pick<World, 'run'>, ...more: readonly string[]) =>
  world.run('doctor', '--probe', '12db1a0a', '--auto-approve', ...more);

async function probed(world: Pick<World, 'run'>, ...more: readonly string[]) {
  const { code, stdout, stderr } = await ask(world, '--format', 'json', ...more);
  expect([0, 2], stdout + stderr).toContain(code);
  const { statements } = expectDocument<ProbeDocument>('probe', stdout);
  const idsOf = (result: string) => statements.filter((each) => each.result === result).map(({ id }) => id);
  return { code, stdout, stderr, statements, differing: idsOf('differs'), untried: idsOf('not-tried') };
}

/** Nothing of a probe is in Omni, no file names any, and no lock is left. */
function expectClean({ emulator, path }: World): void {
  expect(emulator.data().schedules).toEqual([]);
  for (const file of [named, 'almanac.state.json.lock']) expect(existsSync(join(path, file)), file).toBe(false);
}

const outside = 'someone@partner.example';

const unseen = 'create-announces-nothing';
const ofTile: readonly string[] = [
  'short-filter-limits',
  'no-rows-have-heads',
  'png-follows-filters',
  'filters-on-one-field-join',
];

it('a probe finds that the emulator does all that Almanac relies on, sends what it announced, and leaves nothing', async () => {
  const world = await openWithPair();
  const { code, differing, untried, stdout, stderr } = await probed(world, ...everything);
  expect([code, differing, untried]).toEqual([0, [], [unseen]]);
  const requests = world.emulator.requests();
  // The dashboard, its tiles, the member and the group are looked up before anything is announced.
  expect(stderr).toEqual(says(`It sends about ${requests.length - 4} requests, without a limit`));
  expect(stderr).toEqual(says('It downloads one tile of the dashboard, 7 files at most'));
  expect(stderr).toEqual(says('It makes 5 schedules'));
  expect(stdout).not.toMatch(/Europe|@|\.invalid\b|127\.0\.0\.1|[0-9a-f]{8}-[0-9a-f]{4}|12db1a0a|Board/);
  expectClean(world);
});

const filesOf = ({ path }: World) => readdirSync(path, { recursive: true }).sort();

const bodiesOfDownloads = (world: World) =>
  world.emulator
    .requests()
    .flatMap(({ method, path, body }) => (method === 'POST' && path.endsWith('/download') ? [body as object] : []));

it('a probe downloads a few rows of one tile at most six times, and two pictures without the values of the filters', async () => {
  const world = await openWithPair();
  const files = filesOf(world);
  const { stdout, stderr } = await ask(world, ...everything);
  const bodies = bodiesOfDownloads(world);
  const csv = bodies.filter((body) => 'format' in body && body.format === 'csv');
  const png = bodies.filter((body) => 'format' in body && body.format === 'png');
  expect([csv.length, png.length, bodies.length]).toEqual([5, 2, 7]);
  for (const body of bodies) expect(body).toMatchObject({ queryIdentifierMapKey: 'Jmn2r3KV' });
  for (const body of csv) expect(body).toMatchObject({ overrideRowLimit: true, maxRowLimit: 10 });
  for (const body of png) expect(body).toMatchObject({ showFilters: false });
  expect(`${stdout}${stderr}`).not.toMatch(/Europe|South Oak|1510/);
  expect(filesOf(world)).toEqual(['.almanac', ...files]);
});

const quirks = ['dropShortFilters', 'pngUnfiltered', 'andFilters', 'queriesWithoutQuery'] as const;
const differingBy: Readonly<Record<(typeof quirks)[number], readonly string[]>> = {
  dropShortFilters: ['short-filter-limits'],
  pngUnfiltered: ['png-follows-filters'],
  andFilters: ['filters-on-one-field-join'],
  queriesWithoutQuery: [],
};

it.each(setsOf(quirks).map((chosen) => [chosen.join(', ') || 'no quirk', chosen] as const))(
  'a probe says what Omni makes of filters under %s, and whether a PNG may go without a warning',
  async (_, chosen) => {
    const world = await openWithPair(Object.fromEntries(chosen.map((name) => [name, true])));
    const { differing, untried } = await probed(world, ...everything);
    expect([differing, untried]).toEqual([chosen.flatMap((name) => differingBy[name]), [unseen]]);
    const { stdout } = await ask(world, ...everything);
    expect(stdout.includes('checks: { png-unfiltered: off }')).toBe(!chosen.includes('pngUnfiltered'));
    expectClean(world);
  },
);

it.each<[what: string, prepare: (world: World) => void, options: WorldOptions, untried: readonly string[]]>([
  ['Omni lets nobody download it', (world) => editSales(world, { canDownload: false }), {}, ofTile],
  ['Omni never finishes a file', () => {}, { downloadDurationMs: 86_400_000 }, ofTile],
  ['Omni cannot render it', () => {}, { faults: [{ fault: 'download-error' }] }, ofTile],
  [
    'a file is too large',
    () => {},
    { faults: [{ fault: 'huge', on: 'GET /v1/dashboards/12db1a0a/download' }] },
    ofTile,
  ],
  [
    'a later download fails',
    () => {},
    { faults: [{ fault: 'download-error', on: 'POST /v1/dashboards/12db1a0a/download', at: 4 }] },
    ofTile.slice(2),
  ],
])('a probe tries what needs no file where %s', async (_, prepare, options, expected) => {
  const world = await openWithPair(options);
  prepare(world);
  const { code, untried, statements } = await probed(world, ...everything);
  expect([code, untried]).toEqual([0, [unseen, ...expected]]);
  for (const { id, why } of statements) if (expected.includes(id)) expect(why).toBe('A download failed.');
  expectClean(world);
});

it('a probe downloads nothing of a dashboard without filters of texts', async () => {
  const world = await open();
  const { code, stdout, stderr } = await world.run('doctor', '--probe', 'e5521fd8', '--auto-approve', ...to);
  expect([code, bodiesOfDownloads(world)]).toEqual([0, []]);
  expect(stdout).toEqual(says('Not tried: The dashboard has no filter of texts.'));
  expect(`${stdout}${stderr}`).not.toMatch(/downloads one tile|png-unfiltered/);
});

it('a probe of a tile whose filter has no known value does not try two filters on one field', async () => {
  const world = await openWithPair({ queriesWithoutQuery: true });
  world.emulator.edit(({ documents }) => {
    const sales = documents.find(({ identifier }) => identifier === '12db1a0a');
    Object.assign(sales?.dashboard?.filters['ship_region'] ?? {}, { values: [] });
  });
  const { code, untried } = await probed(world, ...everything);
  expect([code, untried]).toEqual([0, [unseen, 'filters-on-one-field-join']]);
});

const lineOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path.replace(/[0-9a-f-]{36}/g, 'ID')}`;

it('a probe sends nothing but what makes, pauses, changes and deletes its own schedules, each paused as soon as its name was read', async () => {
  const world = await open();
  const other = world.makeByHand(hook({ name: 'Of somebody', schedule: '0 9 1 1 ? 2098' }));
  const before = structuredClone(world.emulator.data());
  await probed(world, ...everything);
  expect(world.emulator.data()).toEqual(before);
  const all = world.emulator.requests().map((each) => ({ ...each, line: lineOf(each) }));
  const requests = all.filter(({ method }) => method !== 'GET');
  const isAllowed = (line: string) =>
    /^(?:POST \/api\/v1\/(?:schedules|dashboards\/12db1a0a\/download)|DELETE \/api\/v1\/schedules\/ID|PUT \/api\/v1\/schedules\/ID(?:\/(?:pause|resume|(?:add|remove)-recipients))?)$/.test(
      line,
    );
  expect(requests.map(({ line }) => line).filter((line) => !isAllowed(line))).toEqual([]);
  expect(requests.filter(({ path }) => path.includes(other))).toEqual([]);
  const made = all.flatMap(({ line, status, body }, index) =>
    line === 'POST /api/v1/schedules' && status === 200
      ? [{ next: all.slice(index + 1, index + 3).map((each) => each.line), body: body as Record<string, unknown> }]
      : [],
  );
  expect(made.length).toBe(5);
  const readAndPaused = ['GET /api/v1/schedules/ID', 'PUT /api/v1/schedules/ID/pause'];
  expect(made.map(({ next }) => next)).toEqual(made.map(() => readAndPaused));
  for (const { body } of made) {
    expect(body).toMatchObject({
      schedule: '0 0 1 1 ? 2099',
      name: expect.stringMatching(/^Almanac probe \S{36}, may/),
    });
    expect(body).not.toHaveProperty('testNow');
    const place = body['url'] ?? body['address'] ?? body['recipients'];
    expect(JSON.stringify(place)).toMatch(
      /^"(?:https:\/\/|sftp:\/\/)?almanac-probe\.invalid\/?"$|^\["ana@example\.com"\]$/,
    );
  }
});

/** What the service does otherwise, by the operations of the client. */
type Change = (api: Api) => Partial<Api>;

it.each<[what: string, options: WorldOptions, change: Change, differing: readonly string[]]>([
  ['a new schedule is not known at once', { eventualConsistencyMs: 4000 }, () => ({}), ['new-can-be-changed']],
  ['a PUT keeps what it lacks', { put: 'merge' }, () => ({}), ['put-resets-options', 'put-resets-filters']],
  ['the list counts the members of groups', { recipientCount: 'people' }, () => ({}), ['list-counts-no-members']],
  ['a PUT drops groups', { faults: [{ fault: 'drop-groups' }] }, () => ({}), ['put-keeps-groups']],
  ['an SFTP address must be a URL', { sftpAddress: 'url' }, () => ({}), ['sftp-takes-host']],
  [
    'pausing may be repeated',
    {},
    ({ pauseSchedule }) => ({ pauseSchedule: (...call) => pauseSchedule(...call).catch(() => undefined) }),
    ['pause-again-refused'],
  ],
  [
    'filters that the dashboard lacks are left out',
    {},
    ({ createSchedule }) => ({
      createSchedule: ({ filterConfig: _, ...rest }, ...call) => createSchedule(rest, ...call),
    }),
    ['filter-comes-back', 'unknown-filter-refused'],
  ],
  [
    'what was deleted stays in the list and can be deleted again',
    {},
    ({ deleteSchedule, listSchedules }) => {
      const seen = new Map<string, Awaited<ReturnType<typeof listSchedules>>[number]>();
      return {
        deleteSchedule: (...call) => deleteSchedule(...call).catch(() => undefined),
        listSchedules: async (...call) => {
          for (const row of await listSchedules(...call)) seen.set(row.id, row);
          return [...seen.values()];
        },
      };
    },
    ['delete-again-refused', 'list-lacks-deleted'],
  ],
  [
    'the list writes the cron expression in its own way',
    {},
    ({ listSchedules }) => ({
      listSchedules: async (...call) =>
        (await listSchedules(...call)).map((row) => ({ ...row, schedule: '0 0 1 1 ? 2099-2099' })),
    }),
    ['list-keeps-cron'],
  ],
  [
    'settings of a destination are not shown',
    {},
    ({ getRecipients }) => ({
      getRecipients: async (...call) => ({ ...(await getRecipients(...call)), settings: {} }),
    }),
    ['url-comes-back', 'sftp-comes-back'],
  ],
])('a probe says so where %s, and exits with 2', async (_, options, change, differing) => {
  const clock = makeInstantClock(Date.now());
  const world = await open({ ...options, now: clock.now });
  const connect = connecting(change, { clock });
  const found = await probed(world.beside({ connect, clock }), ...everything);
  expect([found.code, found.differing]).toEqual([2, differing]);
  expectClean(world);
});

it('the text of a probe says what differs, at most 80 columns wide', async () => {
  const { run } = await open({ sftpAddress: 'url' });
  const { stdout, stderr } = await ask({ run }, ...to);
  expect(stdout).toEqual(says('! sftp-takes-host: The address of an SFTP server may be a host alone'));
  expect(stdout).toEqual(says('Differs: It was refused with 400.'));
  expect(stdout).toEqual(says('Not tried: It needs --to ADDRESS and --group NAME'));
  expect(stdout).toContain('\n\n39 held, 1 differs, 10 not tried.\n');
  expect(stdout.endsWith('\n  checks: { png-unfiltered: off }\n')).toBe(true);
  for (const line of `${stdout}\n${stderr}`.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
});

it('without a group only the six statements about groups are not tried, and with a personal token alone nothing about e-mail', async () => {
  const world = await open();
  const withMember = await probed(world, ...to);
  expect(withMember.untried).toHaveLength(8);
  world.environment['OMNI_API_TOKEN'] = world.personalToken;
  const alone = await probed(world);
  expect([alone.code, alone.differing]).toEqual([0, []]);
  expect(alone.untried).toEqual([
    unseen,
    'filters-on-one-field-join',
    'receiver-comes-back',
    'member-has-account',
    'list-counts-addresses',
    'details-name-receivers',
    ...withMember.untried.slice(2),
  ]);
  expect(alone.stderr).toEqual(says('It makes 4 schedules called'));
  expectClean(world);
});

it('a probe goes at half of the rate limit, and says so', async () => {
  const world = await openWorld({}, { api: { rateLimit: 20 } });
  const { stderr } = await ask(world, ...to);
  expect(stderr).toEqual(says('at most 10 a minute'));
  expect(world.slept.filter((milliseconds) => milliseconds > 30_000).length).toBeGreaterThanOrEqual(3);
});

it.each<[what: string, prepare: (world: World) => unknown, argv: readonly string[], words: string]>([
  [
    'an organization key and no member',
    () => {},
    [],
    'An organization key has no member of its own, so --to is needed.',
  ],
  ['an address of no member', () => {}, ['--to', 'who@example.com'], 'who@example.com is not an active member'],
  [
    'the address of a closed account',
    ({ emulator }) => emulator.edit(({ members }) => void Object.assign(members[0] ?? {}, { active: false })),
    to,
    'ana@example.com is not an active member',
  ],
  [
    'a personal token and a member, whom it cannot check',
    (world) => (world.environment['OMNI_API_TOKEN'] = world.personalToken),
    to,
    'Omni does not list its members to this token',
  ],
  ['a group without access', () => {}, [...to, '--group', 'Sales team'], 'No user group, or more than one, is called'],
  ['a dashboard that is not there', () => {}, ['--probe', '99999999', ...to], 'api-rejected'],
  [
    'a dashboard that the token may not see',
    (world) => {
      world.environment['OMNI_API_TOKEN'] = world.personalToken;
      editSales(world, { scope: 'restricted', ownerId: null, sharedWith: [], sharedWithGroups: [], folderId: null });
    },
    [],
    'api-unauthorized',
  ],
  [
    'operations core',
    ({ write, baseUrl }) => write({ 'almanac.yaml': { api: { baseUrl } } }),
    to,
    'With operations core',
  ],
  [
    'a state that is locked',
    ({ write }) => write({ 'almanac.state.json.lock': JSON.stringify({ formatVersion: 1 }) }),
    to,
    'state-locked',
  ],
  [
    'a probe that has left something',
    ({ write, baseUrl }) =>
      write({ [named]: `${JSON.stringify({ event: 'sending', name, baseUrl, dashboard: '12db1a0a' })}\n` }),
    to,
    'An earlier probe has left 1 schedule of a probe.',
  ],
  [
    'a file that names another schedule',
    ({ write }) => write({ [named]: `${JSON.stringify({ event: 'made', name: 'Weekly sales', id: uuid })}\n` }),
    to,
    'Almanac did not write it',
  ],
  [
    'the file of a probe of another organization',
    ({ write }) =>
      write({
        [named]: `${JSON.stringify({ event: 'sending', name, baseUrl: 'https://a.omniapp.co/api', dashboard: 'x' })}\n`,
      }),
    to,
    'names schedules of https://a.omniapp.co/api',
  ],
  [
    'a folder of the file that is a link',
    (world) => {
      world.write({ 'elsewhere/x': '' });
      world.link('elsewhere', '.almanac');
    },
    to,
    'is a symbolic link',
  ],
])('a probe with %s is refused before it makes anything', async (_, prepare, argv, words) => {
  const world = await open();
  prepare(world);
  const { code, stdout, stderr } = await ask(world, ...argv);
  expect([code, stdout]).toEqual([1, '']);
  expect(inOneLine(stderr)).toContain(words);
  expect(world.sent()).toEqual([]);
});

it.each([
  [['--probe', '12db1a0a', ...to], 'There is no terminal to ask on, so nothing was sent.'],
  [to, '--to is about a probe'],
  [['--auto-approve'], '--auto-approve is about a probe'],
  [['--probe', '12db1a0a', '--group', 'Board', '--auto-approve'], '--group needs --to'],
  [['--clean', '--probe', '12db1a0a'], 'takes no --probe'],
  [['--clean', ...to], 'takes no --to'],
  [['--clean', '--format', 'json'], '--clean prints no document'],
])('doctor %j is refused with words and sends nothing', async (argv, words) => {
  const world = await open();
  const { code, stdout, stderr } = await world.run('doctor', ...argv);
  expect([code, inOneLine(stdout + stderr)]).toEqual([1, expect.stringContaining(words)]);
  expect(world.asked()).toEqual([]);
});

it('a probe asks, says what creating a schedule may announce, and makes nothing where the answer is not yes', async () => {
  const world = await open();
  const asked: string[] = [];
  const asker = () => async (question: string) => {
    asked.push(question);
    return 'no';
  };
  const { code, stderr } = await world.beside({ asker }).run('doctor', '--probe', '12db1a0a', ...to);
  expect([code, asked]).toEqual([1, ['\nProbe it now? Only yes is accepted: ']]);
  expect(stderr).toEqual(says('its owner and those who would receive it may get a notice of each'));
  expect(stderr).toEqual(says('The probe was not confirmed; nothing was made.'));
  expect(world.sent()).toEqual([]);
});

it('each schedule is named in the file before its POST', async () => {
  const world = await open();
  const before: boolean[] = [];
  const connect = connecting(({ createSchedule }) => ({
    createSchedule: (fields, call) => {
      before.push(readFileSync(join(world.path, named), 'utf8').includes(`"sending","name":"${fields['name']}"`));
      return createSchedule(fields, call);
    },
  }));
  await probed(world.beside({ connect }), ...to);
  expect(before.length).toBeGreaterThan(5);
  expect(before).toEqual(before.map(() => true));
});

it.each([
  'startDownload',
  'getDownload',
  'createSchedule',
  'pauseSchedule',
  'getRecipients',
  'updateSchedule',
  'deleteSchedule',
] as const)('Ctrl-C at the request %s deletes what the probe has made, and says so', async (operation) => {
  const world = await open();
  const controller = new AbortController();
  const connect = connecting((api) => ({
    [operation]: (...call: readonly unknown[]) => {
      controller.abort();
      return (api[operation] as (...given: readonly unknown[]) => Promise<unknown>)(...call);
    },
  }));
  const { code, stdout, stderr } = await ask(world.beside({ connect, signal: controller.signal }), ...to);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toEqual(says('Interrupted: what the probe has made is deleted first.'));
  expect(stderr).toEqual(says('error[interrupted]'));
  expectClean(world);
});

it('a probe that loses the answer of a POST ends with an error, and deletes by its name what that POST made', async () => {
  const world = await open({ faults: [{ fault: 'drop-after', on: 'POST /v1/schedules', at: 3 }] });
  const { code, stderr } = await ask(world, ...to);
  expect([code, stderr]).toEqual([1, says('error[api-answer-lost]')]);
  expect(inOneLine(stderr)).toContain('the probe has deleted what that made');
  expect(stderr).not.toContain('next plan');
  expectClean(world);
});

it.each([1, 2, 3, 5])(
  'a probe whose POST number %i is answered with the id of another schedule sends nothing about that one, names it and cleans up',
  async (wrong) => {
    const world = await open();
    const victim = world.makeByHand(hook({ name: 'Board figures', schedule: '0 9 1 1 ? 2098' }));
    const before = structuredClone(world.emulator.data());
    let posts = 0;
    const connect = connecting(({ createSchedule }) => ({
      createSchedule: async (...call) => {
        const created = await createSchedule(...call);
        posts += 1;
        return posts === wrong ? { ...created, id: victim } : created;
      },
    }));
    const { code, stdout, stderr } = await ask(world.beside({ connect }), ...everything);
    expect([code, stdout]).toEqual([1, '']);
    expect(inOneLine(stderr)).toContain('answered with the id of another schedule: `Board figures`');
    expect(inOneLine(stderr)).toContain(victim);
    expect(world.sent().filter((line) => line.includes(victim))).toEqual([]);
    expect(world.emulator.data()).toEqual(before);
    expect(existsSync(join(world.path, named))).toBe(false);
  },
);

it('a name stays in the file while Omni does not show what a lost POST may have made, until --clean looks again', async () => {
  const world = await open({ faults: [{ fault: 'drop-before', on: 'POST /v1/schedules', at: 3 }] });
  const { code, stderr } = await ask(world, ...to);
  expect([code, stderr]).toEqual([1, says('Omni may still have 1 schedule of a probe. Omni does not show them yet.')]);
  expect(inOneLine(stderr)).toContain('run `almanac doctor --clean`, then the probe again');
  const lines = world
    .read(named)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
  const answered = new Set(lines.filter(({ event }) => event !== 'sending').map((line) => line['name']));
  const late = lines.find((line) => !answered.has(line['name']))?.['name'];
  const other = world.makeByHand(hook({ name }));
  world.makeByHand(hook({ name: late }));
  expect(await world.run('doctor', '--clean')).toMatchObject({ code: 0, stdout: 'Deleted 1 schedule.\n' });
  expect(world.emulator.data().schedules.map(({ id }) => id)).toEqual([other]);
  expect(existsSync(join(world.path, named))).toBe(false);
  expect(await world.run('doctor', '--clean')).toMatchObject({ code: 0, stdout: 'No probe has left anything.\n' });
});

it('--clean forgets what an organization key does not see, and keeps what a personal token does not see', async () => {
  const world = await open();
  const line = { event: 'sending', name, baseUrl: world.baseUrl, dashboard: '12db1a0a' };
  world.write({ [named]: `${JSON.stringify(line)}\n` });
  const [key = ''] = [world.environment['OMNI_API_TOKEN']];
  world.environment['OMNI_API_TOKEN'] = world.personalToken;
  const refused = await world.run('doctor', '--clean');
  expect([refused.code, inOneLine(refused.stderr)]).toEqual([
    1,
    expect.stringContaining('This token sees nothing called'),
  ]);
  world.environment['OMNI_API_TOKEN'] = key;
  const { code, stdout } = await world.run('doctor', '--clean');
  expect([code, stdout]).toEqual([0, says('Omni has nothing called')]);
  expect(existsSync(join(world.path, named))).toBe(false);
});

it('a probe waits for its turn where Omni limits the rate, and cleans up where that lasts too long', async () => {
  const on = 'POST /v1/schedules';
  const once = await open({ faults: [{ fault: '429', on, at: 2, retryAfter: 1 }] });
  expect((await probed(once, ...to)).differing).toEqual([]);
  expectClean(once);
  const always = await open({ faults: [2, 3, 4, 5, 6].map((at) => ({ fault: '429', on, at })) });
  const { code, stderr } = await ask(always, ...to);
  expect([code, stderr]).toEqual([1, says('error[api-rate-limited]')]);
  expectClean(always);
});

it('what cannot be deleted is named with the results, and stays in the file for --clean', async () => {
  // The first two are those that the probe tries.
  const faults = [3, 4, 5, 6, 7].map((at) => ({ fault: '500', on: 'DELETE', at }) as const);
  const world = await open({ faults });
  const { code, stdout, stderr } = await ask(world, ...to);
  expect([code, world.emulator.data().schedules.length]).toEqual([1, 4]);
  expect(stdout).toEqual(says('not tried.'));
  expect(stderr).toEqual(says('Omni may still have 4 schedules of a probe.'));
  expect(stderr).toEqual(says('`almanac doctor --clean` deletes them.'));
  expect(await world.run('doctor', '--clean')).toMatchObject({ code: 0, stdout: 'Deleted 4 schedules.\n' });
  expectClean(world);
});

it('a DELETE that fails while the probe tries it ends the probe, which then cleans up', async () => {
  const world = await open({ faults: [1, 2, 3, 4, 5].map((at) => ({ fault: '500', on: 'DELETE', at }) as const) });
  const { code, stdout, stderr } = await ask(world, ...to);
  expect([code, stdout, stderr]).toEqual([1, '', says('error[')]);
  expectClean(world);
});

const leftOut = '1 schedule of a probe was left out.';

it.each<[what: string, fields: object, more: object]>([
  ['is paused', { name }, { disabledAt: '2026-03-01T00:00:00.000Z' }],
  ['runs once, in 2099', { name, schedule: '0 0 1 1 ? 2099' }, {}],
])('a schedule that is called like a probe and %s is hidden and counted', async (_, fields, more) => {
  const world = await open();
  world.makeByHand(mail({ ...fields, recipients: [outside] }), more);
  expect((await world.import()).imported).toEqual([]);
  expect(inOneLine((await world.run('import')).stderr)).toContain(leftOut);
  expect((await world.drift('--untracked')).document).toMatchObject({ untracked: [], probes: 1 });
  expect((await world.run('drift --untracked')).stdout).toContain(leftOut);
  expect((await world.run('drift --untracked --format markdown')).stdout).toContain(leftOut);
  expect((await world.run('plan', '--refresh')).stdout).not.toContain('untracked');
  for (const line of ['who --online', `offboard ${outside}`]) {
    const { stdout, stderr } = await world.run(line);
    expect(stderr, line).toContain(leftOut);
    expect(stdout, line).not.toMatch(/Almanac probe|1 untracked/);
  }
});

it('a schedule that is called like a probe and runs each week is untracked like any other', async () => {
  const world = await open();
  const id = world.makeByHand(mail({ name, schedule: '0 9 ? * MON *', recipients: [outside] }));
  const { document } = await world.drift('--untracked');
  expect([document.untracked, document.probes]).toEqual([[expect.objectContaining({ id, name })], undefined]);
  expect((await world.run('who --online')).stdout).toContain(outside);
  expect((await world.run(`offboard ${outside}`)).stdout).toContain('1 untracked');
  expect((await world.import()).imported).toEqual([expect.objectContaining({ id })]);
  const { stdout, stderr } = await world.run('doctor', '--clean');
  expect([stdout, stderr]).toEqual(['No probe has left anything.\n', '']);
  expect(world.emulator.data().schedules.map((each) => each.id)).toEqual([id]);
});
