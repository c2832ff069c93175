// Whether the state can be read and belongs here, and what earlier applies left to do in it.

import type { State } from '../../model/plan/state.ts';
import type { Failure } from '../../model/workspace/failure.ts';
import type { StateStore, StoredState } from '../../ports/state-store.ts';
import { countOf } from '../../render/text/count-words.ts';
import { currentState, replayed } from '../state/current-state.ts';
import { type Attempt, attempt } from './attempt.ts';
import { failed, failedBy, passed, skipped, together, type Verdict, warned } from './verdict.ts';

/** A state with its journal, read. */
export interface Recorded {
  readonly name: string;
  /** With what a journal adds to it; undefined if there is none yet. */
  readonly state: State | undefined;
  readonly stored: StoredState;
}

/** In memory: nothing is written. */
export function readRecorded(store: StateStore): Promise<Attempt<Recorded>> {
  return attempt(async () => {
    const stored = await store.read();
    return { name: store.name, stored, state: currentState(stored, store.name) };
  });
}

export interface StateFacts {
  readonly baseUrl: string | undefined;
  /** What the journal holds belongs to a run that is still under way. */
  readonly isLocked: boolean;
  readonly isShared: boolean;
}

export function checkState(
  { name, state: current, stored }: Recorded,
  { baseUrl, isLocked, isShared }: StateFacts,
): Verdict {
  const state = isLocked ? stored.state : current;
  const journal = isLocked ? undefined : replayed(stored, current, name);
  const left = journal === undefined ? [] : [warned(journal, 'The next almanac apply folds it into the state.')];
  if (state === undefined)
    return passed(`There is none yet; the first apply ${isShared ? 'writes it to' : 'creates'} ${name}.`);
  const resources = countOf(Object.keys(state.resources).length, 'resource');
  const held = `${name}: serial ${state.serial}, ${resources}, written by almanac ${state.toolVersion}.`;
  if (baseUrl !== undefined && state.baseUrl !== baseUrl)
    return failed(`${held} It belongs to another organization, ${state.baseUrl}.`);
  return together([passed(held), ...left, ...orphansOf(state), ...unresolvedOf(state)]);
}

/** A lock that cannot be trusted is a matter of the lock. */
export function unreadState(failure: Failure): Verdict {
  return failure.code === 'state-locked' ? skipped('Not read: see the lock.') : failedBy(failure);
}

function orphansOf({ orphans }: State): readonly Verdict[] {
  if (orphans.length === 0) return [];
  const run = orphans.length === 1 ? 'It keeps running' : 'They keep running';
  return [
    warned(`${countOf(orphans.length, 'orphan')}: ${run} in Omni, untracked.`, '`almanac state orphans` lists them.'),
  ];
}

function unresolvedOf({ unresolved }: State): readonly Verdict[] {
  const [first, ...others] = unresolved;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  if (unresolved.every(({ action }) => action === 'trigger'))
    return [
      warned(
        `It is not known whether a delivery was made: ${first.address}${more}.`,
        `Find out, then \`almanac state resolve ${first.address} --done\` or \`--retry\`: until then it is not triggered again.`,
      ),
    ];
  const hint = '`almanac plan` shows what an apply finds out, and the `almanac state resolve` command for the rest.';
  return [warned(`The outcome of a change is not known: ${first.address}${more}.`, hint)];
}
