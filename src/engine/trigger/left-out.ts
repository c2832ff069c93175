// Which schedules are left out because they completed lately, with as few requests as tell it.

import { hasFailed } from '../../model/deliveries/status-document.ts';
import type { State } from '../../model/plan/state.ts';
import { type ListedSchedule, mostSchedulesOnAPage } from '../../model/service/remote.ts';
import { kindOf } from '../../model/values/address.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';
import { serviceNow } from '../service/service-clock.ts';
import type { Target } from './target.ts';
import type { Triggered } from './trigger-request.ts';

export interface Asked {
  readonly api: Api;
  readonly call: CallOptions;
  readonly clock: Clock;
}

/**
 * What completed lately, by the clock of the service, and what could not be told. A run that failed does not count as
 * completed. `ifStale` in milliseconds.
 */
export async function leftOut(
  targets: readonly Target[],
  ifStale: number,
  state: State,
  asked: Asked,
): Promise<readonly Triggered[]> {
  if (targets.length === 0) return [];
  const rows = await rowsOf(targets, state, asked);
  const { api, clock } = asked;
  const since = serviceNow(clock, api) - ifStale;
  return targets.flatMap(({ address, id }): readonly Triggered[] => {
    const { lastCompletedAt, lastStatus, runsUntold } = rows.get(id) ?? {};
    const at = Date.parse(lastCompletedAt ?? '');
    if (runsUntold || (lastCompletedAt !== undefined && Number.isNaN(at)))
      return [{ address, status: 'skipped', message: 'Omni does not say in a readable form when it last completed.' }];
    const isFresh = at >= since && !hasFailed(lastStatus);
    return isFresh ? [{ address, status: 'fresh', message: `It completed at ${lastCompletedAt}.` }] : [];
  });
}

/** By id. Asks for the dashboards alone where that takes fewer requests than the list of all schedules certainly does. */
async function rowsOf(
  targets: readonly Target[],
  state: State,
  { api, call }: Asked,
): Promise<ReadonlyMap<string, ListedSchedule>> {
  const dashboards = new Set(targets.map(({ identifier }) => identifier));
  const tracked = Object.keys(state.resources).filter((address) => kindOf(address) === 'schedule').length;
  const byId = (rows: readonly ListedSchedule[]) => new Map(rows.map((row) => [row.id, row]));
  if (!dashboards.has('') && dashboards.size <= Math.ceil(tracked / mostSchedulesOnAPage)) {
    const listed: ListedSchedule[] = [];
    for (const identifier of dashboards) listed.push(...(await api.listSchedules({ identifier }, call)));
    const rows = byId(listed);
    if (targets.every(({ id }) => rows.has(id))) return rows;
    // Somebody moved one to another dashboard, or deleted it.
  }
  return byId(await api.listSchedules({}, call));
}
