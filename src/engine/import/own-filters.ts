// The filter values of a schedule that are its own. The service tells the effective ones: the dashboard's as they are
// now, with the schedule's in their place. What equals the dashboard's is taken to be the dashboard's.

import { define, equalJson, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import type { ReadSchedule } from './remote-fields.ts';

export interface OwnFilters {
  /** What differs; undefined where nothing does. */
  readonly own: JsonObject | undefined;
  /** There are effective ones, and nothing to compare them with. */
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

/** A filter that nobody has set may be told as null, or not at all. */
function isUnset(value: Json, given: Json | undefined): boolean {
  return (value === null || (isJsonObject(value) && Object.keys(value).length === 0)) && given === undefined;
}
