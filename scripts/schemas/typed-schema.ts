// Schemas that the compiler checks against the types of their values. A field that is only in the schema or only in the
// type does not compile, and neither does a field whose schema describes another type.

import type { Json, JsonObject, JsonScalar } from '../../src/model/values/json.ts';

declare const valueType: unique symbol;

/** A JSON Schema of exactly the values of T. Only the compiler sees T. */
export type Schema<T> = JsonObject & {
  readonly [valueType]: { readonly is: T; readonly takes: (value: Taken<T>) => void };
};

/** A readonly list and a mutable one are the same JSON. */
type Taken<T> = T extends readonly (infer Item)[] ? Item[] : T;

/** A row for each field of T; the name of an optional one ends in `?`. */
type Rows<T> = { readonly [K in keyof T & string as FieldName<T, K>]-?: Schema<Exclude<T[K], undefined>> };
type FieldName<T, K extends keyof T & string> = object extends Pick<T, K> ? `${K}?` : K;

/** The schemas of what the validators of a compiled module accept, by the name of the validator. */
export type SchemasOf<Module> = {
  readonly [Name in keyof Module]: Module[Name] extends (value: unknown) => value is infer T ? Schema<T> : never;
};

/** Asserts that a schema describes T: the only place where the compiler takes our word for it. */
export function schemaOf<T>(schema: JsonObject): Schema<T> {
  return schema as Schema<T>;
}

export const text = schemaOf<string>({ type: 'string' });
export const nonEmptyText = schemaOf<string>({ type: 'string', minLength: 1 });
export const count = schemaOf<number>({ type: 'integer', minimum: 0 });
export const positive = schemaOf<number>({ type: 'integer', minimum: 1 });
export const number = schemaOf<number>({ type: 'number' });
export const flag = schemaOf<boolean>({ type: 'boolean' });
export const map = schemaOf<JsonObject>({ type: 'object' });
export const anything = schemaOf<Json>({});

export function constant<const T extends JsonScalar>(value: T): Schema<T> {
  return schemaOf({ const: value });
}

export function oneOf<const T extends JsonScalar>(...values: readonly T[]): Schema<T> {
  return schemaOf({ enum: values });
}

export function keyOf<T extends object>(table: T): Schema<keyof T> {
  return schemaOf({ enum: Object.keys(table) });
}

export function listOf<T>(items: Schema<T>): Schema<T[]> {
  return schemaOf({ type: 'array', items });
}

export function mapOf<T>(values: Schema<T>, names: JsonObject = {}): Schema<Readonly<Record<string, T>>> {
  return schemaOf({ type: 'object', ...names, additionalProperties: values });
}

export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  return schemaOf({ ...schema, type: [schema['type'] ?? [], 'null'].flat() });
}

/** An object of these fields and no other. */
export function record<T>(rows: Rows<T>): Schema<T> {
  return schemaOf(recordOf(rows));
}

function recordOf(rows: Readonly<Record<string, JsonObject>>): JsonObject {
  const names = Object.keys(rows);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), rows[name] ?? {}])),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}

/** An object of these fields; it may have others. */
export function openRecord<T>(rows: Rows<T>): Schema<T> {
  const { additionalProperties: _, ...open } = recordOf(rows);
  return schemaOf(open);
}

export function described<T>(schema: Schema<T>, description: string): Schema<T> {
  return { ...schema, description };
}
