// What users read about the lock of a shared state: who holds it, how it was lost, and where the results are kept.

import { Failure } from '../../../model/workspace/failure.ts';
import type { LockInfo } from '../../../model/workspace/lock-info.ts';
import type { LogHolder } from '../../../parse/state/fold-log.ts';
import { infoOf } from '../lock-record.ts';
import { lockedBy, runOf } from '../lock-words.ts';

/** `expiresIn`: the seconds after which it may be taken over. */
export function lockedFailure(name: string, holder: LogHolder, expiresIn: number): Failure {
  return new Failure('state-locked', lockedBy(name, infoOf(holder.info)), {
    hint: `Wait for that run to end, or let \`almanac apply --lock-timeout SECONDS\` wait. If that run has broken off, its lock may be taken over in ${Math.ceil(expiresIn)} s. If it has certainly ended, remove the lock with \`almanac state unlock\`.`,
  });
}

export function takeOverNote(name: string, holder: LogHolder, why: string): string {
  const info = infoOf(holder.info);
  const { who, host, command, since } = info;
  return `Took over the lock of ${name}: \`${command}\` of ${who} on ${host} held it since ${since}, and ${why}.${runOf(info)}`;
}

/** How a run lost its lock. */
export interface Loss {
  readonly how: 'taken-over' | 'removed' | 'not-renewed';
  readonly by?: LockInfo | undefined;
  /** Why it could not be renewed. */
  readonly cause?: unknown;
}

export function lockLost(name: string, { how, by, cause }: Loss): Failure {
  return new Failure('state-lock-lost', `This run has lost the lock of ${name}: ${lossWords(how, by, cause)}`, {
    hint: 'It sends nothing any more. Run `almanac apply` again: it finds out what this run left open.',
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
    how === 'removed' ? 'removed it by hand' : 'took it over, because this run gave no sign for its whole lease';
  return `${who} ${done}.${by === undefined ? '' : runOf(by)}`;
}

/** For a state that could not be written: `aside` is the file that holds it now, `command` what restores it. */
export function unwritten(name: string, failure: Failure, aside: string | undefined, command: string): Failure {
  const { code, message, cause } = failure;
  if (aside === undefined) {
    const hint =
      'Nothing else knows its results: no file could be written. Compare the service with `almanac plan --refresh`.';
    return new Failure(code, `${message} The state of this run was not written to ${name}.`, { hint, cause });
  }
  const compare =
    code === 'state-lock-lost'
      ? `Run \`almanac apply\` again: it goes on with the state of the other run, and finds out what this one left open. ${command} is only for what it cannot find out: compare the two with \`almanac state pull\` first.`
      : `Once ${name} can be written again, put it in place: ${command}. It is refused if this run wrote it after all.`;
  return new Failure(code, `${message} The results of this run are kept in ${aside}.`, { hint: compare, cause });
}
