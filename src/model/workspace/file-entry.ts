// What one source file gives by itself, in a form that another thread or a later run can use.

import type { Config } from './config.ts';

/** All that the check of a file depends on, beside its text and the program. */
export interface EntrySettings {
  /** Those of almanac.yaml. */
  readonly defaults: Config['defaults'];
  readonly operations: Config['api']['operations'];
  /** Whether a schedule fires again depends on the date. */
  readonly year: number;
}

export interface FileEntry {
  /** What it was parsed to, as text. */
  readonly parsed: string;
  /** Nothing is found in its documents, nor in its resources one by one, at any time of the year. */
  readonly isFaultless: boolean;
}
