// The lock file, created with `wx` so that only one process gets it. If its process on this host is dead, or died before
// it wrote its name, the lock is taken over. Several processes may notice that at once, and a slow one must not remove
// the new lock of a fast one: a stale lock is removed only under a second lock, after checking it again. A stale second
// lock is taken over in the same way.

import { errnoOf, unlinkIfThere, whyOf } from '../../files/file-system.ts';
import { isTracked } from '../../files/repository.ts';
import { createFile } from '../../files/write-atomically.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type LockInfo, type LockRecord, lockedFailure, takeOverNote } from '../../model/workspace/lock.ts';
import { type Host, holderOf, infoOf, isDead, isUnfinished, type LockFile, readLock, recordOf } from './holder.ts';

export interface FileLock {
  readonly notes: readonly string[];
  /** Removes the lock if it is still this one. Never throws: a lock that stays behind can be taken over. */
  release(): Promise<void>;
}

interface LockFilePlace {
  readonly path: string;
  /** The name of the locked state in messages. */
  readonly name: string;
  readonly host: Host;
}

export interface LockOptions extends LockFilePlace {
  readonly command: string;
}

const deepestTakeOver = 3;

/** Throws Failure state-locked if it is held, and state-unwritable if no lock can be created. */
export async function takeLock(options: LockOptions): Promise<FileLock> {
  const { path, host } = options;
  const text = `${JSON.stringify(await recordOf(options.command, host), null, 2)}\n`;
  const notes = await acquire(options, text, 0);
  return {
    notes,
    release: async () => {
      try {
        if ((await readLock(path, host))?.text === text) await host.fs.unlink(path);
      } catch {}
    },
  };
}

/** The holder of the lock, and whether that run is certainly gone; undefined if there is no lock. */
export async function lockHolder(path: string, host: Host) {
  const held = await readLock(path, host);
  return held && { ...holderOf(held), isDead: await isStale(held, path, host) };
}

/** Removes a lock no matter who holds it, and returns the holder; undefined if there was no lock. */
export async function removeLock(path: string, host: Host): Promise<{ readonly holder?: LockInfo } | undefined> {
  const heldLock = await readLock(path, host);
  try {
    for (let level = 0, file = path; level <= deepestTakeOver; level += 1, file = takeOverLock(file)) {
      await removeIfThere(host, file);
    }
  } catch (error) {
    throw new Failure('state-unwritable', `The lock file ${path} cannot be removed: ${whyOf(error)}.`, {
      hint: 'Fix the permissions of its folder, or remove the file by hand.',
      cause: error,
    });
  }
  return holderOf(heldLock);
}

/** A lock that is a folder was not made by Almanac; an empty one is removed all the same. */
async function removeIfThere({ fs }: Host, path: string): Promise<void> {
  const isFolder = await fs.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  await (isFolder ? fs.rmdir(path) : unlinkIfThere(fs, path));
}

async function acquire(options: LockOptions, text: string, level: number): Promise<readonly string[]> {
  const { path, host } = options;
  if (await create(options, text)) return [];
  const heldLock = await readLock(path, host);
  // It was released between the two looks.
  if (heldLock === undefined && (await create(options, text))) return [];
  if (heldLock !== undefined && (await isPlanted(path))) throw trackedFailure(options);
  if (heldLock !== undefined && level < deepestTakeOver && (await isStale(heldLock, path, host))) {
    const takeOverOptions = { ...options, path: takeOverLock(path) };
    await acquire(takeOverOptions, text, level + 1);
    try {
      const now = await readLock(path, host);
      if (now?.text === heldLock.text && (await isStale(now, path, host))) await host.fs.unlink(path);
      if (await create(options, text)) return [noteOf(options.name, heldLock.record)];
    } finally {
      await host.fs.unlink(takeOverOptions.path).catch(() => undefined);
    }
  }
  throw refusal(options, (await readLock(path, host))?.record ?? heldLock?.record);
}

/** True if the process that holds it ended, or the one that created it ended before it wrote its name. */
async function isStale({ text, record }: LockFile, path: string, host: Host): Promise<boolean> {
  return record === undefined ? isUnfinished(text, path, host) : isDead(record, host);
}

function takeOverLock(path: string): string {
  return `${path}.takeover`;
}

async function create({ path, host }: LockOptions, text: string): Promise<boolean> {
  try {
    await createFile(host.fs, path, text);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw new Failure('state-unwritable', `The lock file ${path} cannot be created: ${whyOf(error)}.`, {
      hint: 'Nothing was changed. Almanac keeps its lock and its journal next to the state, so that folder must be writable.',
      cause: error,
    });
  }
}

function noteOf(name: string, record: LockRecord | undefined): string {
  if (record === undefined)
    return `Took over the lock of ${name}: the process that created it ended before it wrote its name into it.`;
  return takeOverNote(name, infoOf(record), `its process ${record.pid} on this host is no longer running`);
}

function refusal({ name, path }: LockOptions, record: LockRecord | undefined): Failure {
  if (record !== undefined) return lockedFailure(name, infoOf(record));
  return new Failure('state-locked', `${name} is locked. ${path} does not say by whom.`, {
    hint: `Try again. If no other run is active, remove the lock with \`${command('state unlock')}\`.`,
  });
}

/** Throws Failure state-locked if git tracks the lock. */
export async function refuseTrackedLock(lock: LockFilePlace): Promise<void> {
  if ((await readLock(lock.path, lock.host)) !== undefined && (await isPlanted(lock.path, lock.host.signal)))
    throw trackedFailure(lock);
}

/** True if git tracks the lock. If git cannot be asked, the lock counts: nothing is read from it that would be sent or kept. */
function isPlanted(path: string, signal?: AbortSignal): Promise<boolean> {
  return isTracked(path, signal).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    return false;
  });
}

function trackedFailure({ name }: Pick<LockFilePlace, 'name'>): Failure {
  return new Failure('state-locked', `${name}.lock is tracked by git, so it does not tell whether a run is active.`, {
    hint: `Remove it from git: \`git rm -f ${name}.lock\`. Add it to .gitignore.`,
  });
}
