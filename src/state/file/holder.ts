// The holder of a lock: the content of a lock file, whether that process is certainly gone, and this machine and process as they are
// recorded in one.

import { randomUUID } from 'node:crypto';
import { promises, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { errnoOf, type FileSystem, readIfThere, realFileSystem } from '../../files/file-system.ts';
import type { Variables } from '../../model/outside.ts';
import { parseJson } from '../../model/values/json.ts';
import { shortText } from '../../model/values/words.ts';
import { type LockInfo, type LockRecord, lockRecordSchema } from '../../model/workspace/lock.ts';
import { isDocument } from '../../yaml/document-problem.ts';

/** A lock file that was read. */
export interface LockFile {
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
export async function readLock(path: string, host: Host): Promise<LockFile | undefined> {
  const bytes = await readIfThere(host.fs, path).catch(() => new Uint8Array());
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const value = parseJson(text);
  return isDocument(lockRecordSchema, value) ? { text, record: value } : { text };
}

/** The holder named in a lock that was read. */
export function holderOf(
  held: { readonly record?: LockRecord } | undefined,
): { readonly holder?: LockInfo } | undefined {
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
export async function isUnfinished(text: string, path: string, { fs, now }: Host): Promise<boolean> {
  if (parseJson(text) !== undefined) return false; // not one of ours
  const stats = await fs.stat(path).catch(() => undefined);
  return stats?.isFile() === true && now() - stats.mtimeMs > writingMs;
}

/** Like `isDead`, for a lock that any machine of the world may have taken: many of them have the same name. */
export async function isDeadHere(record: LockRecord, host: Host): Promise<boolean> {
  return record.boot !== undefined && record.boot === (await host.bootId()) && (await isDead(record, host));
}

/** True only if certain: a process of this host and pid namespace that ended, or whose id was reused. */
export async function isDead(record: LockRecord, host: Host): Promise<boolean> {
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
