// Concludes a proof: the reports that are proven, the reasons of the others, and each tile's result. Pure.

import type { RemoteQuery } from '../../model/service/documents.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit, stringIn } from '../../model/values/json.ts';
import { maxEqual } from '../../model/values/words.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { exitCodeOf } from '../base/publishing.ts';
import type { JudgedReport, LeftOut } from './choose-renderings.ts';
import { inDashboard, merged } from './judge-tile.ts';
import {
  type DashboardRow,
  leaking,
  openReasons,
  type ProveDocument,
  type Reason,
  type ReportRow,
  reasons,
  type TileRow,
  type Verdict,
  wrongReasons,
} from './prove-document.ts';
import type { ProvedGroup, ProvedTile, RenderedReport } from './prove-groups.ts';

export interface Proof {
  readonly document: ProveDocument;
  /** The service's own words, which only a terminal may show, keyed by the message without them. */
  readonly itsWords: Readonly<Record<string, string>>;
}

export interface ProofParts extends Pick<ProveDocument, 'at' | 'organization' | 'commit' | 'table'> {
  readonly leftOut: readonly LeftOut[];
  readonly judged: ReadonlyMap<Resource, JudgedReport>;
  readonly groups: readonly ProvedGroup[];
  /** Keyed by the dashboards' identifiers. */
  readonly queriesOf: ReadonlyMap<string, readonly RemoteQuery[]>;
  readonly nameOf: (identifier: string) => string | undefined;
  readonly appliedAt: (address: Address) => string | undefined;
  readonly isOfTable: (value: string) => boolean;
}

export function makeProof(parts: ProofParts): Proof {
  const { leftOut, judged, groups, queriesOf, nameOf, appliedAt, isOfTable, ...of } = parts;
  const provedIn = groupBy(groups, ({ group }) => group.identifier);
  const found = new Map<Resource, Conclusion>(leftOut.map(({ resource, reason }) => [resource, { reasons: [reason] }]));
  for (const each of groups) for (const [resource, concluded] of conclusionsOf(each)) found.set(resource, concluded);
  const rows = [...judged].map(([resource, about]) => ({
    identifier: about.identifier,
    row: reportRow(resource, about, found.get(resource) ?? { reasons: ['not-rendered'] }, appliedAt),
  }));
  const reportsIn = groupBy(rows, ({ identifier }) => identifier);
  const rowsOf = (identifier: string) => (reportsIn.get(identifier) ?? []).map(({ row }) => row);
  const dashboards = [...reportsIn.keys()].sort(byCodeUnit).flatMap((identifier): readonly DashboardRow[] => {
    if (identifier === '') return [];
    const tiles = tilesOf(provedIn.get(identifier) ?? []);
    const names = new Map(queriesOf.get(identifier)?.map(({ key, name }) => [key, name]));
    return [
      {
        identifier,
        name: nameOf(identifier),
        problem: tiles.get('')?.message,
        tiles: [...tiles].flatMap(([key, tile]) =>
          key === '' ? [] : tileRow(key, names.get(key) ?? key, tile, isOfTable),
        ),
        reports: rowsOf(identifier),
      },
    ];
  });
  const selected = rows.map(({ row }) => row).filter((row) => row.selected);
  const proven = selected.filter((row) => row.proven);
  const byValues = proven.filter((row) => row.byValues);
  const summary = {
    proven: proven.length,
    byValues: byValues.length,
    byFirstPage: byValues.filter(({ format }) => format === 'pdf').length,
    reports: selected.length,
    notSelected: rows.length - selected.length,
    provenDashboards: dashboards.filter(({ reports }) => reports.some((row) => row.proven)).length,
    dashboards: dashboards.filter(({ reports }) => reports.some((row) => row.selected)).length,
  };
  return {
    document: { formatVersion: 1, ...of, summary, dashboards, withoutDashboard: rowsOf('') },
    itsWords: Object.fromEntries(wordsIn(groups)),
  };
}

interface Conclusion {
  /** Empty for a proven report. */
  readonly reasons: readonly Reason[];
  readonly rendered?: RenderedReport;
  readonly byValues?: boolean;
}

function conclusionsOf({ tiles, isPageUntold, reports }: ProvedGroup): readonly (readonly [Resource, Conclusion])[] {
  return reports.map((rendered) => {
    const { resource, rights, problem, filterProblem, tiles: own } = rendered;
    const judged = [...own].map(([key, tile]) => decisive(tile, tiles.get(key)));
    const found: (Reason | undefined)[] = [
      filterProblem?.reason,
      problem?.problem,
      ...judged.flatMap(({ verdict, spelledOtherwise }): readonly (Reason | undefined)[] => [
        reasonOf[verdict],
        verdict !== 'shared' && spelledOtherwise.size > 0 ? 'spelled-otherwise' : undefined,
      ]),
      judged.every(({ verdict }) => verdict === 'shared') ? (judged.length > 0 ? 'shared' : 'cannot-tell') : undefined,
      isPageUntold ? 'pdf' : undefined,
      rights !== undefined && rights.userId === undefined ? 'rights' : undefined,
    ];
    const byValues = judged.some(({ verdict, compared }) => verdict === 'limited' && compared !== 'nothing-to-compare');
    return [resource, { reasons: reasons.filter((reason) => found.includes(reason)), rendered, byValues }];
  });
}

/**
 * If a tile shows values of others in one report of a group, that counts for all of them; for a tile that is empty in a
 * report's own rendering, the other renderings decide.
 */
function decisive(own: ProvedTile, ofGroup: ProvedTile = own): ProvedTile {
  return own.verdict === 'empty' || leaking.includes(ofGroup.verdict) ? ofGroup : own;
}

/** The reason that a tile with a verdict gives against the proof of its report. */
const reasonOf: Readonly<Record<Verdict, Reason | undefined>> = {
  'shows-others': 'shows-others',
  'not-limited': 'not-limited',
  failed: 'failed',
  busy: 'busy',
  'too-large': 'too-large',
  'cannot-tell': 'cannot-tell',
  'names-others': 'names-others',
  'not-compared': 'values-not-compared',
  empty: 'empty',
  limited: undefined,
  shared: undefined,
};

const isOneOf = (list: readonly Reason[]) => (reason: Reason) => list.includes(reason);
const isWrong = isOneOf(wrongReasons);
const isOpen = isOneOf(openReasons);

function reportRow(
  { address, attributes: { format } }: Resource,
  { receivers, values, isWaived }: JudgedReport,
  { reasons: [reason, ...also], rendered, byValues }: Conclusion,
  appliedAt: ProofParts['appliedAt'],
): ReportRow {
  const { rights, problem, filterProblem } = rendered ?? {};
  return {
    address,
    format: stringIn(format),
    selected: reason === undefined || isWrong(reason) || isOpen(reason),
    proven: reason === undefined,
    byValues: reason === undefined ? byValues : undefined,
    reason,
    also: also.length === 0 ? undefined : also,
    message:
      reason === filterProblem?.reason && reason !== problem?.problem ? filterProblem?.message : problem?.message,
    receivers,
    values,
    applied: appliedAt(address),
    waived: isWaived ? true : undefined,
    rights: rights?.words,
  };
}

function tilesOf(groups: readonly ProvedGroup[]): ReadonlyMap<string, ProvedTile> {
  const tiles = new Map<string, ProvedTile>();
  for (const group of groups)
    for (const [key, tile] of group.tiles) {
      const before = tiles.get(key);
      tiles.set(key, before === undefined ? tile : merged(before, tile, inDashboard));
    }
  return tiles;
}

function tileRow(tile: string, name: string, proved: ProvedTile, isOfTable: ProofParts['isOfTable']): TileRow {
  const { verdict, message, compared, valuesOfOthers, named, spelledOtherwise, ...counts } = proved;
  const { rows, rowsForNobody, blanks, totals, firstRows } = counts;
  const some = (values: ReadonlySet<string>) => [...values].filter(isOfTable).sort(byCodeUnit).slice(0, maxEqual);
  const isCompared = valuesOfOthers.size > 0 || compared === 'column' || compared === 'values-of-the-table';
  return {
    tile,
    name,
    verdict,
    compared,
    rows,
    rowsForNobody,
    others: isCompared ? valuesOfOthers.size : undefined,
    othersOfTable: some(valuesOfOthers),
    named: [...named].map(([column, values]) => ({ column, values: some(values) })),
    message,
    blanks,
    totals,
    firstRows,
    spelledOtherwise: spelledOtherwise.size,
  };
}

function wordsIn(groups: readonly ProvedGroup[]): readonly (readonly [string, string])[] {
  return groups.flatMap(({ tiles, reports }) =>
    [
      ...tiles.values(),
      ...reports.flatMap(({ problem, filterProblem }) => [problem ?? [], filterProblem ?? []].flat()),
    ].flatMap(({ message, itsWords }) =>
      message === undefined || itsWords === undefined ? [] : [[message, itsWords] as const],
    ),
  );
}

/** 2 if somebody may see the rows of others, 1 if a selected report is not proven for a reason that is not allowed. */
export function proofCode({ dashboards, withoutDashboard }: ProveDocument, allowed: readonly string[]): number {
  const rows = [...dashboards.flatMap(({ reports }) => reports), ...withoutDashboard].filter((row) => row.selected);
  const reasonsIn = ({ reason, also = [] }: ReportRow) => (reason === undefined ? [] : [reason, ...also]);
  const verdictsFound = dashboards.flatMap(({ tiles }) => tiles.map(({ verdict }) => verdict));
  return exitCodeOf({
    isWrong:
      verdictsFound.some((verdict) => leaking.includes(verdict)) || rows.some((row) => reasonsIn(row).some(isWrong)),
    isOpen: rows.length === 0 || rows.some((row) => reasonsIn(row).some((reason) => !allowed.includes(reason))),
  });
}
