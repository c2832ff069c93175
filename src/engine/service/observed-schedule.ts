// Turns the service's answers about a schedule into the fields of its declaration. Only what comes back as it was sent
// is compared: not the effective filter configuration, options whose names in an answer are undocumented, or a fan-out (a
// setting of the organization overrides it). What is secret is handed out apart, as text. An equivalent value (an address in another case, a prefix
// without its slashes) is replaced by the applied one, so that it does not count as a difference.

import type { Field } from '../../model/fields/field.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { ObservedResource } from '../../model/service/observed.ts';
import type { ListedSchedule, RemoteRecipients, RemoteSchedule } from '../../model/service/remote.ts';
import { equalJson, type Json, type JsonObject } from '../../model/values/json.ts';
import { isSealedSecret } from '../../model/values/secret.ts';
import { secretsInUrl } from '../../model/values/url-secrets.ts';

type Found = Extract<ObservedResource, { found: true }>;

interface Details {
  readonly schedule: RemoteSchedule;
  readonly recipients: RemoteRecipients;
  /** Only the list names the dashboard as declarations do. */
  readonly row: ListedSchedule | undefined;
  readonly attributes: JsonObject;
  readonly secret: ReadonlySet<string>;
}

interface FoundDetails {
  readonly resource: Found;
  /** The texts of secret fields, which must be sealed before anyone sees them. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** From a row of the list. `isSuspect`: the row differs, so the details are worth a request. */
export function observedRow(
  row: ListedSchedule,
  applied: JsonObject,
  secret: ReadonlySet<string>,
): Found & { readonly isSuspect: boolean } {
  const { resource: found } = readable(
    {
      identifier: row.identifier,
      name: row.name,
      schedule: row.schedule,
      timezone: row.timezone,
      format: row.format,
      destinationType: row.destinationType,
      ...tileOf(row, applied),
      ...pausedOf(row),
    },
    applied,
    secret,
  );
  const isSuspect =
    [...found.fields].some((name) => !equalJson(found.attributes[name], applied[name])) ||
    differs(asDeclared('slackRecipientType', row.slackRecipientType), applied['slackRecipientType']) ||
    isOtherAlert(row, applied) ||
    (row.destinationType === 'email' && differs(row.recipientCount, emailCount(applied)));
  return { ...found, isSuspect };
}

/** Nothing differs where the list has no value. */
function differs(listed: Json | undefined, applied: Json | undefined): boolean {
  return listed !== undefined && !isSealedSecret(applied) && listed !== applied;
}

/**
 * The list reports a condition only for alerts; a missing condition therefore means that the schedule is no longer an
 * alert.
 */
function isOtherAlert({ conditionType }: ListedSchedule, { conditionType: applied }: JsonObject): boolean {
  return !isSealedSecret(applied) && asDeclared('conditionType', conditionType) !== applied;
}

function emailCount({ recipients }: JsonObject): number | undefined {
  return Array.isArray(recipients) ? recipients.length : undefined;
}

export function observedDetails({ schedule, recipients, row, attributes, secret }: Details): FoundDetails {
  const format = row?.format ?? schedule.destinations[0]?.format;
  const destination = { ...settingsOf(recipients, attributes), destinationType: recipients.type };
  const { resource, secrets } = readable(
    {
      ...(row === undefined ? {} : { identifier: row.identifier, ...tileOf(row, attributes) }),
      name: schedule.name,
      schedule: schedule.schedule,
      timezone: schedule.timezone,
      ...(format === undefined || format === '' ? {} : { format }),
      ...destination,
      ...(schedule.killJobsOnFailure === undefined ? {} : { killJobsOnFailure: schedule.killJobsOnFailure }),
      conditionType: schedule.conditionType,
      conditionQueryMapKey: schedule.conditionQueryMapKey,
      ...pausedOf(schedule),
    },
    attributes,
    secret,
  );
  return { resource: { ...resource, unread: unreadIn(schedule, recipients, attributes) }, secrets };
}

/** The required settings of the destination that both answers lack. */
function unreadIn(
  { destinations: [first] }: RemoteSchedule,
  { settings }: RemoteRecipients,
  attributes: JsonObject,
): readonly string[] {
  return Object.entries<Field>(fieldsOf.schedule)
    .filter(([name, field]) => field.required && field.destinations && !field.secret && !isRecipient.has(name))
    .map(([name]) => name)
    .filter((name) => attributes[name] !== undefined && !settings[name] && !first?.metadata[name]);
}

const isRecipient: ReadonlySet<string> = new Set(['recipients', 'slackRecipientType']);

/** Left out where it is not set, as in the declaration. */
function pausedOf({ paused }: { readonly paused: boolean }): { readonly paused: boolean | undefined } {
  return { paused: paused ? true : undefined };
}

/**
 * The service says whether a schedule delivers a single tile, not which one; only that it no longer does can be
 * detected.
 */
function tileOf(
  { isTile }: ListedSchedule,
  { queryIdentifierMapKey }: JsonObject,
): Readonly<Record<string, Json | undefined>> {
  return queryIdentifierMapKey !== undefined && isTile === false ? { queryIdentifierMapKey: undefined } : {};
}

/** The fields of the present destination. */
function settingsOf(recipients: RemoteRecipients, applied: JsonObject): Readonly<Record<string, Json | undefined>> {
  const { settings } = recipients;
  // A required field that comes back as null is hidden by the service.
  const named = (...names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (settings[name] == null ? [] : [[name, settings[name]]])));
  switch (recipients.type) {
    case 'email':
      return { recipients: asSet(recipients.emails ?? [], applied['recipients']) };
    case 'slack':
      return {
        recipients: asSet(recipients.slackIds ?? [], applied['recipients']),
        ...(recipients.slackRecipientType === undefined ? {} : { slackRecipientType: recipients.slackRecipientType }),
      };
    case 'sftp':
      return { ...named('address', 'username'), ...portOf(settings['port']) };
    case 'webhook':
      return named('url');
    case 's3':
      return {
        ...named('bucketName', 'region', 'roleArn'),
        ...(settings['filename'] === undefined ? {} : { filename: settings['filename'] ?? undefined }),
        ...prefixOf(settings['keyPrefix'], applied['keyPrefix']),
      };
    default:
      return {};
  }
}

/** Each entry as it was applied where only its case differs; a set that holds a secret cannot be compared. */
function asSet(found: readonly string[], applied: Json | undefined): Json {
  const before = typeof applied === 'string' ? applied.split(',').map((part) => part.trim()) : applied;
  if (!Array.isArray(before)) return [...found];
  if (before.some(isSealedSecret)) return applied ?? null;
  const known = new Map(before.map((text: Json) => [String(text).toLowerCase(), text]));
  const spelt = found.map((text) => known.get(text.toLowerCase()) ?? text);
  const isSame = spelt.length === known.size && spelt.every((text) => known.has(String(text).toLowerCase()));
  return isSame ? (applied ?? null) : spelt;
}

/** As a number, even if the service returns a text. */
function portOf(found: Json | undefined): Readonly<Record<string, Json>> {
  if (typeof found === 'string' && /^\d+$/.test(found)) return { port: Number(found) };
  return found == null ? {} : { port: found };
}

/** The service removes leading slashes. */
function prefixOf(given: Json | undefined, applied: Json | undefined): Readonly<Record<string, Json | undefined>> {
  const found = given === null ? '' : given;
  if (typeof found !== 'string') return {};
  const bare = (text: string) => text.replace(/^\/+/, '');
  return { keyPrefix: typeof applied === 'string' && bare(applied) === bare(found) ? applied : found || undefined };
}

/** A choice as declarations spell it, whatever the case of the answer. */
function asDeclared<V extends Json | undefined>(name: string, value: V): V | string {
  const shape = fieldsOf.schedule[name]?.shape;
  if (shape?.type !== 'choice' || typeof value !== 'string') return value;
  return Object.keys(shape.choices).find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? value;
}

/** What others entered is secret although nobody has declared it so: the address of a hook of Slack. */
function holdsSecret(name: string, value: Json | undefined): boolean {
  const isUrl = fieldsOf.schedule[name]?.secretsIn === 'path-and-query';
  return isUrl && typeof value === 'string' && secretsInUrl(value).length > 0;
}

/** A secret cannot be compared as a text, so its field counts as not read. */
function readable(
  values: Readonly<Record<string, Json | undefined>>,
  applied: JsonObject,
  secret: ReadonlySet<string>,
): FoundDetails {
  const isSecret = (name: string) =>
    isSealedSecret(applied[name]) || secret.has(name) || holdsSecret(name, values[name]);
  const entries = Object.entries(values).filter(([name]) => !isSecret(name));
  const set = entries.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, asDeclared(name, value)] as const],
  );
  const unset = entries.filter(([, value]) => value === '').map(([name]) => name);
  const fields = new Set(entries.map(([name]) => name));
  // An empty text means that the service has no value.
  for (const name of unset) fields.delete(name);
  const secrets = Object.entries(values).flatMap(([name, value]) =>
    isSecret(name) && typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
  );
  return {
    resource: { found: true, fields, attributes: Object.fromEntries(set) },
    secrets: Object.fromEntries(secrets),
  };
}
