// Says what became of a run whose state could not be written: nothing was changed, its journal holds what it did, or
// nobody else knows some results. It names the command that records each of those.

import type { Journal, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import { mayBeFound, mayBeRepeated } from '../model/plan/open-change.ts';
import { kindAt, kinds } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import type { Unrecorded } from '../model/workspace/diagnostic.ts';
import type { Failure } from '../model/workspace/failure.ts';
import type { LockedStore } from './state-store.ts';

/** The failure of a run that began no journal, and so sent nothing. */
export function withNothingChanged(failure: Failure): Failure {
  return failure.with({ message: `${failure.message} Nothing was changed in Omni or in the state.` });
}

/** The failure of a run that gave these lines to the journal of the store. */
export function withResults(
  failure: Failure,
  lines: Journal['lines'],
  store: Pick<LockedStore, 'journal' | 'unwritten'>,
): Failure {
  const lost = store.unwritten();
  if (lost === undefined) return failure;
  const unrecorded = unrecordedIn(lines, lost);
  const hasResult = lines.some((line) => line.type === 'outcome' && line.status !== 'failed');
  if (!hasResult) return withNothingChanged(failure.with({ unrecorded }));
  if (unrecorded.length > 0) return failure.with({ unrecorded });
  const kept = `Nothing is lost: what this run did is in ${store.journal}, and the next run folds it into the state.`;
  return failure.with({ message: `${failure.message} ${kept}` });
}

function unrecordedIn(lines: Journal['lines'], lost: readonly JournalOutcome[]): readonly Unrecorded[] {
  const intents = new Map(lines.flatMap((line) => (line.type === 'intent' ? [[line.seq, line] as const] : [])));
  return lost.flatMap((outcome) => {
    const intent = intents.get(outcome.seq);
    const found = intent && resolutionOf(intent, outcome);
    if (intent === undefined || found === undefined) return [];
    const { address, action } = intent;
    return [{ address, action, id: outcome.id, command: command('state resolve', address, ...found) }];
  });
}

/** The answer that `state resolve` would ask for; undefined if nobody has to give it. */
function resolutionOf(
  { address, action, at }: JournalIntent,
  { status, id }: JournalOutcome,
): readonly string[] | undefined {
  if (status === 'unknown') return undefined;
  if (action === 'trigger') return [status === 'failed' ? '--retry' : '--done'];
  const open = { address, action, since: at };
  if (mayBeRepeated(open)) return undefined;
  if (status === 'failed') return ['--retry'];
  const hasId = mayBeFound(open) || kinds[kindAt(address)].life === 'once';
  return hasId && id !== undefined ? ['--id', id] : ['--done'];
}
