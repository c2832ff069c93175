// The entries of the log of a shared state, and their checksum. Lock, journal, state and release are all entries, so
// they have one order, and a run that was overtaken finds that its next number is taken. Anything that is not exactly
// as it was written is refused, not guessed: what is misread would be written back.

import { command } from '../../model/values/command.ts';
import { crc32 } from '../../model/values/crc32.ts';
import { isJsonObject, type Json, parseJson } from '../../model/values/json.ts';
import {
  constant,
  count,
  digest,
  flag,
  listOf,
  nonEmptyText,
  openRecord,
  positive,
  type Schema,
  schemaOf,
  serial,
  type TypeOf,
  text,
} from '../../model/values/schema.ts';
import { shortText } from '../../model/values/words.ts';
import type { Failure } from '../../model/workspace/failure.ts';
import { lockRecordSchema } from '../../model/workspace/lock.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';
import { Damage, namingDamage, newerThanThis, unreadable } from './damage.ts';

export const logVersion = 1;

const seconds = schemaOf<number>({ type: 'number', exclusiveMinimum: 0 });

const ofEntry = {
  v: constant(logVersion),
  // A UUID.
  id: nonEmptyText,
  // Its number in the log, so that no entry can stand in the place of another.
  n: positive,
  // The UUID of the lock under which it is written; for `unlock`, the UUID of the lock that ends.
  run: nonEmptyText,
  // ISO 8601, by the clock of the machine that wrote it.
  at: text,
};

/** The schemas are open: a later version may add what an earlier one need not know. A change that it must know has another `v`. */
export const logSchemas = {
  /** From here on the run holds the lock; `over` is the run that loses it. */
  lock: openRecord({
    ...ofEntry,
    kind: constant('lock'),
    info: lockRecordSchema,
    lease: seconds,
    'over?': openRecord({ run: nonEmptyText, info: lockRecordSchema }),
  }),
  /** Adds to the journal and renews the lease. */
  lines: openRecord({
    ...ofEntry,
    kind: constant('lines'),
    // The lines of a journal file, each with its newline; none to renew the lease only.
    lines: listOf(text),
    // Takes the room that the results will need, and says nothing.
    'fill?': text,
  }),
  /** A new state, which ends the journal. Reading may begin here. */
  commit: openRecord({
    ...ofEntry,
    kind: constant('commit'),
    // The text of a state file; empty if there is no state yet.
    state: text,
    sha256: digest,
    serial,
    lineage: text,
    info: lockRecordSchema,
    // The number of resources that the ended journal changed.
    changes: count,
    // The holder whose lock was taken over since the commit before.
    'over?': lockRecordSchema,
    // The number of the commit before.
    'previous?': positive,
    release: flag,
    // The seconds that the lock lasts, if it is kept.
    'lease?': seconds,
  }),
  /** From here on nobody holds the lock; `by` removed the lock of another run. */
  unlock: openRecord({ ...ofEntry, kind: constant('unlock'), 'by?': lockRecordSchema }),
};

type LockEntry = TypeOf<typeof logSchemas.lock>;
type LinesEntry = TypeOf<typeof logSchemas.lines>;
export type CommitEntry = TypeOf<typeof logSchemas.commit>;
type UnlockEntry = TypeOf<typeof logSchemas.unlock>;
export type StateLogEntry = LockEntry | LinesEntry | CommitEntry | UnlockEntry;

/** The kind in the first bytes of an entry; undefined for one of another form, or of a kind that is not known. */
export function kindIn(bytes: Uint8Array): StateLogEntry['kind'] | undefined {
  const start = new TextDecoder().decode(bytes.subarray(0, 200));
  const [, kind] = /^\{"v":\d+,"id":"[^"]*","n":\d+,"kind":"(\w+)"/.exec(start) ?? [];
  return isKind(kind) ? kind : undefined;
}

/** `name` is the place as users see it. Throws Failure state-unreadable. */
export function parseLogEntry(text: string, n: number, name: string): StateLogEntry {
  return namingDamage(name, restorePlace, () => entryIn(text, n));
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

export const restorePlace = `Nothing was changed, and Almanac writes nothing to a state that it cannot read. Restore the place from its backup. If there is none, \`${command('state migrate')}\` can start a new place from a state file that you still have.`;

/** The failure of a log that Almanac did not write like this, whoever or whatever changed it. */
export function damaged(name: string, why: string): Failure {
  return unreadable(name, why, restorePlace);
}

/** An entry of the log of a shared state as one line of JSON, which ends in a checksum. */
export function renderLogEntry({ v, id, n, kind, run, at, ...rest }: StateLogEntry): string {
  return withSum(JSON.stringify({ v, id, n, kind, run, at, ...rest }));
}

// The checksum of an object's JSON text, which is its last field: CRC-32 (IEEE 802.3) of the text in UTF-8. It notices any
// damage that a disk does to a line, though none that is done on purpose.

/** Eight hexadecimal digits. */
export function checksumOf(text: string): string {
  return crc32(new TextEncoder().encode(text)).toString(16).padStart(8, '0');
}

const form = /^,"sum":"([0-9a-f]{8})"\}$/;
const length = ',"sum":"00000000"}'.length;

export function withSum(json: string): string {
  return `${json.slice(0, -1)},"sum":"${checksumOf(json)}"}`;
}

/** The content of a text before its checksum; undefined if that is missing or wrong, or if the text is not JSON. */
export function parseSummed(text: string): Json | undefined {
  const [, sum] = form.exec(text.slice(-length)) ?? [];
  const json = `${text.slice(0, -length)}}`;
  return sum === checksumOf(json) ? parseJson(json) : undefined;
}
