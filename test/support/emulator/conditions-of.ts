// What the schedules of an emulator show: the filters in effect, without how their dashboard shows them.

import type { EmulatorData } from '../../../src/emulator/store.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/model/values/json.ts';

export type ConditionsById = Readonly<Record<string, Json>>;

const ofDashboard = ['label', 'description', 'hidden', 'required', 'requiredScope', 'fieldName', 'viewName'];

/** By the id of the schedule. Of a filter of its dashboard, its own stands in the place of the dashboard's. */
export function conditionsOf({ schedules, documents }: EmulatorData): ReadonlyMap<string, ConditionsById> {
  const filtersOf = new Map(documents.map(({ identifier, dashboard }) => [identifier, dashboard?.filters ?? {}]));
  return new Map(
    schedules.map(({ id, fields }) => {
      const own = isJsonObject(fields['filterConfig']) ? fields['filterConfig'] : {};
      const filters = Object.entries(filtersOf.get(String(fields['identifier'])) ?? {}) as [string, Json][];
      return [id, Object.fromEntries(filters.map(([of, filter]) => [of, condition(own[of] ?? filter)]))];
    }),
  );
}

/** Null for a filter without values that compares with nothing else. */
function condition(filter: Json): Json {
  if (!isJsonObject(filter)) return filter;
  const kept = Object.entries(filter as JsonObject).filter(
    ([key, each]) => each !== null && !ofDashboard.includes(key),
  );
  const { type: _, kind = 'EQUALS', values = [], ...rest } = Object.fromEntries(kept);
  const isOpen = kind === 'EQUALS' && Array.isArray(values) && values.length === 0 && Object.keys(rest).length === 0;
  return isOpen ? null : Object.fromEntries(kept);
}
