// What `almanac trigger` and `almanac status` print with `--format json`: which deliveries were asked for, and which work.

import {
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
} from './values/schema.ts';

// What `almanac trigger --format json` prints (schemas/trigger.schema.json): what was sent, and what not, and why.

const triggerStatuses = ['sent', 'failed', 'unknown', 'skipped', 'fresh', 'blocked'] as const;

export type TriggerStatus = (typeof triggerStatuses)[number];

const triggeredSchema = record({
  address: text,
  id: text,
  name: text,
  status: described(
    oneOf(...triggerStatuses),
    'sent: Omni agreed to deliver it. failed: certainly not sent. unknown: the answer was lost. skipped: the run ended before, or it is not known whether it is stale. fresh: it completed lately. blocked: what became of an earlier trigger is not known.',
  ),
  'message?': described(text, 'Why it was not sent, or why that is not known.'),
  'hint?': described(text, 'What to do.'),
});
export type TriggeredSchedule = TypeOf<typeof triggeredSchema>;

export const triggerSchema = record({
  formatVersion,
  schedules: described(listOf(triggeredSchema), 'As they were named; the instances of a loop in its place.'),
  // The counts of `schedules`.
  summary: record(countRows(triggerStatuses)),
});
export type TriggerDocument = TypeOf<typeof triggerSchema>;

export function triggerDocument(schedules: readonly TriggeredSchedule[]): TriggerDocument {
  const number = (status: TriggerStatus) => schedules.filter((each) => each.status === status).length;
  const counts = triggerStatuses.map((status) => [status, number(status)] as const);
  return { formatVersion: 1, schedules, summary: Object.fromEntries(counts) as Record<TriggerStatus, number> };
}

/** Whether nothing is left to do: it was sent, or completed lately. */
export function isDelivered({ status }: TriggeredSchedule): boolean {
  return status === 'sent' || status === 'fresh';
}

// What `almanac status --format json` prints (schemas/status.schema.json): whether the deliveries of each schedule work,
// as far as the service's list tells.

/** The gravest first: in this order they are listed. */
export const healths = ['failed', 'missed', 'stopped', 'fine', 'paused', 'condition-unmet', 'never-ran'] as const;

export type Health = (typeof healths)[number];

/** What somebody has to look at. */
export function needsAttention(health: Health): boolean {
  return health === 'failed' || health === 'missed' || health === 'stopped';
}

/** How a run can end badly, in the words of the service. One that ended with an error may have been delivered to some. */
const badEnds: ReadonlySet<string> = new Set(['ERROR', 'ERROR_DELIVERED', 'KILLED']);

export function hasFailed(lastStatus: string | undefined): boolean {
  return lastStatus !== undefined && badEnds.has(lastStatus);
}

const scheduleSchema = record({
  'address?': described(text, 'Omitted for a schedule that Almanac does not manage.'),
  id: text,
  name: text,
  health: oneOf(...healths),
  'lastStatus?': described(text, 'In the words of the service, such as COMPLETE or ERROR.'),
  'lastCompletedAt?': described(text, 'As the service writes it; omitted if no run has ended yet.'),
  'due?': described(instant, 'The last run that was due and whose tolerance is over.'),
  'reason?': described(text, 'Why it failed, or why Omni stopped it.'),
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
  gone: described(listOf(record({ address: text, id: text })), 'What the state tracks and Omni does not list.'),
  // The counts of `schedules`.
  summary: record({
    ...countRows(healths),
    notManaged: described(
      record({ count, failing: count }),
      'Schedules that Almanac does not manage, listed or not; without those that `ignore` leaves out.',
    ),
  }),
  'retried?': described(
    listOf(triggeredSchema),
    'With --retry: what was delivered again, after everything else in the document was read.',
  ),
});
export type StatusDocument = TypeOf<typeof statusSchema>;
