// The changes of a filter, and whether it limits the rows as before.

import { withoutCompleted } from '../model/fields/complete-conditions.ts';
import {
  conditionOf,
  differingKeys,
  hasValues,
  isUnset,
  lackedEnd,
  lacksValue,
  meaningOf,
} from '../model/fields/conditions.ts';
import { type Delivery, fullness, type Limit } from '../model/fields/delivery.ts';
import type { ResourceField } from '../model/fields/field.ts';
import { fieldsOf } from '../model/fields/fields.ts';
import { conditionFields, negatingKeys, openingKeys, valueKeys } from '../model/fields/filter-keys.ts';
import type { Kind } from '../model/values/address.ts';
import { equalJson, type Json, type JsonObject, pick } from '../model/values/json.ts';

/** A field, a filter or a key of one that is not what it was. */
export interface Shift {
  readonly label: string;
  readonly what: 'is set' | 'is added' | 'is removed' | 'is emptied' | 'changes';
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** Nothing limits the rows as it did. */
  readonly isLess: boolean;
}

function shiftOf(label: string, before: Json | undefined, after: Json | undefined, isLess: boolean): Shift {
  const what = before === undefined ? 'is added' : after === undefined ? 'is removed' : 'changes';
  return { label, what, before, after, isLess };
}

export function filterShifts(id: string, before: Limit | undefined, after: Limit | undefined): readonly Shift[] {
  // A filter that a schedule sets for the first time has no known value before: the dashboard has decided it so far.
  if (before === undefined || after === undefined)
    return [
      shiftOf(id, writtenValue(before?.written), writtenValue(after?.written), after === undefined || opens(after)),
    ];
  const [was, is] = [before.condition, after.condition];
  // A key that only completes one of them says nothing new.
  const said = new Set(differingKeys(withoutCompleted(was), withoutCompleted(is)));
  const keys = differingKeys(was, is).filter((key) => said.has(key));
  const opening = keys.filter((key) => openingKeys.includes(key));
  if (opening.length > 0) return opening.map((key) => shiftOf(`${id}.${key}`, was[key], is[key], true));
  const limiting = keys.filter((key) => Object.hasOwn(conditionFields, key));
  if (comparesWithValue(was) && !comparesWithValue(is))
    return [{ label: id, what: 'is emptied', before: writtenValue(pick(was, limiting)), isLess: true }];
  const losesEnd = lackedEnd(was) === undefined && lackedEnd(is) !== undefined;
  return keys.length === 0 ? [] : [shiftOf(id, writtenValue(pick(was, keys)), writtenValue(pick(is, keys)), losesEnd)];
}

function comparesWithValue(condition: JsonObject): boolean {
  return valueKeys.some((key) => hasValues(condition[key]));
}

/** The filter as people write it: just the values if it has nothing else. */
function writtenValue(filter: Json | undefined): Json | undefined {
  if (filter === undefined) return undefined;
  const { values, ...rest } = withoutCompleted(conditionOf(filter));
  return values === undefined || Object.keys(rest).length > 0 ? filter : values;
}

export function fieldShifts(kind: Kind, before: Delivery['shows'], after: Delivery['shows']): readonly Shift[] {
  return [...after].flatMap(([field, is]) => {
    const { default: byDefault, widens } = fieldsOf[kind][field] ?? {};
    const was = before.get(field);
    if (!before.has(field) || equalJson(was ?? byDefault, is ?? byDefault)) return [];
    const isLess = widens !== undefined && showsMore[widens](was ?? byDefault, is ?? byDefault);
    // Switched off is as good as not there.
    const written = (value: Json | undefined) => (value === false && byDefault === false ? undefined : value);
    return [shiftOf(field, written(was), written(is), isLess)];
  });
}

/** True if a change shows more than before. An absent limit is none. */
const showsMore: Readonly<Record<NonNullable<ResourceField['widens']>, (was?: Json, is?: Json) => boolean>> = {
  any: () => true,
  on: (_, is) => is === true,
  off: (was) => was === true,
  higher: (was, is) => Number(is ?? Number.POSITIVE_INFINITY) > Number(was ?? Number.POSITIVE_INFINITY),
  removed: (_, is) => is === undefined,
  fuller: (was, is) => fullness(is) > fullness(was),
};

/** The shift of a dashboard's filter whose former value is not known. */
export function firstShift(id: string, limit: Limit): Shift {
  const { written, condition } = limit;
  const negating = negatingIn(condition);
  if (negating !== undefined) return shiftOf(`${id}.${negating}`, undefined, condition[negating], true);
  if (leavesAll(limit)) return { label: id, what: 'is emptied', isLess: true };
  return { ...shiftOf(id, undefined, writtenValue(written), opens(limit)), what: 'is set' };
}

/** True if the filter may let every row through, or negates: then it counts as opened, whatever it was. */
function opens(limit: Limit): boolean {
  const { condition } = limit;
  return negatingIn(condition) !== undefined || leavesAll(limit) || lackedEnd(condition) !== undefined;
}

function negatingIn(condition: JsonObject): string | undefined {
  return negatingKeys.find((key) => meaningOf(key, condition[key]) !== undefined);
}

function leavesAll({ written, condition }: Limit): boolean {
  return isUnset(written) || lacksValue(condition);
}
