// Renders the files of a proof, in memory, and reads each. No row of a file is kept.

import type { Clock } from '../../model/outside.ts';
import type { DashboardLayout, RemoteQuery } from '../../model/service/documents.ts';
import type { Address } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import { judgeFile, openMemory, TooLarge } from '../../observe/downloads/file-type.ts';
import { Busy, NotRendered, render } from '../../observe/downloads/render.ts';
import type { Rights } from '../../observe/downloads/rights.ts';
import { unzip } from '../../observe/downloads/unzip.ts';
import type { Service } from '../../observe/service.ts';
import { toDownload } from '../../omni/operations.ts';
import { asCsv, type Nobody } from './choose-renderings.ts';
import { tilesByName } from './judge-tile.ts';
import type { Reason } from './prove-document.ts';
import { readSheet, type Sheet, type TableValues } from './read-sheet.ts';

const mib = 1024 * 1024;
const [mostBytes, mostUnpacked] = [64 * mib, 256 * mib];
/** In seconds. */
const [longestBusy, longestRendering] = [120, 600];

export interface Problem {
  readonly problem: Extract<Reason, 'failed' | 'busy' | 'too-large' | 'cannot-tell' | 'stopped'>;
  readonly message: string;
  /** With the service's own words, which only a terminal may show. */
  readonly itsWords?: string | undefined;
}

export function isProblem(found: object): found is Problem {
  return 'problem' in found && 'message' in found;
}

export const cannotTell = (message: string): Problem => ({ problem: 'cannot-tell', message });

/** The content of one rendering, keyed by its tiles' keys. */
export type Looks = ReadonlyMap<string, Sheet | Problem>;

export interface ProofRun {
  readonly service: Service;
  readonly clock: Clock;
  readonly rightsOf: (resource: Resource) => Promise<Rights>;
  /** The id in Omni of a resource that is as declared since the last apply. */
  readonly idOf: (address: Address) => string | undefined;
  readonly nobody: Nobody;
  readonly table: TableValues;
  /** The tiles whose rows belong to nobody, and the columns, as `safety.rows.shared` names them. */
  readonly shared: ReadonlySet<string>;
  /** True if all receivers are rendered. */
  readonly each: boolean;
  /** No rendering begins that could not be completed with this number of requests in the run. */
  readonly most: number | undefined;
  readonly onDashboard: (done: number, total: number, identifier: string) => void;
}

export interface Dashboard {
  readonly queries: readonly RemoteQuery[] | Problem;
  /** The dashboard's own filters. */
  readonly filters: { readonly own: JsonObject } | Problem;
  /** The field of a filter, if Omni says it. */
  readonly fieldOf: (filter: string) => string | undefined;
  /** Undefined if Omni does not say. */
  readonly layout: () => Promise<DashboardLayout | undefined>;
}

export interface RenderingRun {
  readonly proving: ProofRun;
  readonly dashboard: Dashboard;
  readonly isTileByTile: boolean;
  /** The fields that divide the rows; undefined if Omni does not say them all. */
  readonly fields: readonly string[] | undefined;
  /** The renderings so far, keyed by request: with a value that nobody has, most reports ask for the same. */
  readonly rendered: Map<string, Looks | undefined>;
}

export function queryOf({ queries }: Dashboard, key: string): RemoteQuery | undefined {
  return isProblem(queries) ? undefined : queries.find((query) => query.key === key);
}

/** A rendering for another report is used again. */
export async function renderOnce(
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
    // It may send no byte where there is no row.
    const isNothing = bytes.length === 0 && file.isBounded;
    if ('why' in type && !isNothing) return cannotTell(`What Omni sent ${type.why}.`);
    const isArchive = 'extension' in type && type.extension === 'zip';
    return isArchive ? readable(() => ({ files: unzip(bytes, mostUnpacked) })) : { files: bytes };
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
    const reading = { query: queryOf(dashboard, key)?.query, dividing: fields, table: proving.table };
    const sheet = readable(() => readSheet(bytes(), reading));
    looks.set(key, typeof sheet === 'string' ? unread[sheet] : sheet);
  }
  return looks;
}

const ofSeveral = cannotTell('What Omni sent of it has several files, or is a workbook.');

const unread = {
  broken: cannotTell('Its file is not a table.'),
  cut: cannotTell('Its file ends in the middle of a row.'),
};

/** A file that is damaged or too large says nothing about others. */
function readable<T>(read: () => T): T | Problem {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { problem: error instanceof TooLarge ? 'too-large' : 'cannot-tell', message: error.message };
  }
}

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
export async function orProblem<T extends object>(
  { service: { call, sent }, most }: ProofRun,
  ask: () => Promise<T | Problem>,
  requests = 2,
): Promise<T | Problem> {
  if (most !== undefined && requests > 0 && sent() + requests > most) return stopped(most);
  try {
    return await ask();
  } catch (error) {
    if (call.signal?.aborted || !(error instanceof Failure) || statusOf(error) === 401) throw error;
    const message = briefly(error);
    return { problem: problemIn(error), message, itsWords: message === error.message ? undefined : error.message };
  }
}

function problemIn(error: Failure): Problem['problem'] {
  if (error instanceof Busy) return 'busy';
  if (error instanceof TooLarge) return 'too-large';
  return error.code === 'api-answer-lost' && statusOf(error) === undefined ? 'cannot-tell' : 'failed';
}

/** Says what went wrong without a word of the service, which may quote a row. */
function briefly(error: Failure): string {
  const status = statusOf(error);
  if (error instanceof NotRendered) return error.brief.replace(/\.$/, ` (${status}).`);
  if (status !== undefined) return `Omni answered ${status}.`;
  return error.code === 'api-answer-lost' ? 'Omni’s answer did not come, or cannot be read.' : error.message;
}
