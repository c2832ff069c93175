// The answers that a long import has already received, so that it can be resumed. One answer per line, in a file that
// only its owner can read.

import type { JsonObject } from '../model/values/json.ts';

export interface ProgressFile {
  /** The name used in messages. */
  readonly name: string;
  /** Undefined if there is no file. Ignores an incomplete last line of a killed run. Throws Failure refused. */
  read(): Promise<readonly JsonObject[] | undefined>;
  /** Calls may overlap. Throws Failure refused if the file cannot be written. */
  append(line: JsonObject): Promise<void>;
  /** Waits for pending writes and keeps the file. */
  close(): Promise<void>;
  remove(): Promise<void>;
}
