// The keys, kinds and types of a filter that Omni does not document. A negation in the words of other tools, or as a
// value of a filter of booleans, may let pass exactly the rows that the filter should leave out: Omni has one word for
// that, `is_negative`. A word close to a known one is probably misspelled.

import { hasValues, textOf } from '../../model/fields/conditions.ts';
import {
  conditionFields,
  type FilterKind,
  filterKinds,
  filterTypes,
  foreignKey,
  foreignName,
  valueKeys,
} from '../../model/fields/filter-keys.ts';
import { pushAll } from '../../model/values/collections.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { quote } from '../formats/quote.ts';
import type { Condition } from './filter-shape.ts';

export function oppositesIn({ filter, pointer }: Condition): readonly RuleFinding[] {
  const found = booleanValues(filter);
  for (const key in filter) pushAll(found, oppositeAt(key, filter[key] ?? null));
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

function oppositeAt(key: string, value: Json): readonly Opposite[] {
  const meant = foreignKey(key);
  if (meant !== undefined) {
    const written = meant === 'kind' ? negatedName(value) : isOn(value) ? isNegative : undefined;
    if (written === undefined) return [];
    const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. If Omni ignores it, ${ifIgnored}.`;
    return [{ key, at: 'key', message, hint: `Write \`${written}\`.` }];
  }
  const negated = key === 'kind' || key === 'type' ? negatedName(value) : undefined;
  if (negated === undefined) return [];
  const name = textOf(value);
  const type = key === 'type' ? filterTypes.find((each) => name.toLowerCase().startsWith(each)) : undefined;
  const message = `Omni documents no ${key} ${quote(name)}. If Omni takes it for a different one, ${ifIgnored}.`;
  return [{ key, message, hint: `Write \`${type === undefined ? '' : `type: ${type}, `}${negated}\`.` }];
}

const isNegative = 'is_negative: true';

/** True if a word of negation is switched on. */
function isOn(value: Json): boolean {
  return hasValues(value) && !/^(?:false|0|no|off)$/i.test(textOf(value));
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

/** The words of a name such as `notEquals`, `IS_NOT` or `string/!=`. */
function wordsIn(name: string): readonly string[] {
  const apart = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return apart.split(/[^a-z!<>=]+/).filter((word) => word !== '');
}

const negation = /^(?:not|isnt|isnot|doesnt|doesnot|excl|except|without|unlike|neq?$|nin$)|!|<>/;

/** The names of each kind in other tools, without the negating word. */
const kindWords: readonly (readonly [words: RegExp, kind: FilterKind])[] = [
  [/null|empty|blank/, 'IS_EMPTY'],
  [/contain|include/, 'CONTAINS'],
  [/like/, 'SQL_LIKE'],
  [/start|begin/, 'STARTS_WITH'],
  [/end/, 'ENDS_WITH'],
  [/between/, 'BETWEEN'],
];

const documentedKinds: ReadonlySet<string> = new Set(filterKinds);

/** The replacement of a negating name; undefined for any other. */
function negatedName(name: Json): string | undefined {
  if (typeof name !== 'string' || documentedKinds.has(name.toUpperCase())) return undefined;
  const words = wordsIn(name);
  if (!words.some((word) => negation.test(word))) return undefined;
  const rest = words.join('');
  const kind = kindWords.find(([known]) => known.test(rest))?.[1] ?? 'EQUALS';
  return `kind: ${kind}, ${isNegative}`;
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
    const meantKey = keys.includes(key) ? undefined : (foreignKey(key) ?? meantWord(key, keys));
    const meantValue = typeof value === 'string' ? meantName(key, value) : undefined;
    if (meantKey !== undefined) {
      const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. If Omni ignores it, the filter lets different rows through.`;
      findings.push({ ...misspelled(message, meantKey), pointer: pointer + pointerTo(key), at: 'key' });
      hidesValues ||= valueKeys.includes(meantKey);
    } else if (meantValue !== undefined) {
      const message = `Omni documents no ${key} ${quote(String(value))}, so it is not known which rows the filter lets through.`;
      findings.push({ ...misspelled(message, meantValue), pointer: pointer + pointerTo(key) });
      corrected = { ...corrected, [key]: meantValue };
    }
  }
  return { findings, correctedFilter: hidesValues ? undefined : corrected };
}

function meantName(key: string, name: string): string | undefined {
  const known = suggested.get(key);
  return known === undefined || known.includes(name) ? undefined : (foreignName(key, name) ?? meantWord(name, known));
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
