// Whether code may be run that is kept in a folder: only if nobody else can have put it there.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';

const writableByOthers = 0o022;

const isOwn = (stats: Stats, user: number) => stats.uid === user && (stats.mode & writableByOthers) === 0;

/** A folder of the user, and no link to one. */
export function isTrusted(folder: string, user: number): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOwn(stats, user);
}

/** Undefined if there is no such file, if it belongs to somebody else, or if others may write it. */
export function readTrusted(path: string, user: number, mostBytes: number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const stats = fstatSync(file);
    return stats.isFile() && isOwn(stats, user) && stats.size <= mostBytes ? readFileSync(file) : undefined;
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
