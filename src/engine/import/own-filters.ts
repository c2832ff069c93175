// The filter values that belong to a schedule itself. The service returns the effective values: the dashboard's current
// ones, overridden by the schedule's. A value that equals the dashboard's is taken to be the dashboard's.

import { define, equalJson, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import type { ReadSchedule } from './remote-fields.ts';

export interface OwnFilters {
  /** The values that differ; undefined if none does. */
  readonly own: JsonObject | undefined;
  /** Whether there are effective values but nothing to compare them with. */
  readonly isUncertain: boolean;
}

export function ownFilters({ schedule, filters }: Pick<ReadSchedule, 'schedule' | 'filters'>): OwnFilters {
  const effective = schedule.filterConfig ?? {};
  if (filters === undefined) return { own: undefined, isUncertain: Object.keys(effective).length > 0 };
  const ofDashboard = (id: string): Json | undefined => ownEntry(filters.filters, id) ?? ownEntry(filters.controls, id);
  const own: Record<string, Json> = {};
  for (const [id, value] of Object.entries(effective)) {
    const given = ofDashboard(id);
    if (!equalJson(value, given) && !isUnset(value, given)) define(own, id, value);
  }
  return { own: Object.keys(own).length > 0 ? own : undefined, isUncertain: false };
}

function ownEntry(entries: JsonObject, id: string): Json | undefined {
  return Object.hasOwn(entries, id) ? entries[id] : undefined;
}

/** The service may return an unset filter as null, as an empty object, or not at all. */
function isUnset(value: Json, given: Json | undefined): boolean {
  return (value === null || (isJsonObject(value) && Object.keys(value).length === 0)) && given === undefined;
}
