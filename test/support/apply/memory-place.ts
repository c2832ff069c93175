// A place in memory that many share: the real store over a log in memory, with a clock that stands still. Every process
// that opens it sees the same.

import { realFileSystem } from '../../../src/files/file-system.ts';
import type { Journal } from '../../../src/model/plan/journal.ts';
import type { State } from '../../../src/model/plan/state.ts';
import { isJsonObject, type Json } from '../../../src/model/values/json.ts';
import { type Host, thisHost } from '../../../src/state/file/file-lock.ts';
import { openLogStore } from '../../../src/state/log/log-store.ts';
import type { StateLog } from '../../../src/state/state-log.ts';
import type { LockInfo, StateStore } from '../../../src/state/state-store.ts';
import { makeFakeClock } from '../fake-clock.ts';
import { at, schedule } from '../plan/planning.ts';
import { type MemoryPlace as MemoryLog, makeMemoryPlace as makeMemoryLog } from '../state/memory-log.ts';

export interface MemoryPlace {
  readonly name: string;
  readonly log: MemoryLog;
  /** As ana does on runner-7. Locks of processes that a test calls ended are taken over. */
  open(around?: (log: StateLog) => StateLog, environment?: Host['environment']): StateStore;
  endProcesses(): void;
  /** What an apply wrote; with a journal, one that died after it. */
  write(state: State, journal?: Journal): Promise<void>;
  /** The text of the last state, or of what stands in its place; undefined if there is none. */
  text(): string | undefined;
}

export const now = Date.UTC(2026, 2, 1);
export const ana: LockInfo = {
  who: 'ana',
  host: 'runner-7',
  pid: 42,
  command: 'apply',
  since: new Date(now).toISOString(),
};

/** The id of what `createdAndDied` made. */
export const madeId = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';

/** The journal of an apply that created schedules.made and then died. */
export function createdAndDied({ lineage, serial, baseUrl, salt, toolVersion }: State): Journal {
  const { identifier, name } = { identifier: '12db1a0a', name: 'Made' };
  const attributes = schedule({ name });
  return {
    header: { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion },
    lines: [
      {
        type: 'intent',
        seq: 1,
        kind: 'request',
        address: 'schedules.made',
        action: 'create',
        attributes,
        identifier,
        name,
        at,
      },
      { type: 'outcome', seq: 1, status: 'applied', id: madeId, at },
    ],
  };
}

export function makeMemoryPlace(name: string): MemoryPlace {
  const log = makeMemoryLog();
  const clock = makeFakeClock(now);
  let hasEnded = false;
  const host: Host = {
    ...thisHost,
    fs: realFileSystem,
    name: ana.host,
    pid: ana.pid,
    user: () => ana.who,
    environment: {},
    isAlive: () => !hasEnded,
  };
  const open: MemoryPlace['open'] = (around = (opened) => opened, environment = {}) =>
    openLogStore({ log: around(log.open()), name, leaseSeconds: 120, clock, host: { ...host, environment } });
  return {
    name,
    log,
    open,
    endProcesses: () => {
      hasEnded = true;
    },
    write: async (state, journal) => {
      const locked = await open().lock('apply');
      await locked.commit(state, { release: journal === undefined });
      if (journal === undefined) return;
      await locked.begin(journal.header);
      await locked.append(journal.lines);
      hasEnded = true;
    },
    text: () => {
      const bytes = log.entries.findLast(({ kind }) => kind === 'commit')?.bytes;
      if (bytes === undefined) return undefined;
      const entry: Json = JSON.parse(new TextDecoder().decode(bytes));
      return isJsonObject(entry) && typeof entry['state'] === 'string' ? entry['state'] : undefined;
    },
  };
}
