// The coming runs of schedules: the document that `next --format json` prints (schemas/next.schema.json).

import { timeFields } from '../../model/fields/fields.ts';
import {
  described,
  flag,
  formatVersion,
  instant,
  listOf,
  oneOf,
  record,
  type TypeOf,
  text,
} from '../../model/values/schema.ts';

const runSchema = record({ at: instant, local: described(text, 'YYYY-MM-DDTHH:MM in the zone.') });
export type NextRun = TypeOf<typeof runSchema>;

const scheduleSchema = record({
  address: text,
  schedule: text,
  timezone: text,
  // The schedule in words: `at 09:00 on Monday`.
  description: text,
  'kept?': described(
    listOf(oneOf(...timeFields)),
    'The fields that `ignoreChanges` keeps as applied last; the applied values are shown.',
  ),
  // Ascending; empty if it never runs again, or not on the requested days.
  runs: listOf(runSchema),
});
export type NextSchedule = TypeOf<typeof scheduleSchema>;

const stillSchema = record({
  address: text,
  schedule: text,
  timezone: text,
  description: text,
  paused: described(flag, 'It is paused, and no declaration says so.'),
});

export const nextSchema = record({
  formatVersion,
  // The runs come after it; with --days or --at they may also be at it.
  from: instant,
  schedules: listOf(scheduleSchema),
  'stillApplied?': described(
    listOf(stillSchema),
    'What runs differently in Omni, because the change is not applied: at times that differ from the declaration, although it is paused or no longer declared, or not at all. Omitted for none.',
  ),
});
export type NextDocument = TypeOf<typeof nextSchema>;
