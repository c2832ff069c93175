// Joins three answers about a schedule under the field names of a declaration.

import { everyDocument } from '../../model/service/documents.ts';
import type { ListedSchedule, RemoteFilters, RemoteRecipients, RemoteSchedule } from '../../model/service/remote.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { record, type TypeOf, text } from '../../model/values/schema.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { Service } from '../service.ts';

/** Everything that was read about one schedule. */
export interface ReadSchedule {
  readonly listed: ListedSchedule;
  readonly schedule: RemoteSchedule;
  readonly recipients: RemoteRecipients;
  /** The current filters of its dashboard; undefined if they cannot be read. */
  readonly filters: RemoteFilters | undefined;
}

/** The fields that the service returned. A null or an empty text counts as not set. */
export function knownFields({ listed, schedule, recipients }: ReadSchedule): JsonObject {
  const known: Record<string, Json> = {};
  const add = (fields: Readonly<Record<string, Json | undefined>>) => {
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined && value !== null && value !== '') define(known, name, value);
  };
  const [destination] = schedule.destinations;
  add(schedule.metadata);
  add(destination?.metadata ?? {});
  add(recipients.settings);
  add({
    identifier: listed.identifier,
    name: schedule.name,
    schedule: schedule.schedule || listed.schedule,
    timezone: schedule.timezone || listed.timezone,
    format: destination?.format || listed.format,
    destinationType: destinationOf({ listed, schedule, recipients }),
    recipients: recipientsOf(recipients),
    userGroups: groupNames(recipients),
    slackRecipientType: (recipients.slackRecipientType ?? listed.slackRecipientType)?.toLowerCase(),
    fanOut: schedule.fanOut,
    ...schedule.fields,
    conditionType: schedule.conditionType ?? listed.conditionType,
    filterConfig: schedule.filterConfig,
    paused: schedule.paused,
    testNow: false,
  });
  return known;
}

/** The destination type from the list, or else from the details. */
export function destinationOf({ listed, schedule, recipients }: Omit<ReadSchedule, 'filters'>): string {
  return listed.destinationType || schedule.destinations[0]?.type || recipients.type;
}

/** A Slack channel is a single id; all other recipients are a list. */
function recipientsOf({ emails, slackIds, slackRecipientType }: RemoteRecipients): Json | undefined {
  const ids = emails ?? slackIds;
  if (ids === undefined || ids.length === 0) return undefined;
  return emails === undefined && slackRecipientType?.toLowerCase() !== 'users' && ids.length === 1
    ? (ids[0] as string)
    : ids;
}

/** The groups' names, or the ids of those that share one. */
function groupNames({ groups = [] }: RemoteRecipients): Json | undefined {
  const isAlone = (name: string) => groups.filter((other) => other.name === name).length === 1;
  const names = groups.map(({ id, name }) => (isAlone(name) ? name : (id ?? name)));
  return names.length === 0 ? undefined : names;
}

/** True if the answers contain any setting of the destination, or any option of the format. */
export function isDescribed(part: 'destination' | 'options', { schedule, recipients }: ReadSchedule): boolean {
  if (part === 'options') return Object.keys(schedule.metadata).length > 0;
  const { type: _, ...rest } = schedule.destinations[0]?.metadata ?? {};
  return Object.keys(rest).length + Object.keys(recipients.settings).length > 0;
}

const suspicious = /pass(?:word|phrase)|secret|token|credential|private.?key/i;

/** Removes everything that may be a secret: the documentation does not say whether the service returns secrets. */
export function withoutSecrets<T extends RemoteSchedule | RemoteRecipients>(answer: T): T {
  if ('settings' in answer) return { ...answer, settings: stripped(answer.settings) };
  const destinations = answer.destinations.map((each) => ({ ...each, metadata: stripped(each.metadata) }));
  return { ...answer, metadata: stripped(answer.metadata), destinations };
}

function stripped(given: JsonObject): JsonObject {
  const keptFields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(given))
    if (!suspicious.test(name)) define(keptFields, name, isJsonObject(value) ? stripped(value) : value);
  return keptFields;
}

/**
 * Omni's answer about dashboards in addition to their schedules: the folder, the owner and the name. It takes one
 * request for a hundred documents. An import works without it: then the files are in one folder.
 */
export const knownDashboardSchema = record({
  identifier: text,
  name: text,
  // The path of its folder, with `/`.
  'folder?': text,
  // The name of its owner.
  'owner?': text,
});
export type KnownDashboard = TypeOf<typeof knownDashboardSchema>;

/** Empty, with a note, where the token may not list documents. */
export async function listDashboards(
  service: Service,
  onNote: (message: string) => void,
): Promise<readonly KnownDashboard[]> {
  try {
    const { documents } = await (await service.api()).listDocuments(everyDocument, service.call);
    return documents.map(({ identifier, name, folder, owner }) => ({
      identifier,
      name,
      folder: folder?.path,
      owner: owner?.name || undefined,
    }));
  } catch (error) {
    if (!(error instanceof Failure) || ![400, 403, 404].includes(statusOf(error) ?? 0)) throw error;
    onNote(`The folders and owners of dashboards are not known, so all files are in one folder. ${error.message}`);
    return [];
  }
}
