// The lock of a state: who holds it, and what users read about it.

import { command } from '../values/command.ts';
import { described, instant, openRecord, positive, record, schemaOf, type TypeOf, text } from '../values/schema.ts';
import { countOf } from '../values/words.ts';
import { Failure } from './failure.ts';

/** The run that holds a lock, or wrote a state. */
export const lockInfoSchema = record({
  who: text,
  host: text,
  pid: positive,
  command: text,
  // The time by the clock of its machine.
  since: described(instant, 'When it took the lock.'),
  'runUrl?': described(text, 'In CI: the address of that run.'),
});
export type LockInfo = TypeOf<typeof lockInfoSchema>;

/**
 * A lock as it is kept: with what tells whether the process has certainly ended. Open: a lock of another version may
 * hold more fields, and its holder must still be named.
 */
export const lockRecordSchema = openRecord({
  who: text,
  host: text,
  pid: schemaOf<number>({ ...positive, maximum: Number.MAX_SAFE_INTEGER }),
  command: text,
  since: text,
  'runUrl?': text,
  'started?': text,
  'pidSpace?': text,
  // The id of the machine's start: host names are not unique.
  'boot?': text,
});
export type LockRecord = TypeOf<typeof lockRecordSchema>;

/** Words such as `ana on runner-7 (process 42, apply)`. */
export function runWords({ who, host, pid, command }: LockInfo): string {
  return `${who} on ${host} (process ${pid}, ${command})`;
}

/** The words that follow the name of a locked state. */
export function heldWords(holder: LockInfo | undefined): string {
  if (holder === undefined) return '';
  return `, held by ${runWords(holder)} since ${holder.since}${holder.runUrl === undefined ? '' : `, run ${holder.runUrl}`}`;
}

/** Words for the end of a text; empty outside of CI. */
export function itsRun(info: LockInfo | undefined): string {
  return info?.runUrl === undefined ? '' : ` Its run: ${info.runUrl}`;
}

/** Words such as `1 minute and 20 seconds`. */
export function secondsWords(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  const words = [
    ...(minutes > 0 ? [countOf(minutes, 'minute')] : []),
    ...(rest > 0 || minutes === 0 ? [countOf(rest, 'second')] : []),
  ];
  return words.join(' and ');
}

/** Words for people who wait for a lock that its holder has to renew. */
export function takenOverIn(seconds: number): string {
  return `If that run has broken off, its lock may be taken over in ${Math.ceil(seconds)} s.`;
}

/** `expiresIn` is the seconds after which a lease may be taken over; undefined for a file. */
export function lockedFailure(name: string, info: LockInfo, expiresIn?: number): Failure {
  const { who, host, pid, command: run, since } = info;
  const takeOver = expiresIn === undefined ? '' : ` ${takenOverIn(expiresIn)}`;
  return new Failure(
    'state-locked',
    `${name} is locked by ${who} on ${host} (process ${pid}, \`${run}\`) since ${since}.${itsRun(info)}`,
    {
      hint: `Wait for that run to end, or let \`${command('apply', '--lock-timeout', 'SECONDS')}\` wait.${takeOver} If it has certainly ended, remove the lock with \`${command('state unlock')}\`.`,
    },
  );
}

/** `why` ends the sentence. */
export function takeOverNote(name: string, info: LockInfo, why: string): string {
  const { who, host, command, since } = info;
  return `Took over the lock of ${name}: \`${command}\` of ${who} on ${host} held it since ${since}, and ${why}.${itsRun(info)}`;
}

/** The way in which a run lost its lock. */
export interface Loss {
  readonly how: 'taken-over' | 'removed' | 'not-renewed';
  readonly by?: LockInfo | undefined;
  readonly cause?: unknown;
}

export function lockLost(name: string, { how, by, cause }: Loss): Failure {
  return new Failure('state-lock-lost', `This run has lost the lock of ${name}: ${lossWords(how, by, cause)}`, {
    hint: `This run sends nothing more. Run \`${command('apply')}\` again: the next run finds out what this one left open.`,
    cause,
  });
}

function lossWords(how: Loss['how'], by: LockInfo | undefined, cause: unknown): string {
  if (how === 'not-renewed') {
    const why = cause instanceof Error ? ` ${cause.message}` : '';
    return `the lock could not be renewed in time.${why}`;
  }
  const who = by === undefined ? 'another run' : `\`${by.command}\` of ${by.who} on ${by.host}`;
  const done =
    how === 'removed' ? 'removed it by hand' : 'took it over, because this run had not renewed its lock in time';
  return `${who} ${done}.${itsRun(by)}`;
}
