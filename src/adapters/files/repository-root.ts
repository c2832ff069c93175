// Finds the place of a workspace in its repository: other programs name files relative to the repository's root.

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { realPath } from './real-path.ts';

/**
 * A folder's path from its repository's root, with `/`; empty at the root and outside of a repository. The root is the
 * nearest parent that contains `.git` or is one of `roots`, which a CI names if it has no git.
 */
export function pathInRepository(folder: string, roots: readonly string[]): string {
  const start = realPath(folder);
  const named = new Set(roots.filter(isAbsolute).map(realPath));
  for (let root = start; ; root = dirname(root)) {
    if (named.has(root) || existsSync(join(root, '.git'))) return relative(root, start).split(sep).join('/');
    if (dirname(root) === root) return '';
  }
}
