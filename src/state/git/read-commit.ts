// Reads the files of another commit. It fetches only what a partial clone lacks.

import { promises as files } from 'node:fs';
import { join, resolve } from 'node:path';
import { type GitRun, withAskedRemote } from '../../files/git.ts';
import { decodeUtf8, pointerOf } from '../../files/read-source.ts';
import type { Variables } from '../../model/outside.ts';

export interface CommittedFiles {
  /** The path of every file below the workspace that the tree of the commit has, from the root of the workspace. */
  readonly paths: readonly string[];
  /** The submodules that the tree of the commit has, by path: true if the checkout has the same commit of one. */
  readonly submodules: ReadonlyMap<string, boolean>;
  /** The path of every file below the workspace that the tree of HEAD has. */
  readonly pathsNow: ReadonlySet<string>;
  /** The texts of the chosen files that differ from those on the disk, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The chosen files whose texts nobody knows, by path. */
  readonly notCompared: ReadonlyMap<string, NotCompared>;
}

/** `lfs`: the clone does not have the file's object of Git LFS. `unread`: git does not have, or not give, its content. */
export type NotCompared = 'lfs' | 'unread';

/** A clone, as the questions about another commit need it. */
export interface AskedClone {
  /** The root of the clone. */
  readonly folder: string;
  /** The path of the workspace from there; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly environment: Variables;
  readonly signal?: AbortSignal | undefined;
  /** Asks git about the clone without a remote; undefined if it could not be started. */
  readonly ask: (input: readonly string[], ...args: readonly string[]) => Promise<GitRun | undefined>;
}

/**
 * The files of a commit below the workspace; undefined if git cannot list them. `choose` picks those to read.
 *
 * A file whose blob is that of HEAD, and that is not edited here, is the file on the disk, and is in none of the answers: filters,
 * line ends and encodings cancel out. Any other blob is read raw. In place of a pointer of Git LFS, the object that the clone has
 * is read. Whether a path exists is asked of the tree alone, so a file that cannot be read never counts as missing. What a partial
 * clone lacks comes by its ids, all blobs in one fetch, with the credentials of the clone; a shallow clone is never deepened.
 */
export async function readCommit(
  clone: AskedClone,
  commit: string,
  choose: (paths: readonly string[]) => Promise<readonly string[]>,
): Promise<CommittedFiles | undefined> {
  let there = await treeAt(clone, commit);
  if (there === undefined && (await fetchTree(clone, commit))) there = await treeAt(clone, commit);
  const here = await treeAt(clone, 'HEAD');
  const edited = await editedIn(clone);
  if (there === undefined || here === undefined || edited === undefined) return undefined;
  const { blobs, commits } = there;
  const paths = [...blobs.keys()];
  const isOnDisk = (path: string) => blobs.get(path) === here.blobs.get(path) && !edited.has(path);
  const chosen = (await choose(paths)).filter((path) => !isOnDisk(path));
  const contents = await readBlobs(clone, [...new Set(chosen.map((path) => blobs.get(path) ?? ''))]);
  const texts = new Map<string, string>();
  const notCompared = new Map<string, NotCompared>();
  for (const path of chosen) {
    const read = await textOf(clone, contents.get(blobs.get(path) ?? ''));
    if (typeof read === 'string') notCompared.set(path, read);
    else texts.set(path, read.text);
  }
  const isHere = (path: string, id: string) => here.commits.get(path) === id && !edited.has(path);
  const submodules = new Map([...commits].map(([path, id]) => [path, isHere(path, id)]));
  return { paths, submodules, pathsNow: new Set(here.blobs.keys()), texts, notCompared };
}

async function textOf(
  clone: AskedClone,
  content: Buffer | undefined,
): Promise<{ readonly text: string } | NotCompared> {
  if (content === undefined) return 'unread';
  const decoded = decodeUtf8(content);
  if (!('text' in decoded)) return 'unread';
  const oid = pointerOf(decoded.text);
  if (oid === undefined) return decoded;
  const fetched = await lfsObject(clone, oid);
  if (fetched === undefined) return 'lfs';
  const object = decodeUtf8(fetched);
  return 'text' in object ? object : 'unread';
}

async function lfsObject(clone: AskedClone, oid: string): Promise<Buffer | undefined> {
  const git = (await printed(clone, 'rev-parse', '--git-common-dir'))?.trim();
  if (git === undefined) return undefined;
  const path = join(resolve(clone.folder, git), 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
  return files.readFile(path).catch(() => undefined);
}

async function printed({ ask }: AskedClone, ...args: readonly string[]): Promise<string | undefined> {
  const run = await ask([], ...args);
  return run?.code === 0 ? run.stdout.toString('utf8') : undefined;
}

/** The paths that git is to look at: those of the workspace, of which `prefix` is the path in the repository. */
export function pathsBelow(prefix: string): readonly string[] {
  return prefix === '' ? [] : [`:(literal)${prefix}`];
}

interface Tree {
  readonly blobs: ReadonlyMap<string, string>;
  /** The commits of submodules. */
  readonly commits: ReadonlyMap<string, string>;
}

/** The ids of a commit's files and submodules, by path from the root of the workspace. Links are left out. */
async function treeAt(clone: AskedClone, commit: string): Promise<Tree | undefined> {
  const { prefix } = clone;
  const listed = await printed(clone, 'ls-tree', '-r', '-z', commit, ...(prefix === '' ? [] : [prefix]));
  if (listed === undefined) return undefined;
  const [blobs, commits] = [new Map<string, string>(), new Map<string, string>()];
  for (const entry of listed.split('\0')) {
    const [, type, id = '', path = ''] = /^(100644 blob|100755 blob|160000 commit) (\w+)\t(.+)$/s.exec(entry) ?? [];
    if (type !== undefined) (type === '160000 commit' ? commits : blobs).set(path.slice(prefix.length), id);
  }
  return { blobs, commits };
}

/** The files that differ from HEAD on the disk or in the index, by path from the root of the workspace. */
async function editedIn(clone: AskedClone): Promise<ReadonlySet<string> | undefined> {
  const { prefix } = clone;
  const options = ['--name-only', '--no-renames', '-z', '--ignore-submodules=dirty'];
  const off = await filtersOff(clone);
  const told = off && (await printed(clone, ...off, 'diff-index', ...options, 'HEAD', '--', ...pathsBelow(prefix)));
  return told === undefined ? undefined : new Set(told.split('\0').map((path) => path.slice(prefix.length)));
}

/**
 * The options that turn off each filter of the configuration: git runs one to compare a file that was written in the same moment as
 * the index, and nothing of a checkout may run a program. Undefined if git does not tell, or an option cannot name a filter.
 */
async function filtersOff({ ask }: AskedClone): Promise<readonly string[] | undefined> {
  const run = await ask([], 'config', '-z', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|process|required)$');
  if (run === undefined || (run.code !== 0 && run.code !== 1)) return undefined;
  const names = run.stdout
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');
  if (names.some((name) => name.includes('='))) return undefined;
  return names.flatMap((name) => ['-c', name.endsWith('.required') ? `${name}=false` : `${name}=`]);
}

/** The contents of blobs by their ids, as far as the clone has them or its remote gives them. */
export async function readBlobs(clone: AskedClone, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const read = async (names: readonly string[]) => {
    if (names.length === 0) return;
    const objects = (await readObjects(clone, names)) ?? [];
    for (const [index, id] of names.entries()) {
      const content = objects[index];
      if (content !== undefined) found.set(id, content);
    }
  };
  await read(ids);
  const lacking = ids.filter((id) => !found.has(id));
  if (lacking.length > 0 && (await fetchObjects(clone, lacking))) await read(lacking);
  return found;
}

/** The contents of the objects of these names, in their order, each undefined if the clone lacks it; undefined if git does not tell. */
export async function readObjects(
  { ask }: Pick<AskedClone, 'ask'>,
  names: readonly string[],
): Promise<readonly (Buffer | undefined)[] | undefined> {
  const run = await ask(
    names.map((name) => `${name}\n`),
    'cat-file',
    '--batch',
  );
  if (run?.code !== 0) return undefined;
  const { stdout } = run;
  const contents: (Buffer | undefined)[] = [];
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf('\n', at);
    const [, type = '', size] = stdout.toString('utf8', at, end).split(' ');
    at = end + 1;
    contents.push(type === 'missing' ? undefined : stdout.subarray(at, at + Number(size)));
    if (type !== 'missing') at += Number(size) + 1;
  }
  return contents;
}

/** Fetches the trees of a commit that a clone without trees lacks. Returns false if there is nothing to fetch them from. */
async function fetchTree(clone: AskedClone, commit: string): Promise<boolean> {
  const [content] = (await readObjects(clone, [commit])) ?? [];
  const [, tree] = /^tree ([0-9a-f]+)$/m.exec(content?.toString('utf8') ?? '') ?? [];
  return tree !== undefined && fetchObjects(clone, [tree]);
}

/** Milliseconds that a remote may take to send what is lacking. */
const fetchMs = 60_000;

/** Fetches objects by their ids, as git itself would one after the other. Returns false in a clone that is not a partial one. */
async function fetchObjects(clone: AskedClone, ids: readonly string[]): Promise<boolean> {
  const promisors = await printed(clone, 'config', '--get-regexp', String.raw`^remote\..*\.promisor$`);
  const [, remote] = /^remote\.(.+)\.promisor true$/m.exec(promisors ?? '') ?? [];
  if (remote === undefined) return false;
  const fetch = ['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head'];
  const bare = ['--recurse-submodules=no', '--filter=blob:none', '--stdin', '--upload-pack=git-upload-pack'];
  const { folder, environment, signal } = clone;
  const input = ids.map((id) => `${id}\n`);
  const options = { environment, signal, input, limitMs: fetchMs };
  const run = await withAskedRemote(folder, options, ...fetch, ...bare, '--', remote).catch(() => undefined);
  return run?.code === 0;
}
