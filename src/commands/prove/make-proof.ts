// Concludes a proof: the proven reports, reasons for others, and each tile's result. Gives a document, and values that
// people may read beyond it. Pure.

import type { RemoteQuery } from '../../model/service/documents.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy, pushAll } from '../../model/values/collections.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { exitCodeOf } from '../base/exit-code.ts';
import type { Renderings } from './choose-renderings.ts';
import { mergedOnDashboard } from './judge-tile.ts';
import {
  type DashboardRow,
  leaking,
  type ProveDocument,
  type Reason,
  type ReportRow,
  type TileRow,
  untold,
} from './prove-document.ts';
import type { ProvedGroup, ProvedTile, RenderedReport } from './prove-groups.ts';

export interface Proof {
  readonly document: ProveDocument;
  /** The values of others that are in the table, keyed by dashboard and tile as `safety.rows.shared` names them. */
  readonly othersOf: Readonly<Record<string, readonly string[]>>;
}

export interface ProofParts extends Pick<ProveDocument, 'at' | 'organization' | 'commit' | 'table'> {
  readonly renderings: Renderings;
  readonly groups: readonly ProvedGroup[];
  /** Keyed by the dashboards' identifiers. */
  readonly queriesOf: ReadonlyMap<string, readonly RemoteQuery[]>;
  readonly nameOf: (identifier: string) => string | undefined;
  /** True if the last apply sent what is declared. */
  readonly isApplied: (address: Address) => boolean;
  readonly isOfTable: (value: string) => boolean;
}

export function makeProof({ renderings, groups, queriesOf, nameOf, isApplied, isOfTable, ...of }: ProofParts): Proof {
  const provedIn = groupBy(groups, ({ group }) => group.identifier);
  const leftIn = groupBy(renderings.leftOut, ({ identifier }) => identifier);
  const identifiers = new Set([...renderings.groups, ...renderings.leftOut].map(({ identifier }) => identifier));
  const othersOf = new Map<string, readonly string[]>();
  const dashboards: DashboardRow[] = [];
  const withoutDashboard: ReportRow[] = [];
  for (const identifier of [...identifiers].sort(byCodeUnit)) {
    const proved = provedIn.get(identifier) ?? [];
    const reports = [
      ...proved.flatMap((each) => reportsOf(each, isApplied)),
      ...(leftIn.get(identifier) ?? []).map(({ resource, reason }) => reportRow(resource, reason)),
    ].sort((a, b) => byCodeUnit(a.address, b.address));
    if (identifier === '') {
      pushAll(withoutDashboard, reports);
      continue;
    }
    const tiles = tilesOf(proved);
    const names = new Map(queriesOf.get(identifier)?.map(({ key, name }) => [key, name]));
    for (const [key, { valuesOfOthers = [] }] of tiles) {
      const known = [...valuesOfOthers].filter(isOfTable).sort(byCodeUnit);
      if (known.length > 0) othersOf.set(`${identifier}/${key}`, known);
    }
    const { message: problem } = tiles.get('') ?? {};
    dashboards.push({
      identifier,
      name: nameOf(identifier),
      problem,
      tiles: [...tiles].flatMap(([key, tile]) => (key === '' ? [] : tileRow(key, names.get(key) ?? key, tile))),
      reports,
    });
  }
  const all = [...dashboards.flatMap(({ reports }) => reports), ...withoutDashboard];
  const isProven = ({ proven }: ReportRow) => proven;
  const summary = {
    proven: all.filter(isProven).length,
    reports: all.length,
    provenDashboards: dashboards.filter(({ reports }) => reports.some(isProven)).length,
    dashboards: dashboards.length,
  };
  return {
    document: { formatVersion: 1, ...of, summary, dashboards, withoutDashboard },
    othersOf: Object.fromEntries(othersOf),
  };
}

function tilesOf(groups: readonly ProvedGroup[]): ReadonlyMap<string, ProvedTile> {
  const tiles = new Map<string, ProvedTile>();
  for (const group of groups)
    for (const [key, tile] of group.tiles) {
      const before = tiles.get(key);
      tiles.set(key, before === undefined ? tile : mergedOnDashboard(before, tile));
    }
  return tiles;
}

function tileRow(tile: string, name: string, proved: ProvedTile): TileRow {
  const { verdict, message, valuesOfOthers, spelledOtherwise, blanks, totals, firstRows } = proved;
  return {
    tile,
    name,
    verdict,
    others: valuesOfOthers?.size,
    message,
    blanks,
    totals,
    firstRows,
    spelledOtherwise: spelledOtherwise.size,
  };
}

function reportsOf(
  { group, tiles, isPageUntold, reports }: ProvedGroup,
  isApplied: ProofParts['isApplied'],
): readonly ReportRow[] {
  const rendered = new Map(reports.map((report) => [report.resource.address, report]));
  return group.candidates.map(({ resource }) => {
    const report = rendered.get(resource.address);
    if (report === undefined) return reportRow(resource, 'not-rendered');
    const reason = reasonNotProven(report, { tiles, isPageUntold, isApplied: isApplied(resource.address) });
    return reportRow(resource, reason, report);
  });
}

/**
 * Undefined for a proven report. If a tile shows values of others in one report of a group, that counts for all of
 * them; for a tile that is empty in its own rendering, the other renderings decide.
 */
function reasonNotProven(
  { resource, rights, problem, filterProblem, tiles: own }: RenderedReport,
  { tiles, isPageUntold, isApplied }: Pick<ProvedGroup, 'tiles' | 'isPageUntold'> & { readonly isApplied: boolean },
): Reason | undefined {
  if (filterProblem?.reason === 'other-filters') return filterProblem.reason;
  if (problem !== undefined) return problem.problem;
  const verdicts = [...own].map(([key, { verdict }]) => {
    const ofGroup = tiles.get(key)?.verdict ?? verdict;
    return verdict === 'empty' || leaking.includes(ofGroup) ? ofGroup : verdict;
  });
  if (verdicts.some((verdict) => verdict !== 'limited' && verdict !== 'shared')) return 'tiles';
  if (!verdicts.includes('limited')) return 'tiles';
  if (resource.attributes['format'] === 'pdf') return isPageUntold ? 'pdf-pages' : 'pdf';
  if (rights?.userId === undefined) return 'rights';
  return isApplied ? filterProblem?.reason : 'not-applied';
}

function reportRow(
  { address, attributes: { format } }: Resource,
  reason: Reason | undefined,
  { rights, problem, filterProblem }: Partial<RenderedReport> = {},
): ReportRow {
  return {
    address,
    format: typeof format === 'string' ? format : undefined,
    proven: reason === undefined,
    reason,
    message: reason !== undefined && reason === filterProblem?.reason ? filterProblem.message : problem?.message,
    rights: rights?.words,
  };
}

/** 2 if somebody may see the rows of others, 1 if that is not known for every report, or nothing was judged. */
export function proofCode({ dashboards }: ProveDocument): number {
  const verdicts = dashboards.flatMap(({ tiles }) => tiles.map(({ verdict }) => verdict));
  const isOther = dashboards.some(({ reports }) => reports.some(({ reason }) => reason === 'other-filters'));
  const isTold = dashboards.every(({ problem, reports }) => problem === undefined && !reports.some(isUntold));
  return exitCodeOf({
    isWrong: isOther || verdicts.some((verdict) => leaking.includes(verdict)),
    isOpen: !isTold || !verdicts.includes('limited') || verdicts.some((verdict) => untold.includes(verdict)),
  });
}

function isUntold({ reason }: ReportRow): boolean {
  return reason !== undefined && ['failed', 'busy', 'too-large', 'cannot-tell', 'stopped'].includes(reason);
}
