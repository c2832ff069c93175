// Moves the state from one place to another, under the locks of both. Three steps make it safe to break off at any
// moment:
//
//   1. The state is written to the new place as one that is arriving, which no command uses, and read back.
//   2. The old place is left: a note that names the new place replaces the state.
//   3. In the new place the state replaces what was arriving.
//
// So at most one place has a state that can be used, and at every moment at least one place keeps it. Repeating the
// command goes on where it broke off.

import { type MovedState, type State, stateVersion } from '../../model/plan/state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { LockedStore, StateStore } from '../../ports/state-store.ts';
import { renderMovedState, renderState } from '../../render/state/render-state.ts';
import { currentState } from './current-state.ts';

export interface Migration {
  readonly from: StateStore;
  readonly to: StateStore;
  /** Asks before anything is written; `state` is the one to be moved. */
  readonly confirm: (state: State) => Promise<boolean>;
  /** Called with what was noticed while locking. */
  readonly onNote: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export type Migrated =
  | { readonly outcome: 'moved' | 'was-moved'; readonly state: State }
  /** The confirmation was refused; nothing was changed. */
  | { readonly outcome: 'declined' };

/** Throws Failure refused where there is no state to move, state-conflict where the new place has another one. */
export async function migrateState(migration: Migration): Promise<Migrated> {
  const { from, to, confirm, signal } = migration;
  const found = await find(from, to);
  if ('arrived' in found) return { outcome: 'was-moved', state: found.arrived };
  if (!(await confirm(found.state))) return { outcome: 'declined' };
  await to.shared?.prepare(signal);
  await to.shared?.check(signal);
  return holding(migration, from, (source) =>
    holding(migration, to, async (target) => ({ outcome: 'moved', state: await move({ from, source, to, target }) })),
  );
}

async function holding<T>(
  { signal, onNote }: Migration,
  store: StateStore,
  work: (locked: LockedStore) => Promise<T>,
): Promise<T> {
  const locked = await store.lock('state migrate', signal);
  try {
    for (const note of locked.notes) onNote(note);
    return await work(locked);
  } finally {
    await locked.release();
  }
}

/** What a move begins with: the state in the old place, or one that is arriving because the old place was left already. */
type Found =
  | { readonly state: State; readonly hasLeft: boolean }
  /** Everything was done before; the state is in use in the new place. */
  | { readonly arrived: State };

async function find(from: StateStore, to: StateStore): Promise<Found> {
  const away = await from.moved();
  if (away !== undefined) return arrival(away, from, to);
  const state = currentState(await from.read(), from.name);
  if (state !== undefined) return { state, hasLeft: false };
  throw new Failure('refused', `There is no state to move: ${from.name} has none.`, {
    hint: 'Name the place that has it with --from. The first almanac apply in a new place creates a state there.',
  });
}

/** The old place was left, so the new one has the state, or it is still arriving there. */
async function arrival(away: MovedState, from: StateStore, to: StateStore): Promise<Found> {
  if (away.arriving !== undefined) throw notHereYet(from.name, away);
  if (away.movedTo !== to.name) {
    throw new Failure('state-moved', `${from.name} no longer has the state: it was moved to ${away.movedTo}.`, {
      hint: 'To move it on from there, name that place with --from.',
    });
  }
  const there = await to.moved();
  if (there?.arriving !== undefined && isSame(there, away)) return { state: there.arriving, hasLeft: true };
  if (there === undefined) {
    const state = currentState(await to.read(), to.name);
    if (state !== undefined && state.lineage === away.lineage && state.serial >= away.serial) return { arrived: state };
  }
  throw new Failure(
    'state-conflict',
    `${from.name} says that its state, serial ${away.serial}, was moved to ${to.name}, and it is not there.`,
    { hint: `Nothing was changed. Find out what replaced it there.${asItLeft(from, away)}` },
  );
}

/** A shared place keeps every state, also the one that left. */
function asItLeft({ shared, name }: StateStore, { serial }: MovedState): string {
  if (shared === undefined) return ` Or restore the state in ${name}.`;
  return ` With an almanac.yaml that names ${name}, \`almanac state pull --serial ${serial}\` prints the state as it left.`;
}

const isSame = (one: MovedState, other: MovedState) => one.lineage === other.lineage && one.serial === other.serial;

function notHereYet(name: string, { movedTo }: MovedState): Failure {
  return new Failure('state-moved', `${name} does not have the state yet: it is being moved here from ${movedTo}.`, {
    hint: 'Finish that move first: run `almanac state migrate` with the almanac.yaml of that move.',
  });
}

interface Ends {
  readonly from: StateStore;
  readonly source: LockedStore;
  readonly to: StateStore;
  readonly target: LockedStore;
}

/** Looks again, now that nothing else can change either place. */
async function move(ends: Ends): Promise<State> {
  const { from, source, to, target } = ends;
  const found = await find(from, to);
  if ('arrived' in found) return found.arrived;
  if (found.hasLeft) return settle(ends, found.state);

  const state = await foldJournal(ends);
  const { lineage, serial } = state;
  const note = { version: stateVersion, lineage, serial } as const;
  const isThere = await holdsAlready(ends, state);
  if (!isThere) {
    const arriving: MovedState = { ...note, movedTo: from.name, arriving: state };
    await target.leave(arriving);
    const readBack = await to.moved();
    if (readBack === undefined || renderMovedState(readBack) !== renderMovedState(arriving)) throw notAsWritten(to);
  }
  await source.leave({ ...note, movedTo: to.name });
  return isThere ? state : settle(ends, state);
}

async function settle({ to, target }: Ends, state: State): Promise<State> {
  await target.commit(state);
  const { state: readBack } = await to.read();
  if (readBack === undefined || renderState(readBack) !== renderState(state)) throw notAsWritten(to);
  return state;
}

/** What an apply left in its journal becomes part of the state before it leaves. */
async function foldJournal({ from, source }: Ends): Promise<State> {
  const stored = await source.read();
  const state = currentState(stored, from.name);
  if (state === undefined) throw new Error('the state is gone although its lock is held');
  if (stored.journal !== undefined) await source.commit(state);
  return state;
}

/** Whether the new place has this very state. Throws Failure state-conflict where it has anything else of value. */
async function holdsAlready({ from, to, target }: Ends, state: State): Promise<boolean> {
  const there = await to.moved();
  if (there !== undefined) {
    if (there.lineage !== state.lineage) throw otherLineage(to.name, there.lineage, from.name, state.lineage);
    if (there.arriving !== undefined && there.movedTo !== from.name) throw notHereYet(to.name, there);
    if (there.serial > state.serial) throw tooOld(from.name, state.serial, to.name, there.serial);
    return false;
  }
  const stored = await target.read();
  if (stored.state === undefined && stored.journal === undefined) return false;
  const present = currentState(stored, to.name);
  if (present !== undefined && renderState(present) === renderState(state) && stored.state === present) return true;
  if (present !== undefined && present.lineage !== state.lineage)
    throw otherLineage(to.name, present.lineage, from.name, state.lineage);
  const serial = present === undefined ? 'the journal of an unfinished apply' : `serial ${present.serial}`;
  throw new Failure(
    'state-conflict',
    `${to.name} has a state already: ${serial}, and ${from.name} has serial ${state.serial}.`,
    {
      hint: 'Two states are never joined, and nothing was changed. Compare them: almanac state pull prints the one of the place that almanac.yaml names. Move the state to a place that is empty.',
    },
  );
}

function otherLineage(to: string, there: string, from: string, here: string): Failure {
  return new Failure(
    'state-conflict',
    `${to} has another state: its lineage is ${there}, and that of ${from} is ${here}.`,
    { hint: 'Nothing was changed. Move the state to a place of its own.' },
  );
}

function tooOld(from: string, serial: number, to: string, known: number): Failure {
  return new Failure(
    'state-conflict',
    `${from} has serial ${serial}, and ${to} had serial ${known} before its state was moved away: an older state was put in place.`,
    { hint: `Restore the newest state in ${from} first. Nothing was changed.` },
  );
}

function notAsWritten({ name }: StateStore): Failure {
  return new Failure('state-conflict', `${name} does not return the state that was written to it.`, {
    hint: 'Do not use that place. The command can be repeated: no part of the state is lost.',
  });
}
