// Declared changes that nobody has applied within a day of their merge. Until an apply, whoever was taken out of the
// files goes on receiving. Secrets are not compared, because a variable may be rotated without a commit.

import { losesReceiver } from '../model/fields/delivery.ts';
import type { Unapplied } from '../model/plan/names.ts';
import type { Change } from '../model/plan/plan.ts';
import { type Address, kinds } from '../model/values/address.ts';
import { isAbout, touchedPlaces, trackedAddress } from './guard-plan.ts';
import type { PlanInputs } from './inputs.ts';
import { planOf } from './proposal.ts';

interface OfCheckout {
  readonly targets?: readonly Address[] | undefined;
  /** Addresses that need a variable that is not set. */
  readonly unset: ReadonlySet<Address>;
  /** The changes that a plan of the files of a day ago has; asked for only if something is not applied. */
  readonly yesterday: () => Promise<readonly Change[] | NonNullable<Unapplied['notTold']>>;
}

/** Returns undefined if nothing was ever applied, or everything is. A change is old if its field was open a day ago. */
export async function findUnapplied(
  inputs: PlanInputs,
  { targets, unset, yesterday }: OfCheckout,
): Promise<Unapplied | undefined> {
  if (inputs.state === undefined) return undefined;
  const { value } = planOf(inputs, { targets });
  const steps = value.steps.filter(({ change }) => isDeclared(change) && !unset.has(change.address));
  if (steps.length === 0) return undefined;
  const blockedChanges = steps.flatMap(({ change: { address, blocked } }) =>
    blocked === undefined ? [] : [{ address, reason: blocked }],
  );
  const open = steps.filter(({ change }) => change.blocked === undefined);
  const before = open.length === 0 ? [] : await yesterday();
  if (typeof before === 'string')
    return { merged: [], takingAway: 0, recent: open.length, left: blockedChanges, notTold: before };
  const openBefore = new Map(
    before.filter(isDeclared).map((change) => [trackedAddress(change), touchedPlaces(change)]),
  );
  const merged = open.filter(({ change }) => isAbout(change, openBefore.get(trackedAddress(change)) ?? []));
  return {
    merged: merged.map(({ change }) => change.address),
    takingAway: merged.filter(({ delivered }) => losesReceiver(delivered())).length,
    recent: open.length - merged.length,
    left: blockedChanges,
  };
}

/** True if the files say it: what runs once, what a replacement left, and the value of a variable are not counted. */
function isDeclared({ kind, action, reason, diff }: Change): boolean {
  const isSecret = diff.length > 0 && diff.every(({ sensitive }) => sensitive);
  return kinds[kind].life !== 'once' && action !== 'run' && reason !== 'replaced' && !isSecret;
}
