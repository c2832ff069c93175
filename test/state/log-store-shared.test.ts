// What the store does over a correct log, with a clock for each machine.

import { beforeEach, expect, test } from 'vitest';
import type { StateVersion } from '../../src/model/plan/state.ts';
import type { StateLog } from '../../src/state/state-log.ts';
import type { LockedStore } from '../../src/state/state-store.ts';
import { type MemoryPlace, makeMemoryPlace } from '../support/state/memory-log.ts';
import {
  applied,
  headerOf,
  intent,
  lineage,
  type Machine,
  type MachineOptions,
  openMachine,
  stateOf,
} from '../support/state/team-machine.ts';

const locked = expect.objectContaining({ code: 'state-locked' });
const lost = expect.objectContaining({ code: 'state-lock-lost' });

let place: MemoryPlace;
beforeEach(() => {
  place = makeMemoryPlace();
});

const machine = async (options?: MachineOptions): Promise<Machine> => {
  return openMachine(place.open(), options);
};
/** A run that has died, or that is stopped: its clock stands still. */
const stopped = async (options?: MachineOptions) => {
  const { store } = await machine({ who: 'ben', runUrl: 'https://ci.example/7', ...options });
  const held = await store.lock('apply');
  await held.begin(headerOf(0));
  await held.append([intent(1)]);
  return { store, held };
};
const takeOver = async ({ store, clock }: Machine): Promise<LockedStore> => {
  await expect(store.lock('apply')).rejects.toEqual(locked);
  await clock.advance(120_000);
  return store.lock('apply');
};

test(`of 8 machines that lock a state in a place at once, one gets it`, async () => {
  const machines = await Promise.all(Array.from({ length: 8 }, () => machine()));
  const tries = await Promise.allSettled(machines.map(({ store }) => store.lock('apply')));
  const won = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(won).toHaveLength(1);
  expect(tries.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toEqual(Array(7).fill(locked));
  await won[0]?.release();
});

test(`a lock in a place is taken over when its lease is over, and not before`, async () => {
  await stopped();
  const { store, clock } = await machine();
  await expect(store.lock('apply')).rejects.toEqual(locked);
  await clock.advance(119_000);
  await expect(store.lock('apply')).rejects.toEqual(locked);
  expect(await store.lockHolder()).toMatchObject({ isDead: false, expiresIn: 1 });
  await clock.advance(1000);
  expect(await store.lockHolder()).toMatchObject({ isDead: true });
  const held = await store.lock('apply');
  expect(held.notes).toEqual([expect.stringMatching(/^Took over the lock of the place: `apply` of ben on machine-/)]);
  expect(held.notes[0]).toMatch(/it gave no sign for 120 s. Its run: https:\/\/ci\.example\/7$/);
  expect((await held.read()).journal?.lines).toEqual([intent(1)]);
  await held.commit(stateOf(1));
  expect(await held.read()).toEqual({ state: stateOf(1), journal: undefined });
  expect(await store.lockHolder()).toMatchObject({ isDead: false });
  await held.commit(stateOf(2), { release: true });
  expect(await store.lockHolder()).toBeUndefined();
});

test(`a run that was overtaken in a place writes nothing any more, and the new lock stays`, async () => {
  const { held: old } = await stopped();
  const other = await machine({ who: 'cleo' });
  const held = await takeOver(other);
  await expect(old.append([intent(2)])).rejects.toThrow(
    /has lost the lock of the place: `apply` of cleo on machine-\d+ took it over/,
  );
  expect([old.lost.aborted, old.holds()]).toEqual([true, false]);
  await expect(old.guard(30_000)).rejects.toEqual(lost);
  await expect(old.commit(stateOf(9))).rejects.toEqual(lost);
  await old.release();
  const { store } = await machine();
  expect((await store.read()).state).toBeUndefined();
  expect((await store.read()).journal?.lines).toEqual([intent(1)]);
  expect(await store.lockHolder()).toMatchObject({ holder: { who: 'cleo' } });
  await held.commit(stateOf(1), { release: true });
  expect((await store.read()).state).toEqual(stateOf(1));
});

test(`a lock in a place that is removed by hand is lost at once`, async () => {
  const { held } = await stopped();
  const other = await machine({ who: 'dora' });
  expect(await other.store.unlock()).toMatchObject({ holder: { who: 'ben' } });
  expect(await other.store.unlock()).toBeUndefined();
  await expect(held.append([intent(2)])).rejects.toThrow(/`state unlock` of dora on machine-\d+ removed it by hand/);
  const next = await other.store.lock('apply');
  expect((await next.read()).journal?.lines).toEqual([intent(1)]);
  await next.release();
});

test(`appends to a place that overlap share writes`, async () => {
  const log = place.open();
  let writes = 0;
  const counting: StateLog = {
    ...log,
    append: (n, entry) => {
      writes += 1;
      return log.append(n, entry);
    },
  };
  const { store } = openMachine(counting);
  const held = await store.lock('apply');
  await held.begin(headerOf(0));
  writes = 0;
  await Promise.all(Array.from({ length: 20 }, (_, index) => held.append([intent(index + 1)])));
  expect(writes).toBeLessThanOrEqual(2);
  const { journal } = await (await machine()).store.read();
  expect(journal?.lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  await held.release();
});

test(`a place lists the states that it keeps, and returns each`, async () => {
  const first = await machine({ runUrl: 'https://ci.example/1' });
  const held = await first.store.lock('apply');
  await held.commit(stateOf(1), { release: true });
  const dead = await machine({ who: 'ben' });
  const old = await dead.store.lock('apply');
  await old.begin(headerOf(1));
  await old.append([intent(1), intent(2), intent(3), intent(4)]);
  await old.append([applied(1), { ...applied(2), status: 'failed' }, applied(3)]);
  const next = await takeOver(first);
  await next.commit(stateOf(2));
  await next.commit(stateOf(3), { release: true });

  const other = await machine();
  expect(await versionsOf(other)).toEqual([
    { serial: 3, lineage, at: expect.any(String), by: expect.objectContaining({ who: 'ana' }), changes: 0 },
    {
      serial: 2,
      lineage,
      at: expect.any(String),
      by: expect.objectContaining({ who: 'ana', runUrl: 'https://ci.example/1' }),
      changes: 2,
      over: expect.objectContaining({ who: 'ben' }),
    },
    { serial: 1, lineage, at: expect.any(String), by: expect.objectContaining({ command: 'apply' }), changes: 0 },
  ]);
  expect(await other.store.shared?.version(2)).toEqual(stateOf(2));
  expect(other.store.shared?.lastWriter()).toMatchObject({ who: 'ana', runUrl: 'https://ci.example/1' });
  await expect(other.store.shared?.version(7)).rejects.toMatchObject({ code: 'refused' });
});

async function versionsOf({ store }: Machine): Promise<readonly StateVersion[]> {
  const versions: StateVersion[] = [];
  for await (const version of store.shared?.history() ?? []) versions.push(version);
  return versions;
}
