// Updates that are killed at each of their effects. It changes whatever takes a request of its
// own (content, receivers, groups, owner, pause, filters), and the run after it is killed once more. The next unattended apply ends with what is declared, and nothing that delivers is
// sent twice. Only a filter that may have been taken out needs somebody who sees the plan: Omni then shows the dashboard's.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import { proposeNow } from '../../src/commands/base/request-proposal.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { StateStore } from '../../src/state/state-store.ts';
import { everything, loadedOf, randomness, requestOf, serve } from '../support/apply/in-memory.ts';
import { makeStore } from '../support/apply/stage.ts';
import { openService, unset } from '../support/emulator/service.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { makeFakeClock, makeInstantClock } from '../support/fake-clock.ts';
import { logWithFaultPoints, type Reach, withFaultPoints } from '../support/property/fault-points.ts';
import { expectKilled, runOnce, undisturbed } from '../support/property/killed-runs.ts';
import { runs } from '../support/runs/runs.ts';
import { makeMemoryPlace } from '../support/state/memory-log.ts';
import { openMachine } from '../support/state/team-machine.ts';

const address = 'schedules.s';
const userGroups = ['Board', 'Sales'].map((name, index) => ({
  name,
  id: `00000000-0000-4000-9000-00000000000${index}`,
  memberIds: [],
}));
const owners: Readonly<Record<string, string>> = { 'ana@example.com': ids.ana, 'bo@example.com': ids.bo };

const version = fc.record(
  {
    recipients: fc.subarray(['ana@example.com', 'bo@example.com'], { minLength: 1 }),
    userGroups: fc.subarray(userGroups.map(({ name }) => name)),
    owner: fc.constantFrom(...Object.keys(owners)),
    paused: fc.boolean(),
    subject: fc.constantFrom('One', 'Two'),
    name: fc.constantFrom('Weekly', 'Monthly'),
    identifier: fc.constantFrom('12db1a0a', '3f9c2b71'),
    region: fc.option(fc.constantFrom('Europe', 'Asia'), { nil: undefined }),
  },
  { noNullPrototype: true },
);
type Version = typeof version extends fc.Arbitrary<infer T> ? T : never;

function attributesOf({ region, userGroups: named, ...fields }: Version): JsonObject {
  const mail = { schedule: '0 9 ? * MON *', timezone: 'UTC', format: 'json', destinationType: 'email' };
  return {
    ...{ ...mail, ...fields },
    ...(named.length === 0 ? undefined : { userGroups: named }),
    ...(region === undefined ? undefined : { filterConfig: { region: { values: [region] } } }),
  };
}

type Open = (reach: Reach) => Promise<StateStore>;

function inFile(): Open {
  const store = makeStore();
  return async (reach) => withFaultPoints({ openState: async () => store } as never, reach).openState({} as never);
}

function inLog(): Open {
  const memory = makeMemoryPlace();
  let processes = 0;
  return async (reach) => {
    processes += 1;
    const host = { name: 'ci', pid: processes, isAlive: () => false, bootId: async () => 'boot' };
    return openMachine(logWithFaultPoints(memory.open(), reach), { host, clock: makeFakeClock() }).store;
  };
}

function openWorld(place: () => Open) {
  const clock = makeInstantClock(Date.UTC(2026, 2, 1));
  const service = openService(clock);
  const open = place();
  Object.assign(service.data, { userGroups });
  for (const document of service.data.documents) {
    Object.assign(document, { scope: 'organization', sharedWithGroups: userGroups.map(({ id }) => id) });
    Object.assign(document.dashboard?.filters ?? {}, {
      region: { type: 'string', kind: 'EQUALS', values: ['Africa'] },
    });
  }
  let made = 0;
  const applyOnce = (declared: Version, killAt: number, autoApprove = true) => {
    const loaded = loadedOf({ [address]: attributesOf(declared) });
    const look = (when: string, { kind }: { readonly kind: string }) => {
      if (when === 'before' && kind.startsWith('POST')) made += 1;
    };
    const run = { loaded, service, clock, open, taken: () => undefined, look };
    return runOnce({ ...undisturbed, killAt }, run, (ports) =>
      apply(requestOf(loaded, { autoApprove }), { ...ports, confirm: async () => true }),
    );
  };
  /** Whether it was killed. */
  const killed = (declared: Version, at: number) =>
    applyOnce(declared, at).then(
      () => false,
      (error: unknown) => expectKilled(error) ?? true,
    );
  const expectDeclared = async (declared: Version, isSeen = false) => {
    const { document } = await applyOnce(declared, 0, !isSeen);
    expect(document?.results.filter(({ status }) => status !== 'applied')).toEqual([]);
    const loaded = loadedOf({ [address]: attributesOf(declared) });
    const store = await open(() => undefined);
    const again = await serve({ config: loaded.config, clock, connect: service.connect(clock) }, (each) =>
      proposeNow(loaded, everything, { store, service: each, clock, randomness, toolVersion: '0.1.0' }),
    );
    expect(again.document).toMatchObject({ changes: [], unresolved: [] });
    const { owner, paused, userGroups: named = [], ...content } = attributesOf(declared);
    const [there, ...others] = service.data.schedules;
    expect([others, made]).toEqual([[], 1]);
    expect({ ...unset, filterConfig: {}, ...there?.fields }).toEqual({ ...unset, filterConfig: {}, ...content });
    expect([there?.disabledAt !== undefined, there?.ownerId]).toEqual([paused, owners[String(owner)]]);
    const declaredIds = userGroups.flatMap(({ id, name }) => ([named].flat().includes(name) ? id : []));
    expect([...(there?.userGroupIds ?? [])].sort()).toEqual(declaredIds);
  };
  return { killed, expectDeclared };
}

it.each<[string, () => Open]>([
  ['a file', inFile],
  ['the log of a team', inLog],
])(
  'an update that is killed at any effect is finished by the next runs, with a state in %s',
  async (_, place) => {
    const arbitrary = fc.tuple(version, version, version, fc.integer({ min: 1, max: 12 }));
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([first, second, third, again]) => {
        for (let at = 1, isKilled = true; isKilled; at += 1) {
          const world = openWorld(place);
          await world.expectDeclared(first);
          isKilled = await world.killed(second, at);
          const last = at % 2 === 0 ? third : second;
          await world.killed(last, again);
          const mayLackFilter = first.region !== undefined && [second, last].some(({ region }) => region === undefined);
          await world.expectDeclared(last, mayLackFilter);
        }
      }),
      { numRuns: runs(20) },
    );
  },
  240_000,
);
