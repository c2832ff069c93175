// Loads what a workspace declares in as little time as the machine allows: what an earlier run kept is not parsed again,
// and many new files are parsed in several threads. Both give what `load` alone would find.

import type { Cache } from '../../ports/cache.ts';
import type { OpenParsePool } from '../../ports/parse-pool.ts';
import { keptDocuments, keptName } from './kept-documents.ts';
import { type Loaded, type LoadOptions, load } from './load.ts';
import { parseAhead } from './parse-ahead.ts';

export interface Shortcuts {
  /** Undefined: this thread parses everything. */
  readonly openPool: OpenParsePool | undefined;
  /** Undefined: every file is parsed. */
  readonly kept: KeptBetweenRuns | undefined;
}

export interface KeptBetweenRuns {
  /** Outside of the workspace with this root. */
  openCache(root: string): Promise<Cache>;
  /** Tells the program from every other one, which may parse differently. */
  readonly program: string;
}

/** Throws as `load` does. */
export async function loadQuickly(
  options: Omit<LoadOptions, 'prepare' | 'parse' | 'checkedConfig'>,
  { openPool, kept: between }: Shortcuts,
): Promise<Loaded> {
  const ahead = parseAhead({ openPool, signal: options.signal });
  if (between === undefined) return load({ ...options, ...ahead });
  const { workspace, paths = [] } = options;
  const cache = await between.openCache(workspace.root);
  const name = keptName(workspace.root);
  const kept = keptDocuments(await cache.read(name), between.program, ahead);
  const loaded = await load({ ...options, ...kept });
  // What was found in the other files is left out where paths are named.
  const text = paths.length === 0 ? kept.textWithout(loaded.findings) : undefined;
  if (text !== undefined) await cache.write(name, text);
  return loaded;
}
