// Finds the entries of `adopt` that have taken effect, with words about them. They take effect once, whatever id their
// schedule has since been given.

import { type Address, kindAt, kinds } from '../values/address.ts';
import { command } from '../values/command.ts';
import { type Finding, type Origin, placeOf } from '../workspace/diagnostic.ts';
import type { Adoption, Desired } from '../workspace/resource.ts';
import type { State } from './state.ts';

export const pruneHint = `\`${command('fmt', '--prune')}\` removes the entries that are finished in every environment.`;

/** An entry that has taken effect, and what to say about it. */
export interface EffectiveEntry {
  readonly origin: Origin;
  readonly finding: Finding;
}

/** The adoptions that are finished, each with what to say about it. */
export function finishedAdoptions(
  { adoptions }: Pick<Desired<unknown>, 'adoptions'>,
  state: State | undefined,
): ReadonlyMap<Adoption, EffectiveEntry> {
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
      // If the schedule has become something else, the plan may create another one at the address.
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
      `The ${kinds[kindAt(to)].words} ${id} is already tracked as \`${holder}\`, so it is not adopted as \`${to}\`.`,
      `If this should become ${to}, add a moved entry from ${holder} to ${to}.`,
    ];
  }
  if (orphanOf === undefined) return undefined;
  return [
    `The ${kinds[kindAt(to)].words} ${id} was tracked as \`${orphanOf}\` before and is an orphan now, so it is not adopted as \`${to}\`.`,
    `To track it again, remove it from the list of orphans first: \`${command('state orphans', '--clear', id)}\`.`,
  ];
}
