// Who holds a lock or wrote a state, in words.

import type { LockInfo } from '../../model/workspace/lock-info.ts';
import { safeText } from '../text/terminal-text.ts';

/** As in `ana on runner-7 (process 42, apply)`. */
export function runWords({ who, host, pid, command }: LockInfo): string {
  return safeText(`${who} on ${host} (process ${pid}, ${command})`);
}

/** As in `1 minute and 20 seconds`. */
export function secondsWords(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  const words = [
    ...(minutes > 0 ? [`${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`] : []),
    ...(rest > 0 || minutes === 0 ? [`${rest} ${rest === 1 ? 'second' : 'seconds'}`] : []),
  ];
  return words.join(' and ');
}

/** What follows the name of a locked state. */
export function lockText(holder: LockInfo | undefined): string {
  if (holder === undefined) return '';
  const run = holder.runUrl === undefined ? '' : `, run ${safeText(holder.runUrl)}`;
  return `, held by ${runWords(holder)} since ${safeText(holder.since)}${run}`;
}
