// Filters that may pass exactly what they should leave out. Omni has one word for that, `is_negative`; the words of other tools,
// and the values of a filter of booleans, may mean nothing to it.

import { hasValues, textOf } from '../../model/fields/conditions.ts';
import { type FilterKind, filterKinds, filterTypes, foreignKey } from '../../model/fields/filter-keys.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';
import type { Condition } from './filter-conditions.ts';

export function oppositesIn({ filter, pointer }: Condition): readonly RuleFinding[] {
  return [...booleanValues(filter), ...Object.entries(filter).flatMap(([key, value]) => oppositeAt(key, value))].map(
    ({ key, at, message, hint }) => ({ code: 'filter-opposite', message, hint, pointer: pointer + pointerTo(key), at }),
  );
}

interface Opposite {
  readonly key: string;
  readonly at?: 'key';
  readonly message: string;
  /** With what is surely meant, as people write it. */
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
  const message = `Omni documents no ${key} ${quote(name)}. If Omni takes it for another one, ${ifIgnored}.`;
  return [{ key, message, hint: `Write \`${type === undefined ? '' : `type: ${type}, `}${negated}\`.` }];
}

const isNegative = 'is_negative: true';

/** Whether a word of negation is said to hold. */
function isOn(value: Json): boolean {
  return hasValues(value) && !/^(?:false|0|no|off)$/i.test(textOf(value));
}

/** A filter of booleans has no values: what is true passes, or what is not. */
function booleanValues({ type = null, values = [], is_negative: negative }: JsonObject): readonly Opposite[] {
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

/** What each kind is called elsewhere, without the word that negates it. */
const kindWords: readonly (readonly [words: RegExp, kind: FilterKind])[] = [
  [/null|empty|blank/, 'IS_EMPTY'],
  [/contain|include/, 'CONTAINS'],
  [/like/, 'SQL_LIKE'],
  [/start|begin/, 'STARTS_WITH'],
  [/end/, 'ENDS_WITH'],
  [/between/, 'BETWEEN'],
];

/** What to write for a name that negates; undefined for one that does not. */
function negatedName(name: Json): string | undefined {
  if (typeof name !== 'string' || filterKinds.some((kind) => kind === name.toUpperCase())) return undefined;
  const words = wordsIn(name);
  if (!words.some((word) => negation.test(word))) return undefined;
  const rest = words.join('');
  const kind = kindWords.find(([known]) => known.test(rest))?.[1] ?? 'EQUALS';
  return `kind: ${kind}, ${isNegative}`;
}
