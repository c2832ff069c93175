// The shape of a filter: a map with at least one of its keys, and combined conditions. The documents do not say how the
// service treats anything else: if it ignored the value, a delivery would contain the rows of everybody.

import { completed } from '../../model/fields/complete-conditions.ts';
import { unknownFilterWords } from '../../model/fields/filter-keys.ts';
import { dashboardFilter, deliveryFilter } from '../../model/fields/shapes.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { quote } from '../../model/values/words.ts';
import { inBrackets, printString } from '../../yaml/format/print-string.ts';
import { type CheckedResource, fieldName, type Rule, type RuleFinding } from '../findings/rule.ts';
import { didYouMean } from '../findings/suggest.ts';
import { columnsHint, holdsSeparator, typeOf } from '../unfit-values.ts';
import { columnOf } from '../walk-places.ts';
import { written } from './other-tools.ts';
import { meaningOfWords } from './other-values.ts';

export interface FiltersOfKind {
  readonly field: string;
  readonly keys: readonly string[];
  /** True if Omni refuses a filter that is not a map, and values that are not texts. */
  readonly isStrict: boolean;
  /**
   * True if they decide which rows somebody receives: one without a value is a mistake, and each is sent whole, with
   * its type and its kind. Omni merges those of a dashboard key by key.
   */
  readonly limitsRows: boolean;
}

export const deliveryFilters: FiltersOfKind = {
  field: 'filterConfig',
  keys: Object.keys(deliveryFilter.fields),
  isStrict: false,
  limitsRows: true,
};

export const dashboardFilters: FiltersOfKind = {
  field: 'filters',
  keys: Object.keys(dashboardFilter.fields),
  isStrict: true,
  limitsRows: false,
};

export function filtersHaveShape(of: FiltersOfKind): Rule {
  return (checked) => {
    const filters = checked.value[of.field];
    return isJsonObject(filters) ? Object.entries(filters).flatMap((each) => shapeFindings(each, of, checked)) : [];
  };
}

function shapeFindings(
  [id, filter]: readonly [string, Json],
  of: FiltersOfKind,
  { fromEnvironment, referredAt }: CheckedResource,
): readonly RuleFinding[] {
  const { field, keys } = of;
  if (isFilter(filter, of)) return [];
  const given = isJsonObject(filter) ? Object.keys(filter) : undefined;
  const pointer = pointerTo(field, id);
  const isSecret = [...fromEnvironment].some((place) => isWithin(place, pointer));
  const foreign = isSecret ? undefined : foreignHint(filter, of);
  const suggestion = foreign ?? given?.map((key) => didYouMean(key, keys)).find((hint) => hint !== undefined);
  const isRefused = of.isStrict && given === undefined;
  const column = columnOf(referredAt(pointer));
  const key = printString(id, { inFlow: false, isKey: true });
  const values = column === undefined ? valuesOf(filter, of) : `"\${each.${column}}"`;
  return [
    {
      code: 'filter-shape',
      message: [
        `\`${fieldName(pointer)}\` ${given === undefined ? `must be a map, not ${typeOf(filter)}` : 'has no key of a filter'}.`,
        isRefused ? 'Omni refuses it.' : unknownFilterWords,
      ].join(' '),
      hint:
        suggestion ??
        (column !== undefined && holdsSeparator(filter)
          ? columnsHint(`${key}: { values`, column, ' }')
          : `Write ${quote(`${key}: ${wordsOf([filter].flat(), isSecret ? '…' : values, of)}`)}.`),
      pointer,
      severity: isRefused ? 'error' : undefined,
    },
  ];
}

/**
 * The advice about a filter in the words of another tool, as a whole: a hint about a single word would leave out what negates.
 * Undefined where nothing in it is an expression or an operator.
 */
function foreignHint(filter: Json, { isStrict }: FiltersOfKind): string | undefined {
  const given = isJsonObject(filter) ? filter : { values: filter };
  const meant = meaningOfWords(given);
  if (meant === undefined) return undefined;
  return 'ask' in meant ? meant.ask : `Write \`{ ${written(meant.keys, isStrict)} }\`.`;
}

/** A filter of these values, as people write it. `shown` is the text of its values. */
export function filterOf(values: readonly Json[], shown: string): string {
  const isCertain = Object.hasOwn(completed({ values }), 'type');
  return isCertain ? `{ values: [${shown}] }` : `{ type: …, kind: EQUALS, values: [${shown}] }`;
}

function wordsOf(values: readonly Json[], shown: string, { limitsRows }: FiltersOfKind): string {
  return limitsRows && !shown.includes('…') ? filterOf(values, shown) : `{ values: [${shown}] }`;
}

/** The values that were certainly meant. */
function valuesOf(filter: Json, { isStrict }: FiltersOfKind): string {
  const values = [filter].flat();
  const isClear = values.length > 0 && values.every((each) => each !== null && typeof each !== 'object');
  if (!isClear) return '…';
  return values
    .map((each) => (typeof each === 'string' || isStrict ? printString(String(each), inBrackets) : String(each)))
    .join(', ');
}

export function isFilter(value: Json, { keys }: Pick<FiltersOfKind, 'keys'>): boolean {
  return isJsonObject(value) && Object.keys(value).some((key) => keys.includes(key));
}

export interface Condition {
  readonly filter: JsonObject;
  readonly pointer: Pointer;
}

/** A filter, and those that it combines. Anything else is reported elsewhere. */
export function conditionsIn(filter: Json, of: FiltersOfKind, pointer: Pointer): readonly Condition[] {
  if (!isJsonObject(filter) || !isFilter(filter, of)) return [];
  const { filters } = filter;
  const combined = Array.isArray(filters) ? filters : [];
  const inside = combined.flatMap((each: Json, index) => conditionsIn(each, of, pointer + pointerTo('filters', index)));
  return [{ filter, pointer }, ...inside];
}
