// Finds out where a path really leads, through which links, and in which repository.

import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { byCodeUnit } from '../model/values/json.ts';
import { Failure } from '../model/workspace/failure.ts';

export function isInside(root: string, absolute: string): boolean {
  // This is so for thousands of files, and without two dots nothing leads up again.
  if (absolute.startsWith(root + sep) && !absolute.includes('..')) return true;
  const path = relative(root, absolute);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** The path after following its links: that of what exists of it, and the rest as it is written. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

export const linkHint =
  'Almanac follows no links for source files. Replace the link with the file or folder itself, or narrow `sources`.';

/**
 * Returns the first link on the way from the root to a path below it, if there is one. Each folder is asked for once, so a
 * finder lasts no longer than the folders stay as they are.
 */
export function linkFinder(root: string): (path: string) => string | undefined {
  const plain = new Set([resolve(root)]);
  return function find(given): string | undefined {
    const path = resolve(given);
    if (plain.has(path) || !isInside(root, path)) return undefined;
    const above = find(dirname(path));
    if (above !== undefined) return above;
    if (isLink(path)) return path;
    plain.add(path);
    return undefined;
  };
}

/** False if the system does not say: whoever reads the path is told why. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Throws Failure usage if the path is a link, or behind one. `name`: the path as users know it. */
export function refuseLinks(root: string, path: string, name: string): void {
  const link = linkFinder(root)(path);
  if (link === undefined) return;
  const what = link === resolve(path) ? 'it is a symbolic link' : `${link} is a symbolic link`;
  throw new Failure('usage', `${name} cannot be written: ${what}.`, {
    hint: 'Almanac writes no file through a link. Replace the link with the file or folder itself.',
  });
}

/** True if a real path is that of a state, or of what Almanac keeps next to it: the journal, the lock, copies. */
export function isOrBeside(state: string, real: string): boolean {
  const own = realPath(state);
  return real === own || real.startsWith(`${own}.`);
}

export interface PlaceInRepository {
  /** Absolute, links followed. */
  readonly root: string;
  /** The folder, from the root, with `/`; empty for the root itself. */
  readonly folder: string;
}

/**
 * The place of a folder in its repository, whether the folder exists or not; undefined outside of one. The root is the
 * nearest parent that contains `.git` or is one of `roots`, which a CI names if it has no git.
 */
export function placeInRepository(path: string, roots: readonly string[] = []): PlaceInRepository | undefined {
  const start = realPath(path);
  const root = repositoryRoot(start, new Set(roots.filter(isAbsolute).map(realPath)));
  return root === undefined ? undefined : { root, folder: relative(root, start).split(sep).join('/') };
}

/** The names of the folders in a folder, without links; none where it cannot be read. */
export function foldersIn(path: string): readonly string[] {
  try {
    const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return folders.map(({ name }) => name).sort(byCodeUnit);
  } catch {
    return [];
  }
}

/** The nearest folder that contains `.git` or is one of `roots`: this one or one above it. */
export function repositoryRoot(folder: string, roots: ReadonlySet<string> = new Set()): string | undefined {
  if (roots.has(folder) || existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : repositoryRoot(dirname(folder), roots);
}

/** A folder's path from its repository's root; empty at the root and outside of a repository. */
export function pathInRepository(folder: string, roots: readonly string[]): string {
  return placeInRepository(folder, roots)?.folder ?? '';
}
