// Parses and renders an entry of the log of a shared state. Anything that is not exactly as it was written is refused, not guessed:
// what is misread would be written back.

import { logSchemas, logVersion, type StateLogEntry } from '../../model/plan/journal.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import type { Schema } from '../../model/values/schema.ts';
import { shortText } from '../../model/values/words.ts';
import type { Failure } from '../../model/workspace/failure.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';
import { parseSummed, withSum } from './checksum.ts';
import { Damage, named, newerThanThis, unreadable } from './damage.ts';

/** `name`: how users call the place. Throws Failure state-unreadable. */
export function parseLogEntry(text: string, n: number, name: string): StateLogEntry {
  return named(name, restorePlace, () => entryIn(text, n));
}

/** Throws Damage. */
export function entryIn(text: string, n: number): StateLogEntry {
  const value = parseSummed(text);
  if (!isJsonObject(value)) throw new Damage(`entry ${n} of its log is corrupt`);
  const { v, kind } = value;
  if (typeof v === 'number' && v > logVersion) {
    const what = `as entry ${n} of version ${v}; this almanac reads versions up to ${logVersion}`;
    throw newerThanThis(what, undefined);
  }
  if (!isKind(kind)) {
    const shown = shortText(JSON.stringify(kind) ?? 'unknown', 40);
    throw newerThanThis(`as entry ${n} of the kind ${shown}, which this almanac does not know`, undefined);
  }
  const schema: Schema<StateLogEntry> = logSchemas[kind];
  const entry = checkedDocument(schema, value, (why) => new Damage(`in entry ${n} of its log, ${why}`));
  if (entry.n !== n) throw new Damage(`entry ${n} of its log is a copy of entry ${entry.n}`);
  return entry;
}

function isKind(kind: Json | undefined): kind is StateLogEntry['kind'] {
  return typeof kind === 'string' && Object.hasOwn(logSchemas, kind);
}

export const restorePlace =
  'Nothing was changed, and Almanac writes nothing to a state that it cannot read. Restore the place from its backup. If there is none, `almanac state migrate` can start a new place from a state file that you still have.';

/** Of a log that no Almanac wrote so, whoever or whatever changed it. */
export function damaged(name: string, why: string): Failure {
  return unreadable(name, why, restorePlace);
}

/** An entry of the log of a shared state as one line of JSON, which ends in a checksum. */
export function renderLogEntry({ v, id, n, kind, run, at, ...rest }: StateLogEntry): string {
  return withSum(JSON.stringify({ v, id, n, kind, run, at, ...rest }));
}
