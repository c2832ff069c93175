// The options that select resources of the state, for the engine.

import { chooseTracked, type Tracked, type TrackedFilter } from '../../engine/choose/choose-tracked.ts';
import type { State } from '../../model/plan/state.ts';
import type { StateListOptions } from './command.ts';

type Selecting = Partial<Pick<StateListOptions, 'kind' | 'dashboard' | 'recipient' | 'destination'>>;

/** Throws Failure usage for a value that nothing in the state has. */
export function chosenOf(state: State, selecting: Selecting, addresses: readonly string[]): readonly Tracked[] {
  return chooseTracked(state, filterOf(selecting, addresses));
}

export function isSelecting(selecting: Selecting, addresses: readonly string[]): boolean {
  return Object.values(filterOf(selecting, addresses)).some(({ length }) => length > 0);
}

function filterOf(selecting: Selecting, addresses: readonly string[]): TrackedFilter {
  const { kind = [], dashboard = [], recipient = [], destination = [] } = selecting;
  return { addresses, kinds: kind, dashboards: dashboard, recipients: recipient, destinations: destination };
}
