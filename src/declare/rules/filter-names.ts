// Keys, kinds and types of a filter that are near to a known one, and so probably misspelled, or another tool's word for it.

import { conditionFields, foreignKey, foreignName, valueKeys } from '../../model/fields/filter-keys.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { quote } from '../formats/quote.ts';
import type { Condition } from './filter-conditions.ts';

interface Misspelled {
  readonly findings: readonly RuleFinding[];
  /** The filter with the kinds and types that were meant; undefined where nobody can tell what its values are. */
  readonly meant: JsonObject | undefined;
}

export function misspelledIn({ filter, pointer }: Condition, keys: readonly string[]): Misspelled {
  const findings: RuleFinding[] = [];
  const meantFilter: Record<string, Json> = { ...filter };
  let hidesValues = false;
  for (const [key, value] of Object.entries(filter)) {
    const meantKey = keys.includes(key) ? undefined : (foreignKey(key) ?? meant(key, keys));
    const meantValue = typeof value === 'string' ? meantName(key, value) : undefined;
    if (meantKey !== undefined) {
      const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. If Omni ignores it, the filter lets other rows through.`;
      findings.push({ ...misspelled(message, meantKey), pointer: pointer + pointerTo(key), at: 'key' });
      hidesValues ||= valueKeys.includes(meantKey);
    } else if (meantValue !== undefined) {
      const message = `Omni documents no ${key} ${quote(String(value))}, so nobody knows which rows the filter lets through.`;
      findings.push({ ...misspelled(message, meantValue), pointer: pointer + pointerTo(key) });
      meantFilter[key] = meantValue;
    }
  }
  return { findings, meant: hidesValues ? undefined : meantFilter };
}

function meantName(key: string, name: string): string | undefined {
  const known = suggestedFor(key);
  return known.includes(name) ? undefined : (foreignName(key, name) ?? meant(name, known));
}

function misspelled(message: string, name: string) {
  return { code: 'filter-spelling', message, hint: `Did you mean \`${name}\`?` } as const;
}

function suggestedFor(key: string): readonly string[] {
  const shape = shapes.get(key);
  return shape?.type === 'anything' ? (shape.suggested ?? []) : [];
}

const shapes = new Map(Object.entries(conditionFields).map(([name, { shape }]) => [name, shape] as const));

/** With more edits, or with the opposite meaning, the service may well know the word: `ON_OR_BEFORE`, `case_sensitive`. */
function meant(word: string, names: readonly string[]): string | undefined {
  const name = nearest(word, names, 2);
  const isOpposite = name !== undefined && letters(word) !== letters(name) && stem(word) === stem(name);
  return isOpposite ? undefined : name;
}

const letters = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, '');

const stem = (word: string) => letters(word).replaceAll(/in|ex|un/g, '');
