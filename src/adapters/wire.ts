// A declaration as a request, and the service's answer as what was created. Only what is declared is sent, under the
// API's own names, as it was written; the table of fields says where each goes. The one place that reveals secrets.

import type { Kind } from '../model/address.ts';
import { fieldsOf } from '../model/fields.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Declared, DeclaredObject } from '../model/resource.ts';
import { Secret } from '../model/secret.ts';
import type { Created } from '../ports/api.ts';

export interface WireRequest {
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Plain texts that may be shown nowhere. */
  readonly secrets: readonly string[];
}

/** What an answer says, or how it is not as documented. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** The request that creates a schedule or an AI job, or that updates a dashboard's filters. */
export function toRequest(kind: Kind, attributes: DeclaredObject): WireRequest {
  const secrets = new Set<string>();
  const query: Record<string, string> = {};
  const body: Record<string, Json> = {};
  let path = kind === 'aiJob' ? '/v1/ai/jobs' : '/v1/schedules';

  for (const [name, declared] of Object.entries(attributes)) {
    const field = Object.hasOwn(fieldsOf[kind], name) ? fieldsOf[kind][name] : undefined;
    if (field === undefined) throw new Error(`The table of fields of a ${kind} has no ${JSON.stringify(name)}.`);
    if (field.sent === 'never') continue;
    const value = plain(declared, secrets);
    if (name === 'extra') merge(value, body);
    else if (kind === 'dashboard' && name === 'identifier')
      path = `/v1/dashboards/${pathSegment(String(value))}/filters`;
    else if (field.sent === 'query') query[name] = String(value);
    else body[name] = value;
  }
  if (kind === 'dashboard' && path === '/v1/schedules') throw new Error('A dashboard has no identifier.');
  return { path, query, body, secrets: [...secrets] };
}

/** The answer to the creation of a schedule; a test delivery makes nothing that an id could name. */
export function readCreatedSchedule(answer: Json | undefined, testNow: boolean): Reading<Created> {
  if (!isJsonObject(answer)) return { problem: 'It is not a JSON object.' };
  const outputs = textsOf(answer, ['delivererRoleArn', 'externalId']);
  if (testNow) return { value: { outputs } };
  return readId(answer, 'id', outputs);
}

export function readCreatedAiJob(answer: Json | undefined): Reading<Created> {
  if (!isJsonObject(answer)) return { problem: 'It is not a JSON object.' };
  return readId(answer, 'jobId', textsOf(answer, ['conversationId', 'omniChatUrl']));
}

/** The answer to an update of filters: the new configuration, or nothing. Nothing of it is kept. */
export function readUpdatedFilters(answer: Json | undefined): Reading<undefined> {
  if (answer === undefined || isJsonObject(answer)) return { value: undefined };
  return { problem: 'It is not a JSON object.' };
}

function readId(answer: JsonObject, name: string, outputs: JsonObject): Reading<Created> {
  const id = answer[name];
  if (typeof id === 'string' && /^[\w.:-]+$/.test(id)) return { value: { id, outputs } };
  return { problem: id === undefined ? `It holds no ${name}.` : `Its ${name} is no id.` };
}

function textsOf(answer: JsonObject, names: readonly string[]): JsonObject {
  const texts: Record<string, Json> = {};
  for (const name of names) {
    const text = answer[name];
    if (typeof text === 'string' && text !== '') texts[name] = text;
  }
  return texts;
}

/** Fields that the table does not know, beside the rest. */
function merge(extra: Json, body: Record<string, Json>): void {
  for (const [name, value] of Object.entries(extra as JsonObject)) {
    if (!Object.hasOwn(body, name)) define(body, name, value);
  }
}

function plain(value: Declared, secrets: Set<string>): Json {
  if (value instanceof Secret) {
    const text = value.reveal();
    if (text === undefined) throw new Error('A secret that is not known reached the wire.');
    secrets.add(text);
    return text;
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, secrets));
  return typeof value === 'object' && value !== null ? plainObject(value, secrets) : (value as Json);
}

function plainObject(value: Declared, secrets: Set<string>): JsonObject {
  const object: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value as DeclaredObject)) define(object, key, plain(entry, secrets));
  return object;
}

/** One segment of a path, whatever the text: `..` stays a name, and half a surrogate pair can't stop the encoding. */
function pathSegment(text: string): string {
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  return /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}
