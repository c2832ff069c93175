// What a plan is about: what --target and --replace select, or what a saved plan says itself. A selector that matches nothing, and
// a replacement that cannot be made, are refused before anything is asked of the service.

import type { Observation } from '../model/plan/observation.ts';
import type { Change, Refresh, SavedPlan } from '../model/plan/plan.ts';
import { type Address, kindOf, kinds, kindsInWords, recurringKinds, withInstances } from '../model/values/address.ts';
import type { WithFindings } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Basis } from './inputs.ts';
import { knownAddresses, type Match, targeted, trackedAs } from './match.ts';
import { makePlan, onlySteps, type Planned } from './plan.ts';
import { compareSaved, type SavedPart } from './saved-plan.ts';
import { requireMatches, resolve, selectablesAt } from './select.ts';

/** What a plan is asked about, as people write it. */
export interface Asked {
  /** Selectors; everything where it is undefined. */
  readonly targets?: readonly string[] | undefined;
  readonly replace?: readonly string[] | undefined;
  /** Of what `drift --write` writes, among the targets. */
  readonly written?: readonly string[] | undefined;
  /** How the service is observed first; undefined where it is not. */
  readonly refresh?: Refresh | undefined;
  /** A plan to make again: it says itself what it is about and how the service is observed. */
  readonly saved?: SavedPlan | undefined;
}

/** What was asked for, in addresses. */
export interface Selection {
  /** Undefined for everything. */
  readonly targets?: readonly Address[] | undefined;
  readonly replace?: readonly Address[] | undefined;
  readonly written?: readonly Address[] | undefined;
  readonly refresh?: Refresh | undefined;
  readonly saved?: SavedPlan | undefined;
}

/** Throws Failure usage for a selector that matches nothing, for what cannot be replaced, and for what is not among the targets. */
export function selectionOf({ targets, written, replace, refresh, saved }: Asked, basis: Basis): Selection {
  if (saved !== undefined) return savedSelection(saved, basis);
  const asked = [targets, written, replace].filter((each) => each !== undefined);
  if (asked.length === 0) return { refresh };
  const { loaded, state } = basis;
  const known = selectablesAt(knownAddresses(loaded.desired, state), loaded.desired, state);
  const among = { source: loaded };
  // First all of them: one error names every misspelt one.
  requireMatches(asked.flat(), known, among);
  const resolved = (selectors: readonly string[] | undefined) => selectors && [...resolve(selectors, known, among)];
  const selection = {
    targets: resolved(targets ?? written),
    replace: resolved(replace) ?? [],
    written: resolved(written),
    refresh,
  };
  checkWritten(selection);
  checkReplaced(selection, basis);
  return selection;
}

function checkWritten({ targets = [], written = [] }: Selection): void {
  const left = written.find((address) => !targets.includes(address));
  if (left === undefined) return;
  throw new Failure('usage', `--write ${left} is not among the resources of --target.`, {
    hint: `Add --target ${left}, or leave --target out.`,
  });
}

/** It may name resources that nothing knows any more. A replacement that was made gave the schedule another id. */
function savedSelection(saved: SavedPlan, { state }: Basis): Selection {
  const isOpen = ({ address, previousAddress = address, id }: Change) => state?.resources[previousAddress]?.id === id;
  const replaced = saved.changes.filter((change) => change.reason === 'requested' && isOpen(change));
  return { ...saved.selection, replace: replaced.map(({ address }) => address), saved };
}

/** What a plan for the targets is about, including the moves that make room for them. */
export function selectMatches({ matching }: Basis, targets: readonly Address[] | undefined): readonly Match[] {
  const addresses = matching.value.flatMap((entry) => [entry.address, trackedAs(entry)]);
  return targeted(matching.value, targets && new Set(withInstances(targets, addresses)));
}

/** A plan, of a saved one only what that holds. */
export interface PlannedFor extends WithFindings<Planned> {
  readonly part?: SavedPart | undefined;
}

/** The plan of a basis, for the selection and as far as the service was observed. */
export function planOf(basis: Basis, selection: Selection = {}, observation?: Observation | undefined): PlannedFor {
  const { config, desired, state, matching } = basis;
  const { targets, replace, refresh, saved } = selection;
  const { operations, baseUrl = state?.baseUrl } = config.api;
  const policy = { baseUrl, operations, targets, replace, refreshOnly: refresh?.only };
  const planned = makePlan({ desired, state, matching, observed: observation?.observed, policy });
  if (saved === undefined) return planned;
  const addresses = saved.changes.map(({ address }) => address);
  const about = selectMatches(basis, addresses).flatMap((entry) => [entry.address, trackedAs(entry)]);
  const part = compareSaved(saved, planned.value.plan, new Set([...addresses, ...about]));
  return { ...planned, value: onlySteps(planned.value, part.isHeld), part };
}

/** What is observed for it, by addresses of the state; undefined for everything. Of a saved plan nothing but what it changes. */
export function observedBy({ targets, saved }: Selection, basis: Basis) {
  const about = saved === undefined ? targets : saved.changes.map(({ address }) => address);
  return about && new Set(selectMatches(basis, about).map(trackedAs));
}

function checkReplaced(selection: Selection & { readonly replace: readonly Address[] }, basis: Basis): void {
  if (selection.replace.length === 0) return;
  const selected = new Set(selectMatches(basis, selection.targets).map(({ address }) => address));
  for (const address of selection.replace) {
    const [message, hint] = whyNotReplaced(address, selection, basis, selected) ?? [];
    if (message !== undefined) throw new Failure('usage', message, { hint });
  }
}

/** Undefined where it can be replaced. */
function whyNotReplaced(
  address: Address,
  { refresh }: Selection,
  { matching: { value: matches } }: Basis,
  selected: ReadonlySet<Address>,
): readonly [message: string, hint?: string] | undefined {
  const kind = kindOf(address);
  if (kind !== undefined && !recurringKinds.includes(kind)) {
    const { words } = kinds[kind];
    const article = /^[AEIOU]/i.test(words) ? 'an' : 'a';
    return [`--replace accepts only ${kindsInWords(recurringKinds, 'or', 's')}; ${address} is ${article} ${words}.`];
  }
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
    return [`--replace ${address} is not among the resources that --target selects.`, `Add --target ${address}.`];
  return undefined;
}
