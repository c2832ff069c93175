// The output of `almanac trigger --format json` (schemas/trigger.schema.json): what was sent, what was not, and why.

import {
  countRows,
  described,
  formatVersion,
  listOf,
  oneOf,
  record,
  type TypeOf,
  text,
} from '../model/values/schema.ts';

const triggerStatuses = ['sent', 'failed', 'unknown', 'skipped', 'fresh', 'blocked'] as const;

export type TriggerStatus = (typeof triggerStatuses)[number];

export const triggeredSchema = record({
  address: text,
  id: text,
  name: text,
  status: described(
    oneOf(...triggerStatuses),
    'sent: Omni agreed to deliver it. failed: certainly not sent. unknown: the answer was lost. skipped: the run ended before, or it is not known whether it is stale. fresh: it completed lately. blocked: the outcome of an earlier trigger or the recipients are not known, or no plan has shown the recipients, or the line of the table of permissions that allowed it has ended.',
  ),
  'message?': described(text, 'Why it was not sent, or why it is not known whether it was.'),
  'hint?': described(text, 'What to do.'),
});
export type TriggeredSchedule = TypeOf<typeof triggeredSchema>;

export const triggerSchema = record({
  formatVersion,
  schedules: described(listOf(triggeredSchema), 'In the order of the arguments; a loop is replaced by its instances.'),
  // The counts of `schedules`.
  summary: record(countRows(triggerStatuses)),
});
export type TriggerDocument = TypeOf<typeof triggerSchema>;

export function triggerDocument(schedules: readonly TriggeredSchedule[]): TriggerDocument {
  const number = (status: TriggerStatus) => schedules.filter((each) => each.status === status).length;
  const counts = triggerStatuses.map((status) => [status, number(status)] as const);
  return { formatVersion: 1, schedules, summary: Object.fromEntries(counts) as Record<TriggerStatus, number> };
}

/** True if nothing is left to do: it was sent, or completed lately. */
export function isDelivered({ status }: TriggeredSchedule): boolean {
  return status === 'sent' || status === 'fresh';
}
