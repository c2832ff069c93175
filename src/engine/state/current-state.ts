// The state as it is now: the file, and what an unfinished apply left in its journal.

import type { State } from '../../model/plan/state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { StoredState } from '../../ports/state-store.ts';
import { foldJournal } from './fold-journal.ts';

/** In memory only: nothing is written. Throws Failure state-conflict. */
export function currentState(stored: StoredState, name: string): State | undefined {
  return foldJournal(stored.state, stored.journal, name);
}

/** For commands that need a state. Throws Failure refused where there is no state yet. */
export function requireState(state: State | undefined, name: string): State {
  if (state !== undefined) return state;
  throw new Failure('refused', `There is no state yet: ${name} does not exist.`, {
    hint: 'The first almanac apply creates it.',
  });
}

/**
 * A state belongs to one organization; in another, its schedules do not exist.
 * Throws Failure state-conflict.
 */
export function checkSameOrganization(state: State | undefined, baseUrl: string | undefined, name: string): void {
  if (state === undefined || baseUrl === undefined || state.baseUrl === baseUrl) return;
  throw new Failure(
    'state-conflict',
    `${name} is the state of ${state.baseUrl}, and the base URL of this run is ${baseUrl}.`,
    {
      hint: 'Use the environment that the state belongs to (--env), or give this one a state of its own (`state: { path: … }`).',
    },
  );
}
