// What `offboard` asks of a kind: where its declarations name people, and what to do where one acts for somebody who leaves.

import { ownerAt, receiversAt } from '../../model/fields/delivery.ts';
import { type Kind, kinds, kindsInOrder } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';

/** What helps where the `userId` of a declaration is their membership id: the end of a sentence about it. */
export const insteadOfUserId: Readonly<Record<Kind, string>> = {
  dashboard: 'Remove it, or name another member.',
  schedule: 'Remove it, or declare an `owner` instead.',
  routine: 'Remove it, or declare an `owner` instead.',
  aiJob: 'Remove it, or name another member.',
};

interface NoTransfer {
  /** A whole sentence: what makes a tracked one somebody else's. */
  readonly tracked: string;
  readonly untracked: (email: string) => string;
}

/** What to do with one that they own, where Omni cannot transfer it; undefined where it can. */
export const insteadOfTransfer: Readonly<Record<Kind, NoTransfer | undefined>> = {
  dashboard: undefined,
  schedule: undefined,
  routine: {
    tracked: `Omni cannot transfer a routine. Declare another \`owner\` and run ${command('apply')} before the account is gone: it makes the routine for them and deletes this one.`,
    untracked: (email) =>
      `Omni cannot transfer a routine. Before the account is gone, run ${command('import', '--owners', email)}, apply, declare another \`owner\`, and apply again.`,
  },
  aiJob: undefined,
};

/** Where the kind lists e-mail addresses; undefined where it delivers no mail. */
export function mailedAt(kind: Kind): Pointer | undefined {
  return receiversAt(kind).email;
}

/** All places where a declaration of the kind names people. */
export function namedAt(kind: Kind): readonly Pointer[] {
  return [mailedAt(kind), ownerAt(kind)].flatMap((at) => at ?? []);
}

/** The field that holds a place. */
export function fieldAt(at: Pointer): string {
  return pointerSegments(at)[0] ?? '';
}

/** The places in a source file, and in almanac.yaml, where people are named, as a part of a regular expression. */
export const namingPlaces: readonly string[] = kindsInOrder.flatMap((kind) => {
  const { section } = kinds[kind];
  const named = namedAt(kind);
  if (named.length === 0) return [];
  return [
    `/${section}/[^/]+(${[...named, '/forEach'].join('|')})`,
    `(/environments/[^/]+)?/defaults/${section}(${named.join('|')})`,
  ];
});
