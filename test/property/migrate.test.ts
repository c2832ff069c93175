// Moving the state to a shared place, broken off at any moment and repeated.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { migrateState } from '../../src/commands/state/migrate.ts';
import { realFileSystem } from '../../src/files/file-system.ts';
import type { State } from '../../src/model/plan/state.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { currentState } from '../../src/state/current-state.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { renderJournalLine } from '../../src/state/format/parse-journal.ts';
import { renderState } from '../../src/state/format/parse-state.ts';
import type { StateStore } from '../../src/state/state-store.ts';
import { createdAndDied, madeId, makeMemoryPlace } from '../support/apply/memory-place.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { logWithFaultPoints, type Reach } from '../support/property/fault-points.ts';
import { runs } from '../support/runs/runs.ts';
import { makeFolder } from '../support/workspace.ts';

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

/** A file with a state, and the journal of an apply that broke off. */
function makeFile(name: string): Place {
  const folder = makeFolder();
  const path = join(folder.path, name);
  const { header, lines } = journal;
  folder.write({ [name]: renderState(state), [`${name}.journal`]: [header, ...lines].map(renderJournalLine).join('') });
  return {
    name,
    open: (reach) => openFileState({ path, name, host: reach === undefined ? {} : { fs: reachableDisk(reach) } }),
    endProcesses: () => rmSync(`${path}.lock`, { force: true }),
  };
}

function makeShared(name: string): Place {
  const place = makeMemoryPlace(name);
  return {
    name,
    open: (reach = () => undefined) => place.open((log) => logWithFaultPoints(log, reach)),
    endProcesses: () => place.endProcesses(),
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

const clock = makeFakeClock();
const migrate = (from: StateStore, to: StateStore): Promise<State> =>
  migrateState({ from, to, clock, signal: new AbortController().signal, reporter: { emit: () => undefined } });

/** The state that a command could use there; undefined where there is none or it is refused. */
async function usable(place: Place): Promise<State | undefined> {
  try {
    const stored = await place.open().read();
    return currentState(stored, place.name);
  } catch (error) {
    if (isMoved(error)) return undefined;
    throw error;
  }
}

const isMoved = (error: unknown) => error instanceof Failure && error.code === 'state-moved';

it('a move of a state from a file to a shared place can be broken off at any effect, any number of times, and repeated', async () => {
  const runTo = async (breaks: readonly number[]): Promise<number> => {
    const [from, to] = [makeFile('the file'), makeShared('the place')];
    let points = 0;
    for (const breakAt of [...breaks, 0]) {
      let count = 0;
      const reach = () => {
        count += 1;
        // A process that was killed does nothing any more, not even what it would do at the end.
        if (breakAt > 0 && count >= breakAt) throw new Error('killed');
      };
      await migrate(from.open(reach), to.open(reach)).catch((error: unknown) => {
        if (!isMoved(error) && (breakAt === 0 || count < breakAt)) throw error;
      });
      from.endProcesses();
      to.endProcesses();
      points = count;
      const [before, after] = [await usable(from), await usable(to)];
      // Whoever opens either place finds everything there, or is refused.
      for (const found of after === undefined ? [before] : before === undefined ? [after] : [before, after])
        expect(found).toMatchObject({ serial: state.serial + 1, resources: { 'schedules.made': { id: madeId } } });
    }
    expect(await usable(to)).toMatchObject({ serial: state.serial + 1 });
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
