// Which state may follow another in a shared place. Nothing is ever overwritten there, so neither can its history go back.

import type { State } from '../../../model/plan/state.ts';
import { shortText } from '../../../model/values/short-text.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { LastCommit } from '../../../parse/state/fold-log.ts';

/** Undefined if it may. */
export function lastSerialFailure(
  name: string,
  last: LastCommit | undefined,
  next: Pick<State, 'lineage' | 'serial'>,
): Failure | undefined {
  if (last === undefined || last.state === '') return undefined;
  if (next.lineage !== last.lineage) {
    return new Failure(
      'state-conflict',
      `${name} holds the state with lineage ${shortText(last.lineage)}, and this one has lineage ${shortText(next.lineage)}.`,
      { hint: 'A shared place keeps one state for good. Use a new place for another state.' },
    );
  }
  if (next.serial >= last.serial) return undefined;
  return new Failure(
    'state-conflict',
    `${name} holds the state with serial ${last.serial}, and this one has serial ${next.serial}.`,
    {
      hint: `A shared place keeps its history, so the serial can only rise. To go back to this state, give it the serial ${last.serial + 1} and run \`almanac state push\` again.`,
    },
  );
}
