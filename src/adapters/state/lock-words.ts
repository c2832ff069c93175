// What users read about the holder of a lock, whatever kind of lock it is.

import type { LockInfo } from '../../model/workspace/lock-info.ts';

export function lockedBy(name: string, info: LockInfo): string {
  const { who, host, pid, command, since } = info;
  return `${name} is locked by ${who} on ${host} (process ${pid}, \`${command}\`) since ${since}.${runOf(info)}`;
}

/** For the end of a text; empty outside of CI. */
export function runOf({ runUrl }: LockInfo): string {
  return runUrl === undefined ? '' : ` Its run: ${runUrl}`;
}
