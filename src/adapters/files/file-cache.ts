// The cache as private files in the user's cache folder. On any error it behaves as if it were empty, and so it does for a
// file that is not as it was written: its first line is a digest of the rest.
//
// What it answers may be anything that this user wrote, and nothing that anybody else did: no file of another user is
// read, no link is followed, and nothing is kept in the repository of the workspace, where a commit could put an entry.
// Writers need no lock: an entry appears as a whole, and the last one counts.

import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from '../../ports/cache.ts';
import { isOwnFolder, makeFolders, mayMakeFolder, readOwnFile, toEnter, toWrite, type User } from './private-place.ts';
import { isInside, realAncestor, realPath } from './real-path.ts';
import { repositoryRoot } from './repository-root.ts';

/** What may be kept. A workspace of 100,000 schedules takes about 50 MB. */
export interface CacheLimits {
  readonly files: number;
  /** Of all files together, and so of each. */
  readonly bytes: number;
}

const defaultLimits: CacheLimits = { files: 50, bytes: 200_000_000 };

export interface FileCacheOptions {
  /** Undefined: nothing is kept. */
  readonly folder: string | undefined;
  /** The folder of the workspace, absolute. */
  readonly root: string;
  readonly limits?: CacheLimits;
  readonly user?: User;
}

export function openFileCache(options: FileCacheOptions): Cache {
  const { root, limits = defaultLimits, user = process.geteuid?.() } = options;
  const folder = attempt(() => outsideOf(root, options.folder));
  if (folder === undefined) return { read: async () => undefined, write: async () => {} };
  const pathOf = (key: string) => join(folder, `${key}.json`);
  return {
    read: async (key) =>
      attempt(() => (isOwnFolder(folder, user, toWrite) ? readKept(pathOf(key), user, limits.bytes) : undefined)),
    write: async (key, text) => {
      attempt(() => {
        const rest = Buffer.from(text);
        const bytes = Buffer.concat([Buffer.from(`${digestOf(rest)}\n`), rest]);
        if (bytes.length > limits.bytes || !makeOwn(folder, user)) return;
        replace(pathOf(key), bytes);
        removeOldest(folder, limits, `${key}.json`);
      });
    },
  };
}

/** The folder, unless it is in the repository of the workspace, or a link leads there. */
function outsideOf(root: string, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const workspace = realPath(root);
  return isInside(repositoryRoot(workspace) ?? workspace, realAncestor(folder)) ? undefined : folder;
}

/** Makes the folder, and makes it private. False where it cannot be that. */
function makeOwn(folder: string, user: User): boolean {
  if (!mayMakeFolder(folder, user)) return false;
  makeFolders(folder);
  if (!isOwnFolder(folder, user, 0)) return false;
  if (!isOwnFolder(folder, user, toEnter)) chmodSync(folder, 0o700);
  return true;
}

/** Undefined for what is not the user's own, or not whole. */
function readKept(path: string, user: User, mostBytes: number): string | undefined {
  const file = readOwnFile(path, user, toWrite, mostBytes);
  return file === undefined ? undefined : wholeText(file);
}

/** Of bytes, not of the text: a run that finds everything kept checks them all, and has nothing else to encode. */
function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

function wholeText(file: Buffer): string | undefined {
  const end = file.indexOf('\n');
  const isWhole = end >= 0 && file.toString('latin1', 0, end) === digestOf(file.subarray(end + 1));
  return isWhole ? file.toString('utf8', end + 1) : undefined;
}

function replace(path: string, bytes: Uint8Array): void {
  // Runs in several containers may share the folder, and their process numbers.
  const beside = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    writeFileSync(beside, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(beside, path);
  } catch {
    attempt(() => unlinkSync(beside));
  }
}

/**
 * Of many workspaces and organizations, those that were written last are kept, `latest` in any case. What killed runs
 * left counts as well. A time in the future is that of a clock which was wrong, and counts as none.
 */
function removeOldest(folder: string, { files, bytes }: CacheLimits, latest: string): void {
  const names = readdirSync(folder).filter((name) => /\.(?:json|tmp)$/.test(name));
  const now = Date.now();
  const found = names.flatMap((name) => {
    const path = join(folder, name);
    const { mtimeMs, size } = attempt(() => lstatSync(path)) ?? { mtimeMs: 0, size: 0 };
    const at = mtimeMs > now + mostSkew ? 0 : mtimeMs;
    return [{ path, size, at: name === latest ? Number.POSITIVE_INFINITY : at }];
  });
  let [count, sum] = [0, 0];
  for (const { path, size } of found.sort((a, b) => b.at - a.at)) {
    count += 1;
    sum += size;
    if (count > files || sum > bytes) attempt(() => unlinkSync(path));
  }
}

/** Milliseconds. */
const mostSkew = 60_000;

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
