// Keys, kinds and types of a filter that are near to a known one, and so probably misspelled.

import { conditionFields } from '../../model/fields/filter-keys.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { quote } from '../formats/quote.ts';
import type { Condition } from './filter-values.ts';

export function misspelledIn({ filter, pointer }: Condition, keys: readonly string[]): readonly RuleFinding[] {
  return Object.entries(filter).flatMap(([key, value]): readonly RuleFinding[] => {
    const meantKey = keys.includes(key) ? undefined : meant(key, keys);
    if (meantKey !== undefined) {
      const message = `Almanac knows no key ${quote(key)} of a filter, and sends it unchanged. If Omni ignores it, the filter lets other rows through.`;
      return [{ ...misspelled(message, meantKey), pointer: pointer + pointerTo(key), at: 'key' }];
    }
    const known = suggestedFor(key);
    const meantValue = typeof value !== 'string' || known.includes(value) ? undefined : meant(value, known);
    if (meantValue === undefined) return [];
    const message = `Omni documents no ${key} ${quote(String(value))}, so nobody knows which rows the filter lets through.`;
    return [{ ...misspelled(message, meantValue), pointer: pointer + pointerTo(key) }];
  });
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
