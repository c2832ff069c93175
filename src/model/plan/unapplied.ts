// What the files declare and nobody has applied, as status and drift tell it.

import { count, described, listOf, oneOf, record, type TypeOf, text } from '../values/schema.ts';

export const unappliedSchema = described(
  record({
    merged: described(
      listOf(text),
      'By address: the changes whose files are older than a day in the branch. What runs once, and what needs a variable that is not set, is not counted.',
    ),
    takingAway: described(count, 'How many of these take away a recipient, who goes on receiving.'),
    recent: described(count, 'How many more are not applied, whose files were changed within a day.'),
    left: described(
      listOf(record({ address: text, reason: text })),
      'What an apply would leave or refuse, and why, however old it is.',
    ),
    'notTold?': described(
      oneOf('no-git', 'shallow'),
      'Why nobody can tell how old the files are: then all changes are counted as recent. A shallow clone lacks the history.',
    ),
  }),
  'The changes that the files declare and nobody applied; omitted for none.',
);
export type Unapplied = TypeOf<typeof unappliedSchema>;
