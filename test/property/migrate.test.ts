// Moving the state from one place to another: what arrives, what is refused, and that a move can be broken off at any
// moment and repeated.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realFileSystem } from '../../src/adapters/files/file-system.ts';
import { openFileState } from '../../src/adapters/state/file-state.ts';
import { type Migrated, migrateState } from '../../src/engine/state/migrate-state.ts';
import type { Journal } from '../../src/model/plan/journal.ts';
import type { State } from '../../src/model/plan/state.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { StateLog } from '../../src/ports/state-log.ts';
import type { StateStore } from '../../src/ports/state-store.ts';
import { renderJournalLine, renderState } from '../../src/render/state/render-state.ts';
import { createdAndDied, madeId, makeMemoryPlace } from '../support/engine/memory-place.ts';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { runs } from '../support/runs/runs.ts';

const state = stateOf({ 'schedules.weekly': schedule() });
const journal = createdAndDied(state);

/** A place of a test: opened by one process after another, as none outlives its lock. */
interface Place {
  readonly name: string;
  /** `reach` is called around every effect, and may throw. */
  open(reach?: Reach): StateStore;
  /** The processes that opened it have ended. */
  endProcesses(): void;
}

type Reach = (point: string) => void;
type Kind = 'file' | 'shared';

interface Held {
  readonly state: State;
  readonly journal?: Journal;
}

async function makePlace(kind: Kind, name: string, held?: Held): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-migrate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (kind === 'shared') {
    const place = makeMemoryPlace(name, folder);
    if (held !== undefined) await place.write(held.state, held.journal);
    return {
      name,
      open: (reach) => place.open((log) => reachableLog(log, reach)),
      endProcesses: () => place.endProcesses(),
    };
  }
  const path = join(folder, name);
  if (held !== undefined) writeFileSync(path, renderState(held.state));
  if (held?.journal !== undefined) {
    const { header, lines } = held.journal;
    writeFileSync(`${path}.journal`, [header, ...lines].map(renderJournalLine).join(''));
  }
  return {
    name,
    open: (reach) => openFileState({ path, name, host: reach === undefined ? {} : { fs: reachableDisk(reach) } }),
    endProcesses: () => rmSync(`${path}.lock`, { force: true }),
  };
}

/** Every call that changes the disk is a point. */
function reachableDisk(reach: Reach): typeof realFileSystem {
  const around = async <T>(point: string, effect: () => Promise<T>): Promise<T> => {
    reach(`before ${point}`);
    const value = await effect();
    reach(`after ${point}`);
    return value;
  };
  return {
    ...realFileSystem,
    open: async (path, flags) => {
      reach('before open');
      const file = await realFileSystem.open(path, flags);
      try {
        reach('after open');
      } catch (error) {
        await file.close();
        throw error;
      }
      return file;
    },
    rename: (from, to) => around('rename', () => realFileSystem.rename(from, to)),
    unlink: (path) => around('unlink', () => realFileSystem.unlink(path)),
  };
}

/** A killed process may have written its last entry or not. */
function reachableLog(log: StateLog, reach: Reach = () => undefined): StateLog {
  return {
    ...log,
    append: async (...given) => {
      reach('before append');
      const answer = await log.append(...given);
      reach('after append');
      return answer;
    },
  };
}

const migrate = (from: StateStore, to: StateStore): Promise<Migrated> =>
  migrateState({ from, to, confirm: async () => true, onNote: () => undefined });

/** The state that a command could use there; undefined where there is none or it is refused. */
async function usable(place: Place): Promise<State | undefined> {
  try {
    return (await place.open().read()).state;
  } catch (error) {
    if (error instanceof Failure && error.code === 'state-moved') return undefined;
    throw error;
  }
}

const kinds: readonly (readonly [Kind, Kind])[] = [
  ['file', 'shared'],
  ['shared', 'file'],
  ['shared', 'shared'],
  ['file', 'file'],
];

describe.each(kinds)('from a %s place to a %s place', (fromKind, toKind) => {
  it(`a state moves from a ${fromKind} place to a ${toKind} place with its journal, and back again`, async () => {
    const from = await makePlace(fromKind, 'the old one', { state, journal });
    const to = await makePlace(toKind, 'the new one');
    const moved = await migrate(from.open(), to.open());
    expect(moved).toMatchObject({ outcome: 'moved', state: { serial: state.serial + 1 } });
    expect(await usable(to)).toMatchObject({
      lineage: state.lineage,
      serial: state.serial + 1,
      resources: { 'schedules.made': { id: madeId }, 'schedules.weekly': { id: 'id of schedules.weekly' } },
    });
    await expect(from.open().read()).rejects.toMatchObject({
      code: 'state-moved',
      message: 'the old one is no longer the state: the state was moved to the new one.',
    });

    expect(await migrate(to.open(), from.open())).toMatchObject({ outcome: 'moved' });
    expect(await usable(from)).toMatchObject({
      serial: state.serial + 1,
      resources: { 'schedules.made': { id: madeId } },
    });
    expect(await usable(to)).toBeUndefined();
  });

  it(`a move from a ${fromKind} to a ${toKind} place that was done already is only reported when it is repeated`, async () => {
    const from = await makePlace(fromKind, 'the old one', { state });
    const to = await makePlace(toKind, 'the new one');
    await migrate(from.open(), to.open());
    const locked = await to.open().lock('apply');
    await locked.read();
    await locked.commit({ ...state, serial: state.serial + 5 });
    await locked.release();
    expect(await migrate(from.open(), to.open())).toMatchObject({ outcome: 'was-moved', state: { serial: 12 } });
    expect(await usable(to)).toMatchObject({ serial: state.serial + 5 });
  });

  it(`a move from a ${fromKind} to a ${toKind} place can be broken off at any effect, any number of times, and repeated`, async () => {
    const runTo = async (breaks: readonly number[]): Promise<number> => {
      const from = await makePlace(fromKind, 'the old one', { state, journal });
      const to = await makePlace(toKind, 'the new one');
      let points = 0;
      for (const breakAt of [...breaks, 0]) {
        let count = 0;
        const reach = () => {
          count += 1;
          // A process that was killed does nothing any more, not even what it would do at the end.
          if (breakAt > 0 && count >= breakAt) throw new Error('killed');
        };
        await migrate(from.open(reach), to.open(reach)).catch((error: unknown) => {
          if (breakAt === 0 || count < breakAt) throw error;
        });
        from.endProcesses();
        to.endProcesses();
        points = count;
        const [before, after] = [await usable(from), await usable(to)];
        expect([before, after].filter((each) => each !== undefined).length).toBeLessThanOrEqual(1);
        // Whoever opens the new place after the old one was left must not find it empty.
        if (before === undefined && after === undefined)
          expect((await to.open().moved())?.arriving).toMatchObject({
            resources: { 'schedules.made': { id: madeId } },
          });
      }
      expect(await usable(to)).toMatchObject({
        serial: state.serial + 1,
        resources: { 'schedules.made': { id: madeId } },
      });
      expect(await usable(from)).toBeUndefined();
      return points;
    };
    const points = await runTo([]);
    expect(points).toBeGreaterThan(8);
    for (let breakAt = 1; breakAt <= points; breakAt += 1) await runTo([breakAt]);
    const breaks = fc.array(fc.integer({ min: 1, max: points }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(breaks, async (several) => void (await runTo(several))),
      { numRuns: runs(12) },
    );
  });
});
