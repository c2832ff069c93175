// Keeps what was compiled of the program for the next run, in the user's cache folder. Node does it from 22.1 on, and
// checks what it finds against the source text; before that, kept-code.ts does.

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keepCode, type Require } from './kept-code.ts';
import { isInRepository, isOwnFolder, isPrivateFolder, removeOldest } from './trusted-place.ts';

/** A folder for each program that was installed. */
const mostBuilds = 4;

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
    const isNew = makeFolders(folder);
    if (!isOwnFolder(cache, user) || ![compiled, folder].every((path) => isPrivateFolder(path, user))) return;
    if (isInRepository(folder)) return;
    if (isNew) removeOldest(compiled, mostBuilds);
    const { enableCompileCache } = require('node:module') as {
      readonly enableCompileCache?: (folder: string) => unknown;
    };
    if (enableCompileCache === undefined) keepCode({ folder, user, require });
    else enableCompileCache(folder);
  } catch {
    // The folder cannot be made or read.
  }
}

/** As make-folders.ts does it, without a file that the start would have to load. Returns whether the folder is new. */
function makeFolders(folder: string): boolean {
  if (existsSync(folder)) return false;
  makeFolders(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  return true;
}
