// This machine and this process, as recorded in a lock. Tests replace them.

import { promises, readFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { errnoOf, type FileSystem, realFileSystem } from '../../files/file-system.ts';

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** For a program that is started: what holds the tokens of the service and of the state is not for it. */
export function environmentForPrograms(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(?:OMNI|ALMANAC)_/i.test(name)));
}

export interface Host {
  readonly fs: FileSystem;
  readonly name: string;
  readonly pid: number;
  readonly environment: Environment;
  readonly temporaryFolder: string;
  user(): string;
  /** Epoch milliseconds. */
  now(): number;
  isAlive(pid: number): boolean;
  /** When a process started, in the system's own units; undefined if that is unknown. */
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
  temporaryFolder: tmpdir(),
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
