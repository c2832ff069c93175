// The filters of schedules that are adopted. Omni answers with the filters in effect, so what equals a filter of the
// dashboard may be the dashboard's or the schedule's own: the state records it as unread. Costs a request for each
// dashboard, beside the details of each schedule.

import { deliveredOf, isSameCondition } from '../model/fields/conditions.ts';
import type { Address } from '../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import { type Pointer, pointerTo } from '../model/values/pointer.ts';
import type { FilterReading } from '../observe/filters/compare-filters.ts';
import { type AskFilters, askDashboard } from '../observe/filters/look-at-filters.ts';
import { inParallel, unlessRefused } from '../observe/sending.ts';
import type { Service } from '../observe/service.ts';
import type { Api } from '../omni/api.ts';
import type { Step } from '../plan/plan.ts';

export interface AdoptedFilters {
  /** As the state records them: those that are the schedule's own as they are in Omni. */
  readonly filterConfig: JsonObject;
  /** Those that are declared, as Omni has them, whosever they are. What its answer lacks is left out. */
  readonly inEffect: JsonObject;
  /** Those that may be the dashboard's. */
  readonly unread: readonly Pointer[];
  /** An own one differs from the declaration. */
  readonly differs: boolean;
}

/**
 * By address; only of schedules that declare a filter. `dividing`: the ids of filters that say whose the rows are. One of them
 * that differs from its declaration is never left to the dashboard.
 */
export async function readAdoptedFilters(
  adopted: readonly Step[],
  dividing: readonly string[],
  service: Service,
): Promise<ReadonlyMap<Address, AdoptedFilters>> {
  const found = new Map<Address, AdoptedFilters>();
  const declaring = adopted.filter(({ after }) => Object.keys(declaredIn(after)).length > 0);
  if (declaring.length === 0) return found;
  const api = await service.api();
  const dashboards = new Map<string | undefined, Dashboard>();
  await inParallel(new Set(declaring.map(dashboardOf)), service.concurrency, async (identifier) => {
    const ask = askDashboard(identifier, api, service.call);
    dashboards.set(identifier, { ask, reading: await ask() });
  });
  await inParallel(declaring, service.concurrency, async (step) => {
    const dashboard = dashboards.get(dashboardOf(step));
    if (dashboard !== undefined) found.set(step.change.address, await readOne(step, dashboard, dividing, api, service));
  });
  return found;
}

interface Dashboard {
  readonly ask: AskFilters;
  readonly reading: FilterReading;
}

function dashboardOf({ after }: Step): string | undefined {
  const identifier = after?.['identifier'];
  return typeof identifier === 'string' ? identifier : undefined;
}

function declaredIn(after: JsonObject | undefined): JsonObject {
  const filters = after?.['filterConfig'];
  return isJsonObject(filters) ? filters : {};
}

async function readOne(
  { change: { id = '' }, after }: Step,
  { ask, reading }: Dashboard,
  dividing: readonly string[],
  api: Api,
  { call }: Service,
): Promise<AdoptedFilters> {
  const declared = declaredIn(after);
  const effective = (await unlessRefused(api.getSchedule(id, call)))?.filterConfig;
  const answered = Object.keys(declared).filter((of) => effective !== undefined && Object.hasOwn(effective, of));
  const now = (of: string, filter: Json) => (answered.includes(of) ? (effective?.[of] ?? null) : filter);
  const mayFollow = (of: string, filter: Json, readings: readonly FilterReading[]) => {
    const found = now(of, filter);
    const isLeft = isSameCondition(found, filter) || !dividing.includes(of);
    return isLeft && readings.some((each) => mayBeIn(each, of, found));
  };
  const others = (readings: readonly FilterReading[]) =>
    Object.entries(declared).flatMap(([of, filter]) => {
      const found = now(of, filter);
      const isOther = !isSameCondition(found, filter) && !mayFollow(of, filter, readings);
      return isOther ? [[of, deliveredOf(found)] as const] : [];
    });
  // Somebody may have changed the dashboard between the two questions.
  const readings = others([reading]).length === 0 ? [reading] : [reading, await ask(true)];
  const different = others(readings);
  const unread = Object.entries(declared).filter(
    ([of, filter]) => effective === undefined || mayFollow(of, filter, readings),
  );
  return {
    filterConfig: { ...declared, ...Object.fromEntries(different) },
    inEffect: Object.fromEntries(answered.map((of) => [of, deliveredOf(effective?.[of] ?? null)])),
    unread: unread.map(([of]) => pointerTo('filterConfig', of)),
    differs: different.length > 0,
  };
}

/** Whether a filter may be that of the dashboard. */
function mayBeIn(reading: FilterReading, id: string, filter: Json): boolean {
  if (typeof reading === 'string') return true;
  return Object.hasOwn(reading.filters, id) && isSameCondition(filter, reading.filters[id] ?? null);
}
