// Lets Node keep what it compiles for the next run, in the user's cache folder, where it knows how (22.1 and later). It
// checks what it finds there against the source text, and does without where the folder cannot be used.

import module from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

/** Concerns the modules that are loaded after the call. */
export function keepCompiled(environment: Readonly<Record<string, string | undefined>>): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
  const folder = enableCompileCache === undefined ? undefined : cacheFolder(environment);
  if (folder !== undefined) enableCompileCache?.(join(folder, 'compiled'));
}
