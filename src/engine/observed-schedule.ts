// What the answers about a schedule say in the words of its declaration. Only what comes back as it was sent is compared:
// not the effective filter configuration, not options whose names in an answer are not documented, not a secret. What
// means the same as what was applied (another case of an address, a prefix whose slashes were taken off) is taken as it was
// applied, so that it is no difference.

import { equalJson, type Json, type JsonObject } from '../model/json.ts';
import type { ObservedResource } from '../model/observed.ts';
import type { ListedSchedule, RemoteRecipients, RemoteSchedule } from '../model/remote.ts';
import { isSealedSecret } from '../model/secret.ts';

type Found = Extract<ObservedResource, { found: true }>;

/** A row of the list. `isSuspect`: it differs, so the details are worth a request. */
export function observedRow(
  row: ListedSchedule,
  applied: JsonObject,
  secret: ReadonlySet<string>,
): Found & { readonly isSuspect: boolean } {
  const found = readable(
    {
      identifier: row.identifier,
      name: row.name,
      schedule: row.schedule,
      timezone: row.timezone,
      format: row.format,
      destinationType: row.destinationType,
      ...pausedOf(row),
    },
    applied,
    secret,
  );
  const isSuspect =
    Object.keys(readableFields).some(
      (name) => found.fields.has(name) && !equalJson(found.attributes[name], applied[name]),
    ) ||
    differs(row.slackRecipientType, applied['slackRecipientType']) ||
    differs(row.conditionType, applied['conditionType']) ||
    (row.destinationType === 'email' && differs(row.recipientCount, emailCount(applied)));
  return { ...found, isSuspect };
}

const readableFields = { identifier: 1, name: 1, schedule: 1, timezone: 1, format: 1, destinationType: 1, paused: 1 };

/** Where the list says something about it. */
function differs(listed: Json | undefined, applied: Json | undefined): boolean {
  return listed !== undefined && !isSealedSecret(applied) && listed !== applied;
}

function emailCount({ recipients }: JsonObject): number | undefined {
  return Array.isArray(recipients) ? recipients.length : undefined;
}

interface Details {
  readonly schedule: RemoteSchedule;
  readonly recipients: RemoteRecipients;
  /** The details don't name the dashboard as declarations do. */
  readonly row: ListedSchedule | undefined;
  readonly attributes: JsonObject;
  readonly secret: ReadonlySet<string>;
}

export function observedDetails({ schedule, recipients, row, attributes, secret }: Details): Found {
  const format = row?.format ?? schedule.destinations[0]?.format;
  const destination = { ...settingsOf(recipients, attributes), destinationType: recipients.type };
  return readable(
    {
      ...(row === undefined ? {} : { identifier: row.identifier }),
      name: schedule.name,
      schedule: schedule.schedule,
      timezone: schedule.timezone,
      ...(format === undefined || format === '' ? {} : { format }),
      ...destination,
      ...(schedule.fanOut === undefined || recipients.type !== 'email' ? {} : { fanOut: schedule.fanOut }),
      ...(schedule.killJobsOnFailure === undefined ? {} : { killJobsOnFailure: schedule.killJobsOnFailure }),
      conditionType: schedule.conditionType,
      conditionQueryMapKey: schedule.conditionQueryMapKey,
      ...pausedOf(schedule),
    },
    attributes,
    secret,
  );
}

/** What is not set is left out where it is left out of the declaration. */
function pausedOf({ paused }: { readonly paused: boolean }): { readonly paused: boolean | undefined } {
  return { paused: paused ? true : undefined };
}

/** Whom or where: the fields of the destination that is there now. */
function settingsOf(recipients: RemoteRecipients, applied: JsonObject): Readonly<Record<string, Json | undefined>> {
  const { settings } = recipients;
  const named = (...names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])));
  switch (recipients.type) {
    case 'email':
      return { recipients: asSet(recipients.emails ?? [], applied['recipients']) };
    case 'slack':
      return {
        recipients: asSet(recipients.slackIds ?? [], applied['recipients']),
        ...(recipients.slackRecipientType === undefined ? {} : { slackRecipientType: recipients.slackRecipientType }),
      };
    case 'sftp':
      return named('address', 'port', 'username');
    case 'webhook':
      return named('url');
    case 's3':
      return {
        ...named('bucketName', 'region', 'roleArn', 'filename'),
        ...prefixOf(settings['keyPrefix'], applied['keyPrefix']),
      };
    default:
      return {};
  }
}

/** Each as it was applied where only its case differs; a set that holds a secret can't be compared. */
function asSet(found: readonly string[], applied: Json | undefined): Json {
  const before = typeof applied === 'string' ? applied.split(',').map((part) => part.trim()) : applied;
  if (!Array.isArray(before)) return [...found];
  if (before.some(isSealedSecret)) return applied ?? null;
  const known = new Map(before.map((text: Json) => [String(text).toLowerCase(), text]));
  const spelt = found.map((text) => known.get(text.toLowerCase()) ?? text);
  const isSame = spelt.length === known.size && spelt.every((text) => known.has(String(text).toLowerCase()));
  return isSame ? (applied ?? null) : spelt;
}

/** The service takes leading slashes off. */
function prefixOf(found: Json | undefined, applied: Json | undefined): Readonly<Record<string, Json | undefined>> {
  if (typeof found !== 'string') return {};
  const bare = (text: string) => text.replace(/^\/+/, '');
  return { keyPrefix: typeof applied === 'string' && bare(applied) === bare(found) ? applied : found || undefined };
}

/** A secret that was applied can't be compared with a text, so its field counts as not read. */
function readable(
  values: Readonly<Record<string, Json | undefined>>,
  applied: JsonObject,
  secret: ReadonlySet<string>,
): Found {
  const entries = Object.entries(values).filter(([name]) => !isSealedSecret(applied[name]) && !secret.has(name));
  const set = entries.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value] as const]));
  const unset = entries.filter(([, value]) => value === '').map(([name]) => name);
  const fields = new Set(entries.map(([name]) => name));
  // An empty text where the service says nothing is nothing that was read.
  for (const name of unset) fields.delete(name);
  return { found: true, fields, attributes: Object.fromEntries(set) };
}
