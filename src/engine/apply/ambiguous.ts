// Refusals of an apply that finds several things which a lost request may have made, or none for certain.

import type { OpenChange } from '../../model/plan/state.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { Failure } from '../../model/workspace/failure.ts';

export function ambiguous(opens: readonly OpenChange[], ids: readonly string[]): Failure {
  const [{ address, name = address }] = opens as readonly [OpenChange];
  const there = ids.length === 1 ? 'a schedule' : 'several schedules';
  return refusal(opens, `Omni has ${there} named "${name}" that nothing tracks: ${ids.join(', ')}.`);
}

export function renamedMeanwhile(opens: readonly OpenChange[], { id, name }: ListedSchedule): Failure {
  return refusal(
    opens,
    `No schedule has that name, but one that was created then on the same dashboard, and that nothing tracks, is named "${name}": ${id}. Someone may have renamed it.`,
  );
}

/** One failure for all of them. */
export function refusedTogether(refusals: readonly Failure[]): Failure {
  const hints = new Set(refusals.flatMap(({ hint }) => hint ?? []));
  return new Failure('blocked', refusals.map(({ message }) => message).join('\n'), { hint: [...hints].join('\n') });
}

function refusal(opens: readonly OpenChange[], what: string): Failure {
  const [{ since }] = opens as readonly [OpenChange];
  const addresses = opens.map((open) => open.address).join(' and ');
  const answers = opens.length === 1 ? 'its answer was' : 'their answers were';
  return new Failure('blocked', `An earlier apply sent ${addresses} at ${since} and ${answers} lost. ${what}`, {
    hint: [
      opens.length === 1 ? 'Find out which of them it is, then:' : 'Find out which is which, then for each:',
      ...opens.map((open) => `  almanac state resolve ${open.address} --id ID`),
      'If it is not one of them: --retry. Nothing was sent.',
    ].join('\n'),
  });
}
