// The coming runs of schedules: the document that `next --format json` prints (schemas/next.schema.json).

import { described, formatVersion, instant, listOf, record, type TypeOf, text } from '../../model/values/schema.ts';

const runSchema = record({ at: instant, local: described(text, 'YYYY-MM-DDTHH:MM in the zone.') });
export type NextRun = TypeOf<typeof runSchema>;

const scheduleSchema = record({
  address: text,
  schedule: text,
  timezone: text,
  // The schedule in words: `at 09:00 on Monday`.
  description: text,
  // Ascending; empty if it never runs again, or not on the requested days.
  runs: listOf(runSchema),
});
export type NextSchedule = TypeOf<typeof scheduleSchema>;

export const nextSchema = record({
  formatVersion,
  // The runs come after it, or with --days or --at at it or after it.
  from: instant,
  schedules: listOf(scheduleSchema),
});
export type NextDocument = TypeOf<typeof nextSchema>;
