// Checks a document that a program wrote against its schema. Says in words where the first fault is and what was
// expected. Knows the keywords of such schemas and no others; test/yaml/document-problem.test.ts compares it to ajv.

import { memoize } from '../model/values/collections.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import { formWords, type Schema } from '../model/values/schema.ts';

/** The value; throws what `refusal` makes of the problem if the value is not as the schema says. */
export function checkedDocument<T>(schema: Schema<T>, value: unknown, refusal: (problem: string) => Error): T {
  const problem = documentProblem(schema, value);
  if (problem !== undefined) throw refusal(problem);
  return value as T;
}

export function isDocument<T>(schema: Schema<T>, value: unknown): value is T {
  return documentProblem(schema, value) === undefined;
}

/** A clause about the first fault, such as `/serial is not a whole number`; undefined if there is none. */
export function documentProblem(schema: JsonObject, value: unknown): string | undefined {
  const problem = problemOf(schema, value);
  return problem && `${problem.pointer || 'it'} ${problem.fault}`;
}

/** The place is put together on the way back: most documents have no problem, and a state has thousands of places. */
interface Problem {
  readonly pointer: Pointer;
  readonly fault: string;
}

function problemOf(schema: JsonObject, value: unknown): Problem | undefined {
  const fault = faultOf(schema, value);
  if (fault !== undefined) return { pointer: '', fault };
  const { items } = schema;
  if (Array.isArray(value) && isJsonObject(items)) {
    for (let index = 0; index < value.length; index += 1) {
      const problem = problemOf(items, value[index]);
      if (problem !== undefined) return below(index, problem);
    }
  }
  return isJsonObject(value) ? problemInside(schema, value) : undefined;
}

function below(segment: string | number, { pointer, fault }: Problem): Problem {
  return { pointer: pointerTo(segment) + pointer, fault };
}

/** A longer list of allowed values would hide the message. */
const maxListed = 12;

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** The fault of the value itself, worded to follow its name. */
function faultOf(schema: JsonObject, value: unknown): string | undefined {
  const { type, const: only, enum: allowed, pattern, minLength, minimum, maximum, exclusiveMinimum } = schema;
  if (type !== undefined && !(Array.isArray(type) ? type.some((each) => isOfType(each, value)) : isOfType(type, value)))
    return `is not ${alternatives([type].flat().map((each) => typeWords[String(each)] ?? String(each)))}`;
  if (only !== undefined && value !== only) return `is not ${JSON.stringify(only)}`;
  if (Array.isArray(allowed) && !allowed.includes(value)) return notAmong(allowed);
  if (typeof value === 'string') {
    if (minLength === 1 && value === '') return 'is empty';
    if (typeof pattern === 'string' && !regExpOf(pattern).test(value))
      return `is not ${formWords(pattern) ?? `of the form ${pattern}`}`;
  }
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return `is less than ${minimum}`;
    if (typeof maximum === 'number' && value > maximum) return `is greater than ${maximum}`;
    if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
      return `is not greater than ${exclusiveMinimum}`;
  }
  return undefined;
}

function isOfType(type: Json, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

const regExpOf = memoize((pattern: string) => new RegExp(pattern, 'u'));

function problemInside(schema: JsonObject, value: JsonObject): Problem | undefined {
  const { required, propertyNames, properties, additionalProperties } = schema;
  if (Array.isArray(required)) {
    const missing = required.find((name) => !Object.hasOwn(value, String(name)));
    if (missing !== undefined) return { pointer: pointerTo(String(missing)), fault: 'is missing' };
  }
  const known = isJsonObject(properties) ? properties : {};
  for (const name in value) {
    const fault = isJsonObject(propertyNames) ? faultOf(propertyNames, name) : undefined;
    if (fault !== undefined) return below(name, { pointer: '', fault });
    const schemaBelow = Object.hasOwn(known, name) ? known[name] : additionalProperties;
    if (schemaBelow === false) return below(name, { pointer: '', fault: 'is not known to this version' });
    const problem = isJsonObject(schemaBelow) ? problemOf(schemaBelow, value[name]) : undefined;
    if (problem !== undefined) return below(name, problem);
  }
  return undefined;
}

function notAmong(values: readonly Json[]): string {
  return values.length > maxListed
    ? 'is not a value that this version knows'
    : `is not ${alternatives(values.map((value) => JSON.stringify(value)))}`;
}

function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
