// What stands in place of a state that was moved to another place, or that is on its way there.

import type { State, stateVersion } from './state.ts';

/** No Almanac takes it for a state. */
export interface MovedState {
  readonly version: typeof stateVersion;
  /** The name of the place that has the state. */
  readonly movedTo: string;
  readonly lineage: string;
  readonly serial: number;
  /**
   * Only where a state is being moved to: the state itself. It counts as soon as the place that has it was left, so that
   * there is never more than one state that can be used, and never less than one that is kept.
   */
  readonly arriving?: State;
}
