// JSON Schemas of documents, from which the types of the documents follow. The published schemas are these values;
// `yaml/document-problem.ts` checks with them what programs wrote.

import { sections } from './address.ts';
import type { Json, JsonObject, JsonScalar } from './json.ts';

declare const valueType: unique symbol;

/** A JSON Schema of the values of T. Only the compiler sees T. */
export type Schema<T> = JsonObject & { readonly [valueType]: T };

export type TypeOf<S> = S extends { readonly [valueType]: infer T } ? T : never;

/** The schemas of the fields of an object; the name of an optional one ends in `?`. */
export type Rows = Readonly<Record<string, Schema<unknown>>>;

export type RecordOf<R extends Rows> = Flat<
  { readonly [K in keyof R as K extends `${string}?` ? never : K]: TypeOf<R[K]> } & {
    readonly [K in keyof R as K extends `${infer Name}?` ? Name : never]?: TypeOf<R[K]>;
  }
>;
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** Asserts that a schema describes T: the only place where the compiler takes our word for it. */
export function schemaOf<T>(schema: JsonObject): Schema<T> {
  return schema as Schema<T>;
}

/** The form of a text in a document, and the words for a text that does not have it. */
interface TextForm {
  readonly pattern: string;
  /** The words after "is not". */
  readonly words: string;
}

export const instantForm: TextForm = {
  pattern:
    '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?Z$',
  words: 'a time such as 2026-01-31T09:00:00Z',
};

/** Looser than the address of a declaration: another version may have allowed other keys. */
export const addressForm: TextForm = {
  pattern: `^(?:${sections.join('|')})\\.(?:[\\s\\S]*[^.])$`,
  words: 'an address such as schedules.weekly-sales',
};

export const digestForm: TextForm = { pattern: '^[0-9a-f]{64}$', words: 'a SHA-256 digest in hexadecimal' };

/** The name of the key of the fingerprints: the first digits of its digest. */
const keyNameForm: TextForm = { pattern: '^[0-9a-f]{16}$', words: '16 hexadecimal digits' };

/** The codes of findings and of dangers: which there are changes with the program, and their form does not. */
const codeForm: TextForm = { pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', words: 'a code such as unknown-field' };

const forms = [instantForm, addressForm, digestForm, keyNameForm, codeForm];

/** The words of the form that a schema names by its pattern. */
export function formWords(pattern: string): string | undefined {
  return forms.find((form) => form.pattern === pattern)?.words;
}

export const text = schemaOf<string>({ type: 'string' });
export const nonEmptyText = schemaOf<string>({ type: 'string', minLength: 1 });
/** An id in an answer of Omni: read in one spelling (omni/read-by-schema.ts). */
export const anId = schemaOf<string>({ ...nonEmptyText, format: 'id' });
export const count = schemaOf<number>({ type: 'integer', minimum: 0 });
export const positive = schemaOf<number>({ type: 'integer', minimum: 1 });
export const serial = schemaOf<number>({ ...count, maximum: Number.MAX_SAFE_INTEGER });
export const number = schemaOf<number>({ type: 'number' });
export const flag = schemaOf<boolean>({ type: 'boolean' });
export const map = schemaOf<JsonObject>({ type: 'object' });
export const anything = schemaOf<Json>({});
/** ISO 8601, UTC. */
export const instant = schemaOf<string>({ type: 'string', format: 'date-time', pattern: instantForm.pattern });
/** An address in a state or a journal. */
export const keptAddress = schemaOf<string>({ type: 'string', pattern: addressForm.pattern });
export const digest = schemaOf<string>({ type: 'string', pattern: digestForm.pattern });
export const keyName = schemaOf<string>({ type: 'string', pattern: keyNameForm.pattern });

export function constant<const T extends JsonScalar>(value: T): Schema<T> {
  return schemaOf({ const: value });
}

export function oneOf<const T extends JsonScalar>(...values: readonly T[]): Schema<T> {
  return schemaOf({ enum: values });
}

export function keyOf<T extends object>(table: T): Schema<keyof T & string> {
  return schemaOf({ enum: Object.keys(table) });
}

/** The key of a table, where readers must expect new ones. */
export function codeOf<T extends object>(_table: T): Schema<keyof T & string> {
  return schemaOf({ type: 'string', pattern: codeForm.pattern });
}

export function listOf<T>(items: Schema<T>): Schema<readonly T[]> {
  return schemaOf({ type: 'array', items });
}

export function mapOf<T>(values: Schema<T>, names: JsonObject = {}): Schema<Readonly<Record<string, T>>> {
  return schemaOf({ type: 'object', ...names, additionalProperties: values });
}

export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  return schemaOf({ ...schema, type: [schema['type'] ?? [], 'null'].flat() });
}

/** A number for each of these names. */
export function countRows<K extends string>(names: readonly K[]): Readonly<Record<K, typeof count>> {
  return Object.fromEntries(names.map((name) => [name, count])) as Record<K, typeof count>;
}

/** An object of these fields and no other. */
export function record<R extends Rows>(rows: R): Schema<RecordOf<R>> {
  return schemaOf({ ...openRecord(rows), additionalProperties: false });
}

/** An object of these fields; it may have others. */
export function openRecord<R extends Rows>(rows: R): Schema<RecordOf<R>> {
  const names = Object.keys(rows);
  return schemaOf({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), rows[name] ?? {}])),
    required: names.filter((name) => !name.endsWith('?')),
  });
}

export function described<S extends JsonObject>(schema: S, description: string): S {
  return { ...schema, description };
}

export const formatVersion = described(
  constant(1),
  'Increases when a field changes its meaning or is removed; new fields do not increase it.',
);
