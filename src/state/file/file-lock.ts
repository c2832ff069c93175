// The lock file, created with `wx` so that only one process gets it. If its process on this host is dead, or died before
// it wrote its name, the lock is taken over. Several processes may notice that at once, and a slow one must not remove
// the new lock of a fast one: a stale lock is removed only under a second lock, after checking it again. A stale second
// lock is taken over in the same way.

import { randomUUID } from 'node:crypto';
import { promises, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import {
  errnoOf,
  type FileSystem,
  readIfThere,
  realFileSystem,
  unlinkIfThere,
  whyOf,
} from '../../files/file-system.ts';
import { isTracked } from '../../files/repository.ts';
import { createFile } from '../../files/write-atomically.ts';
import type { Variables } from '../../model/outside.ts';
import { command } from '../../model/values/command.ts';
import { parseJson } from '../../model/values/json.ts';
import { shortText } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import {
  type LockInfo,
  type LockRecord,
  lockedFailure,
  lockRecordSchema,
  takeOverNote,
} from '../../model/workspace/lock.ts';
import { isDocument } from '../../yaml/document-problem.ts';

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

// The holder of a lock: the content of a lock file, whether that process is certainly gone, and this machine and process as they are
// recorded in one.

interface LockFile {
  readonly text: string;
  readonly record?: LockRecord;
}

/** The record of a new lock; an id makes the text of each lock unique. */
export async function recordOf(command: string, host: Host): Promise<LockRecord & { readonly id: string }> {
  const { environment } = host;
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = environment;
  const attempt = environment['GITHUB_RUN_ATTEMPT'];
  const page = attempt ? `${run}/attempts/${attempt}` : run;
  const runUrl =
    server && repository && run ? `${server}/${repository}/actions/runs/${page}` : environment['CI_JOB_URL'];
  const started = await host.startOf(host.pid);
  const pidSpace = await host.pidSpace();
  return {
    id: randomUUID(),
    who: environment['GITHUB_ACTOR'] || environment['GITLAB_USER_LOGIN'] || host.user(),
    host: host.name,
    pid: host.pid,
    command,
    since: new Date(host.now()).toISOString(),
    runUrl: runUrl || undefined,
    started,
    pidSpace,
  };
}

/** Returns undefined if there is no lock. Without a record if the file is empty, unreadable or not one of ours. */
async function readLock(path: string, host: Host): Promise<LockFile | undefined> {
  const bytes = await readIfThere(host.fs, path).catch(() => new Uint8Array());
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const value = parseJson(text);
  return isDocument(lockRecordSchema, value) ? { text, record: value } : { text };
}

/** The holder named in a lock that was read. */
function holderOf(held: { readonly record?: LockRecord } | undefined): { readonly holder?: LockInfo } | undefined {
  return held && { holder: held.record && infoOf(held.record) };
}

/** The holder as messages show it: anybody may have written the lock. */
export function infoOf({ who, host, pid, command, since, runUrl }: LockRecord): LockInfo {
  return {
    who: shortText(who, maxNameLength),
    host: shortText(host, maxNameLength),
    pid,
    command: shortText(command, maxNameLength),
    since: shortText(since, maxNameLength),
    runUrl: runUrl === undefined ? undefined : shortText(runUrl, maxUrlLength),
  };
}

const maxNameLength = 100;
const maxUrlLength = 500;

/** A process writes its name at once after it creates the lock. */
const writingMs = 30_000;

/** True for a lock without a whole record that nobody has written to for half a minute. */
async function isUnfinished(text: string, path: string, { fs, now }: Host): Promise<boolean> {
  if (parseJson(text) !== undefined) return false; // not one of ours
  const stats = await fs.stat(path).catch(() => undefined);
  return stats?.isFile() === true && now() - stats.mtimeMs > writingMs;
}

/** Like `isDead`, for a lock that any machine of the world may have taken: many of them have the same name. */
export async function isDeadHere(record: LockRecord, host: Host): Promise<boolean> {
  return record.boot !== undefined && record.boot === (await host.bootId()) && (await isDead(record, host));
}

/** True only if certain: a process of this host and pid namespace that ended, or whose id was reused. */
async function isDead(record: LockRecord, host: Host): Promise<boolean> {
  if (record.host !== host.name || record.pidSpace !== (await host.pidSpace())) return false;
  if (!host.isAlive(record.pid)) return true;
  const started = await host.startOf(record.pid);
  return record.started !== undefined && started !== undefined && started !== record.started;
}

/** Tests replace it. */
export interface Host {
  /** Ends questions to git while the state is read. */
  readonly signal?: AbortSignal | undefined;
  readonly fs: FileSystem;
  readonly name: string;
  readonly pid: number;
  readonly environment: Variables;
  user(): string;
  /** Epoch milliseconds. */
  now(): number;
  isAlive(pid: number): boolean;
  /** The time when a process started, in the system's own units; undefined if that is unknown. */
  startOf(pid: number): Promise<string | undefined>;
  /** The pid namespace of this process: containers that share a host name have separate ones. */
  pidSpace(): Promise<string | undefined>;
  /** Tells this machine since its last start from every other; undefined if the system has no such id. */
  bootId(): Promise<string | undefined>;
}

export const thisHost: Host = {
  fs: realFileSystem,
  name: hostname(),
  pid: process.pid,
  environment: process.env,
  user: () => {
    try {
      return userInfo().username;
    } catch {
      return `uid ${process.getuid?.() ?? 'unknown'}`; // a container's user without an entry
    }
  },
  now: () => Date.now(),
  isAlive: (pid) => {
    try {
      process.kill(pid, 0);
      return !hasEnded(pid);
    } catch (error) {
      return errnoOf(error) !== 'ESRCH';
    }
  },
  // Field 22.
  startOf: async (pid) => fieldsOf(await promises.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))[19],
  pidSpace: () => promises.readlink('/proc/self/ns/pid').catch(() => undefined),
  bootId: async () =>
    (await promises.readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim() || undefined,
};

/** A killed process keeps its id until its parent reaps it, which in a container may never happen. */
function hasEnded(pid: number): boolean {
  try {
    return fieldsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))[0] === 'Z';
  } catch {
    return false; // not Linux
  }
}

/** The fields of /proc/PID/stat from the third on. The second one, in parentheses, may contain spaces. */
function fieldsOf(text: string): readonly string[] {
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
