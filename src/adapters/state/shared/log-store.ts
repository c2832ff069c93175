// The state of a team over a log. The lock is a lease: a run that gives no sign for a whole lease, by the clock of whoever
// waits, loses it with the next entry. No two clocks are compared.

import { Failure } from '../../../model/workspace/failure.ts';
import type { LockRecord } from '../../../model/workspace/lock-info.ts';
import { type FoldedLog, foldLog, type LogHolder } from '../../../parse/state/fold-log.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { StateLog } from '../../../ports/state-log.ts';
import type { HeldLock, LockedStore, StateStore } from '../../../ports/state-store.ts';
import type { Host } from '../host.ts';
import { infoOf, isDeadHere, recordOf } from '../lock-record.ts';
import { Lease, momentOf } from './lease.ts';
import { lockedFailure, takeOverNote } from './lock-failures.ts';
import { LockedLog } from './locked-log.ts';
import { LogReader } from './log-reader.ts';
import { newEntry } from './new-entry.ts';
import { readHistory, readVersion } from './read-history.ts';
import { type IsRunOver, RunWatch } from './run-watch.ts';
import { openSeenFile } from './seen-file.ts';

export interface LogStoreOptions {
  readonly log: StateLog;
  /** How users call the place. */
  readonly name: string;
  /** Seconds. */
  readonly lease: number;
  readonly clock: Clock;
  /** The folder of the workspace, absolute. */
  readonly root: string;
  readonly host: Host;
  /** Whether the CI run that a lock names is over; undefined where nobody can be asked. */
  readonly isRunOver?: IsRunOver | undefined;
}

const slowPollMs = 5000;

export function openLogStore(options: LogStoreOptions): StateStore {
  const { log, name, lease, clock, root, host: machine, isRunOver } = options;
  const host: Host = { ...machine, now: () => clock.now() };
  const reader = new LogReader({ log, name, clock, seen: openSeenFile(host.fs, root, name) });
  const runs = new RunWatch(clock, isRunOver);
  const held = new Set<LockedLog>();

  async function lock(command: string, signal?: AbortSignal): Promise<LockedStore> {
    const { id: run, ...record } = await recordOf(command, host);
    const boot = await host.bootId();
    const info: LockRecord = boot === undefined ? record : { ...record, boot };
    for (let taken = 0; ; ) {
      const folded = await reader.refresh(signal);
      if (folded.at < taken) throw hides(taken);
      if (folded.at === 0) await log.probe(signal);
      const { holder } = folded;
      const why = holder && (await whyOver(holder));
      if (holder !== undefined && why === undefined) {
        await runs.look(holder, signal);
        throw lockedFailure(name, holder, expiresIn(holder));
      }
      const over = holder && { run: holder.run, info: infoOf(holder.info) };
      const content = { kind: 'lock', info, lease, over } as const;
      const from = momentOf(clock);
      taken = folded.at + 1;
      const entry = newEntry(content, `${command}: locked`, { n: taken, run, clock });
      if ((await log.append(taken, entry)) === 'taken') continue;
      const locked = new LockedLog({
        log,
        name,
        reader,
        clock,
        host,
        root,
        run,
        info,
        seconds: lease,
        lease: new Lease(clock, lease, from),
        folded: foldLog(folded, [reader.textOf({ n: taken, bytes: entry.bytes })], reader.fold),
        over: over?.info,
        notes: holder === undefined || why === undefined ? [] : [takeOverNote(name, holder, why)],
      });
      held.add(locked);
      return locked;
    }
  }

  /** Why the lock may be taken over; undefined while it may not. */
  async function whyOver(holder: LogHolder): Promise<string | undefined> {
    const { info, lease: seconds } = holder;
    if (await isDeadHere(info, host)) return `its process ${info.pid} on this host is no longer running`;
    const quiet = reader.quietFor();
    if (quiet < runs.enough(holder, quiet)) return undefined;
    const isKnown = quiet < seconds * 1000;
    return `${isKnown ? 'its run is over, and ' : ''}it gave no sign for ${Math.floor(quiet / 1000)} s`;
  }

  async function heldIn({ holder }: FoldedLog): Promise<HeldLock | undefined> {
    if (holder === undefined) return undefined;
    const isDead = (await whyOver(holder)) !== undefined;
    return { holder: infoOf(holder.info), isDead, expiresIn: isDead ? 0 : expiresIn(holder) };
  }

  /** It refuses a number as taken and does not show its entry: waiting for it could take for ever. */
  function hides(n: number): Failure {
    return new Failure(
      'state-backend-unfit',
      `${name} does not show at once what was written: entry ${n} of its log.`,
      {
        hint: 'Run `almanac state check`. A state that several runs share needs a place that shows each write at once.',
      },
    );
  }

  function expiresIn(holder: LogHolder): number {
    const quiet = reader.quietFor();
    return Math.max(0, (runs.enough(holder, quiet) - quiet) / 1000);
  }

  return {
    name,
    read: async () => {
      const folded = await reader.refresh();
      return { ...reader.stored(folded), held: await heldIn(folded) };
    },
    moved: async () => reader.moved(await reader.refresh()),
    lock,
    // A place with a pace of writes is one that should not be asked each second either.
    pollMs: log.traits.paceMs > 0 ? slowPollMs : undefined,
    lockHolder: async () => heldIn(await reader.refresh()),
    unlock: async () => {
      for (let taken = 0; ; ) {
        const { at, holder } = await reader.refresh();
        if (at < taken) throw hides(taken);
        if (holder === undefined) return undefined;
        const by = infoOf(await recordOf('state unlock', host));
        taken = at + 1;
        const entry = newEntry({ kind: 'unlock', by }, `Unlocked by ${by.who}`, { n: taken, run: holder.run, clock });
        const answer = await log.append(taken, entry);
        if (answer === 'written') return { holder: infoOf(holder.info) };
      }
    },
    shared: {
      check: (signal) => log.probe(signal),
      prepare: (signal) => log.prepare(signal),
      isEmpty: async () => (await reader.refresh()).at === 0,
      lastWriter: () => {
        const { commit } = reader.folded;
        return commit && infoOf(commit.by);
      },
      history: () => readHistory(log, reader, name),
      version: (serial) => readVersion(log, reader, name, serial),
    },
    close: async () => {
      for (const locked of held) locked.stop();
      await log.close();
    },
  };
}
