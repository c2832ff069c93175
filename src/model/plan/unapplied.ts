// The declarations that nobody has applied, as status and drift show them.

import { count, described, listOf, oneOf, record, type TypeOf, text } from '../values/schema.ts';

export const unappliedSchema = described(
  record({
    merged: described(
      listOf(text),
      'By address: the changes that were open in the same field a day ago already, by the newest commit that is older. What runs once, and what needs a variable that is not set, is not counted.',
    ),
    takingAway: described(count, 'How many of these remove a recipient, who still receives until they are applied.'),
    recent: described(count, 'How many other changes are not applied.'),
    left: described(
      listOf(record({ address: text, reason: text })),
      'The changes that an apply would not send, or would refuse, and why, of any age.',
    ),
    'notTold?': described(
      oneOf('no-git', 'shallow', 'errors', 'unread', 'lfs'),
      'Why it is not known what was declared a day ago; all changes then count as recent. A shallow clone lacks the history, the files of then may have errors, or git or Git LFS does not have them.',
    ),
  }),
  'The changes that the files declare and nobody applied; omitted for none.',
);
export type Unapplied = TypeOf<typeof unappliedSchema>;
