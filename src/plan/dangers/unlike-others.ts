// New schedules that go outside, and do not limit what they show as the others of their dashboard do: the row of a table
// that was copied without its filter.

import { conditionOf, lacksValue } from '../../model/fields/conditions.ts';
import type { Change } from '../../model/plan/plan.ts';
import { type Address, type Kind, kindOf } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import { once } from '../../model/values/memoize.ts';
import { countOf } from '../../model/values/words.ts';
import { beforeOf, filtersOf, type RowFinding } from './other-rows.ts';
import { isNewDelivery, type TrackedAttributes } from './receivers.ts';

/** The schedules of a dashboard that go outside, as they are declared once the plan is applied. */
interface OnDashboard {
  readonly count: number;
  /** By the id of a filter: how many of them it limits. */
  readonly limited: ReadonlyMap<string, number>;
}

export function unlikeOthers(
  changes: readonly Change[],
  tracked: () => TrackedAttributes,
  isOutside: (kind: Kind, attributes: JsonObject) => boolean,
): readonly RowFinding[] {
  const dashboards = once(() => {
    const outside = [...schedulesAfter(changes, tracked()).values()].filter((each) => isOutside('schedule', each));
    return new Map([...groupBy(outside, ({ identifier }) => identifier)].map(([id, all]) => [id, onDashboard(all)]));
  });
  return changes.flatMap((change): readonly RowFinding[] => {
    const { address, kind, after } = change;
    if (!isNewDelivery(change) || beforeOf(change, tracked) !== undefined || after === null || !isOutside(kind, after))
      return [];
    const own = filtersOf(after);
    const empty = [...own].filter(([, filter]) => isEmpty(filter));
    const { count = 0, limited = new Map() } = dashboards().get(after['identifier']) ?? {};
    const others = count - 1;
    const missing = [...limited].filter(([id, of]) => of === others && !own.has(id));
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

function onDashboard(schedules: readonly JsonObject[]): OnDashboard {
  const limited = new Map<string, number>();
  for (const attributes of schedules)
    for (const [id, filter] of filtersOf(attributes)) if (!isEmpty(filter)) limited.set(id, (limited.get(id) ?? 0) + 1);
  return { count: schedules.length, limited };
}

function isEmpty(filter: Json): boolean {
  return lacksValue(conditionOf(filter));
}

/** What the state holds once the plan is applied: what is neither in it nor planned does not exist. */
function schedulesAfter(changes: readonly Change[], tracked: TrackedAttributes): ReadonlyMap<Address, JsonObject> {
  // Compared are those on one dashboard, by their filters: only schedules have both.
  const schedules = new Map([...tracked].filter(([address]) => kindOf(address) === 'schedule'));
  // What a replacement left has an address that another schedule has now.
  const own = changes.filter(({ kind, reason }) => kind === 'schedule' && reason !== 'replaced');
  for (const { address, previousAddress } of own) schedules.delete(previousAddress ?? address);
  for (const { address, after } of own) if (after !== null) schedules.set(address, after);
  return schedules;
}
