// Moves the state of a file to a place that many share, under the locks of both. The file is set aside only when the place
// returns what was written to it. Repeating the command goes on where it broke off.

import type { Clock, Reporter } from '../../model/outside.ts';
import type { State } from '../../model/plan/state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { currentState, lockWait, settledState, withLock } from '../../state/current-state.ts';
import { renderState } from '../../state/format/render-state.ts';
import type { LockedStore, StateStore } from '../../state/state-store.ts';

export interface Migration {
  /** A file. */
  readonly from: StateStore;
  readonly to: StateStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
}

/** The state that was moved. Throws Failure refused where there is none, state-conflict where the place has another one. */
export function migrateState({ from, to, ...ports }: Migration): Promise<State> {
  const wait = lockWait('state migrate', 0, ports);
  return withLock(from, wait, async (source) => {
    const state = requireToMove(await settledState(source, { store: from, ...ports }), from.name);
    await withLock(to, wait, (target) => write(state, from, to, target));
    if (source.setAside === undefined) throw new Error(`${from.name} is not a file.`);
    await source.setAside();
    return state;
  });
}

/** Throws Failure refused. */
export function requireToMove(state: State | undefined, name: string): State {
  if (state !== undefined) return state;
  throw new Failure('refused', `There is no state to move: ${name} has none.`, {
    hint: 'Name another file with --state. The first almanac apply in a new place creates a state there.',
  });
}

async function write(state: State, from: StateStore, to: StateStore, target: LockedStore): Promise<void> {
  const stored = await target.read();
  if (stored.state === undefined && stored.journal === undefined) await target.commit(state);
  else refuseOther(state, from.name, currentState(stored, to.name), to.name);
  const { state: readBack } = await to.read();
  if (readBack !== undefined && renderState(readBack) === renderState(state)) return;
  throw new Failure('state-conflict', `${to.name} does not return the state that was written to it.`, {
    hint: `Do not use that place. ${from.name} is as it was.`,
  });
}

/** Throws Failure state-conflict unless the place has this very state, because an earlier move broke off. */
function refuseOther(state: State, from: string, present: State | undefined, to: string): void {
  if (present !== undefined && renderState(present) === renderState(state)) return;
  if (present !== undefined && present.lineage !== state.lineage) {
    throw new Failure(
      'state-conflict',
      `${to} has another state: its lineage is ${present.lineage}, and that of ${from} is ${state.lineage}.`,
      { hint: 'Nothing was changed. Move the state to a place of its own.' },
    );
  }
  const serial = present === undefined ? 'the journal of an unfinished apply' : `serial ${present.serial}`;
  throw new Failure('state-conflict', `${to} has a state already: ${serial}, and ${from} has serial ${state.serial}.`, {
    hint: `Two states are never joined, and nothing was changed. Compare them: almanac state pull prints the one of the place. If that one went on from ${from}, the state was moved before: remove ${from}.`,
  });
}
