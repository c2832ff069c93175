// What --target and --replace choose: what they name is looked up here, and refused where it can't be followed.

import type { Refresh } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, kindOf } from '../../model/values/address.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Desired, SealedResource } from '../../model/workspace/resource.ts';
import { type Match, match } from '../../plan/match.ts';
import { knownAddresses, targeted } from '../../plan/targeted.ts';
import { didYouMean } from '../../validate/findings/suggest.ts';
import type { Loaded } from '../load/load.ts';
import { fingerprintSecrets } from './fingerprint-secrets.ts';

export interface Choice {
  /** Undefined for everything. */
  readonly targets: readonly Address[] | undefined;
  readonly replace: readonly Address[];
  readonly refresh: Refresh | undefined;
}

/** What a plan for the targets is about, what makes room for them included. */
export async function selectMatches(
  { desired }: Loaded,
  state: State | undefined,
  targets: readonly Address[],
): Promise<readonly Match[]> {
  const sealed = await fingerprintSecrets(desired, state?.salt ?? '');
  return targeted(match(sealed, state).matches, new Set(targets));
}

/** Throws Failure usage for an address that nothing knows, and for one that can't be replaced. */
export function checkSelection(
  desired: Desired<SealedResource>,
  state: State | undefined,
  { targets, replace, refresh }: Choice,
  source: Loaded,
): void {
  const named = [...(targets ?? []), ...replace];
  if (named.length === 0) return;
  const unknown = unknownAddresses(named, desired, state);
  if (unknown.length > 0)
    throw new Failure('usage', 'Nothing has the address that is given; nothing was planned.', {
      hint: 'Give one that is declared or in the state: almanac state list shows the latter.',
      findings: unknown,
      source,
    });
  if (replace.length === 0) return;
  const { matches } = match(desired, state);
  const chosen = targeted(matches, targets && new Set(targets));
  for (const address of replace) {
    const [message, hint] = whyNotReplaced(address, { matches, chosen, refresh }) ?? [];
    if (message !== undefined) throw new Failure('usage', message, hint === undefined ? {} : { hint });
  }
}

function unknownAddresses(
  named: readonly Address[],
  desired: Desired<SealedResource>,
  state: State | undefined,
): readonly Finding[] {
  const known = knownAddresses(desired, state);
  return [...new Set(named)]
    .filter((address) => !known.has(address))
    .map((address) => ({
      code: 'unknown-target',
      message: `\`${address}\` is neither declared nor in the state.`,
      hint: didYouMean(address, [...known]) ?? 'An address is a section and a key, such as `schedules.weekly-sales`.',
    }));
}

interface Chosen {
  readonly matches: readonly Match[];
  readonly chosen: readonly Match[];
  readonly refresh: Refresh | undefined;
}

/** Undefined where it can be replaced. */
function whyNotReplaced(
  address: Address,
  { matches, chosen, refresh }: Chosen,
): readonly [message: string, hint?: string] | undefined {
  if (kindOf(address) !== 'schedule') return [`--replace takes schedules, and ${address} is none.`];
  if (refresh?.only) return [`--refresh-only sends nothing, so --replace ${address} can not be followed.`];
  const declared = matches.find((entry) => entry.address === address && entry.desired !== undefined);
  const hasRun = declared?.prior !== undefined && declared.prior.id === undefined;
  if (hasRun && declared.desired?.attributes['testNow'] === true)
    return [
      `${address} has sent a test delivery, and nothing is there to replace.`,
      `Send another with: almanac test ${address}`,
    ];
  if (declared === undefined) {
    const moved = matches.find((entry) => entry.moved?.from === address)?.address;
    return moved === undefined
      ? [`${address} is no longer declared, so --replace has nothing to put in its place.`]
      : [`${address} is declared as \`${moved}\` now.`, `Use --replace ${moved}.`];
  }
  if (!chosen.some((entry) => entry.address === address))
    return [
      `--replace ${address} is not among what --target names.`,
      `Add --target ${address}, or leave --target out.`,
    ];
  return undefined;
}
