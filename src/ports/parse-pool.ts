// Threads that parse source files beside the one that asks.

import type { SourceFile } from '../model/workspace/source-file.ts';

export interface ParseWorker {
  /**
   * Of each file what it was parsed to, as text; undefined where the text would not say all of it. Several calls wait for
   * each other. Rejects if the thread has ended: nothing is known of these files then.
   */
  parse(files: readonly SourceFile[]): Promise<readonly (string | undefined)[]>;
}

export interface ParsePool {
  readonly workers: readonly ParseWorker[];
  /** Ends the threads at once; what was asked of them rejects. */
  close(): Promise<void>;
}

/** At most so many workers; undefined where none would help, as on a single core. */
export type OpenParsePool = (most: number) => Promise<ParsePool | undefined>;
