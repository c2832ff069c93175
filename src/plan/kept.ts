// The values that `lifecycle.ignoreChanges` sends or keeps in place of the declared ones. Nobody would see them in a difference,
// so a change names each of them.

import { comparable } from '../declare/comparable.ts';
import { fieldsOf } from '../model/fields/fields.ts';
import type { KeptValue } from '../model/plan/plan.ts';
import type { Kind } from '../model/values/address.ts';
import { define, equalJson, isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { inBackticks } from '../model/values/words.ts';

export function ignoreChangesOf({ lifecycle }: JsonObject): readonly string[] {
  const names = isJsonObject(lifecycle) ? lifecycle['ignoreChanges'] : undefined;
  return Array.isArray(names) ? (names as readonly string[]) : [];
}

/** The kept values, keyed by field; undefined removes the field. */
export type IgnoredValues = Readonly<Record<string, Json | undefined>>;

/** The fields that are kept: a value that fits one format or destination may not fit another. */
function keptFields(kind: Kind, declared: JsonObject, applied: JsonObject): readonly string[] {
  const isSame = (name: 'format' | 'destinationType') => declared[name] === applied[name];
  return ignoreChangesOf(declared).filter((name) => {
    const { formats, destinations } = fieldsOf[kind][name] ?? {};
    return (formats === undefined || isSame('format')) && (destinations === undefined || isSame('destinationType'));
  });
}

/** The last applied values of the fields under ignoreChanges that differ. */
export function ignoredValues(kind: Kind, declared: JsonObject, applied: JsonObject): IgnoredValues {
  const ignored: Record<string, Json | undefined> = {};
  for (const name of keptFields(kind, declared, applied))
    if (!equalJson(declared[name], applied[name])) define(ignored, name, applied[name]);
  return ignored;
}

/** Lays the values of ignored fields over the declared ones. */
export function withIgnored<V>(
  attributes: Readonly<Record<string, V>>,
  ignored: Readonly<Record<string, V | undefined>>,
): Readonly<Record<string, V>> {
  const names = Object.keys(ignored);
  if (names.length === 0) return attributes;
  const result: Record<string, V> = {};
  for (const [name, value] of Object.entries({ ...attributes, ...ignored }))
    if (value !== undefined) define(result, name, value);
  return result;
}

interface Versions {
  readonly kind: Kind;
  readonly declared: JsonObject;
  /** The attributes in the state. */
  readonly applied: JsonObject;
  /** The attributes after what a look has found. */
  readonly found: JsonObject;
}

/** The kept values that mean something else than the declared ones. */
export function keptValues({ kind, declared, applied, found }: Versions): readonly KeptValue[] {
  const fields = keptFields(kind, declared, found);
  if (fields.length === 0) return [];
  const [declaredValues, appliedValues, foundValues] = [declared, applied, found].map((attributes) =>
    comparable(kind, attributes),
  );
  const differs = (field: string, one: JsonObject = {}, other: JsonObject = {}) => !equalJson(one[field], other[field]);
  const valueIn = (field: string, attributes: JsonObject) =>
    attributes[field] ?? fieldsOf[kind][field]?.default ?? null;
  return fields
    .filter((field) => differs(field, declaredValues, appliedValues) || differs(field, declaredValues, foundValues))
    .map((field) => ({
      field,
      declared: valueIn(field, declared),
      ...(differs(field, declaredValues, appliedValues) ? { applied: valueIn(field, applied) } : {}),
      ...(differs(field, appliedValues, foundValues) ? { found: valueIn(field, found) } : {}),
    }));
}

/** ``name: kept as applied last, `Weekly`; declared: `Weekly sales` ``. Undefined where Omni has what is declared. */
export function keptWords({ field, declared, applied, found }: KeptValue): string | undefined {
  const value = found === undefined ? applied : found;
  if (value === undefined || equalJson(value, declared)) return undefined;
  const how = found === undefined ? 'as applied last' : 'as it is in Omni';
  const what = value === null ? `without a value, ${how}` : `${how}, ${valueWords(value)}`;
  return `${field}: kept ${what}; ${declared === null ? 'not declared' : `declared: ${valueWords(declared)}`}`;
}

/** The value on one line. */
function valueWords(value: Json): string {
  const isPlain = typeof value === 'string' && value !== '' && !/[\r\n]/.test(value);
  return inBackticks(isPlain ? value : JSON.stringify(value));
}
