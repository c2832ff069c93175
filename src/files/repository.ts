// What git knows of a folder, read from the files of the repository: a machine that applies may have a checkout but no
// git, and the configuration of a repository can make git itself run programs.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { FileStatus, Repository } from '../declare/workspace.ts';
import { readRegularNow } from './file-system.ts';
import { realPath, repositoryRoot } from './paths.ts';

/** What git leaves in its folder until an operation is finished or given up. */
const unfinished: Readonly<Record<string, NonNullable<Repository['unfinished']>>> = {
  MERGE_HEAD: 'merge',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
};

/** Undefined outside of a repository, and where git's own files cannot be read. */
export function readRepository(folder: string): Repository | undefined {
  const root = repositoryRoot(realPath(folder));
  if (root === undefined) return undefined;
  try {
    const git = gitFolder(root);
    const left = Object.keys(unfinished).find((name) => existsSync(join(git, name)));
    return {
      ...headOf(textOf(join(git, 'HEAD'))),
      unfinished: left === undefined ? undefined : unfinished[left],
      statusOf: (path) => statusOf(root, path),
      trackedStates: () => trackedStates(root, realPath(folder)),
    };
  } catch {
    return undefined;
  }
}

function trackedStates(root: string, folder: string): readonly string[] {
  const before = relative(root, folder).split(sep).join('/');
  const start = before === '' ? '' : `${before}/`;
  const states = trackedPaths(root)
    .filter((path) => path.startsWith(start) && path.endsWith('.json'))
    .map((path) => path.slice(start.length))
    .filter((path) => path.includes('state'));
  // A file in conflict is in the index once for each side.
  return [...new Set(states)];
}

/** A repository with the newer format of references does not name its branch in HEAD. */
function headOf(head: string): Pick<Repository, 'branch' | 'commit'> {
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (branch !== undefined) return branch === '.invalid' ? {} : { branch };
  return /^[0-9a-f]{40,64}$/.test(head) ? { commit: head } : {};
}

function statusOf(root: string, path: string): FileStatus {
  if (repositoryRoot(realPath(dirname(path))) !== root) return 'outside';
  const entry = indexEntry(path);
  if (entry === undefined) return 'untracked';
  if (entry.stage !== 0) return 'unmerged';
  // Git keeps the target of a link instead.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return 'unchanged';
  return hashesOf(path, entry.hash.length).some((hash) => hash.equals(entry.hash)) ? 'unchanged' : 'changed';
}

/** As git counts the content of a file, also where it was checked out with other line ends; none if it cannot be read. */
function hashesOf(path: string, length: number): readonly Buffer[] {
  const bytes = contentOf(path);
  if (bytes === undefined) return [];
  const withoutReturns = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return [bytes, withoutReturns].map((content) =>
    createHash(length === 32 ? 'sha256' : 'sha1')
      .update(`blob ${content.length}\0`)
      .update(content)
      .digest(),
  );
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readRegularNow(path);
  } catch {
    return undefined;
  }
}

// Tells whether git tracks a file, and whether a merge left it in conflict, from the index of the file's repository. A
// tracked file may have come with a commit of somebody else, so a journal, a lock or a saved plan that git tracks is not
// trusted. The index is read here because a machine that applies may have a checkout but no git. Format: https://git-scm.com/docs/index-format

/**
 * `path` is absolute; the file itself is not followed if it is a link. False outside of a repository. A split index names
 * only some of the files, so any file may be tracked.
 */
export function isTracked(path: string): boolean {
  return lookUp(path) !== undefined;
}

/** Whether a merge of the file is unfinished. With `-merge` in .gitattributes the file itself shows nothing of it. */
export function isUnmerged(path: string): boolean {
  return (indexEntry(path)?.stage ?? 0) !== 0;
}

interface IndexEntry {
  readonly path: string;
  /** 0, or of a merge: 1 the base, 2 ours, 3 theirs. */
  readonly stage: number;
  /** The id of the content that git has of it. */
  readonly hash: Buffer;
}

/** The entry of a file, or its first one in a merge; undefined if git does not track it. */
function indexEntry(path: string): IndexEntry | undefined {
  const found = lookUp(path);
  return found === 'split' ? undefined : found;
}

function lookUp(path: string): IndexEntry | 'split' | undefined {
  const folder = realPath(dirname(path));
  const root = repositoryRoot(folder);
  if (root === undefined) return undefined;
  // Git on a system that ignores case checks the file out under either spelling.
  const wanted = relative(root, join(folder, basename(path)))
    .split(sep)
    .join('/')
    .toLowerCase();
  const entries = indexOf(root);
  for (;;) {
    const { done, value } = entries.next();
    if (done || value.path.toLowerCase() === wanted) return value;
  }
}

/** Every path that git tracks in a repository, relative to its root. */
function trackedPaths(root: string): readonly string[] {
  return [...indexOf(root)].map(({ path }) => path);
}

/** Where git keeps what belongs to this working copy. `.git` is a file in a worktree or a submodule. */
function gitFolder(root: string): string {
  const git = join(root, '.git');
  return statSync(git).isDirectory() ? git : linkedFolder(git);
}

type Entries = Generator<IndexEntry, 'split' | undefined, undefined>;

/** The entries of the index of a repository; none if there is no index, or git's own files cannot be read. */
function* indexOf(root: string): Entries {
  let index: Buffer;
  let hash: number;
  try {
    const folder = gitFolder(root);
    index = readRegularNow(join(folder, 'index'));
    hash = hashLength(folder);
  } catch {
    return undefined;
  }
  return yield* entriesIn(index, hash);
}

function linkedFolder(git: string): string {
  return resolve(dirname(git), textOf(git).replace(/^gitdir:\s*/, ''));
}

function textOf(path: string): string {
  return readRegularNow(path).toString('utf8').trim();
}

/** In bytes: 20 for SHA-1, 32 for SHA-256. */
function hashLength(folder: string): number {
  const common = join(folder, 'commondir');
  const home = existsSync(common) ? resolve(folder, textOf(common)) : folder;
  const config = join(home, 'config');
  return existsSync(config) && /^\s*objectformat\s*=\s*sha256/im.test(textOf(config)) ? 32 : 20;
}

const header = 12;
/** Times, device, inode, mode, owner and size of an entry. */
const statLength = 40;
const extended = 0x4000;

function* entriesIn(index: Buffer, hash: number): Entries {
  if (index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  let at = header;
  let previous = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flags = at + statLength + hash;
    let start = flags + ((index.readUInt16BE(flags) & extended) === 0 ? 2 : 4);
    let kept = Buffer.alloc(0);
    if (version === 4) {
      const { value, next } = readOffset(index, start);
      kept = previous.subarray(0, previous.length - value);
      start = next;
    }
    const end = index.indexOf(0, start);
    previous = Buffer.concat([kept, index.subarray(start, end)]);
    const content = index.subarray(flags - hash, flags);
    yield { path: previous.toString('utf8'), stage: (index.readUInt16BE(flags) >> 12) & 3, hash: content };
    // Until version 3, one to eight zero bytes make the length of an entry a multiple of eight.
    at = version === 4 ? end + 1 : at + Math.floor((end - at + 8) / 8) * 8;
  }
  // Extensions: a name, a length and as many bytes. The checksum of the file follows.
  for (; at + 8 < index.length - hash; at += 8 + index.readUInt32BE(at + 4)) {
    if (index.toString('latin1', at, at + 4) === 'link') return 'split';
  }
  return undefined;
}

/** The number of bytes that version 4 cuts off the previous path, in the encoding of a pack's offsets. */
function readOffset(index: Buffer, start: number): { readonly value: number; readonly next: number } {
  let next = start;
  let byte = index.readUInt8(next);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    next += 1;
    byte = index.readUInt8(next);
    value = (value + 1) * 0x80 + (byte & 0x7f);
  }
  return { value, next: next + 1 };
}
