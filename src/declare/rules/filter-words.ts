// The keys, kinds and types of a filter that Omni does not document. A negation in the words of other tools, or as a
// value of a filter of booleans, may let pass exactly the rows that the filter should leave out: Omni has one word for
// that, `is_negative`. A word close to a known one is probably misspelled.

import { hasValues, textOf } from '../../model/fields/conditions.ts';
import {
  conditionFields,
  filterKinds,
  filterTypes,
  foreignKey,
  isKnownKey,
  valueKeys,
} from '../../model/fields/filter-keys.ts';
import { pushAll } from '../../model/values/collections.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { quote } from '../formats/quote.ts';
import type { Condition } from './filter-shape.ts';
import {
  isNegative,
  isOff,
  type Meaning,
  negatesByBeingOff,
  type OtherKind,
  otherKind,
  otherType,
  switchedOff,
  written,
} from './other-tools.ts';

export function oppositesIn({ filter, pointer }: Condition): readonly RuleFinding[] {
  const found = booleanValues(filter);
  for (const key in filter) pushAll(found, oppositeAt(key, filter[key] ?? null, filter));
  return found.map(({ key, at, message, hint }) => {
    return { code: 'filter-opposite', message, hint, pointer: pointer + pointerTo(key), at };
  });
}

interface Opposite {
  readonly key: string;
  readonly at?: 'key';
  readonly message: string;
  /** Contains the certain intention, as people write it. */
  readonly hint: string;
}

const ifIgnored = 'exactly the rows pass that should not';

function oppositeAt(key: string, value: Json, filter: JsonObject): readonly Opposite[] {
  if (isKnownKey(key) && key !== 'kind' && key !== 'type') return [];
  const meant = foreignKey(key);
  const isWord = meant === 'is_negative' ? isOn(value) : negatesByBeingOff(key, value);
  const other = isWord
    ? undefined
    : otherName(meant ?? key, meant === 'kind' || meant === undefined ? value : null, filter);
  if (isWord || (meant === 'kind' && other?.negates)) {
    const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. If Omni ignores it, ${ifIgnored}.`;
    const hint = other === undefined ? `Write \`${isNegative}\`.` : hintOf(other.means, filter);
    return [{ key, at: 'key', message, hint }];
  }
  if (meant !== undefined || (key !== 'kind' && key !== 'type') || !other?.negates) return [];
  const message = `Omni documents no ${key} ${quote(textOf(value))}. If Omni takes it for a different one, ${ifIgnored}.`;
  return [{ key, message, hint: hintOf(other.means, filter) }];
}

/** True if a word of negation is switched on. */
function isOn(value: Json): boolean {
  return hasValues(value) && !isOff(value);
}

/** A filter of booleans has no values: either true passes, or false. */
function booleanValues({ type = null, values = [], is_negative: negative }: JsonObject): Opposite[] {
  if (textOf(type).toLowerCase() !== 'boolean' || !hasValues(values)) return [];
  const [only = '', ...others] = new Set([values].flat().map((each: Json) => textOf(each).toLowerCase()));
  const isClear = negative === undefined && others.length === 0 && (only === 'true' || only === 'false');
  const message = `A filter of booleans has no \`values\` in Omni: what is true passes, and with \`${isNegative}\` what is not. If Omni ignores them, ${ifIgnored}.`;
  const hint = isClear
    ? `Write \`{ type: boolean, is_negative: ${only === 'false'} }\`.`
    : 'Write `{ type: boolean, is_negative: false }` if what is true is to pass, and `is_negative: true` if not.';
  return [{ key: 'values', message, hint }];
}

const documentedKinds: ReadonlySet<string> = new Set(filterKinds);

/** The meaning of a kind or a type of another tool; undefined for any other name. */
function otherName(key: string, name: Json, filter: JsonObject): OtherKind | undefined {
  if (typeof name !== 'string' || documentedKinds.has(name.toUpperCase()) || filterTypes.some((type) => type === name))
    return undefined;
  return key === 'type' ? (otherType(name, filter) ?? negatedKind(name, filter)) : otherKind(name, filter);
}

/** A type such as `not_regex` is a kind in its place. */
function negatedKind(name: string, filter: JsonObject): OtherKind | undefined {
  const kind = otherKind(name, filter);
  return kind?.negates ? kind : undefined;
}

function hintOf(means: Meaning, filter: JsonObject, of?: string): string {
  if ('ask' in means) return means.ask;
  const { is_negative: negative, ...rest } = means.keys;
  const news = Object.entries(rest).filter(([key, value]) => filter[key] !== value);
  const [[only = '', name = null] = []] = news;
  if (negative !== true && news.length === 1 && only === of) return `Did you mean \`${name}\`?`;
  return `Write \`${written({ ...Object.fromEntries(news), ...(negative === true && { is_negative: true }) })}\`.`;
}

interface SpellingCheck {
  readonly findings: readonly RuleFinding[];
  /** The filter with the intended kinds and types; undefined if the meaning of its values is not known. */
  readonly correctedFilter: JsonObject | undefined;
}

/** Words close to a known one. `keys` are the filter's known ones. */
export function misspelledIn({ filter, pointer }: Condition, keys: readonly string[]): SpellingCheck {
  const findings: RuleFinding[] = [];
  let corrected: JsonObject = filter;
  let hidesValues = false;
  for (const key in filter) {
    const value = filter[key] ?? null;
    const at = pointer + pointerTo(key);
    const meantKey = keys.includes(key) ? undefined : (foreignKey(key) ?? meantWord(key, keys));
    const off = keys.includes(key) ? undefined : switchedOff(key, value, filter);
    const meant = meantName(key, value, filter);
    if (off !== undefined) {
      const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. In other tools, a filter that is switched off lets any value pass.`;
      findings.push({ code: 'filter-spelling', message, hint: off, pointer: at, at: 'key' });
    } else if (meantKey !== undefined) {
      const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. If Omni ignores it, the filter lets different rows through.`;
      findings.push({ ...misspelled(message, meantKey), pointer: at, at: 'key' });
      hidesValues ||= valueKeys.includes(meantKey);
    } else if (meant !== undefined) {
      const message = `Omni documents no ${key} ${quote(textOf(value))}, so it is not known which rows the filter lets through.`;
      findings.push({ code: 'filter-spelling', message, hint: hintOf(meant, filter, key), pointer: at });
      if ('keys' in meant) corrected = { ...corrected, ...meant.keys };
      else hidesValues = true;
    }
  }
  return { findings, correctedFilter: hidesValues ? undefined : corrected };
}

/** The kind or the type that was meant: one that is close in letters, or that of another tool. */
function meantName(key: string, name: Json, filter: JsonObject): Meaning | undefined {
  if (key === 'type' && name === null) return nullType(filter);
  const known = suggested.get(key);
  if (typeof name !== 'string' || known === undefined || known.includes(name)) return undefined;
  const other = otherName(key, name, filter);
  const near = other === undefined ? meantWord(name, known) : undefined;
  return near === undefined ? other?.means : { keys: { [key]: near } };
}

/** YAML reads `null` without quotes as no value at all. */
function nullType(filter: JsonObject): Meaning | undefined {
  if (hasValues(filter['values']) || hasValues(filter['left_side']) || hasValues(filter['right_side']))
    return undefined;
  const { is_negative: negative = null } = filter;
  return {
    ask: `YAML reads \`null\` as no value. In quotes it is the type that asks whether there is one: write \`{ type: "null"${isOn(negative) ? `, ${isNegative}` : ''} }\`.`,
  };
}

function misspelled(message: string, name: string) {
  return { code: 'filter-spelling', message, hint: `Did you mean \`${name}\`?` } as const;
}

/** The names that Omni documents as the value of a key. */
const suggested: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(conditionFields).flatMap(([name, { shape }]) =>
    shape.type === 'anything' && shape.suggested !== undefined ? [[name, Object.keys(shape.suggested)] as const] : [],
  ),
);

/** After more edits, or with the opposite meaning, a word may be right: `ON_OR_BEFORE`, `case_sensitive`. */
function meantWord(word: string, names: readonly string[]): string | undefined {
  const name = nearest(word, names, 2);
  const isOpposite = name !== undefined && letters(word) !== letters(name) && stem(word) === stem(name);
  return isOpposite ? undefined : name;
}

const letters = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, '');

const stem = (word: string) => letters(word).replaceAll(/in|ex|un/g, '');
