// Makes a folder for what is kept, with those above it. Node's own `recursive` never ends where the system answers "no such
// file" for a new name in a folder that exists, as it does below /proc and where homes are mounted on demand.

import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the user can enter what is made. Returns whether the folder is new. */
export function makeFolders(folder: string): boolean {
  if (existsSync(folder)) return false;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another run may have made it meanwhile.
    if (existsSync(folder)) return false;
    throw error;
  }
}
