// Who tracks an id: every asker, for a neighbour at every kind of place. A schedule in Omni is tracked by a neighbour's state;
// where that can be read, nobody takes it, where it cannot, what would take it waits, and where it is no neighbour, it is free.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { placeName } from '../../src/model/workspace/state-place.ts';
import { lostCreate, stateOf } from '../support/apply/declared.ts';
import { type FakePlace, makeFakePlace } from '../support/apply/shared-place.ts';
import { pairsOf } from '../support/runs/runs.ts';
import { mail } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

type Known = 'tracked' | 'unread' | 'free';

interface Neighbour {
  readonly known: Known;
  /** Of the run's own almanac.yaml. */
  readonly own?: object;
  /** The almanac.yaml of another workspace of the commit. */
  readonly other?: object;
  /** The neighbour's state: its file, from the folder of the own workspace, or the name of a shared place. */
  readonly at?: string;
  readonly text?: string | ((state: string) => string);
  /** The reason why its place does not answer. */
  readonly refusal?: string;
  readonly baseUrl?: string;
  readonly who?: string;
  /** The folder of the other workspace; `../beside` if left out. */
  readonly folder?: string;
  readonly pinned?: string;
}

const git = { state: { backend: 'git', branch: 'own' } };
const gitBeside = { state: { backend: 'git', branch: 'beside' } };
const s3 = (prefix: string, endpoint = 'https://s3.example.com') => ({
  state: { backend: 's3', bucket: 'states', endpoint, prefix },
});
const postgres = (name: string) => ({ state: { backend: 'postgres', name } });
const inBranch = { own: git, other: gitBeside, at: 'git branch beside of origin', who: '../beside' };
const besideFile = '../beside/almanac.state.json';

const neighbours: Readonly<Record<string, Neighbour>> = {
  'another environment': {
    known: 'tracked',
    own: { environments: { here: {}, there: { state: { path: 'there.json' } } } },
    at: 'there.json',
    who: 'the environment there',
  },
  'a workspace with its state in a file': { known: 'tracked', other: {}, at: besideFile, who: '../beside' },
  'a workspace with its state in a branch': { known: 'tracked', ...inBranch },
  'a workspace with its state in S3': {
    known: 'tracked',
    own: s3('own'),
    other: s3('beside'),
    at: 's3://states/beside at https://s3.example.com',
    who: '../beside',
  },
  'a workspace with its state in PostgreSQL': {
    known: 'tracked',
    own: postgres('own'),
    other: postgres('beside'),
    at: 'postgres table almanac_log, name beside',
    who: '../beside',
  },
  'a workspace beside a pinned state': { known: 'tracked', ...inBranch, pinned: 'git branch own of origin' },
  'a file that ignore names': {
    known: 'tracked',
    own: { ignore: [{ state: 'far.json' }] },
    at: 'far.json',
    who: 'the state far.json',
  },
  'a place at another server that ignore names': {
    known: 'tracked',
    own: { ignore: [s3('far')] },
    at: 's3://states/far at https://s3.example.com',
    who: 's3://states/far at https://s3.example.com',
  },
  'a workspace whose state cannot be read': { known: 'unread', other: {}, at: besideFile, text: '{', who: '../beside' },
  'a workspace whose state is of a newer version': {
    known: 'unread',
    other: {},
    at: besideFile,
    text: (state) => state.replace('"version":2', '"version":3'),
    who: '../beside',
  },
  'a workspace whose state is cut': {
    known: 'unread',
    other: {},
    at: besideFile,
    text: (state) => state.slice(0, 200),
    who: '../beside',
  },
  'a workspace whose remote asks for a password': { known: 'unread', ...inBranch, refusal: 'git has no credentials' },
  'a workspace whose branch is gone': { known: 'free', own: git, other: gitBeside },
  'a workspace of another organization in a branch': {
    known: 'free',
    ...inBranch,
    baseUrl: 'https://other.omniapp.co/api',
  },
  'a workspace without a state': { known: 'free', other: {} },
  'a workspace at another server': {
    known: 'free',
    own: s3('own'),
    other: s3('beside', 'https://other.example.com'),
    at: 's3://states/beside at https://other.example.com',
  },
  'a workspace of another organization': {
    known: 'free',
    other: {},
    at: besideFile,
    baseUrl: 'https://other.omniapp.co/api',
  },
};

const theirs = mail({ name: 'Theirs', recipients: ['bo@example.com'] });

async function openBeside({
  own = {},
  other,
  at,
  text,
  baseUrl: organization,
  pinned,
  refusal,
  folder = '../beside',
}: Neighbour) {
  const places = new Map<string, FakePlace>();
  const placeAt = (name: string) => {
    const place = places.get(name) ?? makeFakePlace();
    places.set(name, place);
    return place;
  };
  const openSharedState: Outside['openSharedState'] = (options) =>
    placeAt(placeName(options.place)).outside.openSharedState(options);
  const world = await openWorld({}, { config: null });
  const api = { baseUrl: world.baseUrl, operations: 'full', rateLimit: 0 };
  const committed = new Map(other === undefined ? [] : [[`${folder}/almanac.yaml`, JSON.stringify({ api, ...other })]]);
  const openCheckout: Outside['openCheckout'] = async () =>
    ({
      head: async () => undefined,
      standing: async () => undefined,
      files: async () => 'no-git',
      textsAt: async () => undefined,
      committed: async () => committed,
      moved: async () => [],
      defaultBranch: async () => undefined,
      userEmail: async () => undefined,
    }) as never;
  const environment = {
    ...world.environment,
    ...(pinned === undefined ? {} : { ALMANAC_STATE_PLACE: pinned }),
    PGHOST: 'localhost',
  };
  const { run } = world.beside({ openSharedState, openCheckout }, environment);
  const isEnvironment = 'environments' in own;
  const id = world.makeByHand(theirs);
  const state = stateOf(
    { 'schedules.theirs': { id, attributes: theirs } },
    { baseUrl: organization ?? world.baseUrl, lineage: 'theirs' },
  );
  if (at !== undefined && (at.startsWith('s3:') || at.startsWith('git ') || at.startsWith('postgres ')))
    placeAt(at).store.stored = { state, journal: undefined };
  else if (at !== undefined) {
    const whole = JSON.stringify(state);
    world.write({ [`own/${at}`]: typeof text === 'function' ? text(whole) : (text ?? whole) });
  }
  if (at !== undefined && refusal !== undefined)
    placeAt(at).failure = new Failure('state-unreadable', `${at} cannot be read: ${refusal}.`);
  world.write({ 'own/almanac.yaml': { api, ...own } });
  const declare = (schedules: object, rest: object = {}) =>
    world.write({ 'own/schedules/all.yaml': { ...rest, schedules } });
  const ownState = (open: ReturnType<typeof lostCreate>) => {
    const before = stateOf({}, { baseUrl: world.baseUrl, unresolved: [open] });
    const shared = {
      git: 'git branch own of origin',
      s3: 's3://states/own at https://s3.example.com',
      postgres: 'postgres table almanac_log, name own',
    };
    const backend = (own as { state?: { backend?: keyof typeof shared } }).state?.backend;
    if (backend === undefined) world.write({ 'own/almanac.state.json': JSON.stringify(before) });
    else placeAt(shared[backend]).store.stored = { state: before, journal: undefined };
  };
  declare({ own: mail({ name: 'Own' }) });
  const words = ['-C', 'own', ...(isEnvironment && at !== undefined ? ['--env', 'here'] : [])];
  const readsOf = (name: string) => placeAt(name).counts.read;
  return { ...world, id, declare, ownState, readsOf, run: (...argv: readonly string[]) => run(...argv, ...words) };
}

/** At another server: one is an environment's, and the other one a workspace's. */
const strangers = ['s3://states/there at https://other.example.com', 's3://states/beside at https://other.example.com'];

it.each([
  'validate',
  'plan',
  'plan --refresh=deep --online',
  'apply --auto-approve',
  'drift --deep --untracked --write',
  'import --write-state --declared',
  'status --all',
  'doctor',
  'who --online',
  'page --out page.html',
  'offboard bo@example.com',
  'offboard bo@example.com --write',
  'state list',
  'fmt --prune',
  'fold',
])('%s asks nothing at a server that its own state does not use, unless ignore names it', async (command) => {
  const { state: there } = s3('there', 'https://other.example.com');
  const own = { ...git, environments: { here: {}, there: { state: there } } };
  const places = [there, s3('beside', 'https://other.example.com').state];
  for (const ignore of [[], places.map((state) => ({ state }))]) {
    const { run, readsOf } = await openBeside({ known: 'free', own: { ...own, ignore }, other: { state: places[1] } });
    const ofAll = /^(?:fmt|fold)/.test(command);
    await run('apply', '--auto-approve', '--env', 'here');
    await run(...command.split(' '), ...(ofAll ? [] : ['--env', 'here']));
    const reads = strangers.map(readsOf);
    if (ignore.length === 0) expect(reads).toEqual([0, 0]);
    else if (ofAll) expect(reads[0]).toBeGreaterThan(0);
  }
});

it('offboard is not done, fold says so, and fmt --prune removes nothing where an environment is at another server', async () => {
  const { state: there } = s3('there', 'https://other.example.com');
  const { run } = await openBeside({
    known: 'free',
    own: { ...git, environments: { here: {}, there: { state: there } } },
  });
  const why =
    'The state of the environment there cannot be read. It is in s3://states/there at https://other.example.com';
  const offboard = await run('offboard', 'bo@example.com', '--format', 'json', '--env', 'here');
  expect([offboard.code, JSON.parse(offboard.stdout).unread]).toEqual([1, [expect.stringContaining(why)]]);
  expect(JSON.parse((await run('fold', '--format', 'json')).stdout).unread).toEqual([expect.stringContaining(why)]);
  const prune = await run('fmt', '--prune');
  expect([prune.code, flat(prune.stderr)]).toEqual([
    1,
    expect.stringContaining('so nothing was removed or formatted.'),
  ]);
  expect(flat(prune.stderr)).toContain('Only `ignore: [{ state: … }]` in almanac.yaml lets a run read');
});

it.each(['offboard bo@example.com', 'fmt --prune', 'fold'])(
  '%s reads the state of each environment once, and that of one in a file as well',
  async (command) => {
    const own = {
      state: { backend: 'git' },
      environments: { here: {}, there: {}, file: { state: { backend: 'local', path: 'f.json' } } },
    };
    const { run, readsOf } = await openBeside({ known: 'free', own });
    for (const name of ['here', 'there', 'file'])
      expect(await run('apply', '--auto-approve', '--allow', 'duplicates', '--env', name)).toMatchObject({ code: 0 });
    const before = readsOf('git branch almanac-state-there of origin');
    const { stdout, stderr } = await run(
      ...command.split(' '),
      ...(command.startsWith('offboard') ? ['--env', 'here'] : []),
    );
    expect([readsOf('git branch almanac-state-there of origin') - before, flat(stdout + stderr)]).toEqual([
      1,
      expect.not.stringContaining('cannot be read'),
    ]);
  },
);

type Beside = Awaited<ReturnType<typeof openBeside>>;

const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

/** What is said on stderr, with each reason once. */
function expectSaidOnce(stderr: string, { known }: Neighbour) {
  expect(flat(stderr).split('was not read').length - 1).toBe(known === 'unread' ? 1 : 0);
}

/** What each asker says or does. */
const askers: Readonly<Record<string, (beside: Beside, neighbour: Neighbour) => Promise<void>>> = {
  'drift --untracked': async ({ run }, { known, who }) => {
    await run('apply', '--auto-approve');
    const { stdout, stderr } = await run('drift', '--untracked', '--format', 'json');
    const { untracked, trackedBy } = JSON.parse(stdout);
    expect(untracked.length).toBe(known === 'tracked' ? 0 : 1);
    expect(trackedBy).toEqual(known === 'tracked' ? [{ who, count: 1 }] : undefined);
    expectSaidOnce(stderr, { known });
  },
  'an ordinary create': async ({ run, declare, id, emulator }, { known }) => {
    declare({ own: mail({ name: 'Own' }), other: mail({ name: 'Other' }) });
    expect(await run('apply', '--auto-approve')).toMatchObject({ code: 0 });
    const made = emulator.data().schedules.filter((each) => each.id !== id);
    expect(made).toHaveLength(2);
    const { code, stderr } = await run('plan', '--refresh', '--detailed-exitcode');
    expect(code).toBe(0);
    expectSaidOnce(stderr, { known });
  },
  import: async ({ run }, { known, who }) => {
    const { code, stdout, stderr } = await run('import', '--format', 'json');
    if (known === 'unread')
      return expect([code, flat(stdout + stderr)]).toEqual([1, expect.stringContaining('a neighbour tracks')]);
    const { imported, trackedBy } = JSON.parse(stdout);
    expect([imported.length, trackedBy]).toEqual(known === 'tracked' ? [0, [{ who, count: 1 }]] : [1, undefined]);
  },
  'an entry of adopt': async ({ run, declare, id }, { known, who }) => {
    declare({ theirs }, { adopt: [{ to: 'schedules.theirs', id }] });
    const { code, stdout } = await run('apply', '--auto-approve');
    const why = {
      tracked: `${who} tracks it; apply the release there first.`,
      unread: 'was not read',
      free: 'Applied 1 change.',
    };
    expect([code, flat(stdout)]).toEqual([known === 'free' ? 0 : 1, expect.stringContaining(why[known])]);
  },
  'the recovery of a lost create': async ({ run, declare, ownState, id }, { known }) => {
    declare({ theirs });
    ownState(lostCreate('schedules.theirs', theirs));
    const { code, stderr } = await run('apply', '--auto-approve', '--allow', 'duplicates');
    const state = JSON.parse((await run('state', 'pull')).stdout);
    const tracked = state.resources['schedules.theirs']?.id;
    if (known === 'unread')
      return expect([code, tracked, flat(stderr)]).toEqual([1, undefined, expect.stringContaining('was not read')]);
    expect(code).toBe(0);
    expect(tracked === id).toBe(known === 'free');
  },
  'state resolve --id': async ({ run, declare, ownState, id }, { known, who }) => {
    declare({ theirs });
    ownState(lostCreate('schedules.theirs', theirs));
    const { code, stderr } = await run('state', 'resolve', 'schedules.theirs', '--id', id);
    const why = { tracked: `is tracked by ${who}, as schedules.theirs`, unread: 'It is not known whether', free: '' };
    expect([code, flat(stderr)]).toEqual([known === 'free' ? 0 : 1, expect.stringContaining(why[known])]);
  },
  offboard: async ({ run }, { known, who }) => {
    await run('apply', '--auto-approve');
    const { code, stdout } = await run('offboard', 'bo@example.com', '--format', 'json');
    const { applied, receives, unread } = JSON.parse(stdout);
    expect(code).toBe(1);
    const isEnvironment = who?.startsWith('the environment');
    const of = isEnvironment ? { environment: 'there' } : { neighbour: who };
    expect(applied).toEqual(known === 'tracked' ? [{ address: 'schedules.theirs', ...of, as: 'receiver' }] : []);
    expect(unread?.length).toBe(known === 'unread' ? 1 : undefined);
    if (known !== 'tracked') expect(receives).toMatchObject([{ managed: false, name: 'Theirs' }]);
  },
  'who --online': async ({ run, declare }, { known, who }) => {
    declare({ own: mail({ name: 'Own', recipients: ['ana@example.com'] }) });
    await run('apply', '--auto-approve');
    const { stdout, stderr } = await run('who', 'bo@example.com', '--online', '--format', 'json');
    const trackedBy = known === 'tracked' ? { who, address: 'schedules.theirs' } : undefined;
    expect(JSON.parse(stdout).recipients).toMatchObject([
      { recipient: 'bo@example.com', deliveries: [{ name: 'Theirs', managed: false }] },
    ]);
    expect(JSON.parse(stdout).recipients[0].deliveries[0].trackedBy).toEqual(trackedBy);
    const table = flat((await run('who', '--online')).stdout);
    expect(table.includes(`tracked by ${who}, as schedules.theirs`)).toBe(known === 'tracked');
    expect(stderr.includes('was not read')).toBe(known === 'unread');
  },
  'status and page': async ({ run, path }, { known, who }) => {
    await run('apply', '--auto-approve');
    const { trackedBy, summary } = JSON.parse((await run('status', '--format', 'json')).stdout);
    expect(trackedBy).toEqual(known === 'tracked' ? [{ who, count: 1 }] : undefined);
    expect(summary.notManaged.count).toBe(known === 'tracked' ? 0 : 1);
    expect(flat((await run('status')).stdout).includes(`1 tracked by ${who}`)).toBe(known === 'tracked');
    expect(await run('page', '--status', '--out', 'page.html')).toMatchObject({ code: 0 });
    const page = readFileSync(join(path, 'own/page.html'), 'utf8');
    expect(page.includes(`1 is tracked by ${who?.replaceAll('`', '&#96;')}`)).toBe(known === 'tracked');
  },
  doctor: async ({ run }, { known, who }) => {
    await run('apply', '--auto-approve');
    const { stdout } = await run('doctor');
    expect(flat(stdout).includes(`${who} tracks 1`)).toBe(known === 'tracked');
    expect(flat(stdout).includes('was not read')).toBe(known === 'unread');
  },
};

it.each(pairsOf(Object.keys(askers), Object.keys(neighbours)))(
  '%s knows what is tracked by %s',
  async (asker, name) => {
    const neighbour = neighbours[name] as Neighbour;
    const beside = await openBeside(neighbour);
    await askers[asker]?.(beside, neighbour);
  },
);

it.each([
  ['that has no table is judged by the one here', {}, 2],
  [
    'that has a table is left to that',
    { safety: { internalDomains: ['acme.com'], rows: { filters: ['region'], allow: 'allow.csv' } } },
    0,
  ],
])('what a neighbour tracks %s', async (_, other, expected) => {
  const own = { safety: { internalDomains: ['acme.com'], rows: { filters: ['region'], allow: 'allow.csv' } } };
  const world = await openBeside({ known: 'tracked', own, other, at: besideFile });
  world.write({ 'own/allow.csv': 'shows,receiver\nEurope,ana@example.com\n' });
  world.declare({
    own: mail({ name: 'Own', filterConfig: { region: { kind: 'EQUALS', type: 'string', values: ['Europe'] } } }),
  });
  expect(await world.run('apply', '--auto-approve')).toMatchObject({ code: 0 });
  const { code, stderr, stdout } = await world.run('drift', '--deep', '--untracked');
  expect([stderr + stdout, code]).toEqual([expect.anything(), expected]);
  expect(flat(stderr + stdout).includes('bo@example.com')).toBe(expected === 2);
});

it.each(['../b,side', '../b,behind', '../b side', "../b'$(id)`", '../b\\\\,', '../behind'])(
  'the neighbour %s can be allowed by what the refusal prints',
  async (folder) => {
    const { run, write } = await openBeside({ known: 'unread', other: {}, folder });
    write({ [`own/${folder}/almanac.state.json`]: '{' });
    const refused = await run('import');
    expect(refused.code).toBe(1);
    const [, printed = ''] = /`(--allow .*)`\. Nothing was written/.exec(flat(refused.stderr)) ?? [];
    const word = printed.slice('--allow '.length);
    const given = word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
    expect(await run('import', '--allow', `${given}x`)).toMatchObject({ code: 1 });
    expect(await run('import', '--allow', given)).toMatchObject({ code: 0 });
  },
);

it.each(['api: [', 'state: { path: 3 }\n', '<<<<<<< ours\n', 'environments: 3\n'])(
  'where the own almanac.yaml is %j, repairs work, and one that takes an id waits for whoever knows',
  async (broken) => {
    const { run, ownState, write, id } = await openBeside({ known: 'free', other: {} });
    ownState(lostCreate('schedules.theirs', theirs));
    write({ 'own/almanac.yaml': broken });
    const state = ['--state', 'almanac.state.json'];
    expect(await run('state', 'list', ...state)).toMatchObject({ code: 0 });
    expect((await run('state', 'pull', ...state)).stdout).toContain('"unresolved"');
    const byId = ['state', 'resolve', 'schedules.theirs', '--id', id, ...state];
    const refused = await run(...byId);
    expect([refused.code, flat(refused.stderr)]).toEqual([1, expect.stringContaining('neighbours are not known')]);
    const [, allow = ''] = /`--allow ([^`]+)`/.exec(flat(refused.stderr)) ?? [];
    expect(await run(...byId, '--allow', allow)).toMatchObject({ code: 0 });
    ownState(lostCreate('schedules.theirs', theirs));
    expect(await run('state', 'resolve', 'schedules.theirs', '--retry', ...state)).toMatchObject({ code: 0 });
  },
);
