// Declared changes that nobody has applied within a day of their merge. Until an apply, whoever was taken out of the
// files goes on receiving. Secrets are not compared, because a variable may be rotated without a commit.

import { losesReceiver } from '../model/fields/delivery.ts';
import type { FilesInBranch } from '../model/plan/checkout-position.ts';
import type { Unapplied } from '../model/plan/unapplied.ts';
import { type Address, kinds } from '../model/values/address.ts';
import { once } from '../model/values/memoize.ts';
import type { Origins } from '../model/workspace/origins.ts';
import type { Resource } from '../model/workspace/resource.ts';
import type { PlanInputs } from './inputs.ts';
import type { Step } from './plan.ts';
import { planOf } from './proposal.ts';

interface OfCheckout {
  readonly targets?: readonly Address[] | undefined;
  /** Addresses that need a variable that is not set. */
  readonly unset: ReadonlySet<Address>;
  /** Asks git for the files, only if something is not applied. */
  readonly files: () => Promise<FilesInBranch | NonNullable<Unapplied['notTold']>>;
}

/** Returns undefined if nothing was ever applied, or everything is. */
export async function findUnapplied(
  inputs: PlanInputs,
  { targets, unset, files }: OfCheckout,
): Promise<Unapplied | undefined> {
  if (inputs.state === undefined) return undefined;
  const { value } = planOf(inputs, { targets });
  const steps = value.steps.filter((step) => isDeclared(step) && !unset.has(step.change.address));
  if (steps.length === 0) return undefined;
  const blockedChanges = steps.flatMap(({ change: { address, blocked } }) =>
    blocked === undefined ? [] : [{ address, reason: blocked }],
  );
  const open = steps.filter(({ change }) => change.blocked === undefined);
  const checkoutFiles = open.length === 0 ? undefined : await files();
  if (checkoutFiles === undefined || typeof checkoutFiles === 'string')
    return { merged: [], takingAway: 0, recent: open.length, left: blockedChanges, notTold: checkoutFiles };
  const isSettled = (path: string) => checkoutFiles.tracked.has(path) && !checkoutFiles.touched.has(path);
  const resources = new Map(inputs.loaded.desired.resources.map((each) => [each.address, each]));
  // A resource that is no longer declared was in a file that declares others, or in one that is gone.
  const isRemovalSettled = once(() => {
    const declaring = declaringFiles(inputs);
    return ![...checkoutFiles.touched].some((path) => declaring.has(path) || !checkoutFiles.tracked.has(path));
  });
  const merged = open.filter(({ change: { address } }) => {
    const resource = resources.get(address);
    return resource === undefined ? isRemovalSettled() : filesOf(resource).every(isSettled);
  });
  return {
    merged: merged.map(({ change }) => change.address),
    takingAway: merged.filter(({ delivered }) => losesReceiver(delivered())).length,
    recent: open.length - merged.length,
    left: blockedChanges,
  };
}

/** True if the files say it: what runs once, what a replacement left, and the value of a variable are not counted. */
function isDeclared({ change: { kind, action, reason, diff } }: Step): boolean {
  const isSecret = diff.length > 0 && diff.every(({ sensitive }) => sensitive);
  return kinds[kind].life !== 'once' && action !== 'run' && reason !== 'replaced' && !isSecret;
}

function declaringFiles({ loaded: { config, files, desired } }: PlanInputs): ReadonlySet<string> {
  return new Set([config?.file ?? '', ...files, ...desired.resources.flatMap(filesOf)]);
}

/** All that give it a value: its declaration, its item, defaults, variables, audiences and texts. */
function filesOf({ origin, item, origins }: Resource): readonly string[] {
  return [origin.file, ...(item === undefined ? [] : [item.origin.file]), ...givingFiles(origins)];
}

function givingFiles(origins: Origins | undefined): readonly string[] {
  return [...(origins?.given.values() ?? [])].flatMap(({ by }) =>
    by.flatMap(({ place, origins: inner }) => [
      place.kind === 'text-file' ? place.path : place.origin.file,
      ...givingFiles(inner),
    ]),
  );
}
