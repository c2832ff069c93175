// Random histories of two workspaces with two environments in one organization. All declare reports of the same names. Their applies
// are killed at any effect and lose their answers. No run takes, changes or deletes what another one has made; at the end
// everything exists once.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import {
  asNeighbour,
  type Neighbours,
  noNeighbours,
  type OpenElsewhere,
  type OtherTracker,
} from '../../src/model/plan/neighbours.ts';
import type { State } from '../../src/model/plan/state.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { currentState } from '../../src/state/current-state.ts';
import { resolveOpen } from '../../src/state/repair-state.ts';
import { loadedOf, requestOf } from '../support/apply/in-memory.ts';
import { type EngineService, openService } from '../support/emulator/service.ts';
import { type InstantClock, makeInstantClock } from '../support/fake-clock.ts';
import {
  arbitraryDisturbance,
  type Disturbance,
  expectKilled,
  runOnce,
  undisturbed,
} from '../support/property/killed-runs.ts';
import { logPlace, type Place } from '../support/property/killed-worlds.ts';
import { runs } from '../support/runs/runs.ts';

const parties = ['reports (dev)', 'reports (prod)', 'customers (dev)', 'customers (prod)'] as const;
const reports = ['a', 'b'];

interface Step {
  readonly party: number;
  readonly declared: readonly string[];
  readonly disturbance: Disturbance;
}

const arbitraryStep: fc.Arbitrary<Step> = fc.record({
  party: fc.nat({ max: parties.length - 1 }),
  declared: fc.subarray(reports),
  disturbance: fc
    .record({ ...arbitraryDisturbance, replace: fc.constant([]), isUnread: fc.constant(false) })
    // An id of something else in an answer is the subject of other properties.
    .map((each) => ({
      ...each,
      trouble: Object.fromEntries(Object.entries(each.trouble).filter(([, trouble]) => trouble !== 'same-id')),
    }))
    // Mostly, a first create never arrives, and another party makes its own before the next look.
    .chain((each) => fc.constantFrom(each, undisturbed, { ...undisturbed, trouble: { 1: 'lost-before' as const } })),
});

interface World {
  readonly service: EngineService;
  readonly clock: InstantClock;
  readonly places: readonly Place[];
  readonly declared: (readonly string[])[];
}

/** All schedules of one name are on one dashboard, whoever made them; the receiver says whose each is. */
const receiverOf = (party: number) => `party-${party}@example.com`;

function loadedFor({ declared }: World, party: number) {
  const schedules = (declared[party] ?? []).map((name) => [
    `schedules.${name}`,
    {
      identifier: '3f9c2b71',
      name: `Report ${name}`,
      schedule: '0 9 ? * MON *',
      timezone: 'UTC',
      format: 'pdf',
      destinationType: 'email',
      recipients: [receiverOf(party)],
      subject: name,
    },
  ]);
  return loadedOf(Object.fromEntries(schedules));
}

const stateOf = async ({ places }: World, party: number) =>
  currentState((await places[party]?.stored()) ?? ({} as never), parties[party] ?? '');

async function neighboursOf(world: World, party: number): Promise<Neighbours> {
  const trackers = new Map<string, OtherTracker>();
  const open: OpenElsewhere[] = [];
  for (const [index, who] of parties.entries()) {
    const state = index === party ? undefined : await stateOf(world, index);
    if (state === undefined) continue;
    const neighbour = asNeighbour(state, who, ['--chdir', who]);
    for (const [id, tracker] of neighbour.trackers) trackers.set(id, tracker);
    open.push(...neighbour.open);
  }
  return { ...noNeighbours, trackers, open };
}

const receiverIn = (fields: object) => [(fields as { recipients?: unknown }).recipients].flat()[0];

function applyAs(world: World, party: number, disturbance: Disturbance) {
  const { service, clock, places } = world;
  const place = places[party] as Place;
  const loaded = loadedFor(world, party);
  const look = (when: string, { id, kind }: { readonly id?: string | undefined; readonly kind: string }) => {
    const touched = service.data.schedules.find((each) => each.id === id);
    if (when !== 'before' || touched === undefined || kind.startsWith('GET')) return;
    expect([kind, receiverIn(touched.fields)]).toEqual([kind, receiverOf(party)]);
  };
  const run = { loaded, service, clock, open: place.open, taken: () => undefined, look: look as never };
  return runOnce(disturbance, run, (ports) =>
    apply(requestOf(loaded, { allow: { empty: true, orphans: true, duplicates: true } }), {
      ...ports,
      confirm: async () => true,
      others: () => neighboursOf(world, party),
    }),
  );
}

/** A person looks in Omni, where the receiver says whose each schedule is. */
async function resolveAsAPerson(world: World, party: number): Promise<void> {
  let state = await stateOf(world, party);
  for (const open of state?.unresolved ?? []) {
    if (state === undefined || open.action === 'update') continue;
    const known = new Set([...Object.values(state.resources), ...state.orphans].map(({ id }) => id));
    const [made] = world.service.data.schedules.filter(
      ({ id, fields }) => !known.has(id) && fields['name'] === open.name && receiverIn(fields) === receiverOf(party),
    );
    const isFound = made !== undefined && open.action !== 'delete';
    const resolution = isFound ? ({ by: 'id', id: made.id } as const) : ({ by: 'retry' } as const);
    state = resolveOpen(state, open, resolution, open.since);
  }
  if (state !== undefined) await world.places[party]?.write(state);
}

const isBlocked = (error: unknown) => error instanceof Failure && error.code === 'blocked';

async function settle(world: World, party: number): Promise<State | undefined> {
  await applyAs(world, party, undisturbed);
  if ((await stateOf(world, party))?.unresolved.length) {
    await resolveAsAPerson(world, party);
    await applyAs(world, party, undisturbed);
  }
  return stateOf(world, party);
}

it('of two workspaces and two environments that are killed anywhere, nothing is doubled, lost or taken from a neighbour', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryStep, { minLength: 3, maxLength: 9 }), async (steps) => {
      const clock = makeInstantClock(Date.UTC(2026, 2, 1));
      const world: World = {
        clock,
        service: openService(clock),
        places: parties.map(() => logPlace(0)),
        declared: parties.map(() => []),
      };
      for (const { party, declared, disturbance } of steps) {
        world.declared[party] = declared;
        await applyAs(world, party, disturbance).catch((error: unknown) =>
          isBlocked(error) ? undefined : expectKilled(error),
        );
      }
      const tracked: string[] = [];
      for (const party of parties.keys()) {
        const state = await settle(world, party);
        tracked.push(...Object.values(state?.resources ?? {}).flatMap(({ id }) => id ?? []));
        tracked.push(...(state?.orphans ?? []).map(({ id }) => id));
      }
      expect(new Set(tracked).size).toBe(tracked.length);
      const { schedules } = world.service.data;
      expect(schedules.map(({ id }) => id).sort()).toEqual(tracked.toSorted());
      const made = schedules.map(({ fields }) => `${receiverIn(fields)} ${fields['name']}`).sort();
      const wanted = world.declared.flatMap((names, party) =>
        names.map((name) => `${receiverOf(party)} Report ${name}`),
      );
      expect(made).toEqual(wanted.sort());
    }),
    { numRuns: runs(200) },
  );
});
