// The folder of compiled code, in the user's cache folder. What is in it is run, so only the user may be able to put
// something there.

import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOwnFolder, makeFolders, mayMakeFolder, nearestFolder, toEnter, toWrite } from './private-place.ts';

/** A folder for each program that was installed. */
const mostBuilds = 4;

/** Made if it is missing. Undefined: no code may be kept, because something is unusual about the folder. */
export function codeFolder(
  cache: string | undefined,
  build: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  // A system without owners cannot say who wrote a file.
  const user = process.geteuid?.();
  const isOff = (environment['NODE_DISABLE_COMPILE_CACHE'] ?? '') !== '';
  if (cache === undefined || user === undefined || isOff) return undefined;
  const compiled = join(cache, 'compiled');
  const folder = join(compiled, build);
  try {
    if (isInRepository(nearestFolder(folder)) || !mayMakeFolder(folder, user)) return undefined;
    const isNew = makeFolders(folder);
    if (!isOwnFolder(cache, user, toWrite)) return undefined;
    if (![compiled, folder].every((path) => isOwnFolder(path, user, toEnter))) return undefined;
    if (isNew) removeOldest(compiled, mostBuilds);
    return folder;
  } catch {
    // It cannot be made or read.
    return undefined;
  }
}

/** What git writes when it checks a repository out is not private, but it may be the user's own. */
function isInRepository(folder: string): boolean {
  for (let above = realpathSync(folder); ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return true;
    if (above === dirname(above)) return false;
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
