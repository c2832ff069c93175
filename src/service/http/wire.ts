// Turns a declaration into a request, under the API's own names and unchanged except for the host of a URL; the table of
// fields says where each field goes. What replaces a schedule also has the defaults of what is not declared. Secrets
// become text here on their way to the service.

import { fieldApplies, fieldsOf, isUrl } from '../../model/fields/fields.ts';
import type { Kind } from '../../model/values/address.ts';
import { define, type Json, type JsonObject } from '../../model/values/json.ts';
import { Secret } from '../../model/values/secret.ts';
import { asciiUrl } from '../../model/values/urls.ts';
import type { Declared, DeclaredObject } from '../../model/workspace/resource.ts';

export interface WireRequest {
  /** What stands in the path of the operation for `{scheduleId}` and the like. */
  readonly id?: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined if the operation has no body. */
  readonly body?: JsonObject;
}

/** The request that creates a schedule or an AI job, or that updates a dashboard's filters. */
export function toRequest(kind: Kind, attributes: DeclaredObject): WireRequest {
  const query: Record<string, string> = {};
  const body: Record<string, Json> = {};
  let id: string | undefined;

  for (const [name, declared] of Object.entries(attributes)) {
    const field = Object.hasOwn(fieldsOf[kind], name) ? fieldsOf[kind][name] : undefined;
    if (field === undefined) throw new Error(`The table of fields of a ${kind} has no ${JSON.stringify(name)}.`);
    if (field.sent === 'never') continue;
    const written = plain(declared);
    const value = isUrl(field) && typeof written === 'string' ? asciiUrl(written) : written;
    if (name === 'extra') merge(value, body);
    else if (kind === 'dashboard' && name === 'identifier') id = String(value);
    else if (field.sent === 'query') query[name] = String(value);
    else body[name] = value;
  }
  if (kind === 'dashboard' && id === undefined) throw new Error('A dashboard has no identifier.');
  return { id, query, body };
}

/**
 * The request that updates a schedule. It contains all declared fields, and the API's default for every other field
 * that applies: the sources disagree on whether an omitted field is kept. `userId` and `testNow` do not belong to an
 * update.
 */
export function toReplacement(id: string, attributes: DeclaredObject): WireRequest {
  const { testNow: _, userId: __, ...kept } = attributes;
  const defaults = Object.entries(fieldsOf.schedule).flatMap(([name, field]): [string, Json][] =>
    field.default === undefined || field.sent !== undefined || name === 'testNow' || !fieldApplies(field, kept)
      ? []
      : [[name, field.default]],
  );
  return { ...toRequest('schedule', { ...Object.fromEntries(defaults), ...kept }), id };
}

/** Without the parameters that are undefined. */
export function queryOf(parameters: Readonly<Record<string, Declared | undefined>>): WireRequest['query'] {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(plain(value))]])),
  );
}

/** The path of an operation for one resource, such as `/v1/schedules/{scheduleId}/pause`. */
export function pathOf(path: string, id: string | undefined): string {
  return path.replace(/\{\w+\}/, () => {
    if (id === undefined) throw new Error(`${path} lacks an id.`);
    return pathSegment(id);
  });
}

/** Adds the fields of `extra`, which the table does not know. */
function merge(extra: Json, body: Record<string, Json>): void {
  for (const [name, value] of Object.entries(extra as JsonObject)) {
    if (!Object.hasOwn(body, name)) define(body, name, value);
  }
}

function plain(value: Declared): Json {
  if (value instanceof Secret) {
    const text = value.reveal();
    if (text === undefined) throw new Error('An unknown secret reached the wire.');
    return text;
  }
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? plainObject(value) : (value as Json);
}

function plainObject(value: Declared): JsonObject {
  const object: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value as DeclaredObject)) define(object, key, plain(entry));
  return object;
}

/** One path segment for any text: `..` stays a name, and half a surrogate pair cannot break the encoding. */
function pathSegment(text: string): string {
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  return /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}
