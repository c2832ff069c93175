// Completes the conditions that a delivery declares: Omni drops a filter whose keys do not fit its type. The
// type and the kind are added where what is written leaves no doubt; elsewhere the finding is `filter-incomplete`.

import { isJsonObject, type Json, type JsonObject, withEntries } from '../values/json.ts';
import { isSealedSecret, Secret } from '../values/secret.ts';
import type { Declared, DeclaredObject } from '../workspace/resource.ts';
import { foreignKey, isKnownKey, isNamed, typeOfKind } from './filter-keys.ts';

/** Returns the same object if nothing is added. */
export function completed<T extends DeclaredObject>(condition: T): T;
export function completed(condition: DeclaredObject): DeclaredObject {
  const { type, kind, filters } = condition;
  if (hasOtherWords(condition)) return condition;
  if (Array.isArray(filters)) return combined(condition, filters);
  if (type === undefined) {
    const meant = typeOf(condition);
    if (meant === undefined) return condition;
    return withEntries(condition, kind === undefined ? { kind: 'EQUALS', type: meant } : { type: meant });
  }
  return kind === undefined && isNamed(type, 'string', 'number') && !hasSide(condition)
    ? withEntries(condition, { kind: 'EQUALS' })
    : condition;
}

/** It is not known what Omni makes of the words of other tools. */
function hasOtherWords(condition: DeclaredObject): boolean {
  for (const key of Object.keys(condition)) if (!isKnownKey(key) && foreignKey(key) !== undefined) return true;
  return false;
}

function combined(condition: DeclaredObject, filters: readonly Declared[]): DeclaredObject {
  const inside = filters.map((each) => (isMap(each) ? completed(each) : each));
  const isSame = inside.every((each, index) => each === filters[index]);
  if (isSame && condition['type'] !== undefined) return condition;
  return { ...condition, ...(isSame ? {} : { filters: inside }), type: condition['type'] ?? 'composite' };
}

/** The type by its kind, or by the values that a filter without a kind equals; undefined if it is unknown. */
function typeOf(condition: DeclaredObject): string | undefined {
  const { kind, values } = condition;
  if (kind !== undefined && typeof kind !== 'string') return undefined;
  const ofKind = typeOfKind(kind);
  if (ofKind !== undefined) return ofKind;
  const texts: readonly Declared[] = Array.isArray(values) ? values : [];
  if (isNamed(kind, 'between')) {
    if (texts.length === 0) return hasSide(condition) ? 'date' : undefined;
    return texts.every(isNumber) && !hasSide(condition) ? 'number' : undefined;
  }
  return !hasSide(condition) && texts.every(isText) && texts.some(isWord) ? 'string' : undefined;
}

function hasSide({ left_side: left, right_side: right, offset_interval_string: offset }: DeclaredObject): boolean {
  return left !== undefined || right !== undefined || offset !== undefined;
}

/** A secret counts as a text, whatever its value is. */
function isText(value: Declared): boolean {
  return value === null || typeof value === 'string' || value instanceof Secret || isSealedSecret(value);
}

function isNumber(value: Declared): boolean {
  return typeof value === 'number' || (typeof value === 'string' && numberShape.test(value));
}

/** A text that is neither a number nor a day in any writing. */
function isWord(value: Declared): boolean {
  return typeof value === 'string' && value.trim() !== '' && !numberShape.test(value) && !dayShape.test(value);
}

/** `1000`, `0042`, `1e5`, and `1,000.50` as people group digits. */
const numberShape = /^\s*[+-]?(?:(?:\d{1,3}(?:[,.' _]\d{3})+|\d+)(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?\s*$/i;
const dayShape = /^\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?=\s|T|$)/i;

/** Removes the keys that would be added to a condition, which leaves what people read. */
export function withoutCompleted(condition: JsonObject): JsonObject {
  const { kind, type, filters, ...otherFields } = condition;
  const inside = Array.isArray(filters)
    ? filters.map((each: Json) => (isJsonObject(each) ? withoutCompleted(each) : each))
    : filters;
  const rest: JsonObject = inside === undefined ? otherFields : { ...otherFields, filters: inside };
  const forms = [rest, { ...rest, kind }, { ...rest, type }].filter((form) => !Object.values(form).includes(undefined));
  const isEnough = (form: JsonObject) => {
    const whole = completed(form);
    return whole['kind'] === kind && whole['type'] === type;
  };
  return (
    (forms as readonly JsonObject[]).find(isEnough) ?? {
      ...condition,
      ...(inside !== undefined && { filters: inside }),
    }
  );
}

export function isMap(value: Declared | undefined): value is DeclaredObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

/** The key that a completed condition still lacks; undefined if it has other words, about which nothing is known. */
export function lackedKey(condition: DeclaredObject): 'type' | 'kind' | undefined {
  const { type, kind, filters } = condition;
  if (Array.isArray(filters) || hasOtherWords(condition)) return undefined;
  if (type === undefined || type === null) return 'type';
  const isCompared = isNamed(type, 'string', 'number', 'date');
  return isCompared && (kind === undefined || kind === null) ? 'kind' : undefined;
}
