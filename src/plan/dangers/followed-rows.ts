// Schedules that show other rows because a filter of their dashboard changes.

import { trackedAt } from '../../model/plan/state.ts';
import { groupBy } from '../../model/values/collections.ts';
import { once } from '../../model/values/memoize.ts';
import { dashboardOf, type Following, follows, sentFilters } from '../dashboard-filters.ts';
import type { Step } from '../plan.ts';
import { type RowFinding, rowsGravity, shownBefore, wordsOf } from './row-findings.ts';
import type { World } from './world.ts';

export function followedRows(steps: readonly Step[], world: World): readonly RowFinding[] {
  const { isOutside, internalDomains } = world;
  const isNamed = internalDomains.length > 0;
  const onDashboard = once(() => schedulesByDashboard(steps, world));
  return steps.flatMap((step) => {
    const { change, delivered } = step;
    const dashboard = dashboardOf(delivered().after);
    return sentFilters(step).flatMap(({ id, shift }) => {
      const { subject, said } = wordsOf(shift);
      const following = (onDashboard().get(dashboard) ?? []).filter(
        // What a new schedule shows has not been otherwise.
        (each) => follows(each, dashboard, id) && (shift.isLess || each.before !== undefined),
      );
      return following.map(({ address, before, after }): RowFinding => {
        const goesOutside = [before, after].some((each) => each !== undefined && isOutside(each));
        return {
          address,
          subject: `${change.address}: ${subject}`,
          said,
          gravity: rowsGravity(shift.isLess, goesOutside, isNamed),
          are:
            goesOutside && isNamed
              ? ['report that follows it goes outside', 'reports that follow it go outside']
              : ['report follows it', 'reports follow it'],
        };
      });
    });
  });
}

/** Those that are tracked or planned, by the dashboards that they are on before or after the plan. */
function schedulesByDashboard(steps: readonly Step[], world: World): ReadonlyMap<unknown, readonly Following[]> {
  // What a replacement left has an address that another schedule has now.
  const planned = steps.filter(({ change: { kind, reason } }) => kind === 'schedule' && reason !== 'replaced');
  const changing = new Set(planned.map(({ change: { address, previousAddress = address } }) => previousAddress));
  const all: Following[] = planned.map((step) => ({
    address: step.change.address,
    before: shownBefore(step, world),
    after: step.delivered().after,
    unread: step.unread ?? [],
  }));
  for (const [address, delivery] of world.applied())
    if (!changing.has(address) && delivery.shows.has('identifier') && delivery.when !== undefined)
      all.push({ address, before: delivery, after: delivery, unread: trackedAt(world.state, address)?.unread ?? [] });
  return groupBy(
    all.flatMap((each) =>
      [...new Set([each.before, each.after].map(dashboardOf))].map((dashboard) => ({ dashboard, ...each })),
    ),
    ({ dashboard }) => dashboard,
  );
}
