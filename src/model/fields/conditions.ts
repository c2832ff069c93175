// Reads the conditions of filters: whether one limits anything, in which keys two of them differ, and what a delivery
// sends.

import { byCodeUnit, canonicalJson, equalJson, isJsonObject, type Json, type JsonObject } from '../values/json.ts';
import { shortText } from '../values/words.ts';
import { completed, withoutCompleted } from './complete-conditions.ts';
import {
  comparedBy,
  conditionFields,
  describingKeys,
  isKnownKind,
  limitingKeys,
  needsNoValue,
  valueKeys,
} from './filter-keys.ts';

/** The keys of a filter. What is no map counts as its values: what Omni makes of it is not documented. */
export function conditionOf(filter: Json): JsonObject {
  return isJsonObject(filter) ? filter : { values: filter };
}

/** False for `[]`, `[""]`, null, lists and maps of these, and a missing key. */
export function hasValues(values: Json | undefined): boolean {
  if (Array.isArray(values)) return values.some((each: Json) => hasValues(each));
  if (isJsonObject(values)) return Object.values(values).some(hasValues);
  return values !== undefined && values !== null && !/^\s*$/.test(textOf(values));
}

/** True if the filter lets every row through: it has no value, and nothing that limits without one. */
export function isUnset(filter: Json): boolean {
  const condition = conditionOf(filter);
  const isSet = limitingKeys.some((key) => meaningOf(key, condition[key]) !== undefined);
  return !isSet && !needsNoValue(condition);
}

/**
 * True if a filter compares with values and has none, even a negated one: what Omni makes of that is not documented.
 */
export function lacksValue(filter: JsonObject): boolean {
  const { kind, type, is_negative: isNegative } = filter;
  if (needsNoValue(filter)) return false;
  const written = valueKeys.filter((key) => Object.hasOwn(filter, key));
  if (written.length > 0) return !written.some((key) => hasValues(filter[key]));
  // Nobody knows what an unknown kind needs, and what is only negated may be a boolean.
  return kind === undefined ? type !== undefined || isNegative === undefined : isKnownKind(kind);
}

/** The end that a range lacks although it has the other; `values` where it has one of two. */
export function lackedEnd(filter: JsonObject): 'left_side' | 'right_side' | 'values' | undefined {
  if (needsNoValue(filter) || comparedBy(filter['kind']) !== 'ends') return undefined;
  const { left_side: left, right_side: right, values } = filter;
  if (hasValues(left) !== hasValues(right)) return hasValues(left) ? 'right_side' : 'left_side';
  const isOne = Array.isArray(values) && values.filter((each: Json) => hasValues(each)).length === 1;
  return isOne && !hasValues(left) && !isOfDates(filter) ? 'values' : undefined;
}

export function isOfDates({ type }: JsonObject): boolean {
  return wordOf(type) === 'DATE';
}

/**
 * The keys that differ in meaning. The order of values has none, a number means the same as its text, names of kinds are
 * the same in upper and lower case, and a key that is false or empty may as well be missing.
 */
export function differingKeys(one: Json, other: Json): readonly string[] {
  const [a, b] = [conditionOf(one), conditionOf(other)];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(byCodeUnit);
  return keys.filter((key) => !equalJson(meaningOf(key, a[key]), meaningOf(key, b[key])));
}

/** The part of a filter that a delivery sends, in the order in which people write it. */
export function deliveredOf(filter: Json): Json {
  if (!isJsonObject(filter)) return filter;
  const known = Object.keys(conditionFields);
  const keys = [...known.filter((key) => Object.hasOwn(filter, key)), ...Object.keys(filter)];
  const sent = [...new Set(keys)].filter((key) => filter[key] !== null && !describingKeys.includes(key));
  return Object.fromEntries(sent.map((key) => [key, filter[key] as Json]));
}

/**
 * True if two filters that the service returns let the same rows through. Its answers may leave out keys, so one that
 * does not limit by itself counts where both have it.
 */
export function isSameCondition(one: Json, other: Json): boolean {
  const [a, b] = [completed(conditionOf(one)), completed(conditionOf(other))];
  const inBoth = (key: string) => Object.hasOwn(a, key) && Object.hasOwn(b, key) && !describingKeys.includes(key);
  return !differingKeys(a, b).some((key) => limitingKeys.includes(key) || inBoth(key));
}

/** `open`, `not open`, or `BEFORE 2026-01-01`, for a sentence. */
export function filterWords(filter: Json): string {
  const condition = withoutCompleted(conditionOf(deliveredOf(filter)));
  const { values, left_side, right_side, kind = 'EQUALS', type, is_negative, ...rest } = condition;
  if (wordOf(type) === 'BOOLEAN') return String(is_negative !== true);
  const compared = [values, left_side, right_side].flat().filter(hasValues);
  const main = [
    is_negative === true ? 'not' : '',
    wordOf(kind) === 'EQUALS' ? '' : String(kind),
    compared.map((each) => textOf(each ?? null)).join(', '),
  ];
  const others = Object.entries(rest).filter(([, value]) => value !== false);
  const said = [main.filter(Boolean).join(' '), ...others.map(([key, value]) => `${key} ${textOf(value)}`)];
  const none = needsNoValue(condition) ? String(type) : 'no value';
  return shortText(said.filter(Boolean).join(', ') || none, 80);
}

/** Names of the service, not data. */
const words: readonly string[] = ['kind', 'type', 'ui_type', 'conjunction'];

/**
 * The meaning of a key's value, also inside of lists and maps, as `filters` has them; undefined if it says as much as
 * no value. An example of Omni's has `EQ` for `EQUALS`.
 */
export function meaningOf(key: string, value: Json | undefined): Json | undefined {
  if (value === undefined || value === false || !hasValues(value)) return undefined;
  if (key === 'values') return [...new Set([value].flat().map(textOf))].sort(byCodeUnit);
  if (Array.isArray(value)) return value.map((each: Json) => meaningOf('', each) ?? null);
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(([name, each]) => [name, meaningOf(name, each)] as const);
    const meant = entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined);
    return meant.length === 0 ? undefined : Object.fromEntries(meant);
  }
  const text = textOf(value);
  if (key === 'kind' && wordOf(text) === 'EQ') return 'EQUALS';
  return text === 'false' ? undefined : words.includes(key) ? wordOf(text) : text;
}

function wordOf(value: Json | undefined): Json | undefined {
  return typeof value === 'string' ? value.toUpperCase() : value;
}

/** Gives the same text for a number and its text. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
