// What an apply does about a create whose answer was lost, however the clocks of this machine, of the service and of a
// gateway between them differ: it compares no times, but ids. A gateway loses the answers, over real HTTP.

import { describe, expect, it, onTestFinished } from 'vitest';
import { openGateway } from '../support/emulator/gateway.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { start, type Workspace } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const dashboard = '12db1a0a';
const schedule = (name: string, fields: object = {}) => ({
  identifier: dashboard,
  name,
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'json',
  destinationType: 'webhook',
  url: 'https://hooks.example.com/in',
  ...fields,
});

const seconds = 1000;
const minutes = 60 * seconds;
const day = 24 * 60 * minutes;

/** What becomes of a POST whose answer is lost. */
type Fate = 'made' | 'not made';

interface Clocks {
  /** By how many milliseconds the service's clock is ahead of ours. */
  readonly service: number;
  /** A lost answer is a 502 of a gateway, whose clock is ahead of ours by so much; undefined: the connection ends. */
  readonly gateway?: number;
}

interface Trial extends Pick<Workspace, 'state' | 'plan'> {
  declare(schedules: object, sections?: object): void;
  setOperations(operations: 'core' | 'full'): void;
  /** The fates of the next POSTs of schedules. */
  lose(...fates: readonly Fate[]): void;
  /** For how long a new schedule is not listed. */
  lag(milliseconds: number): void;
  /** A person makes a schedule in the browser, a name that is given twice included. */
  makes(id: string, name: string): void;
  renames(id: string, name: string): void;
  pass(milliseconds: number): Promise<void>;
  run(...argv: readonly string[]): Promise<{ readonly code: number; readonly text: string }>;
  apply(...argv: readonly string[]): ReturnType<Trial['run']>;
  /** The ids of the schedules that are there, sorted. */
  there(): readonly string[];
  /** How many POSTs of schedules were sent, and how many requests that change something. */
  posts(): number;
  changes(): number;
}

async function openTrial(clocks: Clocks): Promise<Trial> {
  const clock = makeInstantClock(start);
  const world = await openWorld({}, { now: () => clock.now() + clocks.service, outside: { clock } });
  const { emulator } = world;
  emulator.edit((data) => {
    data.schedules = [];
  });
  const fates: Fate[] = [];
  const listedFrom = new Map<string, number>();
  let [posts, changes, lag] = [0, 0, 0];
  const gate = await openGateway(world.baseUrl, async ({ method, path }, forward) => {
    const isPost = method === 'POST' && path.startsWith('/api/v1/schedules');
    const fate = isPost ? fates.shift() : undefined;
    if (isPost) posts += 1;
    if (method !== 'GET') changes += 1;
    const answer = fate === 'not made' ? undefined : await forward();
    for (const { id } of emulator.data().schedules) if (!listedFrom.has(id)) listedFrom.set(id, clock.now() + lag);
    const ahead = (milliseconds: number) => new Date(clock.now() + milliseconds).toUTCString();
    if (answer !== undefined && fate === undefined) {
      const isList = method === 'GET' && path.startsWith('/api/v1/schedules?');
      const isListed = ({ id }: { id: string }) => (listedFrom.get(id) ?? 0) <= clock.now();
      const text = isList ? onlyRecords(answer.text, isListed) : answer.text;
      return { status: answer.status, text, date: ahead(clocks.service) };
    }
    if (clocks.gateway === undefined) return undefined;
    return { status: 502, text: '{"message":"Bad gateway"}', date: ahead(clocks.gateway) };
  });
  onTestFinished(() => gate.close());
  const setOperations = (operations: 'core' | 'full') =>
    world.write({
      'almanac.yaml': {
        api: { baseUrl: gate.baseUrl, operations, rateLimit: 0, concurrency: 1 },
        safety: { maxDeletePercent: 100 },
      },
    });
  const run: Trial['run'] = async (...argv) => {
    const { code, stdout, stderr } = await world.run(...argv);
    return { code, text: (stdout + stderr).replace(/\s+/g, ' ') };
  };
  setOperations('full');
  return {
    state: world.state,
    plan: () => world.plan(),
    declare: world.declare,
    setOperations,
    lose: (...next) => void fates.push(...next),
    lag: (milliseconds) => {
      lag = milliseconds;
    },
    makes: (id, name) => {
      const at = new Date(clock.now() + clocks.service).toISOString();
      const fields = schedule(name, { url: 'https://hooks.example.com/stranger' });
      world.makeByHand(fields, { id, ownerId: null, createdAt: at, updatedAt: at });
    },
    renames: (id, name) =>
      emulator.edit(({ schedules }) => {
        for (const each of schedules) if (each.id === id) each.fields['name'] = name;
      }),
    pass: (milliseconds) => clock.sleep(milliseconds),
    run,
    apply: (...argv) => run('apply', '--auto-approve', ...argv),
    there: () =>
      emulator
        .data()
        .schedules.map(({ id }) => id)
        .sort(),
    posts: () => posts,
    changes: () => changes,
  };
}

function onlyRecords(text: string, isListed: (record: { id: string }) => boolean): string {
  const page = JSON.parse(text) as { records: { id: string }[]; pageInfo: { totalRecords: number } };
  const records = page.records.filter(isListed);
  return JSON.stringify({ ...page, records, pageInfo: { ...page.pageInfo, totalRecords: records.length } });
}

const a = 'schedules.a';
const stranger = '5c4ed000-0000-4000-8000-000000000000';
const trackedIds = (world: Trial) =>
  Object.values(world.state().resources)
    .flatMap(({ id }) => id ?? [])
    .sort();
const ours = (world: Trial) => world.there().filter((id) => id !== stranger);

/** The next apply ends well with so many POSTs; what is there besides strangers is tracked, and nothing is left to do. */
async function expectSettled(world: Trial, more: { readonly posts: number }, ...argv: readonly string[]) {
  const before = world.posts();
  const { code, text } = await world.apply(...argv);
  expect(code, text).toBe(0);
  expect(world.posts() - before).toBe(more.posts);
  expect(trackedIds(world)).toEqual(ours(world));
  expect(world.state()).toMatchObject({ unresolved: [], orphans: [] });
  expect((await world.plan()).changes).toEqual([]);
}

/** The next apply refuses, names these, and changes nothing. */
async function expectRefused(world: Trial, ids: readonly string[], ...argv: readonly string[]) {
  const [before, tracked] = [world.changes(), trackedIds(world)];
  const { code, text } = await world.apply(...argv);
  expect(code).toBe(1);
  for (const id of ids) expect(text).toContain(id);
  expect(world.changes()).toBe(before);
  expect(trackedIds(world)).toEqual(tracked);
}

/** An apply that loses the answers to its POSTs. */
async function loses(world: Trial, fates: readonly Fate[], ...argv: readonly string[]) {
  world.lose(...fates);
  const before = world.posts();
  const { code, text } = await world.apply(...argv);
  expect(code, text).toBe(1);
  expect(world.posts() - before).toBe(fates.length);
  expect(world.state().unresolved).toHaveLength(fates.length);
}

async function losesCreate(world: Trial, fate: Fate, ...argv: readonly string[]) {
  world.declare({ a: schedule('S') });
  await loses(world, [fate], ...argv);
}

async function losesReplacement(world: Trial, fate: Fate) {
  const [old] = ours(world);
  await loses(world, [fate], '--replace', a);
  expect(world.there()).toContain(old);
}

/** `schedules.a` is there, and perhaps a stranger of its name, made as long ago as given. */
async function begin(world: Trial, strangerFor?: number) {
  world.declare({ a: schedule('S') });
  expect((await world.apply()).code).toBe(0);
  if (strangerFor === undefined) return;
  world.makes(stranger, 'S');
  await world.pass(strangerFor);
}

async function keepsOldOne(world: Trial) {
  const old = ours(world);
  await expectSettled(world, { posts: 0 });
  expect(ours(world)).toEqual(old);
}

async function deletesOldOne(world: Trial) {
  const [old] = trackedIds(world);
  expect(ours(world)).toHaveLength(2);
  await expectSettled(world, { posts: 0 });
  expect(ours(world)).toHaveLength(1);
  expect(ours(world)).not.toContain(old);
}

const twins = { a: schedule('S'), b: schedule('S', { url: 'https://hooks.example.com/b' }) };

type Play = (world: Trial) => Promise<void>;
const overAges = (plays: (words: string, age: number) => Record<string, Play>): Record<string, Play> => ({
  ...plays('a minute', minutes),
  ...plays('a day', day),
});

const constellations: Readonly<Record<string, Play>> = {
  'a create that was made is adopted': async (world) => {
    await losesCreate(world, 'made');
    await expectSettled(world, { posts: 0 });
  },
  'a create that was not made is made once': async (world) => {
    await losesCreate(world, 'not made');
    await expectSettled(world, { posts: 1 });
    expect(ours(world)).toHaveLength(1);
  },
  'a create that was made is adopted although the file gives it another name since': async (world) => {
    await losesCreate(world, 'made');
    world.declare({ a: schedule('Renamed') });
    await expectSettled(world, { posts: 0 });
    expect(ours(world)).toHaveLength(1);
  },
  'what a stranger made of the same name meanwhile is adopted where the create was not made, because nothing tells them apart':
    async (world) => {
      await losesCreate(world, 'not made');
      world.makes(stranger, 'S');
      const { code, text } = await world.apply();
      expect(code, text).toBe(0);
      expect(text).toContain(`tracked as ${stranger}`);
      expect(world.posts()).toBe(1);
    },
  'a create that was made is refused beside what a stranger made of the same name meanwhile': async (world) => {
    await losesCreate(world, 'made');
    world.makes(stranger, 'S');
    await expectRefused(world, world.there());
  },
  ...overAges((words, age) => ({
    [`with --allow-duplicates, a create that was made is adopted, and not the stranger that had the name for ${words}`]:
      async (world) => {
        world.makes(stranger, 'S');
        await world.pass(age);
        await losesCreate(world, 'made', '--allow-duplicates');
        await expectSettled(world, { posts: 0 }, '--allow-duplicates');
        expect(ours(world)).toHaveLength(1);
      },
    [`with --allow-duplicates, a create that was not made is made once beside the stranger that had the name for ${words}`]:
      async (world) => {
        world.makes(stranger, 'S');
        await world.pass(age);
        await losesCreate(world, 'not made', '--allow-duplicates');
        await expectSettled(world, { posts: 1 }, '--allow-duplicates');
        expect(ours(world)).toHaveLength(1);
      },
    [`the old schedule stays where its replacement was not made and a stranger had the name for ${words}`]: async (
      world,
    ) => {
      await begin(world, age);
      await losesReplacement(world, 'not made');
      await keepsOldOne(world);
    },
  })),
  'a replacement that was made is adopted, and the old schedule is deleted': async (world) => {
    await begin(world);
    await losesReplacement(world, 'made');
    await deletesOldOne(world);
  },
  'the old schedule stays where its replacement was not made': async (world) => {
    await begin(world);
    await losesReplacement(world, 'not made');
    await keepsOldOne(world);
  },
  'a replacement that was made is adopted, and not the stranger that had the name for a minute': async (world) => {
    await begin(world, minutes);
    await losesReplacement(world, 'made');
    await deletesOldOne(world);
  },
  'a schedule that the same apply released is not taken for the one that was not made under its name': async (
    world,
  ) => {
    world.declare({ b: schedule('S') });
    expect((await world.apply()).code).toBe(0);
    const released = world.there();
    world.declare({ a: twins.b }, { removed: [{ from: 'schedules.b', keep: true }] });
    await loses(world, ['not made']);
    await expectRefused(world, [`- { to: ${a}, id: ${released[0]} }`]);
    expect(trackedIds(world)).toEqual([]);
  },
  'two creates of one name that were both made are refused': async (world) => {
    world.declare(twins);
    await loses(world, ['made', 'made']);
    await expectRefused(world, world.there());
  },
  'two creates of one name that were not made are both made once': async (world) => {
    world.declare(twins);
    await loses(world, ['not made', 'not made']);
    await expectSettled(world, { posts: 2 });
    expect(ours(world)).toHaveLength(2);
  },
  'a create that was made is adopted although it is not listed for twelve seconds': async (world) => {
    world.lag(12 * seconds);
    await losesCreate(world, 'made');
    await expectSettled(world, { posts: 0 });
  },
  'a create that was made with operations core is refused: nobody noted what was there': async (world) => {
    world.setOperations('core');
    await losesCreate(world, 'made');
    world.setOperations('full');
    await expectRefused(world, world.there());
  },
  'a create that was not made with operations core is made once': async (world) => {
    world.setOperations('core');
    await losesCreate(world, 'not made');
    world.setOperations('full');
    await expectSettled(world, { posts: 1 });
  },
};

describe.each<[string, Clocks]>([
  ['with equal clocks', { service: 0 }],
  ['with a service whose clock is ten minutes behind', { service: -10 * minutes }],
  ['with a service whose clock is ten minutes ahead', { service: 10 * minutes }],
  ['behind a gateway whose clock is not the service’s', { service: -10 * minutes, gateway: 0 }],
])('%s', (_, clocks) => {
  it.each(Object.entries(constellations))('%s', async (__, play) => {
    await play(await openTrial(clocks));
  });
});

describe('what is not certain', () => {
  it('a create that somebody renamed in Omni meanwhile is refused with its id and its name', async () => {
    const world = await openTrial({ service: 0 });
    await losesCreate(world, 'made');
    const [made = ''] = world.there();
    world.renames(made, 'Mine');
    await expectRefused(world, [`${made} (named "Mine")`]);
    expect((await world.run('state', 'resolve', a, '--id', made)).code).toBe(0);
    await expectSettled(world, { posts: 0 });
  });

  it('a create is refused if a stranger made another schedule on the dashboard meanwhile', async () => {
    const world = await openTrial({ service: 0 });
    await losesCreate(world, 'not made');
    world.makes(stranger, 'T');
    await expectRefused(world, [stranger]);
    expect((await world.run('state', 'resolve', a, '--retry')).code).toBe(0);
    await expectSettled(world, { posts: 1 });
  });

  it('a schedule that is released by hand after the create of its name was lost is not taken for that', async () => {
    const world = await openTrial({ service: 0 });
    world.declare({ b: schedule('S') });
    expect((await world.apply()).code).toBe(0);
    world.declare(twins);
    await loses(world, ['not made'], '--target', a, '--allow-duplicates');
    expect((await world.run('state', 'rm', 'schedules.b')).code).toBe(0);
    world.declare({ a: twins.a });
    const [old] = world.there();
    await expectRefused(world, [`- { to: ${a}, id: ${old} }`]);
  });

  it('several creates on one dashboard are each adopted by their name', async () => {
    const world = await openTrial({ service: 0 });
    world.declare({ a: schedule('S'), b: schedule('T'), c: schedule('U') });
    await loses(world, ['made', 'not made', 'made']);
    await expectSettled(world, { posts: 1 });
    expect(ours(world)).toHaveLength(3);
  });
});
