// The declarations that nobody has applied, as status and drift show them.

import { count, described, listOf, oneOf, record, type TypeOf, text } from '../values/schema.ts';

export const unappliedSchema = described(
  record({
    merged: described(
      listOf(text),
      'By address: the changes whose files are older than a day in the branch. What runs once, and what needs a variable that is not set, is not counted.',
    ),
    takingAway: described(count, 'How many of these remove a recipient, who still receives until they are applied.'),
    recent: described(count, 'How many other changes are not applied and have files that were changed within a day.'),
    left: described(
      listOf(record({ address: text, reason: text })),
      'The changes that an apply would not send, or would refuse, and why, of any age.',
    ),
    'notTold?': described(
      oneOf('no-git', 'shallow'),
      'Why the age of the files is not known; all changes then count as recent. A shallow clone lacks the history.',
    ),
  }),
  'The changes that the files declare and nobody applied; omitted for none.',
);
export type Unapplied = TypeOf<typeof unappliedSchema>;
