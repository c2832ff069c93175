// Finds the symbolic links of a workspace. A commit can bring a link, and behind it may be a file with credentials or one
// that `fmt` must not rewrite, so no source is read or written through one. Links that lead to the workspace are the user's.

import { lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../../model/workspace/failure.ts';
import { isInside } from './real-path.ts';

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

/** Where the system does not say, whoever reads the path is told why. */
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
