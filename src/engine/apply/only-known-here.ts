// What a run that lost its lock did last. The run that took over reads the journal, and the last outcomes may not be in it.

import { actions } from '../../model/plan/action.ts';
import type { JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { Run } from './apply-run.ts';

/** Undefined if there is nothing that the other run cannot know. */
export function onlyKnownHere({ lines, durable }: Run): string | undefined {
  const intents = new Map(lines.flatMap((line) => (line.type === 'intent' ? [[line.seq, line] as const] : [])));
  const known = lines.slice(durable).flatMap((line) => {
    const intent = intents.get(line.seq);
    return line.type === 'intent' || line.status === 'failed' || intent === undefined ? [] : [wordsOf(intent, line)];
  });
  if (known.length === 0) return undefined;
  return `The run that took over the lock may not know this: ${known.join('; ')}. If its next apply asks what became of one of them: \`almanac state resolve ADDRESS --id ID\`.`;
}

function wordsOf({ address, action }: JournalIntent, { status, id }: JournalOutcome): string {
  const done = action === 'trigger' ? 'triggered' : actions[action].done;
  if (status === 'unknown') return `it is not known whether ${address} was ${done}`;
  return `${address} was ${done}${id === undefined ? '' : ` (${id})`}`;
}
