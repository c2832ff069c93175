// Whether code may be run that is kept in a folder: only if nobody else can have put it there. What git writes when it checks
// a repository out is not private, so a commit cannot put code there either.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const writableByOthers = 0o022;
const openToOthers = 0o077;

const isOwn = (stats: Stats, user: number, refused: number) => stats.uid === user && (stats.mode & refused) === 0;

/** The folder, or the nearest one above it that exists. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(dirname(folder));
}

/** With sudo, HOME may be that of somebody else, who could not remove what is put there. */
export function mayHoldFolderOf(user: number, above: string): boolean {
  const { uid } = statSync(above);
  return uid === user || uid === 0;
}

/** A folder of the user, and no link to one. */
export function isOwnFolder(folder: string, user: number): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOwn(stats, user, writableByOthers);
}

/** One that nobody else can enter. */
export function isPrivateFolder(folder: string, user: number): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOwn(stats, user, openToOthers);
}

export function isInRepository(folder: string): boolean {
  for (let above = realpathSync(folder); ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return true;
    if (above === dirname(above)) return false;
  }
}

/** Undefined if there is no such file, or if it is not private to the user. */
export function readTrusted(path: string, user: number, mostBytes: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const stats = fstatSync(file);
    return stats.isFile() && isOwn(stats, user, openToOthers) && stats.size <= mostBytes
      ? readFileSync(file)
      : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Keeps what was written last. */
export function removeOldest(folder: string, most: number): void {
  const names = readdirSync(folder);
  if (names.length <= most) return;
  const written = names.map((name) => {
    const path = join(folder, name);
    return { path, at: lstatSync(path).mtimeMs };
  });
  const oldest = written.sort((a, b) => b.at - a.at).slice(most);
  for (const { path } of oldest) rmSync(path, { recursive: true, force: true });
}
