// The filters that almost all schedules of a dashboard that go outside have. Also the schedules that lack one, such as the rows
// of a table that was copied without its filter. What is usual is judged by what was applied and by the result of the plan:
// neither many schedules that come at once without a filter nor one that has lacked it for years makes the lack usual. A lack
// that was there before is not reported.

import { lacksValue } from '../../model/fields/conditions.ts';
import type { Delivery } from '../../model/fields/delivery.ts';
import type { Gravity } from '../../model/plan/danger.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { memoize, once } from '../../model/values/memoize.ts';
import { dashboardOf } from '../dashboard-filters.ts';
import type { Report, World } from './world.ts';

/** The number of other reports of a dashboard that have a filter. */
export interface CommonFilter {
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

export interface UsualFilters {
  /** The usual filters that a report lacks which is new, adopted, begins to go outside or comes to the dashboard. */
  readonly lacking: () => readonly MissingFilter[];
  /** The usual filter that a report loses, which is reported as a separate change. */
  readonly lostBy: (address: Address, id: string) => CommonFilter | undefined;
}

/** A report that goes outside once the plan is applied. */
interface OutsideReport extends Report {
  readonly after: Delivery;
}

export function usualFilters(world: World): UsualFilters {
  const reaching = once(
    () => world.planned().filter((report) => isReaching(report, world)) as readonly OutsideReport[],
  );
  const isFresh = ({ known, after }: OutsideReport) =>
    known === undefined || !world.isOutside(known) || dashboardOf(known) !== dashboardOf(after);
  const onDashboard = once(() => commonByDashboard(reaching(), isFresh, world));
  const commonFor = ({ after }: OutsideReport) => onDashboard()(dashboardOf(after));
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

type OfDashboard = (dashboard: unknown) => ReadonlyMap<string, CommonFilter>;

/** Reports that lack or lose a filter by this plan do not count among the others. */
function commonByDashboard(
  planned: readonly OutsideReport[],
  isFresh: (report: OutsideReport) => boolean,
  world: World,
): OfDashboard {
  const reports = world.reports();
  const known = reports.flatMap((each) => (each.known !== undefined && world.isOutside(each.known) ? each.known : []));
  const after = reports.flatMap((each) => (isReaching(each, world) ? each.after : []));
  const [applied, result] = [groupBy(known, dashboardOf), groupBy(after, dashboardOf)];
  const byDashboard = (some: readonly OutsideReport[]) => groupBy(some, (report) => dashboardOf(report.after));
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

/** Returns undefined if the filter is not usual. */
function usualAmong(have: number, otherReports: number): CommonFilter | undefined {
  if (have === 1 && otherReports === 1) return { have, otherReports, gravity: 'caution' };
  const isUsual = have >= 2 && (have >= otherReports - 1 || have * 10 >= otherReports * 9);
  return isUsual ? { have, otherReports, gravity: 'grave' } : undefined;
}

/** The graver one says more, and then that of more schedules. */
function weightOf({ otherReports, gravity }: CommonFilter): number {
  return otherReports + (gravity === 'grave' ? 1 : 0);
}
