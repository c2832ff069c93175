// Which entries of `adopt` and `removed` have taken effect. They take effect once: a finished entry is a note and nothing
// else, whatever id its schedule has since been given. (followMoves decides the same about `moved`.)

import type { State } from '../model/plan/state.ts';
import { type Address, groupOf } from '../model/values/address.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import type { Adoption, Desired } from '../model/workspace/resource.ts';
import { type Origin, placeOf } from '../model/workspace/source-file.ts';

export interface Finished {
  readonly origin: Origin;
  readonly finding: Finding;
}

export const pruneHint = '`almanac fmt --prune` removes the entries that are finished in every environment.';

/** The adoptions that are finished, each with what to say about it. */
export function finishedAdoptions(
  { adoptions }: Pick<Desired<unknown>, 'adoptions'>,
  state: State | undefined,
): ReadonlyMap<Adoption, Finished> {
  if (state === undefined || adoptions.length === 0) return new Map();
  const holders = new Map(Object.entries(state.resources).map(([address, { id }]) => [id, address]));
  const orphans = new Map(state.orphans.map(({ id, address }) => [id, address]));
  return new Map(
    adoptions.flatMap((adoption) => {
      const { to, id, origin } = adoption;
      const words = adoptionWords(adoption, state.resources[to]?.id, holders.get(id), orphans.get(id));
      if (words === undefined) return [];
      const [message, hint] = words;
      const finding = { code: 'finished-entry', message, hint: hint ?? pruneHint, place: placeOf(origin) } as const;
      // Where the schedule has become something else, the plan may create another one at the address.
      return [[adoption, { origin, finding: hint === undefined ? finding : { ...finding, address: to } }]];
    }),
  );
}

function adoptionWords(
  { to, id }: Adoption,
  present: string | undefined,
  holder: Address | undefined,
  orphanOf: Address | undefined,
): readonly [message: string, hint?: string] | undefined {
  if (present === id) return [`\`${to}\` is already adopted.`];
  if (present !== undefined)
    return [`\`${to}\` is tracked with the id ${present}, so the entry with the id ${id} has no effect.`];
  if (holder !== undefined) {
    return [
      `The schedule ${id} is already tracked as \`${holder}\`, so it is not adopted as \`${to}\`.`,
      `If it should become ${to}, add a moved entry from ${holder} to ${to}.`,
    ];
  }
  if (orphanOf === undefined) return undefined;
  return [
    `The schedule ${id} was tracked as \`${orphanOf}\` before and is an orphan now, so it is not adopted as \`${to}\`.`,
    `To track it again, take it off the list first: \`almanac state orphans --clear ${id}\`.`,
  ];
}

/** The removals with nothing left to release. */
export function finishedRemovals({ removals }: Pick<Desired<unknown>, 'removals'>, state: State | undefined) {
  if (removals.length === 0) return [];
  const tracked = new Set(Object.keys(state?.resources ?? {}).flatMap((address) => [address, groupOf(address)]));
  return removals
    .filter(({ from }) => !tracked.has(from))
    .map(({ from, origin }): Finished => {
      const message = `\`${from}\` is not tracked.`;
      return { origin, finding: { code: 'stale-removed', message, hint: pruneHint, place: placeOf(origin) } };
    });
}
