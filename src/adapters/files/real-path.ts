// Where a path really is, and whether that is inside a folder.

import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { errnoOf } from './file-system.ts';

export function isInside(root: string, absolute: string): boolean {
  // So it is for thousands of files, and without two dots nothing leads up again.
  if (absolute.startsWith(root + sep) && !absolute.includes('..')) return true;
  const path = relative(root, absolute);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** The path after following its links; as it is if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The real path of a folder, or of its nearest existing parent. */
export function realAncestor(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    return realAncestor(dirname(folder));
  }
}
