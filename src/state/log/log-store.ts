// The state of a team: in a place that many share, over a log. Each backend is loaded when it is used. The lock is a lease:
// a run that gives no sign for a whole lease, by the clock of whoever waits, loses it with the next entry. No two clocks are
// compared.

import type { State, StateVersion } from '../../model/plan/state.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type LockRecord, lockedFailure, takeOverNote } from '../../model/workspace/lock.ts';
import { placeName } from '../../model/workspace/state-place.ts';
import { type Host, infoOf, isDeadHere, recordOf, thisHost } from '../file/file-lock.ts';
import { type FoldedLog, foldLog, type LogHolder, sha256 } from '../format/fold-log.ts';
import { type CommitEntry, damaged, parseLogEntry } from '../format/log-entry.ts';
import { parseState } from '../format/parse-state.ts';
import type { StateLog } from '../state-log.ts';
import type { HeldLock, StateStore } from '../state-store.ts';
import type { LogOptions } from './backend.ts';
import { Lease, LockedLog, maxBytes, momentOf } from './locked-log.ts';
import { LogReader, type LogStoreOptions } from './log-reader.ts';
import { newEntry } from './new-entry.ts';

export async function openSharedState(options: LogOptions): Promise<StateStore> {
  return openStoreOver(await openLog(options), options);
}

export async function openLog({ place, ...rest }: LogOptions): Promise<StateLog> {
  switch (place.backend) {
    case 'git': {
      const { openGitLog } = await import('../git/git-log.ts');
      return openGitLog({ ...rest, place });
    }
    case 's3': {
      const { openS3Log } = await import('../s3/s3-log.ts');
      return openS3Log({ ...rest, place });
    }
    case 'postgres': {
      const { openPostgresLog } = await import('../postgres/postgres-log.ts');
      return openPostgresLog({ ...rest, place });
    }
  }
}

export function openStoreOver(
  log: StateLog,
  { place, clock, environment, signal }: Omit<LogOptions, 'root'>,
): StateStore {
  const host = { ...thisHost, environment };
  return openLogStore({ log, name: placeName(place), leaseSeconds: place.lease, clock, host, signal });
}

const slowPollMs = 5000;

export function openLogStore(given: LogStoreOptions): StateStore {
  const { log, name, clock, signal: ended } = given;
  const host: Host = { ...given.host, now: () => clock.now() };
  const options = { ...given, host };
  const reader = new LogReader(options);
  const lockedLogs = new Set<LockedLog>();

  const opened: OpenedLog = { ...options, reader };
  const heldIn = async ({ holder }: FoldedLog): Promise<HeldLock | undefined> => {
    if (holder === undefined) return undefined;
    const isDead = (await whyOver(holder, opened)) !== undefined;
    return { holder: infoOf(holder.info), isDead, expiresIn: isDead ? 0 : expiresIn(holder, reader) };
  };
  return {
    name,
    read: async () => {
      const folded = await reader.refresh(ended);
      return { ...reader.stored(folded), lockHolder: await heldIn(folded), lacks: log.lacks };
    },
    lock: async (command, signal) => {
      const locked = await lockLog(command, opened, signal);
      lockedLogs.add(locked);
      return locked;
    },
    mostBytes: maxBytes,
    // A place with a pace of writes is one that should not be asked each second either.
    pollMs: log.paceMs > 0 ? slowPollMs : undefined,
    lockHolder: async () => heldIn(await reader.refresh(ended)),
    unlock: async () => {
      for (let taken = 0; ; ) {
        const { at, holder } = await reader.refresh(ended);
        if (at < taken) throw hides(taken, name);
        if (holder === undefined) return undefined;
        const by = infoOf(await recordOf('state unlock', host));
        taken = at + 1;
        const entry = newEntry({ kind: 'unlock', by }, `Unlocked by ${by.who}`, { n: taken, run: holder.run, clock });
        const answer = await log.append(taken, entry, ended);
        if (answer === 'written') return { holder: infoOf(holder.info) };
      }
    },
    shared: {
      check: (signal) => log.probe(signal),
      unasked: log.unasked,
      lastWriter: () => {
        const { commit } = reader.folded;
        return commit && infoOf(commit.by);
      },
      history: () => readHistory(options, reader),
      version: (serial) => readVersion(options, reader, serial),
    },
    close: async () => {
      for (const locked of lockedLogs) locked.close();
      await log.close();
    },
  };
}

interface OpenedLog extends LogStoreOptions {
  readonly reader: LogReader;
}

/** Throws Failure state-locked while another run holds the lock. */
async function lockLog(command: string, opened: OpenedLog, signal?: AbortSignal): Promise<LockedLog> {
  const { log, name, leaseSeconds, clock, host, reader } = opened;
  const { id: run, ...record } = await recordOf(command, host);
  const boot = await host.bootId();
  const info: LockRecord = boot === undefined ? record : { ...record, boot };
  for (let taken = 0; ; ) {
    const folded = await reader.refresh(signal);
    if (folded.at < taken) throw hides(taken, name);
    if (folded.at === 0) await log.probe(signal);
    const { holder } = folded;
    const why = holder && (await whyOver(holder, opened));
    if (holder !== undefined && why === undefined)
      throw lockedFailure(name, infoOf(holder.info), expiresIn(holder, reader));
    const over = holder && { run: holder.run, info: infoOf(holder.info) };
    const content = { kind: 'lock', info, lease: leaseSeconds, over } as const;
    const from = momentOf(clock);
    taken = folded.at + 1;
    const entry = newEntry(content, `${command}: locked`, { n: taken, run, clock });
    if ((await log.append(taken, entry)) === 'taken') continue;
    return new LockedLog({
      ...opened,
      run,
      info,
      lease: new Lease(clock, leaseSeconds, from),
      folded: foldLog(folded, [reader.textOf({ n: taken, bytes: entry.bytes })], name),
      over: over?.info,
      notes: holder === undefined || why === undefined ? [] : [takeOverNote(name, infoOf(holder.info), why)],
    });
  }
}

/** The reason why the lock may be taken over; undefined while it may not. */
async function whyOver({ info, lease }: LogHolder, { host, reader }: OpenedLog): Promise<string | undefined> {
  if (await isDeadHere(info, host)) return `its process ${info.pid} on this host is no longer running`;
  const quiet = reader.quietFor() / 1000;
  return quiet < lease ? undefined : `it gave no sign for ${Math.floor(quiet)} s`;
}

/** It refuses a number as taken and does not show its entry: waiting for it could take for ever. */
function hides(n: number, name: string): Failure {
  const message = `${name} does not show at once what was written: entry ${n} of its log.`;
  return new Failure('state-backend-unfit', message, {
    hint: `Run \`${command('state check')}\`. A state that several runs share needs a place that shows each write at once.`,
  });
}

function expiresIn({ lease }: LogHolder, reader: LogReader): number {
  return Math.max(0, lease - reader.quietFor() / 1000);
}

/** The states that were written, newest first. */
async function* readHistory(options: LogStoreOptions, reader: LogReader): AsyncGenerator<StateVersion> {
  for await (const { entry } of commitsOf(options, reader)) {
    const { serial, lineage, at, info, changes, over } = entry;
    yield { serial, lineage, at, by: infoOf(info), changes, over: over && infoOf(over) };
  }
}

/** Throws Failure refused. */
async function readVersion(options: LogStoreOptions, reader: LogReader, serial: number): Promise<State> {
  const { name } = options;
  for await (const { n, entry } of commitsOf(options, reader)) {
    if (entry.serial < serial) break;
    if (entry.serial > serial) continue;
    if (sha256(entry.state) !== entry.sha256) throw damaged(name, `entry ${n} of its log is corrupt`);
    return parseState(
      entry.state,
      `serial ${serial} of ${name}`,
      `Take another one: \`${command('state history')}\` lists them.`,
    );
  }
  throw new Failure('refused', `${name} keeps no state with the serial ${serial}.`, {
    hint: `\`${command('state history')}\` lists the states that it keeps.`,
  });
}

async function* commitsOf(
  { log, name, signal }: LogStoreOptions,
  reader: LogReader,
): AsyncGenerator<{ readonly n: number; readonly entry: CommitEntry }> {
  let next = (await reader.refresh(signal)).commit?.n;
  while (next !== undefined) {
    const n = next;
    const kept = await log.entry(n, signal);
    if (kept === undefined) throw damaged(name, `entry ${n} of its log is missing`);
    const entry = parseLogEntry(reader.textOf(kept).text, n, name);
    if (entry.kind !== 'commit' || (entry.previous ?? 0) >= n) throw damaged(name, `entry ${n} of its log is corrupt`);
    if (entry.state !== '') yield { n, entry };
    next = entry.previous;
  }
}
