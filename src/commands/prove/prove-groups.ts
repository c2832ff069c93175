// Renders a proof's files, in memory, and judges each tile. Rows are dropped as soon as a tile is judged. Groups of a
// dashboard take turns, because Omni makes one file at a time for a dashboard and a user.

import { storedOf } from '../../apply/read-back.ts';
import { tilesSent } from '../../declare/rows/reached-tiles.ts';
import { conditionOf } from '../../model/fields/conditions.ts';
import type { Clock } from '../../model/outside.ts';
import type { DashboardLayout, RemoteQuery } from '../../model/service/documents.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import { judgeFile } from '../../observe/downloads/file-type.ts';
import { openMemory, TooLarge } from '../../observe/downloads/in-memory.ts';
import { Busy, render } from '../../observe/downloads/render.ts';
import type { Rights } from '../../observe/downloads/rights.ts';
import { unzip } from '../../observe/downloads/unzip.ts';
import { readLayouts } from '../../observe/layouts.ts';
import { inParallel } from '../../observe/sending.ts';
import type { Service } from '../../observe/service.ts';
import { toDownload } from '../../omni/operations.ts';
import {
  asCsv,
  forNobody,
  type Group,
  hasOnePage,
  type Nobody,
  type RenderableReport,
  rowLimitOf,
} from './choose-renderings.ts';
import {
  columnsOf,
  judgeTile,
  mergedInGroup,
  readSheet,
  type Sheet,
  type TileJudgement,
  tilesByName,
  widthOf,
} from './judge-tile.ts';
import { leaking, type Reason } from './prove-document.ts';

const mib = 1024 * 1024;
const [mostBytes, mostUnpacked] = [64 * mib, 256 * mib];
/** In seconds. */
const [longestBusy, longestRendering] = [120, 600];
/** How many further receivers are tried if a tile was empty for all before. */
const maxNext = 3;

export interface Problem {
  readonly problem: Extract<Reason, 'failed' | 'busy' | 'too-large' | 'cannot-tell' | 'stopped'>;
  readonly message: string;
}

function isProblem(found: object): found is Problem {
  return 'problem' in found && 'message' in found;
}

/** The content of one rendering, keyed by its tiles' keys. */
type Looks = ReadonlyMap<string, Sheet | Problem>;

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

export interface KeptFilters {
  readonly reason: Problem['problem'] | 'other-filters';
  readonly message: string;
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

export interface ProofRun {
  readonly service: Service;
  readonly clock: Clock;
  readonly rightsOf: (resource: Resource) => Promise<Rights>;
  /** The id in Omni of a resource that is as declared since the last apply. */
  readonly idOf: (address: Address) => string | undefined;
  readonly nobody: Nobody;
  /** True if the table of permissions has the value, as for `judgeTile`. */
  readonly isOfTable: (value: string) => boolean;
  readonly namesTotal: boolean;
  /** True if the rows of a tile belong to nobody. */
  readonly isShared: (identifier: string, tile: string) => boolean;
  /** True if all receivers are rendered. */
  readonly each: boolean;
  /** No rendering begins that could not be completed with this number of requests in the run. */
  readonly most: number | undefined;
  readonly onDashboard: (done: number, total: number, identifier: string) => void;
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
      const fields = group.filters.flatMap((filter) => dashboard.fieldOf(filter) ?? []);
      const proved = await proveGroup(group, { proving, dashboard, isTileByTile, fields, rendered });
      if (typeof proved === 'number') unnamed.push({ group, tiles: proved });
      else found.push(proved);
    }
    done += 1;
    proving.onDashboard(done, dashboards.size, identifier);
  });
  return { groups: found, unnamed, queriesOf };
}

interface Dashboard {
  readonly queries: readonly RemoteQuery[] | Problem;
  /** The dashboard's own filters; undefined if Omni does not say. */
  readonly filters: JsonObject | undefined;
  /** The field of a filter, if Omni says it. */
  readonly fieldOf: (filter: string) => string | undefined;
  /** Undefined if Omni does not say. */
  readonly layout: () => Promise<DashboardLayout | undefined>;
}

async function openDashboard(
  identifier: string,
  proving: ProofRun,
  known: readonly RemoteQuery[] | undefined,
): Promise<Dashboard> {
  const { service } = proving;
  const api = await service.api();
  const filters = await orProblem(proving, async () => (await api.getFilters(identifier, service.call)).filters);
  const fieldOf = (filter: string) => {
    const shown = isProblem(filters) ? undefined : filters[filter];
    const field = isJsonObject(shown) ? shown['fieldName'] : undefined;
    return typeof field === 'string' ? field : undefined;
  };
  const queries = known ?? (await orProblem(proving, () => api.listQueries(identifier, service.call)));
  let layoutAnswer: DashboardLayout | 'classic' | 'refused' | undefined;
  const layout = async () => {
    if (layoutAnswer === undefined) {
      const found = await orProblem(proving, () => readLayouts(new Set([identifier]), service));
      layoutAnswer = isProblem(found) ? 'refused' : found.get(identifier);
    }
    return typeof layoutAnswer === 'string' ? undefined : layoutAnswer;
  };
  return { queries, filters: isProblem(filters) ? undefined : filters, fieldOf, layout };
}

interface RenderingRun {
  readonly proving: ProofRun;
  readonly dashboard: Dashboard;
  readonly isTileByTile: boolean;
  /** The fields that divide the rows. */
  readonly fields: readonly string[];
  /** The renderings so far, keyed by request: with a value that nobody has, most reports ask for the same. */
  readonly rendered: Map<string, Looks | undefined>;
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
      const isShared = proving.isShared(group.identifier, key);
      tiles.set(key, isShared ? { ...judged, verdict: 'shared', message: undefined } : judged);
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
  const details = await orProblem(proving, async () => (await service.api()).getSchedule(id, service.call), 1);
  if (isProblem(details)) {
    const message = `The filters that Omni keeps of it could not be read. ${details.message}`;
    return { reason: details.problem, message };
  }
  const declared = isJsonObject(filterConfig) ? filterConfig : {};
  const sent = new Map(filters.map((filter) => [filter, conditionOf(declared[filter] ?? null)]));
  const stored = storedOf(sent, details, dashboard.filters);
  return stored.is === 'other' ? { reason: 'other-filters', message: `${stored.words}.` } : undefined;
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
      tiles.set(key, before === undefined ? tile : mergedInGroup(before, tile));
    }
  return tiles;
}

function isEmptyYet(tiles: ReadonlyMap<string, ProvedTile>, taken: number): boolean {
  return taken <= maxNext && [...tiles.values()].some(({ verdict }) => verdict === 'empty');
}

/** The keys of the tiles that its reports send, from the layout, or else those of all queries. */
async function keysSent(group: Group, { queries, layout }: Dashboard): Promise<readonly string[]> {
  if (group.tile !== undefined) return [group.tile];
  const keys = isProblem(queries) ? [] : queries.map(({ key }) => key);
  const knownLayout = await layout();
  if (knownLayout === undefined) return keys;
  const shown = new Set(tilesSent(knownLayout, group).map(({ key }) => key));
  return keys.filter((key) => shown.has(key));
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
  const isWhole = group.tile !== undefined || isProblem(queries) || queries.every(({ key }) => found.includes(key));
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
  { dashboard, proving }: RenderingRun,
): Promise<ProvedTile> {
  const looks = [own, ...withNobody].map((each) => each.get(key));
  const isNowhere = looks.every((look) => look === undefined);
  const absent = isNowhere ? ((await dashboard.layout()) === undefined ? nowhereUntold : nowhere) : once;
  const [mine, ...forNone] = looks.map((look) => look ?? absent);
  const problem = [mine, ...forNone].find((look) => look !== undefined && isProblem(look));
  const query = queryOf(dashboard, key);
  const judged = judgeTile({
    own: mine === undefined || isProblem(mine) ? blank : mine,
    withNobody: forNone.flatMap((look) => (isProblem(look) ? [] : look)),
    maySee,
    isOfTable: proving.isOfTable,
    namesTotal: proving.namesTotal,
    width: widthOf(query),
    mostRows: rowLimitOf(attributes, query),
  });
  if (problem === undefined || !isProblem(problem) || leaking.includes(judged.verdict)) return judged;
  const verdict = problem.problem === 'stopped' ? 'cannot-tell' : problem.problem;
  return { ...judged, verdict, message: problem.message };
}

const once: Problem = { problem: 'cannot-tell', message: 'Only one of its two renderings has a file of it.' };
const nowhere: Problem = { problem: 'cannot-tell', message: 'No rendering has a file of it.' };
const nowhereUntold: Problem = {
  problem: 'cannot-tell',
  message: 'No rendering has a file of it, and Omni does not say whether the dashboard shows it.',
};
const blank: Sheet = { isEmpty: true, width: 0, rows: 0, totals: 0, columns: new Map() };

function queryOf({ queries }: Dashboard, key: string): RemoteQuery {
  return (isProblem(queries) ? undefined : queries.find((query) => query.key === key)) ?? { key };
}

async function renderLooks(
  attributes: DeclaredObject,
  { group: { tile }, sent, userId }: RenderedGroup,
  rendering: RenderingRun,
): Promise<Looks | undefined> {
  const { dashboard, isTileByTile } = rendering;
  if (tile === undefined && isProblem(dashboard.queries)) return new Map([['', dashboard.queries]]);
  if (tile !== undefined || !isTileByTile) return renderOnce(attributes, tile, userId, rendering);
  const all = new Map<string, Sheet | Problem>();
  for (const key of sent ?? [])
    for (const [of, look] of (await renderOnce(attributes, key, userId, rendering)) ?? []) all.set(of, look);
  return all;
}

/** A rendering for another report is used again. */
async function renderOnce(
  attributes: DeclaredObject,
  tile: string | undefined,
  userId: string | undefined,
  rendering: RenderingRun,
): Promise<Looks | undefined> {
  const { rendered, fields } = rendering;
  const key = JSON.stringify([toDownload(asCsv(attributes, tile), userId), fields]);
  const looks = rendered.has(key) ? rendered.get(key) : await renderFile(attributes, tile, userId, rendering);
  rendered.set(key, looks);
  return looks;
}

/** Undefined if the files of a whole dashboard cannot be told apart. */
async function renderFile(
  attributes: DeclaredObject,
  tile: string | undefined,
  userId: string | undefined,
  { proving, dashboard, fields }: RenderingRun,
): Promise<Looks | undefined> {
  const { service, clock } = proving;
  const looked = await orProblem(proving, async () => {
    const sink = openMemory(mostBytes);
    const times = { wait: longestRendering, waitWhileBusy: longestBusy };
    const ports = { api: await service.api(), clock, call: service.call, ...times, onStarted: () => undefined };
    const file = await render(asCsv(attributes, tile), userId, sink, ports);
    const bytes = sink.bytes();
    const type = judgeFile('csv', file, { size: bytes.length, head: bytes.subarray(0, 64) });
    // A tile without rows, for which Omni does not even send a header.
    const isNothing = bytes.length === 0 && file.isBounded;
    if ('why' in type && !isNothing) return { problem: 'failed', message: `What Omni sent ${type.why}.` } as const;
    return { files: 'extension' in type && type.extension === 'zip' ? unzip(bytes, mostUnpacked) : bytes };
  });
  if (isProblem(looked)) return new Map(keysOf(tile, dashboard).map((key) => [key, looked]));
  const { files } = looked;
  const named = Buffer.isBuffer(files) ? [{ name: undefined, bytes: () => files }] : files;
  const names = named.map(({ name }) => name);
  const keys = keysOfFiles(names, tile, dashboard);
  if (keys === undefined) return tile === undefined ? undefined : new Map([[tile, ofSeveral]]);
  const looks = new Map<string, Sheet | Problem>();
  for (const [at, { bytes }] of named.entries()) {
    const key = keys[at] ?? '';
    const columns = columnsOf(queryOf(dashboard, key), fields);
    looks.set(key, await orProblem(proving, async () => readSheet(bytes(), columns) ?? noTable, 0));
  }
  return looks;
}

const ofSeveral: Problem = { problem: 'cannot-tell', message: 'What Omni sent of it has several files.' };
const noTable: Problem = { problem: 'cannot-tell', message: 'Its file is not a table.' };

function stopped(most: number): Problem {
  return { problem: 'stopped', message: `--most ${most} allows no further request.` };
}

function keysOf(tile: string | undefined, { queries }: Dashboard): readonly string[] {
  if (tile !== undefined) return [tile];
  const keys = isProblem(queries) ? [] : queries.map(({ key }) => key);
  // The key '' lets a fault be reported for the dashboard.
  return keys.length === 0 ? [''] : keys;
}

/** `names` is undefined for a file that is not an archive. */
function keysOfFiles(
  names: readonly (string | undefined)[],
  tile: string | undefined,
  { queries }: Dashboard,
): readonly string[] | undefined {
  if (tile !== undefined) return names.length === 1 ? [tile] : undefined;
  const all = isProblem(queries) ? [] : queries;
  const [first] = names;
  if (names.length === 1 && first === undefined) return all.length === 1 ? all.map(({ key }) => key) : undefined;
  const known = names.map((name) => name ?? '');
  return tilesByName(known, all);
}

/** A request without an answer says nothing about others; an invalid token ends everything. */
async function orProblem<T extends object>(
  { service: { call, sent }, most }: ProofRun,
  ask: () => Promise<T | Problem>,
  requests = 2,
): Promise<T | Problem> {
  if (most !== undefined && requests > 0 && sent() + requests > most) return stopped(most);
  try {
    return await ask();
  } catch (error) {
    if (call.signal?.aborted || !(error instanceof Failure) || statusOf(error) === 401) throw error;
    const problem = error instanceof Busy ? 'busy' : error instanceof TooLarge ? 'too-large' : 'failed';
    return { problem, message: error.message };
  }
}
