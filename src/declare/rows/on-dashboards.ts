// The faults of dashboards' filters, one finding for each dashboard and code. Each finding has its reports. They are
// warnings. If `safety.rows` judges a report, filters that are joined and a tile that a filter does not reach count as
// errors, as a row of `rows-of-others` does. An acceptance is at a report, or at the declared dashboard for all of its
// reports.

import { type Delivery, deliveryOf } from '../../model/fields/delivery.ts';
import type { DashboardLayout, Layouts, RemoteQuery } from '../../model/service/documents.ts';
import { type Address, deliversDashboard, filtersDashboard } from '../../model/values/address.ts';
import { groupBy, pushAll } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { stringIn } from '../../model/values/json.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { codeList, countOf, inBackticks, maxEqual, nameSome, quote, shortText } from '../../model/values/words.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, severityOf } from '../../model/workspace/diagnostic.ts';
import { findingAt } from '../../model/workspace/field-place.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { acceptancesOf, judgeFindings } from '../acceptances.ts';
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
  /** It is one of the tile that an alert watches, and does not send. */
  readonly isWatched?: true;
}

interface Report {
  readonly resource: Resource;
  readonly identifier: string;
  readonly delivery: Delivery;
  readonly part: SentPart;
  /** The key of the tile that an alert watches. */
  readonly watched: string | undefined;
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

/** One finding for each dashboard whose layout was not read, where it matters for a report. */
export function layoutsNotRead(
  resources: readonly Resource[],
  layouts: Layouts,
  { rows }: Pick<Config['safety'], 'rows'>,
): readonly Finding[] {
  const concerned = reportsOf(resources).filter(
    (report) => layouts.get(report.identifier) === 'refused' && isConcerned(report, rows?.filters ?? []),
  );
  const accepted = ({ resource }: Report) => acceptancesOf(resource).get('not-read') ?? null;
  const groups = groupBy(concerned, (report) => JSON.stringify([report.identifier, accepted(report)]));
  return [...groups.values()].map((reports) => ({
    code: 'not-read',
    message: `Omni did not show the layout of the dashboard ${inBackticks(reports[0].identifier)}, so it is not known which tiles its filters reach, and which pages a file has.`,
    hint: 'See that the token may view the dashboard, and run again.',
    concerns: reports.map(({ resource: { address } }) => address),
  }));
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
    const { identifier, format, queryIdentifierMapKey, conditionQueryMapKey } = attributes;
    if (!deliversDashboard(resource.kind) || typeof identifier !== 'string') return [];
    const [tile, watched] = [queryIdentifierMapKey, conditionQueryMapKey].map(stringIn);
    return [{ resource, identifier, delivery: deliveryOf(resource.kind, attributes), part: { format, tile }, watched }];
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
    const sent = tilesSent(layout, part);
    const watched = layout.tiles.filter((tile) => tile.key === report.watched && !sent.includes(tile));
    // Nobody receives the rows of a tile that an alert only watches, so what is wrong with it is a warning.
    for (const [those, isSent] of [[sent, true] as const, [watched, false] as const]) {
      const judged = those.filter((tile) => isDivided(identifier, tile));
      const found = faultsOfTiles(judged, { report, layout, dashboard, dividing, untold: tiles });
      pushAll(
        faults,
        isSent ? found.map((each) => ({ ...each, counts: counts && each.counts })) : found.map(ofWatched),
      );
    }
  }
  return { found: byDashboard(faults, resources), untold: { dashboards: [...dashboards], tiles } };
}

interface JudgedTiles {
  readonly report: Report;
  readonly layout: DashboardLayout;
  readonly dashboard: { readonly address: Address; readonly rows: Delivery['rows'] } | undefined;
  readonly dividing: readonly string[];
  /** Those that cannot be judged are added. */
  readonly untold: Set<string>;
}

/** The faults of some tiles of a report. `counts` says which would be errors where the rows are judged. */
function faultsOfTiles(
  tiles: readonly RemoteQuery[],
  { report, layout, dashboard, dividing, untold }: JudgedTiles,
): readonly (Fault & { readonly counts: boolean })[] {
  const { rows } = report.delivery;
  return dividingIn(rows, dividing).flatMap(([id, { at }]) => {
    const filter = layout.filters.get(id);
    if (filter === undefined) return [];
    const joined = (planned?: Delivery['rows']) =>
      new Set(tiles.flatMap((tile) => joinedWith(id, tile, layout, rows, planned)));
    const [now, joinedFilters] = [joined(), joined(dashboard?.rows)];
    const unfiltered: string[] = [];
    let isTakenOut = false;
    for (const tile of tiles) {
      const reach = reachOf(filter, tile);
      if (reach.how === 'untold') untold.add(JSON.stringify([report.identifier, id, tile.key]));
      if (reach.how === 'taken-out') isTakenOut = true;
      pushAll(unfiltered, unfilteredWords(id, tile, reach));
    }
    const words = `${codeList([id, ...joinedFilters])} limit the same field, ${inBackticks(filter.field ?? '')}, and Omni joins them with OR`;
    const by = joinedFilters.size > now.size ? dashboard?.address : undefined;
    return [
      ...(joinedFilters.size === 0
        ? []
        : [{ code: 'filters-joined' as const, report, parts: [words], at, counts: true, by }]),
      ...(unfiltered.length === 0
        ? []
        : [{ code: 'tile-unfiltered' as const, report, parts: unfiltered, at, counts: isTakenOut }]),
    ];
  });
}

/** A fault of the tile that an alert only watches. */
function ofWatched(fault: Fault): Fault {
  const words = `; the tile ${inBackticks(fault.report.watched ?? '')} is not sent, and decides whether the report is delivered`;
  const parts = fault.parts.map((part) => part + words);
  return { ...fault, parts, at: pointerTo('conditionQueryMapKey'), counts: false, isWatched: true };
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

const watchedHints: Readonly<Record<DashboardCode, string>> = {
  ...hints,
  'tile-unfiltered':
    'Let the filter reach the tile in Omni, or write another tile in `conditionQueryMapKey`: as it is, the rows of others decide when it is delivered.',
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
      hint: group.every(({ isWatched }) => isWatched) ? watchedHints[code] : hints[code],
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

/** Reports with all tiles of a dashboard as CSV. `countTiles`: undefined for a dashboard that was not read. */
export function csvOfTiles(
  resources: readonly Resource[],
  countTiles: (identifier: string) => number | undefined,
): readonly Finding[] {
  const whole = reportsOf(resources).filter(
    ({ identifier, part: { format, tile } }) =>
      format === 'csv' && tile === undefined && (countTiles(identifier) ?? 0) > 1,
  );
  return [...groupBy(whole, ({ identifier }) => identifier).values()].map(([first, ...others]) => ({
    code: 'csv-of-tiles',
    message: `The dashboard ${inBackticks(first.identifier)} has ${countTiles(first.identifier)} tiles, and several come as a ZIP with a CSV for each.`,
    hint: 'If a CSV is meant, name its tile in `queryIdentifierMapKey`, in a schedule for each tile. If ZIPs are right, write `checks: { csv-of-tiles: off }` in almanac.yaml.',
    ...findingAt(first.resource, pointerTo('format')),
    ...(others.length > 0 && {
      address: undefined,
      concerns: [first, ...others].map(({ resource: { address } }) => address),
    }),
  }));
}
