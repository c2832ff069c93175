// What schedules show: another dashboard or tile; a filter that is taken off, opened or changed, of their own or of the
// dashboard that they follow; and a new schedule that goes outside without the filter that the others of its dashboard have,
// as the row of a table that was copied without it. And alerts, which fire by other rules than before. Compared is what a
// schedule was applied with, or what a look at Omni found.

import type { RowRules } from '../../declare/rows/judge-rows.ts';
import { lacksValue } from '../../model/fields/conditions.ts';
import type { Delivery, Limit } from '../../model/fields/delivery.ts';
import { addressWords, type DangerItem, type Gravity } from '../../model/plan/danger.ts';
import { trackedAt } from '../../model/plan/state.ts';
import { type Address, type Kind, kindOf, kinds } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit, canonicalJson, type Json } from '../../model/values/json.ts';
import { once } from '../../model/values/memoize.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { countOf, inBackticks, nameSome } from '../../model/values/words.ts';
import { sendsDeclaration } from '../calls.ts';
import { dashboardOf, type Following, follows, mayFollow, sentFilters } from '../dashboard-filters.ts';
import { fieldShifts, filterShifts, type Shift } from '../filter-shifts.ts';
import type { Step } from '../plan.ts';
import { plannedAs } from '../planned-as.ts';
import { faultsByDashboard } from '../rows-by-state.ts';
import { isNewDelivery } from './receivers.ts';
import type { DangerRule, World } from './world.ts';

/** What a plan changes about the rows of one schedule, or about its alert. */
interface RowFinding {
  readonly address: Address;
  /** `customer is removed`. */
  readonly subject: string;
  /** Said behind the addresses, as far as it is the same for all of a subject. */
  readonly said: readonly string[];
  /** Undefined for what is no danger. */
  readonly gravity: Gravity | undefined;
  /** What one and several such schedules are, where the subject does not say it. */
  readonly are?: readonly [one: string, several: string];
}

export const otherRows: DangerRule = (steps, world) => {
  const { isOutside, internalDomains } = world;
  const isNamed = internalDomains.length > 0;
  const gravityOf = ({ isLess }: Shift, { kind, after }: Changed): Gravity | undefined => {
    const gravity = rowsGravity(isLess, isOutside(after), isNamed);
    return isLess && gravity === 'caution' && plannedAs[kind].rowsOutsideAlone ? undefined : gravity;
  };
  const known = changedReports(steps, world).flatMap((changed) =>
    rowShifts(changed).map((shift) => ({
      address: changed.address,
      gravity: gravityOf(shift, changed),
      ...wordsOf(shift),
    })),
  );
  const findings: readonly RowFinding[] = [...known, ...followedRows(steps, world), ...unlikeOthers(steps, world)];
  return (['grave', 'caution'] as const).map((gravity) => {
    const found = findings.filter((finding) => finding.gravity === gravity);
    const show =
      gravity === 'grave' && isNamed
        ? countReports(found, 'report that goes outside shows', 'reports that go outside show')
        : countReports(found, 'report shows', 'reports show');
    return { code: 'other-rows', gravity, title: `${show} other rows`, items: itemsOf(found) };
  });
};

interface Changed {
  readonly address: Address;
  readonly kind: Kind;
  readonly before: Delivery;
  readonly after: Delivery;
}

/** What is delivered again and again, before and after. Each run of an AI job is a new one. */
function changedReports(steps: readonly Step[], world: World): readonly Changed[] {
  return steps.flatMap((step) => {
    const { address, kind } = step.change;
    if (kinds[kind].life !== 'recurring') return [];
    const [before, { after }] = [shownBefore(step, world), step.delivered()];
    return before === undefined || after === undefined ? [] : [{ address, kind, before, after }];
  });
}

/** What is gone from Omni is made again: before is what was applied. */
function shownBefore(
  { change: { address, previousAddress, reason }, delivered }: Step,
  { appliedAt }: World,
): Delivery | undefined {
  return delivered().before ?? (reason === 'missing' ? appliedAt(previousAddress ?? address) : undefined);
}

function rowShifts({ before, after }: Changed): readonly Shift[] {
  const ids = [...new Set([...before.rows.keys(), ...after.rows.keys()])];
  return [
    ...fieldShifts(before.shows, after.shows),
    ...ownRights(before, after),
    ...ids.flatMap((id) => filterShifts(id, before.rows.get(id), after.rows.get(id))),
  ];
}

/** What each got with their own rights, everybody then gets with those of its owner. */
function ownRights(before: Delivery, after: Delivery): readonly Shift[] {
  return before.isFannedOut && !after.isFannedOut
    ? [{ label: 'fanOut', what: 'is removed', before: true, isLess: true }]
    : [];
}

/** `isNamed`: almanac.yaml says which domains are inside. */
export function rowsGravity(isLess: boolean, isOutside: boolean, isNamed: boolean): Gravity | undefined {
  if (isLess) return isOutside ? 'grave' : 'caution';
  return isOutside && isNamed ? 'caution' : undefined;
}

function wordsOf({ label, what, before, after }: Shift): Pick<RowFinding, 'subject' | 'said'> {
  return { subject: `${label} ${what}`, said: [...valueWords('was', before), ...valueWords('now', after)] };
}

/** A longer value is only in the differences. */
const longestValue = 100;

function valueWords(word: string, value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : jsonOf(value);
  return text.length > longestValue ? [] : [`${word} ${inBackticks(text)}`];
}

/** A list as reports write one. */
function jsonOf(value: Json): string {
  return Array.isArray(value) ? `[${value.map(jsonOf).join(', ')}]` : canonicalJson(value);
}

/** Schedules that show other rows because a filter of their dashboard changes. */
function followedRows(steps: readonly Step[], world: World): readonly RowFinding[] {
  const { isOutside, internalDomains, rows } = world;
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
      const limit = delivered().after?.rows.get(id);
      return following.flatMap(({ address, before, after, unread, isSent }): RowFinding | readonly RowFinding[] => {
        const goesOutside = [before, after].some((each) => each !== undefined && isOutside(each));
        const isFollowing =
          after !== undefined && dashboardOf(after) === dashboard && mayFollow(after, isSent ? [] : unread, id);
        const wrong = isFollowing && limit && rows ? mayNotReceive(after, new Map([[id, limit]]), rows) : [];
        if (wrong.length > 0)
          return wrong.map((words) => ({
            address,
            subject: `${change.address}: ${subject}, and ${words}`,
            said,
            gravity: 'grave',
          }));
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

/** Those who may not receive what filters of the dashboard let through, as the table of permissions says it. */
function mayNotReceive(delivery: Delivery, followed: ReadonlyMap<string, Limit>, rules: RowRules): readonly string[] {
  return faultsByDashboard(delivery, followed, rules).flatMap((fault) => {
    if (fault.kind === 'sign') return ['nobody can tell what `*` lets through'];
    if (fault.kind === 'unnamed' || fault.kind === 'doubtful') return [];
    const may = nameSome([...fault.allowed.values].map((value) => inBackticks(value)));
    const shown = fault.kind === 'others' ? nameSome(fault.others.map(({ value }) => inBackticks(value))) : 'more';
    return [`${inBackticks(fault.receiver.shown)} may receive ${may}, and this shows ${shown}`];
  });
}

/** Those that are tracked or planned, by the dashboards that they are on before or after the plan. */
function schedulesByDashboard(steps: readonly Step[], world: World): ReadonlyMap<unknown, readonly Following[]> {
  // What a replacement left has an address that another schedule has now.
  const planned = steps.filter(({ change: { kind, reason } }) => kind === 'schedule' && reason !== 'replaced');
  const changing = new Set(planned.map(({ change: { address, previousAddress = address } }) => previousAddress));
  const all: Following[] = planned.map((step) => {
    const { change, delivered, unread = [] } = step;
    const { address, action } = change;
    const { after } = delivered();
    // It is there before the plan, and its filters may be the dashboard's, whatever is declared: nothing is sent for it.
    if (action === 'adopt') return { address, before: after, after, unread: filtersOf(after) };
    const isSent = sendsDeclaration(step.calls.map(({ send }) => send));
    return { address, before: shownBefore(step, world), after, unread, isSent };
  });
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

function filtersOf(delivery: Delivery | undefined): readonly Pointer[] {
  return [...(delivery?.rows.keys() ?? [])].map((id) => pointerTo('filterConfig', id));
}

/** The schedules of a dashboard that go outside, as they are declared once the plan is applied. */
interface OnDashboard {
  readonly count: number;
  /** By the id of a filter: how many of them it limits. */
  readonly limited: ReadonlyMap<string, number>;
}

/** New schedules that go outside, and do not limit what they show as the others of their dashboard do. */
function unlikeOthers(steps: readonly Step[], world: World): readonly RowFinding[] {
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
    if (empty.length === 0 && missing.length === 0) return [];
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

export const otherAlerts: DangerRule = (steps, world) => {
  const findings = changedReports(steps, world).flatMap(({ address, before, after }) =>
    fieldShifts(before.alert, after.alert).map((shift) => ({
      address,
      gravity: 'caution' as const,
      ...wordsOf(shift),
    })),
  );
  const title = `${countReports(findings, 'alert works', 'alerts work')} otherwise`;
  return [{ code: 'alert-off', title, items: itemsOf(findings) }];
};

function countReports(findings: readonly RowFinding[], one: string, several: string): string {
  return countOf(new Set(findings.map(({ address }) => address)).size, one, several);
}

function itemsOf(findings: readonly RowFinding[]): readonly DangerItem[] {
  const bySubject = [...groupBy(findings, ({ subject }) => subject)].sort(([a], [b]) => byCodeUnit(a, b));
  return bySubject.map(([subject, all]) => {
    const said = all[0]?.said.filter((words) => all.every((each) => each.said.includes(words))) ?? [];
    const addresses = all.map(({ address }) => address);
    const [one, several] = all[0]?.are ?? [];
    const are = one === undefined || several === undefined ? '' : `${countOf(all.length, one, several)}: `;
    return { subject, detail: [are + addressWords(addresses), ...said].join(', ') };
  });
}
