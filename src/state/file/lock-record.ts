// The content of a lock file: who holds the lock, and whether that process is certainly gone.

import { randomUUID } from 'node:crypto';
import { readIfThere } from '../../files/file-system.ts';
import { shortText } from '../../model/values/words.ts';
import { type LockInfo, type LockRecord, lockRecordSchema } from '../../model/workspace/lock.ts';
import { isDocument } from '../../yaml/document-problem.ts';
import type { Host } from './host.ts';

/** A lock file that was read. */
export interface LockFile {
  readonly text: string;
  readonly record?: LockRecord;
}

/** As written: an id makes the text of each lock unique. */
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

/** Undefined if there is no lock. Without a record if the file is empty, unreadable or not one of ours. */
export async function readLock(path: string, host: Host): Promise<LockFile | undefined> {
  const bytes = await readIfThere(host.fs, path).catch(() => new Uint8Array());
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    const value: unknown = JSON.parse(text);
    return isDocument(lockRecordSchema, value) ? { text, record: value } : { text };
  } catch {
    return { text };
  }
}

/** The holder named in a lock that was read. */
export function holderOf(
  held: { readonly record?: LockRecord } | undefined,
): { readonly holder?: LockInfo } | undefined {
  return held && { holder: held.record && infoOf(held.record) };
}

/** For messages: anybody may have written the lock. */
export function infoOf({ who, host, pid, command, since, runUrl }: LockRecord): LockInfo {
  return {
    who: shortText(who, longestName),
    host: shortText(host, longestName),
    pid,
    command: shortText(command, longestName),
    since: shortText(since, longestName),
    runUrl: runUrl === undefined ? undefined : shortText(runUrl, longestUrl),
  };
}

const longestName = 100;
const longestUrl = 500;

/** A process writes its name at once after it creates the lock. */
const writingMs = 30_000;

/** True for a lock without a whole record that nobody has written to for half a minute. */
export async function isUnfinished(text: string, path: string, { fs, now }: Host): Promise<boolean> {
  if (isWholeJson(text)) return false; // not one of ours
  const stats = await fs.stat(path).catch(() => undefined);
  return stats?.isFile() === true && now() - stats.mtimeMs > writingMs;
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** As `isDead`, of a lock that any machine of the world may have taken: many of them have the same name. */
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
