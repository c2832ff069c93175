// Judges each tile of a proof by its renderings. Groups of a dashboard take turns, because Omni makes one file at a time for
// a dashboard and a user.

import { storedOf } from '../../apply/read-back.ts';
import { tilesSent } from '../../declare/rows/reached-tiles.ts';
import { conditionOf } from '../../model/fields/conditions.ts';
import type { DashboardLayout, RemoteQuery } from '../../model/service/documents.ts';
import { groupBy } from '../../model/values/collections.ts';
import { isJsonObject, ownValue, stringIn } from '../../model/values/json.ts';
import { statusOf } from '../../model/workspace/failure.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import type { Rights } from '../../observe/downloads/rights.ts';
import { readLayouts } from '../../observe/layouts.ts';
import { inParallel } from '../../observe/sending.ts';
import {
  forNobody,
  type Group,
  hasOnePage,
  onlyTiles,
  type RenderableReport,
  rowLimitOf,
} from './choose-renderings.ts';
import { inGroup, judgeTile, merged, type TileJudgement } from './judge-tile.ts';
import { leaking } from './prove-document.ts';
import { letters, type Sheet } from './read-sheet.ts';
import {
  cannotTell,
  type Dashboard,
  isProblem,
  type Looks,
  orProblem,
  type Problem,
  type ProofRun,
  queryOf,
  type RenderingRun,
  renderOnce,
} from './render-files.ts';

/** How many further receivers are tried if a tile was empty for all before. */
const maxNext = 3;

export interface RenderedReport {
  readonly resource: Resource;
  /** Undefined if Omni did not say. */
  readonly rights: Rights | undefined;
  readonly problem: Problem | undefined;
  /** The fault of the filters that Omni keeps for it, or the reason why that is not known. */
  readonly filterProblem?: KeptFilters | undefined;
  /** Keyed by the tiles' keys. */
  readonly tiles: ReadonlyMap<string, ProvedTile>;
}

export interface KeptFilters extends Pick<Problem, 'message' | 'itsWords'> {
  readonly reason: Problem['problem'] | 'other-filters';
}

export interface ProvedGroup {
  readonly group: Group;
  /** Keyed by the tiles' keys, for all reports. */
  readonly tiles: ReadonlyMap<string, ProvedTile>;
  /** True if it has only the first page, and Omni does not say which tiles are on it. */
  readonly isPageUntold: boolean;
  readonly reports: readonly RenderedReport[];
}

/** A tile, as several renderings show it. */
export type ProvedTile = TileJudgement;

export interface ProvedGroups {
  readonly groups: readonly ProvedGroup[];
  /** Groups whose files' names do not tell the tiles apart, with the number of tiles: each can be downloaded. */
  readonly unnamed: readonly { readonly group: Group; readonly tiles: number }[];
  readonly queriesOf: ReadonlyMap<string, readonly RemoteQuery[]>;
}

/** `tileByTile` has the queries of the dashboards whose tiles are downloaded one by one. */
export async function proveGroups(
  groups: readonly Group[],
  proving: ProofRun,
  tileByTile?: ProvedGroups['queriesOf'],
): Promise<ProvedGroups> {
  const dashboards = groupBy(groups, ({ identifier }) => identifier);
  const found: ProvedGroup[] = [];
  const unnamed: ProvedGroups['unnamed'][number][] = [];
  const queriesOf = new Map<string, readonly RemoteQuery[]>();
  let done = 0;
  await inParallel(dashboards, proving.service.concurrency, async ([identifier, same]) => {
    const dashboard = await openDashboard(identifier, proving, tileByTile?.get(identifier));
    if (!isProblem(dashboard.queries)) queriesOf.set(identifier, dashboard.queries);
    const isTileByTile = tileByTile !== undefined;
    const rendered: RenderingRun['rendered'] = new Map();
    for (const group of same) {
      const told = group.filters.map(dashboard.fieldOf);
      const fields = told.every((field) => field !== undefined) ? told : undefined;
      const proved = await proveGroup(group, { proving, dashboard, isTileByTile, fields, rendered });
      if (typeof proved === 'number') unnamed.push({ group, tiles: proved });
      else found.push(proved);
    }
    done += 1;
    proving.onDashboard(done, dashboards.size, identifier);
  });
  return { groups: found, unnamed, queriesOf };
}

async function openDashboard(
  identifier: string,
  proving: ProofRun,
  known: readonly RemoteQuery[] | undefined,
): Promise<Dashboard> {
  const { service } = proving;
  const api = await service.api();
  const filters = await orProblem(proving, async () => ({
    own: (await api.getFilters(identifier, service.call)).filters,
  }));
  const fieldOf = (filter: string) => {
    const shown = isProblem(filters) ? undefined : filters.own[filter];
    return stringIn(ownValue(shown, 'fieldName'));
  };
  const unlessHidden = (error: unknown): Problem => {
    if (statusOf(error) !== 403) throw error;
    return cannotTell('Omni does not show what its tiles ask for (403).');
  };
  const listed = () => api.listQueries(identifier, service.call).catch(unlessHidden);
  const queries = known ?? (await orProblem(proving, listed));
  let layoutAnswer: DashboardLayout | 'classic' | 'missing' | 'refused' | undefined;
  const layout = async () => {
    if (layoutAnswer === undefined) {
      const found = await orProblem(proving, () => readLayouts(new Set([identifier]), service));
      layoutAnswer = isProblem(found) ? 'refused' : found.get(identifier);
    }
    return typeof layoutAnswer === 'string' ? undefined : layoutAnswer;
  };
  return { queries, filters, fieldOf, layout };
}

/** Returns the number of tiles if their files cannot be told apart. */
async function proveGroup(group: Group, rendering: RenderingRun): Promise<ProvedGroup | number> {
  const { proving, dashboard, isTileByTile } = rendering;
  const reports: RenderedReport[] = [];
  const isPageUntold = hasOnePage(group) && (await dashboard.layout()) === undefined;
  const sent = isTileByTile || hasOnePage(group) ? await keysSent(group, dashboard) : undefined;
  for (const candidate of group.candidates) {
    const isWanted = proving.each || reports.length === 0 || isEmptyYet(tilesIn(reports), reports.length);
    if (!isWanted) break;
    const { resource } = candidate;
    const rights = await orProblem(proving, () => proving.rightsOf(resource));
    if (isProblem(rights)) {
      reports.push({ resource, rights: undefined, problem: rights, tiles: new Map() });
      continue;
    }
    const looks = await renderPair(candidate, { group, sent, userId: rights.userId }, rendering);
    if (looks === undefined) return (await keysSent(group, dashboard)).length;
    const tiles = new Map<string, ProvedTile>();
    for (const key of await keysJudged(group, looks, sent, dashboard)) {
      const judged = await judgeLooks(key, looks, candidate, rendering);
      const isShared = proving.shared.has(`${group.identifier}/${key}`);
      tiles.set(key, isShared ? { ...judged, verdict: 'shared', message: undefined, itsWords: undefined } : judged);
    }
    const filterProblem = await keptFilters(candidate, group, rendering);
    reports.push({ resource, rights, problem: looks.problem, filterProblem, tiles });
  }
  return { group, tiles: tilesIn(reports), isPageUntold, reports };
}

/** Compares the filters in Omni with those that are rendered; undefined if no difference is known. */
async function keptFilters(
  { resource: { address }, attributes: { filterConfig = {} } }: RenderableReport,
  { filters }: Group,
  { proving, dashboard }: RenderingRun,
): Promise<KeptFilters | undefined> {
  const { service, idOf } = proving;
  const id = idOf(address);
  if (id === undefined) return undefined;
  const own = dashboard.filters;
  if (isProblem(own)) return notRead('The filters of its dashboard', own);
  const details = await orProblem(proving, async () => (await service.api()).getSchedule(id, service.call), 1);
  if (isProblem(details)) return notRead('The filters that Omni keeps of it', details);
  const declared = isJsonObject(filterConfig) ? filterConfig : {};
  const sent = new Map(filters.map((filter) => [filter, conditionOf(declared[filter] ?? null)]));
  if (details.filterConfig === undefined) return { reason: 'cannot-tell', message: 'Omni shows no filters of it.' };
  const stored = storedOf(sent, details, own.own);
  return stored.is === 'other' ? { reason: 'other-filters', message: `${stored.words}.` } : undefined;
}

function notRead(what: string, { problem, message, itsWords }: Problem): KeptFilters {
  return { reason: problem, message: `${what} could not be read. ${message}`, itsWords };
}

/** If rendering failed for a report, only values of others in it count, unless all failed: no tile is at fault. */
function tilesIn(reports: readonly RenderedReport[]): ReadonlyMap<string, ProvedTile> {
  const isJudged = reports.some(({ problem }) => problem === undefined);
  const tiles = new Map<string, ProvedTile>();
  for (const { problem, tiles: own } of reports)
    for (const [key, tile] of own) {
      const isOfTile = leaking.includes(tile.verdict) || problem === undefined;
      if (!isOfTile && (isJudged || problem.problem === 'stopped')) continue;
      const before = tiles.get(key);
      tiles.set(key, before === undefined ? tile : merged(before, tile, inGroup));
    }
  return tiles;
}

function isEmptyYet(tiles: ReadonlyMap<string, ProvedTile>, taken: number): boolean {
  return taken <= maxNext && [...tiles.values()].some(({ verdict }) => verdict === 'empty');
}

/** The keys of the tiles that its reports send, from the layout, or else those of all queries. */
async function keysSent(group: Group, { queries, layout }: Dashboard): Promise<readonly string[]> {
  const only = onlyTiles(group);
  if (only !== undefined) return only;
  const keys = isProblem(queries) ? [] : queries.map(({ key }) => key);
  const knownLayout = await layout();
  if (knownLayout === undefined) return keys;
  const shown = new Set(tilesSent(knownLayout, group).map(({ key }) => key));
  return keys.filter((key) => shown.has(key) || key === group.watched);
}

/** The tiles that have a file, or should have one: a query that no tile of the dashboard shows has none. */
async function keysJudged(
  group: Group,
  { own, withNobody }: Pair,
  sent: readonly string[] | undefined,
  dashboard: Dashboard,
): Promise<readonly string[]> {
  const found = [...new Set([own, ...withNobody].flatMap((looks) => [...looks.keys()]))];
  if (sent !== undefined) return [...new Set([...found.filter((key) => key === '' || sent.includes(key)), ...sent])];
  const { queries } = dashboard;
  const isWhole =
    onlyTiles(group) !== undefined || isProblem(queries) || queries.every(({ key }) => found.includes(key));
  return isWhole ? found : [...new Set([...found, ...(await keysSent(group, dashboard))])];
}

interface Pair {
  readonly own: Looks;
  /** Renderings with a value that nobody has, in one filter each: a tile that follows only another is not limited. */
  readonly withNobody: readonly Looks[];
  readonly problem: Problem | undefined;
}

interface RenderedGroup {
  readonly group: Group;
  /** The keys of its tiles, if only these are downloaded or judged. */
  readonly sent: readonly string[] | undefined;
  readonly userId: string | undefined;
}

async function renderPair(
  { attributes }: RenderableReport,
  of: RenderedGroup,
  rendering: RenderingRun,
): Promise<Pair | undefined> {
  const own = await renderLooks(attributes, of, rendering);
  if (own === undefined) return undefined;
  const problem = problemOfAll(own);
  const withNobody: Looks[] = [];
  for (const filter of problem === undefined ? of.group.filters : []) {
    const asked = forNobody(attributes, filter, rendering.proving.nobody);
    const looks = await renderLooks(asked, of, rendering);
    if (looks === undefined) return undefined;
    withNobody.push(looks);
  }
  return { own, withNobody, problem: problem ?? withNobody.map(problemOfAll).find((each) => each !== undefined) };
}

function problemOfAll(looks: Looks): Problem | undefined {
  const [first, ...others] = [...looks.values()];
  if (first === undefined) return { problem: 'cannot-tell', message: 'What Omni sent has no tile.' };
  const cut = [first, ...others].find((look) => isProblem(look) && look.problem === 'stopped');
  if (cut !== undefined && isProblem(cut)) return cut;
  return isProblem(first) && others.every(isProblem) ? first : undefined;
}

/** The values of others in one file count, whatever happened to another file. */
async function judgeLooks(
  key: string,
  { own, withNobody }: Pair,
  { maySee, attributes }: RenderableReport,
  { dashboard, proving, fields }: RenderingRun,
): Promise<ProvedTile> {
  const looks = [own, ...withNobody].map((each) => each.get(key));
  const isNowhere = looks.every((look) => look === undefined);
  const absent = isNowhere ? ((await dashboard.layout()) === undefined ? nowhereUntold : nowhere) : once;
  const [mine, ...forNone] = looks.map((look) => look ?? absent);
  const problem = [mine, ...forNone].find((look) => look !== undefined && isProblem(look));
  const query = queryOf(dashboard, key);
  const { table, shared } = proving;
  const tile = `${String(attributes['identifier'])}/${key}:`;
  const waived = new Set(
    [...shared].flatMap((name) => (name.startsWith(tile) ? letters(name.slice(tile.length)) : [])),
  );
  const judged = judgeTile({
    own: mine === undefined || isProblem(mine) ? undefined : mine,
    withNobody: forNone.flatMap((look) => (isProblem(look) ? [] : look)),
    query: query?.query,
    dividing: fields,
    table,
    maySee,
    isWaived: (head) => waived.has(letters(head)),
    mostRows: query && rowLimitOf(attributes, query),
  });
  if (leaking.includes(judged.verdict)) return judged;
  if (problem === undefined || !isProblem(problem)) return query === undefined ? { ...judged, ...unshown } : judged;
  const verdict = problem.problem === 'stopped' ? 'cannot-tell' : problem.problem;
  return { ...judged, verdict, message: problem.message, itsWords: problem.itsWords };
}

const once: Problem = { problem: 'cannot-tell', message: 'Only one of its two renderings has a file of it.' };
const nowhere: Problem = { problem: 'cannot-tell', message: 'No rendering has a file of it.' };
const nowhereUntold: Problem = {
  problem: 'cannot-tell',
  message: 'No rendering has a file of it, and Omni does not say whether the dashboard shows it.',
};
const unshown = { verdict: 'cannot-tell', message: 'Omni does not show the query of it.' } as const;

async function renderLooks(
  attributes: DeclaredObject,
  { group, sent, userId }: RenderedGroup,
  rendering: RenderingRun,
): Promise<Looks | undefined> {
  const { dashboard, isTileByTile } = rendering;
  const only = onlyTiles(group);
  if (only === undefined && isProblem(dashboard.queries)) return new Map([['', dashboard.queries]]);
  if (only === undefined && !isTileByTile) return renderOnce(attributes, undefined, userId, rendering);
  const all = new Map<string, Sheet | Problem>();
  for (const key of only ?? sent ?? [])
    for (const [of, look] of (await renderOnce(attributes, key, userId, rendering)) ?? []) all.set(of, look);
  return all;
}
