// What a state keeps of filters that were sent and not read back: who reads them, what waits meanwhile, and how it ends. What people
// see of it, the transcript apply/not-read-back shows.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Api } from '../../src/omni/api.ts';
import { connecting } from '../support/cli/connecting.ts';
import { refusal } from '../support/emulator/service.ts';
import { mail } from '../support/vocabulary.ts';
import { openWorld, type WorldOptions } from '../support/world.ts';

const customers = '7ae01c55';
const day = 86_400_000;
const report = (name: string, domain: string, more: object = {}) =>
  mail({
    ...{ identifier: customers, name, recipients: [`cfo@${domain}`], filterConfig: { customer: { values: [name] } } },
    ...more,
  });
const north = (more?: object) => report('North', 'north.example', more);
const south = (more?: object) => report('South', 'south.example', more);
const safety = { internalDomains: ['acme.com'], rows: { filters: ['customer'], allow: 'tenants.csv' } };

type GetSchedule = (...given: [...Parameters<Api['getSchedule']>, api: Api]) => ReturnType<Api['getSchedule']>;

/** `getSchedule` in place of the one of the service, which can be changed while the test goes on. */
async function open(schedules: object, options: WorldOptions = {}) {
  const service: { getSchedule?: GetSchedule | undefined } = {};
  const world = await openWorld(
    { 'tenants.csv': 'shows,receiver\nNorth,north.example\nSouth,south.example\n', schedules },
    {
      config: { safety },
      outside: {
        connect: connecting((api) => ({
          getSchedule: (...given) => (service.getSchedule ?? api.getSchedule)(...given, api),
        })),
      },
      ...options,
    },
  );
  const refuse = (status: number) => {
    service.getSchedule = async () => {
      throw refusal(status);
    };
  };
  const apply = (...more: readonly string[]) => world.run('apply', '--auto-approve', '-q', ...more);
  const marks = () =>
    Object.fromEntries(
      Object.entries(world.state().resources as Record<string, { notReadBack?: object }>).flatMap(
        ([address, { notReadBack }]) => (notReadBack === undefined ? [] : [[address, notReadBack]]),
      ),
    );
  const details = () => world.asked().filter((line) => /^GET \/v1\/schedules\/[\w-]+$/.test(line)).length;
  return { ...world, service, refuse, apply, marks, details };
}

it('what Omni refuses to show is asked again by each apply, and after refusals on three days nobody can tell', async () => {
  const { refuse, apply, marks, run, pass, sent, expectQuiet } = await open({ a: north(), b: south() });
  refuse(403);
  expect((await apply()).code).toBe(1);
  expect(sent()).toHaveLength(1);
  expect(marks()).toMatchObject({ 'schedules.a': { refused: ['2026-03-01'] } });
  const status = await run('status');
  expect([status.code, status.stdout.split('\n')[0]]).toEqual([2, '! schedules.a was not read back']);
  // The second one is tried as the first of its dashboard.
  expect((await apply()).code).toBe(1);
  expect(marks()).toMatchObject({ 'schedules.a': { refused: ['2026-03-01'] }, 'schedules.b': {} });
  await pass(day);
  expect((await apply()).code).toBe(1);
  expect(marks()).toMatchObject({ 'schedules.a': { refused: ['2026-03-01', '2026-03-02'] } });
  await pass(day);
  const third = await apply();
  expect([third.code, third.stderr]).toEqual([
    0,
    expect.stringContaining(
      'warning: Almanac cannot tell whether Omni stores the filters of schedules.a: on three days Omni refused to show them.',
    ),
  ]);
  expect(marks()).toEqual({});
  expect((await run('status')).code).toBe(0);
  await expectQuiet();
});

it('what gives no answer counts as no refusal, and is read as soon as Omni answers', async () => {
  const { service, apply, marks, pass, details, run, expectQuiet } = await open({ a: north() });
  service.getSchedule = async () => {
    throw refusal(undefined as unknown as number, 'api-unreachable');
  };
  for (let days = 0; days < 4; days += 1) {
    expect((await apply()).code).toBe(1);
    await pass(day);
  }
  expect(marks()).toMatchObject({ 'schedules.a': { since: '2026-03-01T00:00:00.000Z' } });
  service.getSchedule = undefined;
  details();
  // Its details, and the filters of its dashboard.
  expect(JSON.parse((await run('plan --format json')).stdout).requests).toBe(2);
  expect((await apply()).code).toBe(0);
  expect(details()).toBe(1);
  expect(marks()).toEqual({});
  await expectQuiet();
});

it('a run that is killed between a create and its read is red until the create is read', async () => {
  const world = await open({ a: north() }, { storedFilters: 'dropped' });
  let journal = '';
  world.service.getSchedule = async () => {
    journal ||= world.read('almanac.state.json.journal');
    throw refusal(503);
  };
  await world.apply();
  // As the kill would have left it.
  rmSync(join(world.path, 'almanac.state.json'));
  world.write({ 'almanac.state.json.journal': journal });
  const status = await world.run('status');
  expect([status.code, status.stdout, status.stderr]).toEqual([
    2,
    expect.stringMatching(/^! schedules\.a was not read back/),
    expect.any(String),
  ]);
  world.service.getSchedule = undefined;
  const next = await world.apply();
  expect([next.code, next.stdout]).toEqual([1, expect.stringMatching(/^!! schedules\.a is stored otherwise/)]);
  const again = await world.apply();
  expect([again.code, again.stdout]).toEqual([1, expect.stringMatching(/^!! schedules\.a is stored otherwise/)]);
});

it('until it is read, an owner, groups and a resumption wait, and what takes away and sets its filters is sent', async () => {
  const { refuse, apply, declare, sent, service, run, marks, expectQuiet } = await open({ a: north({ paused: true }) });
  refuse(403);
  expect((await apply()).code).toBe(1);
  sent();
  declare({ a: north() });
  const resumed = await apply();
  expect([resumed.code, sent()]).toEqual([1, []]);
  expect(resumed.stdout).toContain('Until they are read, only a change of its filters is sent');
  declare({ a: north({ paused: true, subject: 'Other numbers' }) });
  let asked = 0;
  // It is refused before the look at what is about to change, and after the update.
  service.getSchedule = async (id, options, api) => {
    asked += 1;
    if (asked !== 2) throw refusal(403);
    return api.getSchedule(id, options);
  };
  expect((await apply()).code).toBe(1);
  expect(sent()).toEqual([expect.stringMatching(/^PUT \S+$/)]);
  expect(marks()).toMatchObject({ 'schedules.a': {} });
  service.getSchedule = undefined;
  declare({ a: north({ subject: 'Other numbers' }) });
  expect((await apply()).code).toBe(0);
  expect(sent()).toEqual([expect.stringMatching(/resume$/)]);
  expect((await run('status')).code).toBe(0);
  await expectQuiet();
});

it('a schedule that is gone is no longer to be read, and no dashboard waits for it', async () => {
  const { refuse, apply, declare, service, emulator, marks, sent, expectQuiet, run } = await open({ a: north() });
  refuse(403);
  expect((await apply()).code).toBe(1);
  service.getSchedule = undefined;
  emulator.edit((data) => void data.schedules.splice(0));
  const { code, stderr } = await apply();
  expect([code, stderr]).toEqual([0, expect.stringContaining('is gone from Omni, so its filters are not read back.')]);
  expect(marks()).toEqual({});
  sent();
  declare({ b: south() });
  expect((await apply('--force')).code).toBe(0);
  expect(sent()).toContain('POST /api/v1/schedules');
  expect((await run('status')).code).toBe(0);
  await expectQuiet();
});

it('`accept: { not-read }` is about looks, and does not end the waiting for a report that was not read back', async () => {
  const world = await open({ a: north() });
  world.refuse(403);
  expect((await world.apply()).code).toBe(1);
  world.declare({ a: north({ accept: { 'not-read': { reason: 'Ana may not see it', until: '2026-12-31' } } }) });
  expect((await world.apply()).code).toBe(1);
  expect((await world.run('status')).code).toBe(2);
});

it.each([
  ['was not read', (world: Awaited<ReturnType<typeof open>>) => world.refuse(403), {}],
  ['is stored otherwise', () => undefined, { storedFilters: 'dropped' } as const],
])(
  '`accept: { stored-otherwise }` with a day ends the waiting for what %s, and an apply reads it no more',
  async (_, prepare, options) => {
    const code = 'stored-otherwise';
    const world = await open({ a: north() }, options);
    prepare(world);
    expect((await world.apply()).code).toBe(1);
    world.declare({ a: north({ accept: { [code]: { reason: 'Ana looked', until: '2026-12-31' } } }) });
    expect((await world.run('plan')).stdout).toContain('until 2026-12-31: `Ana looked`');
    expect((await world.apply()).code).toBe(0);
    world.asked();
    expect((await world.apply()).code).toBe(0);
    expect(world.asked()).toEqual([]);
    expect((await world.run('status')).code).toBe(0);
    const { stdout } = await world.run('doctor');
    expect(stdout).not.toContain('Nobody has seen');
    world.until(1, 9);
    await world.pass(400 * day);
    expect((await world.apply()).code).toBe(1);
  },
);

it('a deep look says what it sees of a report that was not read back, and leaves the state as it is', async () => {
  const { refuse, apply, service, run, marks, details } = await open({ a: north() });
  refuse(403);
  await apply();
  expect((await run('drift --deep')).code).toBe(1);
  const before = marks();
  service.getSchedule = undefined;
  details();
  const { code, stderr } = await run('drift --deep');
  expect([code, details(), stderr]).toEqual([0, 1, expect.not.stringContaining('not-read')]);
  expect(marks()).toEqual(before);
});
