// Keeps what was compiled of the program for the next run, in the user's cache folder. Node does it from 22.1 on, and
// checks what it finds against the source text; before that, kept-code.ts does.

import { join } from 'node:path';
import { isOwnFolder, makeFolders, mayMakeFolder, nearestFolder, toEnter, toWrite } from '../files/private-place.ts';
import { keepCode, type Require } from './kept-code.ts';
import { isInRepository, removeOldest } from './kept-folder.ts';

/** A folder for each program that was installed. */
const mostBuilds = 4;
/** The first minor version of it has it not yet. */
const firstWithKeeping = 22;

export interface Program {
  /** Of the user's caches; undefined: there is none. */
  readonly cache: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Tells this program from every other one. */
  readonly build: string;
  /** Node's own, of the file that it was started with. */
  readonly require: Require;
}

/** Concerns the modules that are loaded after the call. Nothing is kept where something is unusual about the folder. */
export function keepCompiled({ cache, environment, build, require }: Program): void {
  // A system without owners cannot say who wrote a file.
  const user = process.geteuid?.();
  const isOff = (environment['NODE_DISABLE_COMPILE_CACHE'] ?? '') !== '';
  if (cache === undefined || user === undefined || isOff) return;
  const compiled = join(cache, 'compiled');
  const folder = join(compiled, build);
  try {
    if (isInRepository(nearestFolder(folder)) || !mayMakeFolder(folder, user)) return;
    const isNew = makeFolders(folder);
    if (!isOwnFolder(cache, user, toWrite)) return;
    if (![compiled, folder].every((path) => isOwnFolder(path, user, toEnter))) return;
    if (isNew) removeOldest(compiled, mostBuilds);
    const enableCompileCache = ownKeeping(require);
    if (enableCompileCache === undefined) keepCode({ folder, user, require });
    else enableCompileCache(folder);
  } catch {
    // The folder cannot be made or read.
  }
}

/** Of Node. Versions that have it not are not asked, because the module that would have it takes long to load. */
function ownKeeping(require: Require): ((folder: string) => unknown) | undefined {
  if (Number.parseInt(process.versions.node, 10) < firstWithKeeping) return undefined;
  return (require('node:module') as { readonly enableCompileCache?: (folder: string) => unknown }).enableCompileCache;
}
