// The states that a shared place keeps. Each commit names the one before it.

import type { CommitEntry } from '../../../model/plan/log-entry.ts';
import type { State } from '../../../model/plan/state.ts';
import type { StateVersion } from '../../../model/plan/state-documents.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { damaged, parseLogEntry } from '../../../parse/state/parse-log-entry.ts';
import { parseState } from '../../../parse/state/parse-state.ts';
import type { StateLog } from '../../../ports/state-log.ts';
import { infoOf } from '../lock-record.ts';
import { sha256 } from './entries.ts';
import type { LogReader } from './log-reader.ts';

/** Newest first. */
export async function* readHistory(log: StateLog, reader: LogReader, name: string): AsyncGenerator<StateVersion> {
  for await (const { entry } of commitsOf(log, reader, name)) {
    const { serial, lineage, at, info, changes, over } = entry;
    yield {
      serial,
      lineage,
      at,
      by: infoOf(info),
      changes,
      over: over && infoOf(over),
    };
  }
}

/** Throws Failure refused. */
export async function readVersion(log: StateLog, reader: LogReader, name: string, serial: number): Promise<State> {
  for await (const { n, entry } of commitsOf(log, reader, name)) {
    if (entry.serial < serial) break;
    if (entry.serial > serial) continue;
    if (sha256(entry.state) !== entry.sha256) throw damaged(name, `entry ${n} of its log is corrupt`);
    return parseState(
      entry.state,
      `serial ${serial} of ${name}`,
      'Take another one: `almanac state history` lists them.',
    );
  }
  throw new Failure('refused', `${name} keeps no state with the serial ${serial}.`, {
    hint: '`almanac state history` lists the states that it keeps.',
  });
}

async function* commitsOf(
  log: StateLog,
  reader: LogReader,
  name: string,
): AsyncGenerator<{ readonly n: number; readonly entry: CommitEntry }> {
  let next = (await reader.refresh()).commit?.n;
  while (next !== undefined) {
    const n = next;
    const kept = await log.entry(n);
    if (kept === undefined) throw damaged(name, `entry ${n} of its log is missing`);
    const entry = parseLogEntry(reader.textOf(kept).text, n, name);
    if (entry.kind !== 'commit' || (entry.previous ?? 0) >= n) throw damaged(name, `entry ${n} of its log is corrupt`);
    if (entry.state !== '') yield { n, entry };
    next = entry.previous;
  }
}
