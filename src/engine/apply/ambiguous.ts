// Refusals of an apply that finds what a lost request may have made, and not for certain.

import { Failure } from '../../model/workspace/failure.ts';
import { isRecorded, type Seen, type Sent } from './find-sent.ts';

/** `same`: sent to one dashboard under one name. */
export function ambiguous(same: readonly [Sent, ...Sent[]], candidates: readonly Seen[]): Failure {
  const [{ open, name }] = same;
  const addresses = same.map((sent) => sent.open.address);
  const answers = same.length === 1 ? 'its answer was' : 'their answers were';
  const lost = `An earlier apply sent ${addresses.join(' and ')} at ${open.since} and ${answers} lost.`;
  const isOne = candidates.length === 1;
  const there = `The dashboard ${open.identifier ?? ''} has ${isOne ? 'a schedule' : 'schedules'} that nothing tracks`;
  const ids = candidates.map((each) => idOf(each, name)).join(', ');
  const what = same.every(isRecorded)
    ? `${there} and that ${isOne ? 'was' : 'were'} not there before: ${ids}.`
    : `${there}: ${ids}. Nobody noted what was there before.`;
  return new Failure('blocked', `${lost} ${what}`, {
    hint: [
      same.length === 1 ? 'Find out which of them it is, then:' : 'Find out which is which, then for each:',
      ...addresses.map((address) => `  almanac state resolve ${address} --id ID`),
      'If it is not one of them: --retry. Nothing was sent.',
    ].join('\n'),
  });
}

/** Someone may have renamed what was sent. */
function idOf({ id, name, isThere }: Seen, sent: string): string {
  const differs = name === '' ? 'its name is not known' : name === sent ? undefined : `named "${name}"`;
  const notes = [differs, isThere ? undefined : 'Omni does not tell its dashboard'].filter(
    (each) => each !== undefined,
  );
  return notes.length === 0 ? id : `${id} (${notes.join('; ')})`;
}
