// The faults of dashboards' filters, one finding for each dashboard and code. Each finding has its reports. They are
// warnings. If `safety.rows` judges a report, filters that are joined and a tile that a filter does not reach count as
// errors, as a row of `rows-of-others` does. An acceptance is at a report, or at the declared dashboard for all of its
// reports.

import { type Delivery, deliveryOf } from '../../model/fields/delivery.ts';
import type { Layouts, RemoteQuery } from '../../model/service/documents.ts';
import { type Address, deliversDashboard, filtersDashboard } from '../../model/values/address.ts';
import { groupBy, pushAll } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { codeList, countOf, inBackticks, maxEqual, nameSome, shortText } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, severityOf } from '../../model/workspace/diagnostic.ts';
import { findingAt } from '../../model/workspace/field-place.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { acceptancesOf, judgeFindings } from '../acceptances.ts';
import { quote } from '../formats/quote.ts';
import { isJudged, outsideReceiver, type RowRules } from './judge-rows.ts';
import { dividingIn, joinedWith, leavesPagesOut, reachOf, type SentPart, tilesSent } from './reached-tiles.ts';

type DashboardCode = Extract<Code, 'filters-joined' | 'tile-unfiltered' | 'pages-left-out' | 'png-unfiltered'>;

interface Fault {
  readonly code: DashboardCode;
  readonly report: Report;
  /** Clauses, each about a filter or a tile. */
  readonly parts: readonly string[];
  readonly at: Pointer;
  /** True if it counts as an error. */
  readonly counts?: boolean;
  /** The declared dashboard, if its settings cause the fault. */
  readonly by?: Address | undefined;
}

interface Report {
  readonly resource: Resource;
  readonly identifier: string;
  readonly delivery: Delivery;
  readonly part: SentPart;
}

export interface DashboardFinding {
  readonly finding: Finding;
  readonly identifier: string;
  readonly what: string;
  readonly reports: readonly Address[];
  /** The declared dashboard, if its settings cause it. */
  readonly by: Address | undefined;
  /** The reports for which it counts as an error, with the dashboard that causes it. */
  readonly counted: ReadonlySet<Address>;
}

/** Dashboards, filters and tiles that cannot be judged. */
export interface Untold {
  /** Identifiers of dashboards that Omni does not show. */
  readonly dashboards: readonly string[];
  /** The filters and tiles of the others, as texts that tell them apart. */
  readonly tiles: ReadonlySet<string>;
}

export interface OnDashboards {
  readonly found: readonly DashboardFinding[];
  readonly untold: Untold;
}

export const nothingOnDashboards: OnDashboards = { found: [], untold: { dashboards: [], tiles: new Set() } };

interface RowsKnown {
  readonly safety: Pick<Config['safety'], 'rows'>;
  readonly rules: RowRules | undefined;
  /** The planned resources; undefined for all. */
  readonly chosen?: ReadonlySet<Address> | undefined;
}

/** The dashboards whose layout matters for the reports: their rows are divided, or they are sent as PDF or PNG. */
export function dashboardsToRead(resources: readonly Resource[], dividing: readonly string[]): ReadonlySet<string> {
  const concerned = reportsOf(resources).filter((report) => isConcerned(report, dividing));
  return new Set(concerned.map(({ identifier }) => identifier));
}

/** The dashboards for a drift job: if nothing divides the rows, none of their faults can be an error. */
export function dashboardsToWatch(
  resources: readonly Resource[],
  { rows }: Pick<Config['safety'], 'rows'>,
): ReadonlySet<string> {
  return rows === undefined ? new Set() : dashboardsToRead(resources, rows.filters);
}

/** The dashboards of reports that may be left because of them. */
export function judgedDashboards(
  resources: readonly Resource[],
  dividing: readonly string[],
  rules: RowRules | undefined,
): ReadonlySet<string> {
  const judged = reportsOf(resources).filter(
    ({ resource, delivery }) =>
      rules !== undefined && dividingIn(delivery.rows, dividing).length > 0 && isJudged(resource.kind, delivery, rules),
  );
  return new Set(judged.map(({ identifier }) => identifier));
}

function isConcerned({ delivery, part }: Report, dividing: readonly string[]): boolean {
  return leavesPagesOut({ pages: severalPages }, part) || dividingIn(delivery.rows, dividing).length > 0;
}

const severalPages = [1, 2].map((page) => ({ name: String(page), tiles: new Set<string>() }));

/** As declared, before sinks. */
function reportsOf(resources: readonly Resource[]): readonly Report[] {
  return resources.flatMap((resource): readonly Report[] => {
    const attributes = declaredAttributes(resource);
    const { identifier, format, queryIdentifierMapKey: tile } = attributes;
    if (!deliversDashboard(resource.kind) || typeof identifier !== 'string') return [];
    const part = { format, tile: typeof tile === 'string' ? tile : undefined };
    return [{ resource, identifier, delivery: deliveryOf(resource.kind, attributes), part }];
  });
}

/** Judges dashboards that were read, as they are and as declared: a change of a filter reaches all reports. */
export function onDashboards(
  resources: readonly Resource[],
  layouts: Layouts,
  { safety, rules, chosen }: RowsKnown,
): OnDashboards {
  const isChosen = (address: Address) => chosen?.has(address) ?? true;
  const planned = new Map(
    resources.flatMap(({ kind, address, attributes }) =>
      filtersDashboard(kind) && isChosen(address)
        ? [[attributes['identifier'], { address, rows: deliveryOf(kind, attributes).rows }] as const]
        : [],
    ),
  );
  const { filters: dividing = [], shared = [] } = safety.rows ?? {};
  const isDivided = (identifier: string, { key }: RemoteQuery) => !shared.includes(`${identifier}/${key}`);
  const faults: Fault[] = [];
  const dashboards = new Set<string>();
  const tiles = new Set<string>();
  for (const report of reportsOf(resources)) {
    const { identifier, delivery, part, resource } = report;
    const layout = layouts.get(identifier);
    const dashboard = planned.get(identifier);
    if (dashboard === undefined && !isChosen(resource.address)) continue;
    if (layout === undefined || !isConcerned(report, dividing)) continue;
    if (typeof layout === 'string') {
      dashboards.add(identifier);
      continue;
    }
    if (leavesPagesOut(layout, part)) faults.push(pagesLeftOut(report, layout.pages));
    const counts = rules !== undefined && isJudged(resource.kind, delivery, rules);
    const sent = tilesSent(layout, part).filter((tile) => isDivided(identifier, tile));
    for (const [id, { at }] of dividingIn(delivery.rows, dividing)) {
      const filter = layout.filters.get(id);
      if (filter === undefined) continue;
      const now = new Set(sent.flatMap((tile) => joinedWith(id, tile, layout, delivery.rows)));
      const joinedFilters = new Set(
        sent.flatMap((tile) => joinedWith(id, tile, layout, delivery.rows, dashboard?.rows)),
      );
      const unfiltered: string[] = [];
      let isTakenOut = false;
      for (const tile of sent) {
        const reach = reachOf(filter, tile);
        if (reach.how === 'untold') tiles.add(JSON.stringify([identifier, id, tile.key]));
        if (reach.how === 'taken-out') isTakenOut = true;
        pushAll(unfiltered, unfilteredWords(id, tile, reach));
      }
      if (joinedFilters.size > 0) {
        const words = `${codeList([id, ...joinedFilters])} limit the same field, ${inBackticks(filter.field ?? '')}, and Omni joins them with OR`;
        const by = joinedFilters.size > now.size ? dashboard?.address : undefined;
        faults.push({ code: 'filters-joined', report, parts: [words], at, counts, by });
      }
      if (unfiltered.length > 0)
        faults.push({ code: 'tile-unfiltered', report, parts: unfiltered, at, counts: counts && isTakenOut });
    }
  }
  return { found: byDashboard(faults, resources), untold: { dashboards: [...dashboards], tiles } };
}

function unfilteredWords(id: string, tile: RemoteQuery, reach: ReturnType<typeof reachOf>): readonly string[] {
  const name = `the tile ${inBackticks(tile.key)}${tile.name === undefined ? '' : ` (${shortText(tile.name, 40)})`}`;
  switch (reach.how) {
    case 'taken-out':
      return [`the filter \`${id}\` does not reach ${name}`];
    case 'other-field':
      return [`the filter \`${id}\` limits another field of ${name}, ${inBackticks(reach.field)}`];
    case 'sql':
      return [`${name} is written in SQL, which takes no filter by itself`];
    default:
      return [];
  }
}

function pagesLeftOut(report: Report, pages: readonly { readonly name: string }[]): Fault {
  const names = nameSome(pages.map(({ name }) => quote(name)));
  const words = `a PDF or PNG holds only the first of ${pages.length} pages (${names})`;
  return { code: 'pages-left-out', report, parts: [words], at: pointerTo('format') };
}

/** Needs no look: covers deliveries to somebody outside, as the environment sends them. */
export function pngUnfiltered(
  sent: readonly Resource[],
  { rows, internalDomains }: Pick<Config['safety'], 'rows' | 'internalDomains'>,
): readonly Finding[] {
  if (rows === undefined || internalDomains.length === 0) return [];
  const isOutside = outsideReceiver(internalDomains);
  const faults = reportsOf(sent).flatMap((report): readonly Fault[] => {
    if (report.part.format !== 'png') return [];
    const [first, ...others] = dividingIn(report.delivery.rows, rows.filters);
    const { to, inExtra } = deliveryOf(report.resource.kind, report.resource.attributes);
    if (first === undefined || ![...to, ...inExtra].some(isOutside)) return [];
    const ids = codeList([first, ...others].map(([id]) => id));
    const words = `a PNG may show the rows as the dashboard was saved, whatever a report sets in ${ids}`;
    return [{ code: 'png-unfiltered', report, parts: [words], at: pointerTo('format') }];
  });
  return byDashboard(faults, sent).map(({ finding }) => finding);
}

const hints: Readonly<Record<DashboardCode, string>> = {
  'filters-joined': 'Give only one of these filters a value, in Omni or in `filterConfig`.',
  'tile-unfiltered': `Let the filter reach the tile in Omni, or send a dashboard without it. \`${command('prove')}\` shows which rows the tile has.`,
  'pages-left-out': 'Send the other pages from dashboards of their own.',
  'png-unfiltered': `Send a PDF. If \`${command('doctor', '--probe')}\` shows that a PNG follows its filters, write \`checks: { png-unfiltered: off }\` in almanac.yaml.`,
};

/** Faults that are accepted for a reason are one finding for all its reports. */
function byDashboard(faults: readonly Fault[], resources: readonly Resource[]): readonly DashboardFinding[] {
  if (faults.length === 0) return [];
  const dashboards = new Map(
    resources.flatMap(({ kind, attributes, ...each }) =>
      filtersDashboard(kind) ? [[attributes['identifier'], { ...each, attributes }] as const] : [],
    ),
  );
  const acceptedAt = ({ code, report: { resource, identifier } }: Fault): Address | undefined => {
    const dashboard = dashboards.get(identifier);
    return [resource, ...(dashboard === undefined ? [] : [dashboard])].find((each) => acceptancesOf(each).has(code))
      ?.address;
  };
  const groups = groupBy(faults, (fault) => {
    const { code, report } = fault;
    const at = acceptedAt(fault);
    const own = at === report.resource.address ? acceptancesOf(report.resource).get(code) : undefined;
    return JSON.stringify([report.identifier, code, own ?? at]);
  });
  return [...groups.values()].map((group) => {
    const [first] = group;
    const { code, report, at } = first;
    const { resource, identifier } = report;
    const reports = [...new Set(group.map((each) => each.report.resource.address))];
    const by = group.find((each) => each.by !== undefined)?.by;
    const counted = new Set(
      group.flatMap((each) =>
        each.counts ? [each.report.resource.address, ...(each.by === undefined ? [] : [each.by])] : [],
      ),
    );
    const parts = [...new Set(group.flatMap((each) => each.parts))];
    const rest = parts.length > maxEqual ? `; and so of ${countOf(parts.length - maxEqual, 'more tile')}` : '';
    const what = `${parts.slice(0, maxEqual).join('; ')}${rest}`;
    const whom = nameSome(reports.map(inBackticks), reports.length, maxEqual);
    const accepting = acceptedAt(first);
    const about = [...new Set([...reports, ...(accepting === undefined ? [] : [accepting])])];
    const finding: Finding = {
      code,
      message: `On the dashboard ${inBackticks(identifier)}, ${what}, in ${countOf(reports.length, 'report')}: ${whom}.`,
      hint: hints[code],
      ...findingAt(resource, at),
      ...(about.length === 1 ? {} : { address: undefined, concerns: about }),
      ...(counted.size > 0 ? { counts: true } : {}),
    };
    return { finding, identifier, what, reports, by, counted };
  });
}

/** The same, as the team wants it. */
export interface JudgedOnDashboards extends OnDashboards {
  /** Without findings that were accepted, or that a check turns off. */
  readonly open: readonly DashboardFinding[];
}

export const nothingJudged: JudgedOnDashboards = { ...nothingOnDashboards, open: [] };

export function judgedOnDashboards(
  { found, untold }: OnDashboards,
  decisions: Parameters<typeof judgeFindings>[1],
): JudgedOnDashboards {
  const findings = judgeFindings(
    found.map(({ finding }) => finding),
    decisions,
  );
  const judged = found.map((each, index) => ({ ...each, finding: findings[index] ?? each.finding }));
  const open = judged.filter(({ finding }) => finding.accepted === undefined && severityOf(finding) !== 'off');
  return { found: judged, open, untold };
}

/** The reasons why reports may show somebody the rows of others, keyed by report. */
export function whyUnlimited({ open }: JudgedOnDashboards): ReadonlyMap<Address, string> {
  const why = new Map<Address, string>();
  for (const { finding, identifier, what, counted } of open)
    if (severityOf(finding) === 'error')
      for (const address of counted)
        if (!why.has(address))
          why.set(address, `On the dashboard ${inBackticks(identifier)}, ${what}. ${finding.hint ?? ''}`);
  return why;
}

/** The words of -v about dashboards and tiles that cannot be judged. */
export function untoldWords({ dashboards, tiles }: Untold): readonly string[] {
  const those = nameSome(dashboards.map(inBackticks));
  return [
    ...(dashboards.length === 0
      ? []
      : [
          `Almanac cannot tell which tiles the filters of reports reach on ${countOf(dashboards.length, 'dashboard')}: Omni does not show the layout of ${those}, as where it is a classic one.`,
        ]),
    ...(tiles.size === 0
      ? []
      : [
          `Almanac cannot tell whether a filter limits ${countOf(tiles.size, 'tile')}: the query of the tile does not name the view of the filter's field.`,
        ]),
  ];
}
