// What --target, --select and --replace name. An address that nothing knows, and a replacement that cannot be made, are refused
// before anything is asked of the service.

import type { Refresh, SavedPlan } from '../../model/plan/plan.ts';
import { type Address, kindOf, withInstances } from '../../model/values/address.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Match } from '../../plan/match.ts';
import { knownAddresses, targeted, trackedAs } from '../../plan/targeted.ts';
import { didYouMean } from '../../validate/findings/suggest.ts';
import type { Basis } from './basis.ts';

export interface Selection {
  /** Undefined for everything. Those that --select matches stand among them. */
  readonly targets: readonly Address[] | undefined;
  readonly replace: readonly Address[];
  /** How the service is observed first; undefined where it is not. */
  readonly refresh: Refresh | undefined;
}

interface Asked {
  readonly targets: readonly Address[] | undefined;
  /** Tags, owners and patterns of addresses, as people write them. */
  readonly select?: readonly string[] | undefined;
}

/** What a plan for the targets is about, including the moves that make room for them. */
export function selectMatches({ matching }: Basis, targets: readonly Address[] | undefined): readonly Match[] {
  const addresses = matching.value.flatMap((entry) => [entry.address, trackedAs(entry)]);
  return targeted(matching.value, targets && new Set(withInstances(targets, addresses)));
}

/**
 * What a saved plan is about. It may name resources that nothing knows any more; comparing it shows that it is stale.
 */
function selectionOf({ changes, refresh }: SavedPlan, { loaded, state }: Basis): Selection {
  const { resources } = loaded.desired;
  const declared = new Set(resources.map(({ address }) => address));
  const known = knownAddresses(loaded.desired, state);
  const kept = changes.filter(({ address }) => known.has(address));
  const replaced = kept.filter(({ address, reason }) => reason === 'requested' && declared.has(address));
  const addresses = (of: typeof kept) => of.map(({ address }) => address);
  return { targets: addresses(kept), replace: addresses(replaced), refresh };
}

/** What is asked for, with what --select matches among the targets. Throws Failure usage for what matches nothing. */
export async function withSelected<R extends Asked>(request: R, { loaded, state }: Basis): Promise<R> {
  const { select, targets = [] } = request;
  if (select === undefined) return request;
  const { selectAddresses } = await import('../choose/select-addresses.ts');
  const declared = new Map(loaded.desired.resources.map(({ address, attributes }) => [address, attributes]));
  const among = [...knownAddresses(loaded.desired, state)].map((address) => ({
    address,
    attributes: declared.get(address),
  }));
  return { ...request, select: undefined, targets: [...targets, ...selectAddresses(select, among, loaded)] };
}

/** What a plan is about: of a saved plan what it says itself. */
export function selectionFor(
  { saved, ...asked }: Selection & { readonly saved?: SavedPlan | undefined },
  basis: Basis,
) {
  return saved === undefined ? withInstancesOf(asked, basis) : selectionOf(saved, basis);
}

/** The address of a loop means all its instances. */
function withInstancesOf({ targets, replace, refresh }: Selection, { loaded, state }: Basis): Selection {
  if (targets === undefined && replace.length === 0) return { targets, replace, refresh };
  const known = knownAddresses(loaded.desired, state);
  return {
    targets: targets && withInstances(targets, known),
    replace: withInstances(replace, known),
    refresh,
  };
}

/** Throws Failure usage for an address that nothing knows, and for one that cannot be replaced. */
export function checkSelection(selection: Selection, basis: Basis): void {
  const { targets, replace } = selection;
  const unknown = unknownAddresses([...(targets ?? []), ...replace], basis);
  if (unknown.length > 0)
    throw new Failure('usage', 'No resource has the address that was given; nothing was planned.', {
      hint: 'Use an address that is declared or listed by `almanac state list`.',
      findings: unknown,
      source: basis.loaded,
    });
  if (replace.length === 0) return;
  const selected = new Set(selectMatches(basis, targets).map(({ address }) => address));
  for (const address of replace) {
    const [message, hint] = whyNotReplaced(address, selection, basis, selected) ?? [];
    if (message !== undefined) throw new Failure('usage', message, hint === undefined ? {} : { hint });
  }
}

function unknownAddresses(named: readonly Address[], { loaded, state }: Basis): readonly Finding[] {
  if (named.length === 0) return [];
  const known = knownAddresses(loaded.desired, state);
  const absent = new Set(loaded.desired.absent?.map(({ address }) => address));
  return [...new Set(named)]
    .filter((address) => !known.has(address))
    .map((address) => ({
      code: 'unknown-target',
      message: absent.has(address)
        ? `\`${address}\` does not exist in this environment.`
        : `\`${address}\` is neither declared nor in the state.`,
      hint: absent.has(address)
        ? 'It is declared for other environments (`in`).'
        : (didYouMean(address, [...known]) ?? 'An address is a section and a key, such as `schedules.weekly-sales`.'),
    }));
}

/** Undefined where it can be replaced. */
function whyNotReplaced(
  address: Address,
  { refresh }: Selection,
  { matching: { value: matches } }: Basis,
  selected: ReadonlySet<Address>,
): readonly [message: string, hint?: string] | undefined {
  const kind = kindOf(address);
  if (kind !== 'schedule')
    return [`--replace accepts only schedules; ${address} is ${kind === 'aiJob' ? 'an AI job' : 'a dashboard'}.`];
  if (refresh?.only) return [`--refresh-only sends nothing, so --replace ${address} cannot be followed.`];
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
  if (!selected.has(address))
    return [
      `--replace ${address} is not among the resources that --target or --select names.`,
      `Add --target ${address}.`,
    ];
  return undefined;
}
