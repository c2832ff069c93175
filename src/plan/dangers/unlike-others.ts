// New schedules that go outside, and do not limit what they show as the others of their dashboard do: the row of a table
// that was copied without its filter.

import { lacksValue } from '../../model/fields/conditions.ts';
import type { Delivery } from '../../model/fields/delivery.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { once } from '../../model/values/memoize.ts';
import { countOf } from '../../model/values/words.ts';
import type { Step } from '../plan.ts';
import { isNewDelivery } from './receivers.ts';
import { type RowFinding, shownBefore } from './row-findings.ts';
import type { World } from './world.ts';

/** The schedules of a dashboard that go outside, as they are declared once the plan is applied. */
interface OnDashboard {
  readonly count: number;
  /** By the id of a filter: how many of them it limits. */
  readonly limited: ReadonlyMap<string, number>;
}

export function unlikeOthers(steps: readonly Step[], world: World): readonly RowFinding[] {
  const dashboards = once(() => {
    const outside = [...schedulesAfter(steps, world).values()].filter(world.isOutside);
    return new Map([...groupBy(outside, dashboardOf)].map(([id, all]) => [id, onDashboard(all)]));
  });
  return steps.flatMap((step): readonly RowFinding[] => {
    const { address } = step.change;
    const { after } = step.delivered();
    if (!isNewDelivery(step.change) || shownBefore(step, world) !== undefined) return [];
    if (after === undefined || !world.isOutside(after)) return [];
    const empty = [...after.rows].filter(([, { condition }]) => lacksValue(condition));
    const { count = 0, limited = new Map() } = dashboards().get(dashboardOf(after)) ?? {};
    const others = count - 1;
    const missing = [...limited].filter(([id, of]) => of === others && !after.rows.has(id));
    const said = [
      `${countOf(others, 'other schedule', 'other schedules')} of its dashboard ${others === 1 ? 'has' : 'have'} it`,
    ];
    return [
      ...empty.map(([id]) => ({ address, subject: `${id} is empty`, said: [], gravity: 'grave' as const })),
      ...missing.map(([id]) => ({
        address,
        subject: `${id} is missing`,
        said,
        gravity: others > 1 ? ('grave' as const) : ('caution' as const),
      })),
    ];
  });
}

function dashboardOf({ shows }: Delivery) {
  return shows.get('identifier');
}

function onDashboard(schedules: readonly Delivery[]): OnDashboard {
  const limited = new Map<string, number>();
  for (const { rows } of schedules)
    for (const [id, { condition }] of rows) if (!lacksValue(condition)) limited.set(id, (limited.get(id) ?? 0) + 1);
  return { count: schedules.length, limited };
}

/** What the state holds once the plan is applied: what is neither in it nor planned does not exist. */
function schedulesAfter(steps: readonly Step[], { applied }: World): ReadonlyMap<Address, Delivery> {
  // Compared are those on one dashboard, by their filters: only schedules have both.
  const schedules = new Map([...applied()].filter(([address]) => kindOf(address) === 'schedule'));
  // What a replacement left has an address that another schedule has now.
  const own = steps.filter(({ change: { kind, reason } }) => kind === 'schedule' && reason !== 'replaced');
  for (const { change } of own) schedules.delete(change.previousAddress ?? change.address);
  for (const { change, delivered } of own) {
    const { after } = delivered();
    if (after !== undefined) schedules.set(change.address, after);
  }
  return schedules;
}
