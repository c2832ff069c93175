// What the service tells of a schedule, scattered over three answers, under the names that a declaration has for it.

import type { ListedSchedule, RemoteFilters, RemoteRecipients, RemoteSchedule } from '../../model/service/remote.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';

/** All that was read about one schedule. */
export interface ReadSchedule {
  readonly listed: ListedSchedule;
  readonly schedule: RemoteSchedule;
  readonly recipients: RemoteRecipients;
  /** Those of its dashboard now; undefined where they can't be read. */
  readonly filters: RemoteFilters | undefined;
}

/** Fields that were told; one that is null, or an empty text, counts as not set. */
export function toldFields({ listed, schedule, recipients }: ReadSchedule): JsonObject {
  const told: Record<string, Json> = {};
  const tell = (fields: Readonly<Record<string, Json | undefined>>) => {
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined && value !== null && value !== '') define(told, name, value);
  };
  const [destination] = schedule.destinations;
  tell(schedule.metadata);
  tell(destination?.metadata ?? {});
  tell(recipients.settings);
  tell({
    identifier: listed.identifier,
    name: schedule.name,
    schedule: schedule.schedule || listed.schedule,
    timezone: schedule.timezone || listed.timezone,
    format: destination?.format || listed.format,
    destinationType: destinationOf({ listed, schedule, recipients }),
    recipients: recipientsOf(recipients),
    slackRecipientType: (recipients.slackRecipientType ?? listed.slackRecipientType)?.toLowerCase(),
    fanOut: schedule.fanOut,
    killJobsOnFailure: schedule.killJobsOnFailure,
    conditionType: schedule.conditionType ?? listed.conditionType,
    conditionQueryMapKey: schedule.conditionQueryMapKey,
    filterConfig: schedule.filterConfig,
    paused: schedule.paused,
    testNow: false,
  });
  return told;
}

/** What it delivers to, as the list, else the detail, calls it. */
export function destinationOf({ listed, schedule, recipients }: Omit<ReadSchedule, 'filters'>): string {
  return listed.destinationType || schedule.destinations[0]?.type || recipients.type;
}

/** A Slack channel is one id; all else is a list. */
function recipientsOf({ emails, slackIds, slackRecipientType }: RemoteRecipients): Json | undefined {
  const ids = emails ?? slackIds;
  if (ids === undefined || ids.length === 0) return undefined;
  return emails === undefined && slackRecipientType?.toLowerCase() !== 'users' && ids.length === 1
    ? (ids[0] as string)
    : ids;
}

/** Whether an answer says anything about the destination, or about the options of the format. */
export function tellsOf(part: 'destination' | 'options', { schedule, recipients }: ReadSchedule): boolean {
  if (part === 'options') return Object.keys(schedule.metadata).length > 0;
  const { type: _, ...rest } = schedule.destinations[0]?.metadata ?? {};
  return Object.keys(rest).length + Object.keys(recipients.settings).length > 0;
}

const suspicious = /pass(?:word|phrase)|secret|token|credential|private.?key/i;

/** Whether the service echoes secrets is not documented; nothing that may be one is kept. */
export function withoutSecrets<T extends RemoteSchedule | RemoteRecipients>(answer: T): T {
  if ('settings' in answer) return { ...answer, settings: stripped(answer.settings) };
  const destinations = answer.destinations.map((each) => ({ ...each, metadata: stripped(each.metadata) }));
  return { ...answer, metadata: stripped(answer.metadata), destinations };
}

function stripped(given: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries(given))
    if (!suspicious.test(name)) define(kept, name, isJsonObject(value) ? stripped(value) : value);
  return kept;
}
