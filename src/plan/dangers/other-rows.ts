// Dangers in what schedules show: another dashboard or tile; a removed, opened or changed filter, of their own or of the
// dashboard that they follow; and a missing filter that almost all others of the dashboard have. Also alerts
// that fire by other rules. The plan is compared with what was applied, or with what a look at Omni found.

import type { RowRules } from '../../declare/rows/judge-rows.ts';
import { valuesInWords } from '../../declare/rows/rows-of-others.ts';
import { lacksValue } from '../../model/fields/conditions.ts';
import type { Delivery, Limit } from '../../model/fields/delivery.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import { addressWords, type DangerItem, type Gravity } from '../../model/plan/danger.ts';
import { type Address, type Kind, kinds } from '../../model/values/address.ts';
import { groupBy, memoize, once } from '../../model/values/collections.ts';
import { byCodeUnit, canonicalJson, type Json } from '../../model/values/json.ts';
import { countOf, inBackticks, nameSome } from '../../model/values/words.ts';
import { follows, mayFollow, sentFilters } from '../dashboard-filters.ts';
import { fieldShifts, filterShifts, type Shift } from '../filter-shifts.ts';
import type { Step } from '../plan.ts';
import { plannedAs } from '../planned-as.ts';
import { faultsByDashboard } from '../rows-by-state.ts';
import type { DangerRule, Report, World } from './world.ts';

/** A change of a plan to the rows of one schedule, or to its alert. */
interface RowFinding {
  readonly address: Address;
  /** The subject, such as `customer is removed`. */
  readonly subject: string;
  /** The words after the addresses, as far as it is the same for all of a subject. */
  readonly said: readonly string[];
  /** Absent if the change is not a danger. */
  readonly gravity: Gravity | undefined;
  /** The words for one and for several such schedules, if the subject does not contain them. */
  readonly are?: readonly [one: string, several: string];
}

export const otherRows: DangerRule = (steps, world) => {
  const { isOutside, internalDomains } = world;
  const isNamed = internalDomains.length > 0;
  const gravityOf = ({ isLess }: Shift, { kind, after }: ChangedDelivery): Gravity | undefined => {
    const gravity = rowsGravity(isLess, isOutside(after), isNamed);
    return isLess && gravity === 'caution' && plannedAs[kind].rowsOutsideAlone ? undefined : gravity;
  };
  const usual = usualFilters(world);
  const known = changedReports(steps, world).flatMap((changed) =>
    rowShifts(changed).map((shift) => {
      const { subject, said } = shiftWords(shift);
      const common = usual.lostBy(changed.address, shift.label);
      const words = common === undefined ? said : [...said, commonWords(common)];
      return { address: changed.address, gravity: gravityOf(shift, changed), subject, said: words };
    }),
  );
  const changed = [...known, ...followedRows(steps, world)];
  // A report that is new has shown nothing yet, so what it lacks is not a difference.
  const lacking = unlikeOthers(usual);
  return (['grave', 'caution'] as const).flatMap((gravity) => {
    const outside = gravity === 'grave' && isNamed;
    const danger = (findings: readonly RowFinding[], verbs: readonly [one: string, several: string], what: string) => {
      const found = findings.filter((finding) => finding.gravity === gravity);
      const [one, several] = outside
        ? [`report that goes outside ${verbs[0]}`, `reports that go outside ${verbs[1]}`]
        : [`report ${verbs[0]}`, `reports ${verbs[1]}`];
      return {
        code: 'other-rows' as const,
        gravity,
        title: `${countReports(found, one, several)} ${what}`,
        items: itemsOf(found),
      };
    };
    return [
      danger(changed, ['shows', 'show'], 'different rows'),
      danger(lacking, ['lacks', 'lack'], 'a filter, or its value'),
    ];
  });
};

interface ChangedDelivery {
  readonly address: Address;
  readonly kind: Kind;
  readonly before: Delivery;
  readonly after: Delivery;
}

/** The recurring deliveries, before and after. Each run of an AI job is a new one. */
function changedReports(steps: readonly Step[], world: World): readonly ChangedDelivery[] {
  return steps.flatMap((step) => {
    const { address, kind } = step.change;
    if (kinds[kind].life !== 'recurring') return [];
    const [before, { after }] = [world.shownBefore(step), step.delivered()];
    return before === undefined || after === undefined ? [] : [{ address, kind, before, after }];
  });
}

/** What a field narrows is left out. */
function rowShifts({ kind, before, after }: ChangedDelivery): readonly Shift[] {
  const ids = [...new Set([...before.rows.keys(), ...after.rows.keys()])];
  return [
    ...fieldShifts(kind, before.shows, after.shows).filter(
      ({ label, isLess }) => isLess || fieldsOf[kind][label]?.widens === undefined,
    ),
    ...ids.flatMap((id) => filterShifts(id, before.rows.get(id), after.rows.get(id))),
  ];
}

/** `isNamed`: almanac.yaml says which domains are inside. */
export function rowsGravity(isLess: boolean, isOutside: boolean, isNamed: boolean): Gravity | undefined {
  if (isLess) return isOutside ? 'grave' : 'caution';
  return isOutside && isNamed ? 'caution' : undefined;
}

function shiftWords({ label, what, before, after }: Shift): Pick<RowFinding, 'subject' | 'said'> {
  return { subject: `${label} ${what}`, said: [...valueWords('was', before), ...valueWords('now', after)] };
}

/** A longer value is only in the differences. */
const maxValueLength = 100;

function valueWords(word: string, value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : jsonOf(value);
  return text.length > maxValueLength ? [] : [`${word} ${inBackticks(text)}`];
}

/** A list as reports write one. */
function jsonOf(value: Json): string {
  return Array.isArray(value) ? `[${value.map(jsonOf).join(', ')}]` : canonicalJson(value);
}

/** Schedules that show other rows because a filter of their dashboard changes. */
function followedRows(steps: readonly Step[], world: World): readonly RowFinding[] {
  const { isOutside, internalDomains, rows } = world;
  const isNamed = internalDomains.length > 0;
  const onDashboard = once(() => schedulesByDashboard(world));
  return steps.flatMap((step) => {
    const { change, delivered } = step;
    const dashboard = delivered().after?.dashboard;
    return sentFilters(step).flatMap(({ id, shift }) => {
      const { subject, said } = shiftWords(shift);
      const following = (onDashboard().get(dashboard) ?? []).filter(
        // A new schedule has never shown anything else.
        (each) => follows(each, dashboard, id) && (shift.isLess || each.before !== undefined),
      );
      const limit = delivered().after?.rows.get(id);
      return following.flatMap(({ address, before, after, unread, isSent }): RowFinding | readonly RowFinding[] => {
        const goesOutside = [before, after].some((each) => each !== undefined && isOutside(each));
        const isFollowing =
          after !== undefined && after.dashboard === dashboard && mayFollow(after, isSent ? [] : unread, id);
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
              ? ['report that follows the filter goes outside', 'reports that follow the filter go outside']
              : ['report follows the filter', 'reports follow the filter'],
        };
      });
    });
  });
}

/** The receivers who may not have what filters of the dashboard let through, according to the table of permissions. */
function mayNotReceive(delivery: Delivery, followed: ReadonlyMap<string, Limit>, rules: RowRules): readonly string[] {
  return faultsByDashboard(delivery, followed, rules).flatMap((fault) => {
    if (fault.kind === 'sign') return ['it is not known what `*` lets through'];
    if (fault.kind !== 'others' && fault.kind !== 'unlimited') return [];
    const shown =
      fault.kind === 'others' ? nameSome(fault.valuesOfOthers().map(({ value }) => inBackticks(value))) : 'more';
    const named = fault.kind === 'others' ? [fault] : fault.receivers;
    return named.map(({ receiver, allowed }) => {
      return `${inBackticks(receiver.shown)} may receive ${valuesInWords(allowed.lines)}, and this shows ${shown}`;
    });
  });
}

/** Groups the schedules by the dashboards that they are on before or after the plan. */
function schedulesByDashboard({ reports }: World): ReadonlyMap<unknown, readonly Report[]> {
  return groupBy(
    reports().flatMap((each) =>
      [...new Set([each.before?.dashboard, each.after?.dashboard])].map((dashboard) => ({ dashboard, ...each })),
    ),
    ({ dashboard }) => dashboard,
  );
}

/** Schedules that do not limit what they show as the others of their dashboard do. */
function unlikeOthers(usual: UsualFilters): readonly RowFinding[] {
  return usual.lacking().map(({ report: { address, after }, id, common }) => ({
    address,
    subject: `${id} is ${after.rows.has(id) ? 'empty' : 'missing'}`,
    said: common === undefined ? [] : [commonWords(common)],
    gravity: common?.gravity ?? 'grave',
  }));
}

function commonWords({ have, otherReports }: CommonFilter): string {
  return `${have} of ${otherReports} other schedules of its dashboard ${have === 1 ? 'has' : 'have'} this filter`;
}

export const otherAlerts: DangerRule = (steps, world) => {
  const findings = changedReports(steps, world).flatMap(({ address, kind, before, after }) =>
    fieldShifts(kind, before.alert, after.alert).map((shift) => ({
      address,
      // Without its condition, it is sent at each run.
      gravity: (shift.isLess && rowsGravity(true, world.isOutside(after), true)) || ('caution' as const),
      ...shiftWords(shift),
    })),
  );
  return (['grave', 'caution'] as const).map((gravity) => {
    const found = findings.filter((finding) => finding.gravity === gravity);
    const title =
      gravity === 'grave'
        ? `${countReports(found, 'alert that goes outside is', 'alerts that go outside are')} sent at each run`
        : `${countReports(found, 'alert fires', 'alerts fire')} under different conditions`;
    return { code: 'alert-off', gravity, title, items: itemsOf(found) };
  });
};

function countReports(findings: readonly RowFinding[], one: string, several: string): string {
  return countOf(new Set(findings.map(({ address }) => address)).size, one, several);
}

function itemsOf(findings: readonly RowFinding[]): readonly DangerItem[] {
  const bySubject = [...groupBy(findings, ({ subject }) => subject)].sort(([a], [b]) => byCodeUnit(a, b));
  return bySubject.map(([subject, all]) => {
    const said = all[0].said.filter((words) => all.every((each) => each.said.includes(words)));
    const addresses = all.map(({ address }) => address);
    const [one, several] = all[0].are ?? [];
    const are = one === undefined || several === undefined ? '' : `${countOf(all.length, one, several)}: `;
    return { subject, detail: [are + addressWords(addresses), ...said].join(', ') };
  });
}

// The filters that almost all schedules of a dashboard that go outside have. Also the schedules that lack one, such as the rows
// of a table that was copied without its filter. What is usual is judged by what was applied and by the result of the plan:
// neither many schedules that come at once without a filter nor one that has lacked it for years makes the lack usual. A lack
// that was there before is not reported.

/** The number of other reports of a dashboard that have a filter. */
interface CommonFilter {
  readonly have: number;
  readonly otherReports: number;
  readonly gravity: Gravity;
}

interface MissingFilter {
  readonly report: OutsideReport;
  readonly id: string;
  /** Absent if the filter is there without a value, and no other reports show that it needs one. */
  readonly common: CommonFilter | undefined;
}

interface UsualFilters {
  /** The usual filters that a report lacks which is new, adopted, begins to go outside or comes to the dashboard. */
  readonly lacking: () => readonly MissingFilter[];
  /** The usual filter that a report loses, which is reported as a separate change. */
  readonly lostBy: (address: Address, id: string) => CommonFilter | undefined;
}

/** A report that goes outside once the plan is applied. */
interface OutsideReport extends Report {
  readonly after: Delivery;
}

function usualFilters(world: World): UsualFilters {
  const reaching = once(
    () => world.planned().filter((report) => isReaching(report, world)) as readonly OutsideReport[],
  );
  const isFresh = ({ known, after }: OutsideReport) =>
    known === undefined || !world.isOutside(known) || known.dashboard !== after?.dashboard;
  const onDashboard = once(() => commonByDashboard(reaching(), isFresh, world));
  const commonFor = ({ after }: OutsideReport) => onDashboard()(after?.dashboard);
  const byAddress = once(() => new Map(reaching().map((report) => [report.address, report])));
  return {
    lacking: once(() =>
      reaching()
        .filter(isFresh)
        .flatMap((report): readonly MissingFilter[] => {
          const common = commonFor(report);
          // A filter that the report loses is reported as a change.
          const missing = [...common.keys()].filter((id) => !limits(report.after, id) && !loses(report, id));
          const empty = report.known === undefined ? emptyIn(report.after) : [];
          return [...new Set([...empty, ...missing])].map((id) => ({ report, id, common: common.get(id) }));
        }),
    ),
    lostBy: (address, id) => {
      const report = byAddress().get(address);
      return report !== undefined && loses(report, id) ? commonFor(report).get(id) : undefined;
    },
  };
}

function isReaching(report: Report, { isOutside }: World): report is OutsideReport {
  return report.after !== undefined && isOutside(report.after);
}

function loses({ known, after }: OutsideReport, id: string): boolean {
  return known !== undefined && limits(known, id) && !limits(after, id);
}

function limits({ rows }: Delivery, id: string): boolean {
  const limit = rows.get(id);
  return limit !== undefined && !lacksValue(limit.condition);
}

function emptyIn(delivery: Delivery): readonly string[] {
  return [...delivery.rows.keys()].filter((id) => !limits(delivery, id));
}

type OfDashboard = (dashboard: Delivery['dashboard']) => ReadonlyMap<string, CommonFilter>;

/** Reports that lack or lose a filter by this plan do not count among the others. */
function commonByDashboard(
  planned: readonly OutsideReport[],
  isFresh: (report: OutsideReport) => boolean,
  world: World,
): OfDashboard {
  const reports = world.reports();
  const known = reports.flatMap((each) => (each.known !== undefined && world.isOutside(each.known) ? each.known : []));
  const after = reports.flatMap((each) => (isReaching(each, world) ? each.after : []));
  const on = ({ dashboard }: Delivery) => dashboard;
  const [applied, result] = [groupBy(known, on), groupBy(after, on)];
  const byDashboard = (some: readonly OutsideReport[]) => groupBy(some, (report) => report.after?.dashboard);
  const fresh = byDashboard(planned.filter(isFresh));
  const staying = byDashboard(planned.filter((report) => !isFresh(report)));
  return memoize((dashboard) => {
    const [was = [], is = [], come = []] = [applied.get(dashboard), result.get(dashboard), fresh.get(dashboard)];
    const stay = staying.get(dashboard) ?? [];
    const [had, have] = [countIds(was.map(limitedIn)), countIds(is.map(limitedIn))];
    const bring = countIds(come.map((report) => limitedIn(report.after)));
    const lost = countIds(stay.map((report) => limitedIn(report.known).filter((id) => loses(report, id))));
    return new Map(
      [...new Set([...had.keys(), ...have.keys()])].flatMap((id) => {
        const of = (counts: ReadonlyMap<string, number>) => counts.get(id) ?? 0;
        const lacking = come.length - of(bring) + of(lost);
        const candidates = [usualAmong(of(had) - of(lost), was.length - of(lost))];
        // If at least as many lack the filter as have it, the result alone does not show what is usual.
        if (lacking <= of(have)) candidates.push(usualAmong(of(have), is.length - lacking));
        const [found] = candidates.flatMap((each) => each ?? []).sort((a, b) => weightOf(b) - weightOf(a));
        return found === undefined ? [] : [[id, found] as const];
      }),
    );
  });
}

function limitedIn(delivery: Delivery | undefined): readonly string[] {
  return delivery === undefined ? [] : [...delivery.rows.keys()].filter((id) => limits(delivery, id));
}

function countIds(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const ids of lists) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function usualAmong(have: number, otherReports: number): CommonFilter | undefined {
  if (have === 1 && otherReports === 1) return { have, otherReports, gravity: 'caution' };
  const isUsual = have >= 2 && (have >= otherReports - 1 || have * 10 >= otherReports * 9);
  return isUsual ? { have, otherReports, gravity: 'grave' } : undefined;
}

/** The graver one says more, and then that of more schedules. */
function weightOf({ otherReports, gravity }: CommonFilter): number {
  return otherReports + (gravity === 'grave' ? 1 : 0);
}
