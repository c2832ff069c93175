// The shape of the state branch: `almanac.state.json`, the state for people, and `log/`, the newest commit entry and what
// followed it. A tip of any other shape was not written by Almanac, and is never built upon.

import { Failure } from '../../../model/workspace/failure.ts';
import type { GetObject, GitObject } from './object-reader.ts';

export const stateFile = 'almanac.state.json';
const logFolder = 'log';
const digits = 12;
/** More than a run writes between two states. */
const mostEntries = 100_000;

export function entryPath(n: number): string {
  return `${logFolder}/${String(n).padStart(digits, '0')}.json`;
}

/** One commit of the branch. */
export interface LogCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** The number of the first entry in `log/`. */
  readonly low: number;
  /** The number of the entry that the commit added. */
  readonly high: number;
  /** The object of each entry, from the first on. */
  readonly blobs: readonly string[];
  readonly hasState: boolean;
}

/**
 * Whether the later commit was built upon the earlier one. Each entry is one commit, and its last parent is the one of the
 * entry before.
 */
export async function followsFrom(get: GetObject, later: LogCommit, earlier: LogCommit): Promise<boolean> {
  let at: string | undefined = later.id;
  for (let n = later.high; n > earlier.high && at !== undefined; n -= 1) {
    const commit = await get(at);
    at = commit?.type === 'commit' ? parentsIn(headerOf(commit)).at(-1) : undefined;
  }
  return at === earlier.id && later.high >= earlier.high;
}

function headerOf({ bytes }: GitObject): string {
  return bytes.toString('latin1').split('\n\n', 1)[0] ?? '';
}

function parentsIn(header: string): readonly string[] {
  return [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent);
}

/** Undefined if the commit is not in the repository. Throws Failure state-unreadable if it is not one of Almanac's. */
export async function readLogCommit(get: GetObject, id: string, name: string): Promise<LogCommit | undefined> {
  const commit = await get(id);
  if (commit === undefined) return undefined;
  if (commit.type !== 'commit') throw foreign(name, 'it is not a commit');
  const header = headerOf(commit);
  const tree = /^tree ([0-9a-f]+)$/m.exec(header)?.[1] ?? '';
  const parents = parentsIn(header);
  const root = filesOf(await get(tree), name);
  const log = root.find((file) => file.name === logFolder);
  const state = root.find((file) => file.name === stateFile);
  const stray = root.find((file) => file !== log && file !== state);
  if (stray !== undefined) throw foreign(name, `it also holds ${JSON.stringify(stray.name.slice(0, 100))}`);
  if (log?.mode !== '40000') throw foreign(name, `it has no folder ${logFolder}`);
  if (state !== undefined && state.mode !== plainFile) throw foreign(name, `${stateFile} is not a plain file`);
  const entries = filesOf(await get(log.id), name);
  const [low, high] = [entries[0], entries.at(-1)].map((file) => numberOf(file?.name ?? ''));
  if (low === undefined || high === undefined || low < 1)
    throw foreign(name, `its folder ${logFolder} holds no entries`);
  if (entries.length > mostEntries)
    throw foreign(name, `its folder ${logFolder} holds more than ${mostEntries} entries`);
  for (const [index, { name: file, mode }] of entries.entries()) {
    if (numberOf(file) !== low + index) throw foreign(name, `its folder ${logFolder} has a gap`);
    if (mode !== plainFile) throw foreign(name, `an entry in its folder ${logFolder} is not a plain file`);
  }
  if (parents.length > 2 || (parents.length === 0) !== (high === 1))
    throw foreign(name, 'its history does not fit its entries');
  return { id: commit.id, parents, low, high, blobs: entries.map((file) => file.id), hasState: state !== undefined };
}

interface TreeFile {
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

const plainFile = '100644';

/** A tree is a row of mode, space, name, zero and id. */
function filesOf(tree: GitObject | undefined, name: string): readonly TreeFile[] {
  if (tree?.type !== 'tree') throw foreign(name, 'it has no files');
  const { bytes, idBytes } = tree;
  const files: TreeFile[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const zero = bytes.indexOf(0, space);
    const next = zero + 1 + idBytes;
    if (space < 0 || zero < 0 || next > bytes.length) throw foreign(name, 'a folder in it is damaged');
    files.push({
      mode: bytes.toString('latin1', at, space),
      name: bytes.toString('utf8', space + 1, zero),
      id: bytes.toString('hex', zero + 1, next),
    });
    at = next;
  }
  return files;
}

function numberOf(file: string): number | undefined {
  return /^\d{12}\.json$/.test(file) ? Number(file.slice(0, digits)) : undefined;
}

function foreign(name: string, why: string): Failure {
  return new Failure('state-unreadable', `The newest commit of ${name} was not written by Almanac: ${why}.`, {
    hint: 'Set `state.branch` in almanac.yaml to a branch that only Almanac writes. If it was this one, restore its last commit by Almanac.',
  });
}
