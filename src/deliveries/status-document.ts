// The document that `almanac status --format json` prints (schemas/status.schema.json). It tells whether the deliveries
// of each schedule work, as far as the service's list shows.

import { triggeredSchema } from '../apply/trigger-document.ts';
import { notReadBackRows } from '../model/plan/apply-outcome.ts';
import { noStateSchema, trackedBySchema } from '../model/plan/drift-document.ts';
import { unappliedSchema } from '../model/plan/names.ts';
import { healths } from '../model/service/health.ts';
import { kindsInOrder } from '../model/values/address.ts';
import {
  constant,
  count,
  countRows,
  described,
  flag,
  formatVersion,
  instant,
  listOf,
  oneOf,
  record,
  type TypeOf,
  text,
} from '../model/values/schema.ts';

/** The reasons why it is not known whether the last run that was due has completed. */
const doubts = ['retimed', 'retimed-in-omni', 'end-unreadable', 'times-unreadable'] as const;
export type Doubt = (typeof doubts)[number];

const scheduleSchema = record({
  'address?': described(text, 'Omitted for a schedule that Almanac does not manage.'),
  'kind?': described(oneOf(...kindsInOrder), 'Omitted for a schedule.'),
  id: text,
  name: text,
  'url?': described(text, 'Of a schedule, its page in Omni; omitted where it cannot be known.'),
  health: oneOf(...healths),
  'lastStatus?': described(text, 'In the words of the service, such as COMPLETE or ERROR.'),
  'lastCompletedAt?': described(text, 'As the service writes it; omitted if no run has ended yet.'),
  'due?': described(instant, 'The last run that was due and whose tolerance is over.'),
  'reason?': described(
    text,
    `Why it failed, or why Omni stopped it, in the words of the service. Of one that is unknown: ${doubts.join(', ')}.`,
  ),
  'owner?': described(text, 'The name of its owner in Omni.'),
  'metaOwner?': described(text, 'Who answers for it, as `meta.owner` said when it was applied.'),
  'timezone?': text,
  managed: flag,
});
export type ScheduleStatus = TypeOf<typeof scheduleSchema>;

export const statusSchema = record({
  formatVersion,
  at: described(instant, 'By the clock of the service.'),
  schedules: described(
    listOf(scheduleSchema),
    'Those that Almanac manages, by address; with --all the others after them, by name.',
  ),
  'notReadBack?': notReadBackRows,
  'noState?': noStateSchema,
  'unapplied?': unappliedSchema,
  gone: described(listOf(record({ address: text, id: text })), 'What the state tracks and Omni does not list.'),
  'foundNone?': described(
    constant(true),
    'Omni lists none of what the state tracks, so it is not known how the runs ended.',
  ),
  'trackedBy?': described(
    trackedBySchema,
    'How many schedules each neighbour tracks, which is another environment or workspace, or a state that `ignore` names; omitted for none.',
  ),
  'seesLess?': described(
    constant(true),
    'The token is a personal one: what is `gone` may still exist where its member does not see it.',
  ),
  'refused?': described(
    listOf(text),
    'Routines of which nothing is known, because Omni does not show the list of their owner.',
  ),
  // The counts of `schedules`.
  summary: record({
    ...countRows(healths),
    notManaged: described(
      record({ count, failing: count }),
      'Schedules that Almanac does not manage, listed or not; without those that `ignore` leaves out.',
    ),
  }),
  'ended?': described(
    listOf(
      record({
        line: described(text, 'What it allowed: `North Pine,cfo@northpine.example`.'),
        at: described(text, 'The file and the line: `tenants.csv:12`.'),
        until: described(text, 'The last day on which it counted.'),
        receiver: text,
        addresses: described(listOf(text), 'What still goes to the receiver, as it was applied.'),
        hint: text,
      }),
    ),
    'Lines of the table of permissions that have ended, and by which something is still delivered.',
  ),
  'ending?': described(
    listOf(record({ message: text, hint: text })),
    'Lines of the table of permissions that end within 30 days.',
  ),
  'retried?': described(
    listOf(triggeredSchema),
    'With --retry: what was delivered again, after everything else in the document was read.',
  ),
});
export type StatusDocument = TypeOf<typeof statusSchema>;
