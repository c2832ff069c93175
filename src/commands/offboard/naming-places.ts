// The places where each kind names people, and advice about acting for a leaver.

import { ownerAt, receiversAt } from '../../model/fields/delivery.ts';
import { type Kind, kinds, kindsInOrder } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';

/** The end of a sentence: advice if the `userId` of a declaration is the leaver's membership id. */
export const insteadOfUserId: Readonly<Record<Kind, string>> = {
  dashboard: 'Remove it, or name another member.',
  schedule: 'Remove it, or declare an `owner` instead.',
  routine: 'Remove it, or declare an `owner` instead.',
  aiJob: 'Remove it, or name another member.',
};

interface NoTransfer {
  /** A whole sentence: how to give a tracked one to somebody else. */
  readonly tracked: string;
  readonly untracked: (email: string) => string;
}

/** Advice about an owned resource that Omni cannot transfer; undefined if it can. */
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

/** The place of e-mail addresses in this kind; undefined if it delivers no mail. */
export function mailedAt(kind: Kind): Pointer | undefined {
  return receiversAt(kind).email;
}

export function namedAt(kind: Kind): readonly Pointer[] {
  return [mailedAt(kind), ownerAt(kind)].flatMap((at) => at ?? []);
}

export function fieldAt(at: Pointer): string {
  return pointerSegments(at)[0] ?? '';
}

/** The places in a source file, and in almanac.yaml, where people are named, as part of a regular expression. */
export const namingPlaces: readonly string[] = kindsInOrder.flatMap((kind) => {
  const { section } = kinds[kind];
  const named = namedAt(kind);
  if (named.length === 0) return [];
  return [
    `/${section}/[^/]+(${[...named, '/forEach'].join('|')})`,
    `(/environments/[^/]+)?/defaults/${section}(${named.join('|')})`,
  ];
});
