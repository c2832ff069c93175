// Reads an answer by the schema that names its fields. A field that does not have its documented type counts as missing. A
// text or a map that must be there is then empty, if the schema allows that; without anything else that must be there, the
// answer is not as documented. Omni takes an id in capitals for the same one: whatever an answer has, it is read in lower case.

import { idKey } from '../model/fields/ids.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { anId, type Schema } from '../model/values/schema.ts';
import { documentProblem } from '../yaml/document-problem.ts';

/** An answer that is not as documented. The message says in a sentence how it differs, and may be shown. */
export class Undocumented extends Error {}

/** The fields of an object that the schema names, without empty optional texts. Undefined for another value. */
export function readAs<T>(schema: Schema<T>, given: unknown): T | undefined {
  return valueAs(schema, given) as T | undefined;
}

/** `words`: the sentence of the Undocumented that is thrown for another value. */
export function needAs<T>(schema: Schema<T>, given: unknown, words: string): T {
  const read = readAs(schema, given);
  if (read === undefined) throw new Undocumented(words);
  return read;
}

function valueAs(schema: JsonObject, given: unknown): Json | undefined {
  const { items, properties, additionalProperties: values } = schema;
  if (Array.isArray(given) && isJsonObject(items)) {
    return given.map((each) => valueAs(items, each)).filter((each) => each !== undefined);
  }
  if (isJsonObject(given) && isJsonObject(properties)) return recordAs(schema, properties, given);
  if (isJsonObject(given) && isJsonObject(values)) {
    const entries = Object.entries(given).map(([name, each]) => [name, valueAs(values, each)] as const);
    return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
  }
  if (documentProblem(schema, given) !== undefined) return undefined;
  return schema['format'] === anId['format'] ? idKey(String(given)) : (given as Json | undefined);
}

function recordAs({ required }: JsonObject, properties: JsonObject, given: JsonObject): JsonObject | undefined {
  const read: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(properties) as [string, JsonObject][]) {
    const isNeeded = Array.isArray(required) && required.includes(name);
    const found = valueAs(schema, given[name]);
    const value = found === undefined && isNeeded ? emptyOf(schema) : found;
    if (value === undefined && isNeeded) return undefined;
    if (value !== undefined && (isNeeded || value !== '')) read[name] = value;
  }
  return read;
}

function emptyOf(schema: JsonObject): Json | undefined {
  return ['', {}].find((empty) => documentProblem(schema, empty) === undefined);
}
