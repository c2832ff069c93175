// What a filter compares with: a filter without a value may let all rows through, and so may one whose kind or key Omni
// does not know. Omni documents no complete list of either, so only what is near to a known name counts as misspelled.

import { lacksValue } from '../../model/fields/conditions.ts';
import { valueKeys } from '../../model/fields/filter-kinds.ts';
import { deliveryFilter } from '../../model/fields/shapes.ts';
import type { Kind } from '../../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { ValuePlace } from '../../model/workspace/origins.ts';
import { type Checked, fieldName, type Rule, type RuleFinding } from '../findings/rule.ts';
import { nearest } from '../findings/suggest.ts';
import { quote } from '../formats/quote.ts';
import { filtersOf, isFilter } from './filter-shape.ts';

export const filtersHaveValues: Rule = (checked) => {
  const { kind, value } = checked;
  const { field = '', keys = [] } = filtersOf[kind] ?? {};
  const filters = value[field];
  if (!isJsonObject(filters)) return [];
  return Object.entries(filters).flatMap(([id, filter]) =>
    conditionsIn(filter, kind, pointerTo(field, id)).flatMap((condition) => {
      const misspelled = misspelledIn(condition, keys);
      // Whoever misspells `values` has written some.
      if (kind !== 'schedule' || misspelled.some(({ at }) => at === 'key')) return misspelled;
      return [...misspelled, ...emptiness(condition, checked)];
    }),
  );
};

interface Condition {
  readonly filter: JsonObject;
  readonly pointer: Pointer;
}

/** A filter, and the conditions that it combines. What is no filter is reported as such. */
function conditionsIn(filter: Json, kind: Kind, pointer: Pointer): readonly Condition[] {
  if (!isJsonObject(filter) || !isFilter(filter, kind)) return [];
  const { filters } = filter;
  const combined = Array.isArray(filters) ? filters : [];
  const inside = combined.flatMap((each: Json, index) =>
    conditionsIn(each, kind, pointer + pointerTo('filters', index)),
  );
  return [{ filter, pointer }, ...inside];
}

function emptiness({ filter, pointer }: Condition, { referredAt }: Checked): readonly RuleFinding[] {
  if (!lacksValue(filter)) return [];
  const written = valueKeys.filter((key) => Object.hasOwn(filter, key)).map((key) => pointer + pointerTo(key));
  const places = (written.length === 0 ? [pointer] : written).map((at) => ({ at, referred: referredAt(at) }));
  const { at = pointer, referred } = places.find((place) => place.referred !== undefined) ?? places[0] ?? {};
  const reason = referred === undefined ? '' : `: ${emptyPlace(referred.place)}`;
  const message = `\`${fieldName(pointer)}\` has no value${reason}. What Omni makes of that is not documented: it may let all rows through.`;
  const isOnly = Array.isArray(filter['values']) && filter['values'].length === 1;
  const where = { pointer: isOnly && at.endsWith('/values') ? at + pointerTo(0) : at };
  return referred === undefined
    ? [{ code: 'filter-empty', message, hint: hintWhereWritten, ...where }]
    : [{ code: 'filter-empty', message, hint: hintWhereReferred, ...where, severity: 'error' }];
}

const hintWhereWritten =
  'Write a value, or remove the filter, so that the value on the dashboard counts. If it is meant, write `accept: { filter-empty: REASON }`.';
const hintWhereReferred = 'Give it a value. A report without this filter is a declaration of its own.';

function emptyPlace(place: ValuePlace): string {
  switch (place.kind) {
    case 'item':
      return place.part === 'cell' ? 'the cell is empty' : 'the item gives none';
    case 'variable':
      return `the variable ${quote(place.name)} is empty`;
    case 'audience':
      return `the audience ${quote(place.name)} is empty`;
    case 'text-file':
      return `${place.path} is empty`;
    default:
      return 'what gives it is empty';
  }
}

// Names that are near to a known one.

function misspelledIn({ filter, pointer }: Condition, keys: readonly string[]): readonly RuleFinding[] {
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
  const { shape } = Object.entries(deliveryFilter.fields).find(([name]) => name === key)?.[1] ?? {};
  return shape?.type === 'anything' ? (shape.suggested ?? []) : [];
}

/** With more edits, or with the opposite meaning, the service may well know the word: `ON_OR_BEFORE`, `case_sensitive`. */
function meant(word: string, names: readonly string[]): string | undefined {
  const name = nearest(word, names, 2);
  const isOpposite = name !== undefined && letters(word) !== letters(name) && stem(word) === stem(name);
  return isOpposite ? undefined : name;
}

const letters = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, '');

const stem = (word: string) => letters(word).replaceAll(/in|ex|un/g, '');
