// Translates the service's answers into the fields of declarations. Only what comes back as it was sent is compared
// here: not a fan-out (a setting of the organization overrides it). Filters come back in effect, and filters.ts judges them. What is secret is handed out apart, as text. An
// equivalent value (an address in another case, a prefix without its slashes) is replaced by the applied one, so that
// it does not count as a difference.

import type { Field } from '../model/fields/field.ts';
import { fieldsOf, fieldsRead } from '../model/fields/fields.ts';
import { canonicalServer } from '../model/fields/receiver.ts';
import type { ObservedResource } from '../model/plan/observation.ts';
import type { StateResource } from '../model/plan/state.ts';
import type { ListedSchedule, RemoteFilters, RemoteRecipients, RemoteSchedule } from '../model/service/remote.ts';
import type { Kind } from '../model/values/address.ts';
import { define, equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { holdsSecret, isSealedSecret } from '../model/values/secret.ts';
import { secretsInUrl } from '../model/values/url-secrets.ts';

export type FoundResource = Extract<ObservedResource, { found: true }>;

/** The answers by field: null if it is not set, undefined or an empty text if they say nothing about it. */
type AnsweredFields = Readonly<Record<string, Json | undefined>>;

interface Details {
  readonly schedule: RemoteSchedule;
  readonly recipients: RemoteRecipients;
  /** The row of the list: only it names the dashboard as declarations do. */
  readonly row: ListedSchedule | undefined;
  readonly attributes: JsonObject;
  readonly secret: ReadonlySet<string>;
}

interface FoundDetails {
  readonly resource: FoundResource;
  /** The texts of secret fields, which must be sealed before anyone sees them. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Observes a row of the list. `isSuspect`: the row differs, so the details are worth a request. */
export function observedRow(
  row: ListedSchedule,
  resource: Pick<StateResource, 'attributes' | 'groups'>,
  secret: ReadonlySet<string>,
): FoundResource & { readonly isSuspect: boolean } {
  const { attributes: applied } = resource;
  const { resource: found } = readable(
    'schedule',
    {
      ...rowFields('schedule', row),
      queryIdentifierMapKey: tileIn(row, applied),
      paused: pausedIn(row),
    },
    applied,
    secret,
  );
  const isSuspect =
    [...found.fields].some((name) => !equalJson(found.attributes[name], applied[name])) ||
    isOtherAlert(row, applied) ||
    (row.destinationType === 'email' && !mayHaveGroups(resource) && differs(row.recipientCount, emailCount(applied)));
  return { ...found, isSuspect };
}

/** A row has other fields, too. */
export function rowFields(kind: Kind, row: AnsweredFields): AnsweredFields {
  return Object.fromEntries(fieldsRead(kind, 'list').map(([name]) => [name, row[name]]));
}

/** True if it may reach somebody whom the state does not name: in a user group, or by the count of the list. */
export function mayReachOthers(row: ListedSchedule, resource: Pick<StateResource, 'attributes' | 'groups'>): boolean {
  if (row.destinationType !== 'email') return false;
  return mayHaveGroups(resource) || differs(row.recipientCount, emailCount(resource.attributes));
}

/** It is not known how the list counts the members of groups. */
function mayHaveGroups({ attributes, groups }: Pick<StateResource, 'attributes' | 'groups'>) {
  return groups !== undefined || Object.hasOwn(attributes, 'userGroups');
}

/** Nothing differs if the list has no value. */
function differs(listed: Json | undefined, applied: Json | undefined): boolean {
  return listed !== undefined && !isSealedSecret(applied) && listed !== applied;
}

/**
 * The list reports a condition only for alerts; a missing condition therefore means that the schedule is no longer an
 * alert.
 */
function isOtherAlert({ conditionType }: ListedSchedule, { conditionType: applied }: JsonObject): boolean {
  return !isSealedSecret(applied) && asDeclared('schedule', 'conditionType', conditionType) !== applied;
}

function emailCount({ recipients }: JsonObject): number | undefined {
  return Array.isArray(recipients) ? recipients.length : undefined;
}

export function observedDetails({ schedule, recipients, row, attributes, secret }: Details): FoundDetails {
  const { resource, secrets } = readable(
    'schedule',
    {
      identifier: row?.identifier,
      queryIdentifierMapKey: tileShown(schedule) ?? tileIn(row, attributes),
      name: schedule.name,
      schedule: schedule.schedule,
      timezone: schedule.timezone,
      format: row?.format ?? schedule.destinations[0]?.format,
      ...destinationFields(recipients, attributes),
      destinationType: recipients.type,
      // A schedule without these two is no alert.
      conditionType: schedule.conditionType ?? null,
      conditionQueryMapKey: null,
      ...comparedOptions(schedule.fields, attributes),
      paused: pausedIn(schedule),
    },
    attributes,
    secret,
  );
  return { resource: { ...resource, unread: unreadIn(schedule, recipients, attributes) }, secrets };
}

/**
 * The options of the details that say something about the applied format. Where an option has no documented default and was not
 * applied, Omni may show its own: it is compared only if it limits the rows by now.
 */
function comparedOptions(fields: RemoteSchedule['fields'], applied: JsonObject): AnsweredFields {
  const isShown = ([name, found]: readonly [string, Json | undefined]) => {
    const { formats, default: usual } = fieldsOf.schedule[name] ?? {};
    if (formats === undefined) return true;
    if (!formats.some((format) => format === applied['format'])) return false;
    if (applied[name] !== undefined) return true;
    if (usual !== undefined) return found !== usual;
    return name === 'maxRowLimit' && (applied['overrideRowLimit'] ?? fields['overrideRowLimit']) === true;
  };
  return Object.fromEntries(Object.entries(fields).filter(isShown));
}

/** The required settings of the destination that both answers lack. */
function unreadIn(
  { destinations: [first] }: RemoteSchedule,
  { settings }: RemoteRecipients,
  attributes: JsonObject,
): readonly string[] {
  return Object.entries(fieldsOf.schedule)
    .filter(([, { required, destinations, read, set }]) => required && destinations && read !== 'list' && !set)
    .map(([name]) => name)
    .filter((name) => attributes[name] !== undefined && !settings[name] && !first?.metadata[name]);
}

function pausedIn({ paused }: { readonly paused: boolean }): true | null {
  return paused ? true : null;
}

/**
 * The service says whether a schedule delivers a single tile, not which one; only that it no longer does can be
 * detected.
 */
function tileIn(row: ListedSchedule | undefined, { queryIdentifierMapKey }: JsonObject): Json | undefined {
  return queryIdentifierMapKey !== undefined && row?.isTile === false ? null : undefined;
}

/** The tile as the options name it, under its own name, which is not documented. */
function tileShown({ metadata: { queryIdentifierMapKey: tile } }: RemoteSchedule): Json | undefined {
  return typeof tile === 'string' && tile !== '' ? tile : undefined;
}

function destinationFields(
  { type, emails = [], slackIds = [], slackRecipientType, settings }: RemoteRecipients,
  applied: JsonObject,
): AnsweredFields {
  if (type === 'email') return { recipients: asSet(emails, applied['recipients']) };
  if (type === 'slack') return { recipients: asSet(slackIds, applied['recipients']), slackRecipientType };
  const own = fieldsRead('schedule', 'details').filter(([, { destinations }]) =>
    destinations?.some((each) => each === type),
  );
  return Object.fromEntries(own.map(([name, field]) => [name, settingIn(name, field, settings[name], applied[name])]));
}

/** A required field that comes back as null is hidden by the service. */
function settingIn(name: string, field: Field, found: Json | undefined, applied: Json | undefined): Json | undefined {
  if (name === 'keyPrefix') return prefixIn(found, applied);
  if (found === null) return field.required ? undefined : null;
  if (field.meaning === 'server') return addressIn(found, applied);
  return field.shape.type === 'integer' ? numberIn(found) : found;
}

/** Each entry as it was applied where only its case differs; a set that holds a secret cannot be compared. */
export function asSet(found: readonly string[], applied: Json | undefined): Json {
  const before = typeof applied === 'string' ? applied.split(',').map((part) => part.trim()) : applied;
  if (!Array.isArray(before)) return [...found];
  if (before.some(isSealedSecret)) return applied ?? null;
  const known = new Map(before.map((text: Json) => [String(text).toLowerCase(), text]));
  const spelt = found.map((text) => known.get(text.toLowerCase()) ?? text);
  const isSame = spelt.length === known.size && spelt.every((text) => known.has(String(text).toLowerCase()));
  return isSame ? (applied ?? null) : spelt;
}

/** The address of an SFTP server: each form of the same place is as good. */
function addressIn(found: Json | undefined, applied: Json | undefined): Json | undefined {
  if (typeof found !== 'string' || typeof applied !== 'string') return found;
  return canonicalServer(found) === canonicalServer(applied) ? applied : found;
}

/** A number, even if the service returns a text. */
function numberIn(found: Json | undefined): Json | undefined {
  return typeof found === 'string' && /^\d+$/.test(found) ? Number(found) : found;
}

/** The service removes leading slashes. */
function prefixIn(given: Json | undefined, applied: Json | undefined): Json | undefined {
  const found = given === null ? '' : given;
  if (typeof found !== 'string') return undefined;
  const bare = (text: string) => text.replace(/^\/+/, '');
  return typeof applied === 'string' && bare(applied) === bare(found) ? applied : found || null;
}

/** A choice as declarations spell it, whatever the case of the answer. */
function asDeclared<V extends Json | undefined>(kind: Kind, name: string, value: V): V | string {
  const shape = fieldsOf[kind][name]?.shape;
  if (shape?.type !== 'choice' || typeof value !== 'string') return value;
  return Object.keys(shape.choices).find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? value;
}

/** A URL that others entered is secret although nobody has declared it so: the address of a hook of Slack. */
function isSecretUrl(kind: Kind, name: string, value: Json | undefined): boolean {
  const isUrl = fieldsOf[kind][name]?.secretsIn === 'path-and-query';
  return isUrl && typeof value === 'string' && secretsInUrl(value).length > 0;
}

/** A field that is undefined is not set. */
export function withFields(resource: FoundResource, more: Readonly<Record<string, Json | undefined>>): FoundResource {
  const { fields, attributes } = resource;
  const set = Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    ...resource,
    fields: new Set([...fields, ...Object.keys(more)]),
    attributes: { ...attributes, ...Object.fromEntries(set) },
  };
}

/** A secret cannot be compared as a text, so its field counts as not read. */
export function readable(
  kind: Kind,
  values: AnsweredFields,
  applied: JsonObject,
  secret: ReadonlySet<string>,
): FoundDetails {
  const isSecret = (name: string) =>
    isSealedSecret(applied[name]) || secret.has(name) || isSecretUrl(kind, name, values[name]);
  const toldValues = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const open = toldValues.filter(([name]) => !isSecret(name));
  const set = open.flatMap(([name, value]) => (value == null ? [] : [[name, asDeclared(kind, name, value)] as const]));
  const secrets = toldValues.flatMap(([name, value]) =>
    isSecret(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    resource: { found: true, fields: new Set(open.map(([name]) => name)), attributes: Object.fromEntries(set) },
    secrets: Object.fromEntries(secrets),
  };
}

/**
 * A dashboard's filters and controls as they are now, as far as Almanac applied them: other entries, and other keys of an
 * entry, are ignored. A section that holds a secret, as applied or in `secret`, is left out: the service might return it as plain text.
 */
export function observedFilters(
  remote: RemoteFilters,
  applied: JsonObject,
  secret: ReadonlySet<string>,
): ObservedResource {
  const attributes: Record<string, Json> = {};
  for (const section of ['filters', 'controls'] as const) {
    const before = applied[section];
    if (isJsonObject(before) && !secret.has(section)) attributes[section] = comparableEntries(before, remote[section]);
  }
  const order = applied['filterOrder'];
  if (Array.isArray(order) && !holdsSecret(order) && !secret.has('filterOrder'))
    attributes['filterOrder'] = remote.filterOrder.filter((id) => order.includes(id));
  return { found: true, fields: new Set(Object.keys(attributes)), attributes };
}

function comparableEntries(applied: JsonObject, found: JsonObject): JsonObject {
  const entries: Record<string, Json> = {};
  for (const [id, before] of Object.entries(applied)) {
    const now = found[id];
    if (now === undefined) continue;
    define(entries, id, isJsonObject(before) && isJsonObject(now) ? keysOf(before, now) : now);
  }
  return entries;
}

/** A secret cannot be compared, so it stays as it was applied. */
function keysOf(applied: JsonObject, found: JsonObject): JsonObject {
  const keptEntries: Record<string, Json> = {};
  for (const [key, before] of Object.entries(applied)) {
    const now = holdsSecret(before) ? before : found[key];
    if (now !== undefined) define(keptEntries, key, now);
  }
  return keptEntries;
}
