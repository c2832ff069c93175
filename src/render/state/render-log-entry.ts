// An entry of the log of a shared state as one line of JSON, which ends in a checksum.

import type { StateLogEntry } from '../../model/plan/log-entry.ts';
import { withSum } from '../../model/values/sum-of-json.ts';

export function renderLogEntry({ v, id, n, kind, run, at, ...rest }: StateLogEntry): string {
  return withSum(JSON.stringify({ v, id, n, kind, run, at, ...rest }));
}
