// Threads that parse and check source files beside the one that asks.

import type { EntrySettings, FileEntry } from '../model/workspace/file-entry.ts';
import type { SourceFile } from '../model/workspace/source-file.ts';

export interface ParseWorker {
  /**
   * Of each file its entry; undefined where an entry would not say all of it. Several calls wait for each other. Rejects
   * if the thread has ended: nothing is known of these files then.
   */
  entriesOf(files: readonly SourceFile[]): Promise<readonly (FileEntry | undefined)[]>;
}

export interface ParsePool {
  readonly workers: readonly ParseWorker[];
  /** Hands out the answers that have arrived, without waiting for others. Signals arrive as well. */
  receive(): Promise<void>;
  /** Ends the threads at once; what was asked of them rejects. */
  close(): Promise<void>;
}

/** At most so many workers; undefined where none would help, as on a single core. */
export type OpenParsePool = (most: number, settings: EntrySettings) => Promise<ParsePool | undefined>;
