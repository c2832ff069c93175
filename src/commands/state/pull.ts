// `almanac state pull`: prints the state file, including what an interrupted apply left in its journal, or an earlier
// state of a shared place.

import { requireState } from '../../engine/state/current-state.ts';
import { earlierState } from '../../engine/state/shared-place.ts';
import type { State } from '../../model/plan/state.ts';
import { renderState } from '../../render/state/render-state.ts';
import type { Run } from '../base/run.ts';
import type { StatePullOptions } from './command.ts';

export async function statePull(run: Run, options: StatePullOptions): Promise<number> {
  run.stdout.data(renderState(await pulled(run, options)));
  return 0;
}

async function pulled(run: Run, options: StatePullOptions): Promise<State> {
  const { serial } = options;
  if (serial !== undefined) return earlierState(await run.storeAlone(), serial);
  const store = await run.storeAlone();
  return requireState(await run.recorded(store), store.name);
}
