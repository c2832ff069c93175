// Finds the place of a workspace in its repository: other programs name files relative to the repository's root.

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
  const named = new Set(roots.filter(isAbsolute).map(realPath));
  for (let root = start; ; root = dirname(root)) {
    if (named.has(root) || existsSync(join(root, '.git')))
      return { root, folder: relative(root, start).split(sep).join('/') };
    if (dirname(root) === root) return undefined;
  }
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
