// What a long reading keeps of the answers it already has, so that it can be gone on with. A line an answer, added at
// the end, in a file that nobody else may read.

import type { JsonObject } from '../model/values/json.ts';

export interface ProgressFile {
  /** How users call it. */
  readonly name: string;
  /** Undefined where there is none; a line that a killed run left half written is left out. Throws Failure refused. */
  read(): Promise<readonly JsonObject[] | undefined>;
  /** Calls may overlap. Throws Failure refused where it can't be written. */
  append(line: JsonObject): Promise<void>;
  /** Waits for what is being written; what was kept stays. */
  close(): Promise<void>;
  remove(): Promise<void>;
}
