// What a filter compares with: a filter without a value may let all rows through, and so may one whose kind or key Omni
// does not know. Omni documents no complete list of either, so only what is near to a known name counts as misspelled.

import { lacksValue } from '../../model/fields/conditions.ts';
import { valueKeys } from '../../model/fields/filter-keys.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import type { ValuePlace } from '../../model/workspace/origins.ts';
import { fieldName } from '../findings/place-name.ts';
import type { Checked, Rule, RuleFinding } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';
import { misspelledIn } from './filter-names.ts';
import { type FiltersOfKind, isFilter } from './filter-shape.ts';

export function filtersHaveValues(of: FiltersOfKind): Rule {
  return (checked) => {
    const filters = checked.value[of.field];
    if (!isJsonObject(filters)) return [];
    return Object.entries(filters).flatMap(([id, filter]) =>
      conditionsIn(filter, of, pointerTo(of.field, id)).flatMap((condition) => {
        const misspelled = misspelledIn(condition, of.keys);
        // Whoever misspells `values` has written some.
        if (!of.limitsRows || misspelled.some(({ at }) => at === 'key')) return misspelled;
        return [...misspelled, ...emptiness(condition, checked)];
      }),
    );
  };
}

export interface Condition {
  readonly filter: JsonObject;
  readonly pointer: Pointer;
}

/** A filter, and the conditions that it combines. What is no filter is reported as such. */
function conditionsIn(filter: Json, of: FiltersOfKind, pointer: Pointer): readonly Condition[] {
  if (!isJsonObject(filter) || !isFilter(filter, of)) return [];
  const { filters } = filter;
  const combined = Array.isArray(filters) ? filters : [];
  const inside = combined.flatMap((each: Json, index) => conditionsIn(each, of, pointer + pointerTo('filters', index)));
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
