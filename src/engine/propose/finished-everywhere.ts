// Which entries have taken effect in every environment: only those can be removed from the files.

import type { State } from '../../model/plan/state.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { Loaded } from '../load/load.ts';
import { makeBasis } from './basis.ts';

/** What an environment declares, and what was applied to it. */
export interface EnvironmentSide {
  readonly loaded: Loaded;
  readonly state: State | undefined;
}

export interface FinishedEntries {
  /** In every environment. */
  readonly origins: readonly Origin[];
  /** For each environment, in order: how many entries are still to take effect there. */
  readonly open: readonly number[];
}

/** Throws Failure invalid-workspace if a declaration has an error: then it is unclear what an entry is for. */
export async function finishedEverywhere(
  sides: readonly EnvironmentSide[],
  randomness: Randomness,
): Promise<FinishedEntries> {
  let finished: ReadonlyMap<string, Origin> | undefined;
  const open: number[] = [];
  for (const { loaded, state } of sides) {
    // Where nothing was applied yet, every entry may still take effect.
    const origins = state === undefined ? [] : (await makeBasis(loaded, state, randomness)).matching.finished;
    const took = new Map(origins.map((origin) => [JSON.stringify(origin), origin]));
    const { leftOut = [] } = loaded.desired;
    // What is not about this environment does not wait for it.
    const here = new Map([...took, ...leftOut.map((origin) => [JSON.stringify(origin), origin] as const)]);
    finished = new Map([...(finished ?? here)].filter(([key]) => here.has(key)));
    const { moves, adoptions, removals } = loaded.desired;
    open.push(moves.length + adoptions.length + removals.length - took.size);
  }
  return { origins: [...(finished?.values() ?? [])], open };
}
