// Finds the repository around a folder, and the folder's place in it: other programs name files relative to its root.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { realPath } from './real-path.ts';

export interface PlaceInRepository {
  /** Absolute, links followed. */
  readonly root: string;
  /** The folder, from the root, with `/`; empty for the root itself. */
  readonly folder: string;
}

/**
 * Where a folder is in its repository, whether the folder exists or not; undefined outside of one. The root is the
 * nearest parent that contains `.git` or is one of `roots`, which a CI names if it has no git.
 */
export function placeInRepository(path: string, roots: readonly string[] = []): PlaceInRepository | undefined {
  const start = realOrPlanned(path);
  const root = repositoryRoot(start, new Set(roots.filter(isAbsolute).map(realPath)));
  return root === undefined ? undefined : { root, folder: relative(root, start).split(sep).join('/') };
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

/** The real path of what exists of it, and the rest as it is written. */
function realOrPlanned(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOrPlanned(dirname(path)), basename(path));
  }
}
