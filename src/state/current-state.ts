// Reads the present state: the stored one, and what an unfinished apply left in its journal.

import type { Reporter } from '../model/outside.ts';
import type { State, Unresolved } from '../model/plan/state.ts';
import { command } from '../model/values/command.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import { itsRun, takenOverIn } from '../model/workspace/lock.ts';
import { isEmulatorState } from '../model/workspace/state-place.ts';
import { foldJournal } from './fold-journal.ts';
import type { HeldLock, LockedStore, StateStore, StoredState } from './state-store.ts';

/** Folds in memory only: nothing is written. Throws Failure state-conflict. */
export function currentState(stored: StoredState, name: string): State | undefined {
  return foldJournal(stored.state, stored.journal, name);
}

/** The present state, the message about a journal that was replayed, and the run that is at work on it. */
export interface StateNow {
  readonly name: string;
  readonly stored: StoredState;
  readonly state: State | undefined;
  /** Undefined if there was no journal, or nothing in it. */
  readonly message: string | undefined;
  readonly running: HeldLock | undefined;
}

/** Reads state and lock together, so a run that ends meanwhile is not half seen. `by` reads what the run holds, if it has the lock. */
export async function readState(
  store: Pick<StateStore, 'name' | 'read'>,
  by: Pick<StateStore, 'read'> = store,
): Promise<StateNow> {
  const { name } = store;
  const stored = await by.read();
  const state = currentState(stored, name);
  const running = stored.lockHolder?.isDead === false ? stored.lockHolder : undefined;
  return { name, stored, state, message: messageOf(stored, state, name, running), running };
}

function messageOf(
  { state, journal }: StoredState,
  current: State | undefined,
  name: string,
  running: HeldLock | undefined,
): string | undefined {
  if (journal === undefined || current === state) return undefined;
  if (running !== undefined) return lockWords(running, name, 'This is what it has done so far.');
  const { length } = journal.lines;
  return `Replayed the journal of ${name}: ${length} ${length === 1 ? 'entry' : 'entries'} of a run that broke off.`;
}

/** Folds what an interrupted run left in its journal into the state, under the lock, and saves it. */
export async function settledState(
  locked: LockedStore,
  { store, reporter }: { readonly store: StateStore; readonly reporter: Reporter },
): Promise<State | undefined> {
  const { stored, state, message } = await readState(store, locked);
  if (message !== undefined) reporter.emit({ type: 'note', message });
  if (stored.journal !== undefined) await locked.commit(state);
  return state;
}

/**
 * The state for a plan, with what to say about it. Changes that a run under way has begun are neither lost nor certain: they are
 * left out.
 */
export async function stateForPlan(
  store: StateStore,
): Promise<{ readonly state: State | undefined; readonly findings: readonly Finding[] }> {
  const { stored, state, message, running } = await readState(store);
  if (stored.lacks !== undefined) return { state, findings: [absent(stored.lacks, store.name)] };
  if (message === undefined || state === undefined) return { state, findings: [] };
  if (running === undefined) return { state, findings: [{ code: 'journal-replayed', message }] };
  const before = stored.state?.unresolved ?? [];
  const wasOpen = (open: Unresolved) => before.some((known) => isSameRequest(known, open));
  const findings = [underWay(running, store.name)];
  return { state: { ...state, unresolved: state.unresolved.filter(wasOpen) }, findings };
}

/** The run may have sent it again, or moved what it is about. */
function isSameRequest(before: Unresolved, open: Unresolved): boolean {
  return before.action === open.action && (before.address === open.address || before.since === open.since);
}

function absent(lacks: string, name: string): Finding {
  return {
    code: 'state-absent',
    message: `${name} holds no state: ${lacks}. The first apply creates it.`,
    hint: 'If there should be a state, check the address of the place before you apply.',
  };
}

function underWay(lockHolder: HeldLock, name: string): Finding {
  const counted =
    'This plan counts what the run has done so far; a request that it is sending now is planned as if it had not begun.';
  return {
    code: 'run-under-way',
    message: lockWords(lockHolder, name, counted),
    hint:
      lockHolder.expiresIn === undefined
        ? `Plan again once that run has ended. If it has certainly ended, run \`${command('state unlock')}\`.`
        : `Plan again once that run has ended. If it broke off, the next \`${command('apply')}\` takes its lock over.`,
  };
}

function lockWords({ holder, expiresIn }: HeldLock, name: string, shown: string): string {
  const who =
    holder === undefined ? '' : `: ${holder.command} of ${holder.who} on ${holder.host}, since ${holder.since}`;
  const lease = expiresIn === undefined ? '' : ` ${takenOverIn(expiresIn)}`;
  return `Another run is changing ${name}${who}. ${shown}${lease}${itsRun(holder)}`;
}

/** The state, for commands that need one. Throws Failure refused if there is no state yet. */
export function requireState(state: State | undefined, name: string): State {
  if (state !== undefined) return state;
  throw new Failure('refused', `Nothing has been applied yet: ${name} holds no state.`, {
    hint: `The first ${command('apply')} creates the state.`,
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
    `${name} is the state of ${state.baseUrl} (serial ${state.serial}), and the base URL of this run is ${baseUrl}.`,
    {
      hint: isEmulatorState(name)
        ? `An emulator had that address. Start it there again, or delete ${name}, which records nothing but what was applied to an emulator.`
        : 'Use the environment that the state belongs to (--env), or give this one a place of its own (`state` in almanac.yaml).',
    },
  );
}
