// The scope of a plan, and the questions to Omni for it: what --target and --replace select, or a saved plan says. A selector
// that matches nothing, and a replacement that cannot be made, are refused before anything is asked of the service.

import { dashboardsToWatch } from '../declare/rows/on-dashboards.ts';
import type { ListedRows } from '../model/plan/observation.ts';
import type { Change, Refresh, SavedPlan } from '../model/plan/plan.ts';
import type { Orphan, State, StateResource } from '../model/plan/state.ts';
import {
  type Address,
  groupOf,
  kindOf,
  kinds,
  kindsInWords,
  recurringKinds,
  withInstances,
} from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import { hasErrors } from '../model/workspace/diagnostic.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Resource } from '../model/workspace/resource.ts';
import { type PlanInputs, unplanned } from './inputs.ts';
import { knownAddresses, type Match, targeted, trackedAs } from './match.ts';
import { choiceAmong, requireMatches, resolve } from './select.ts';

/** The scope of a plan as people write it. */
export interface PlanQuestion {
  /** The selectors; undefined for everything. */
  readonly targets?: readonly string[] | undefined;
  readonly replace?: readonly string[] | undefined;
  /** The targets that `drift --write` writes. */
  readonly written?: readonly string[] | undefined;
  /** The way in which the service is observed first; undefined if it is not. */
  readonly refresh?: Refresh | undefined;
  /** A plan to make again: it says itself what it is about and how the service is observed. */
  readonly saved?: SavedPlan | undefined;
}

/** The same scope, with addresses in place of selectors. */
export type Selection = PlanQuestion;

/** Throws Failure usage for a selector that matches nothing, for what cannot be replaced, and for what is not among the targets. */
export function selectionOf(
  { targets, written, replace, refresh, saved }: PlanQuestion,
  inputs: PlanInputs,
): Selection {
  if (saved !== undefined) return selectionOfSaved(saved, inputs);
  const askedSelectors = [targets, written, replace].filter((each) => each !== undefined);
  if (askedSelectors.length === 0) return { refresh };
  const { loaded, state } = inputs;
  const choice = choiceAmong(knownAddresses(loaded.desired, state), { loaded, state });
  // A file with errors hides what a label, a pattern or a key stands for, and what is misspelled.
  const known = new Set(choice.selectables.flatMap(({ address }) => [address, groupOf(address)]));
  if (hasErrors(loaded.findings) && !askedSelectors.flat().every((each) => known.has(each))) throw unplanned(loaded);
  // All selectors are checked first: one error names every misspelled one.
  requireMatches(askedSelectors.flat(), choice);
  const resolved = (selectors: readonly string[] | undefined) => selectors && [...resolve(selectors, choice).addresses];
  const selection = {
    targets: resolved(targets ?? written),
    replace: resolved(replace) ?? [],
    written: resolved(written),
    refresh,
  };
  checkWritten(selection);
  checkReplaced(selection, inputs);
  return selection;
}

function checkWritten({ targets = [], written = [] }: Selection): void {
  const notTargeted = written.find((address) => !targets.includes(address));
  if (notTargeted === undefined) return;
  throw new Failure('usage', `--write ${notTargeted} is not among the resources of --target.`, {
    hint: `Add --target ${notTargeted}, or leave --target out.`,
  });
}

/**
 * The addresses of its changes are taken as they are: nothing may know them any more. A replacement that was made gave the
 * schedule another id.
 */
function selectionOfSaved(saved: SavedPlan, { state }: PlanInputs): Selection {
  const isOpen = ({ address, previousAddress = address, id }: Change) => state?.resources[previousAddress]?.id === id;
  const replaced = saved.changes.filter((change) => change.reason === 'requested' && isOpen(change));
  return { refresh: saved.selection.refresh, replace: replaced.map(({ address }) => address), saved };
}

/** The matches that a plan for the targets is about, including the moves that make room for them. */
export function selectMatches({ matching }: PlanInputs, targets: readonly Address[] | undefined): readonly Match[] {
  const addresses = matching.value.flatMap((entry) => [entry.address, trackedAs(entry)]);
  return targeted(matching.value, targets && new Set(withInstances(targets, addresses)));
}

/** The addresses, as the state has them, of what a selection is about; undefined for everything. */
function aboutIn({ targets, saved }: Selection, inputs: PlanInputs): ReadonlySet<Address> | undefined {
  const about = saved === undefined ? targets : saved.changes.map(({ address }) => address);
  return about && new Set(selectMatches(inputs, about).map(trackedAs));
}

/** The further questions to Omni with a look. */
export interface LookedAt {
  /** True to find out what is untracked even if that takes a request, or if the plan is limited to some addresses. */
  readonly untracked?: boolean | undefined;
  /** True to find out which declared names mean no user group: an apply does that before it sends. */
  readonly names?: boolean | undefined;
  /** True to ask which tiles the dashboards have on which a single one is delivered or watched: an apply does not. */
  readonly tiles?: boolean | undefined;
  /** True if only reviewed changes are made. */
  readonly isReviewed?: boolean | undefined;
}

/** The questions to Omni before the plan is made; undefined if there is nothing to ask. */
export function lookFor(
  selection: Selection,
  inputs: PlanInputs,
  { untracked = false, names = false, tiles = false, isReviewed = false }: LookedAt,
) {
  const { refresh } = selection;
  if (refresh === undefined) return undefined;
  const { config } = inputs;
  return {
    ...known(inputs, isReviewed),
    refresh,
    only: aboutIn(selection, inputs),
    lists: untracked,
    tiles: tiles && refresh.depth === 'deep',
    names: names && config.api.operations === 'full' ? namingIn(selection, inputs) : undefined,
    layouts:
      refresh.only && refresh.depth === 'deep'
        ? dashboardsToWatch(targetedIn(selection, inputs), config.safety)
        : undefined,
  };
}

function targetedIn({ targets }: Selection, { loaded: { desired } }: PlanInputs): readonly Resource[] {
  const chosen = targets && new Set(targets);
  return desired.resources.filter(({ address }) => chosen?.has(address) ?? true);
}

interface LookedAtAsWell {
  /** The dashboards whose filters are read. */
  readonly dashboards?: ReadonlySet<string>;
  /** The dashboards whose layout is read. */
  readonly layouts?: ReadonlySet<string>;
  readonly orphans?: readonly Orphan[];
  readonly isReviewed?: boolean;
}

/** The questions to Omni about what is about to change: it is planned again from what it is now. */
export function lookAtTouched(
  touched: ReadonlyMap<Address, StateResource>,
  listed: ListedRows,
  inputs: PlanInputs,
  { dashboards, layouts, orphans = [], isReviewed = false }: LookedAtAsWell = {},
) {
  const { state } = inputs;
  const isAdopted = ([address, { id }]: readonly [Address, StateResource]) =>
    id !== undefined && state?.resources[address]?.id === undefined;
  return {
    ...known(inputs, isReviewed),
    refresh: { depth: 'deep', only: false } as const,
    only: new Set(touched.keys()),
    dashboards,
    layouts,
    orphans: isReviewed ? orphans.map(({ entityId: _, ...orphan }) => orphan) : orphans,
    adopted: new Map([...touched].filter(isAdopted)),
    listed: { schedule: [], ...listed },
  };
}

/** What each look compares Omni with. */
function known(inputs: PlanInputs, isReviewed: boolean) {
  const { config, desired, keying } = inputs;
  return { config, desired, state: believed(inputs, isReviewed), fingerprint: keying.fingerprint };
}

/**
 * The state, as far as its fingerprints can be compared. What was reviewed is believed of a renamed dashboard by Omni's list alone: the id
 * that the state records is in no digest.
 */
function believed({ keying, state }: PlanInputs, isReviewed: boolean): State | undefined {
  const compared = keying.comparable(state);
  if (compared === undefined || !isReviewed) return compared;
  const resources = Object.entries(compared.resources).map(([address, { entityId: _, ...resource }]) => [
    address,
    resource,
  ]);
  return { ...compared, resources: Object.fromEntries(resources) };
}

/** The declarations whose groups are looked up by name, with the groups that the state knows of each. */
function namingIn({ targets }: Selection, inputs: PlanInputs) {
  const { loaded } = inputs;
  const priors = new Map(selectMatches(inputs, targets).map(({ address, prior }) => [address, prior]));
  return loaded.desired.resources
    .filter(({ address }) => priors.has(address))
    .map((resource) => ({
      resource,
      knownGroups: priors.get(resource.address)?.groups ?? [],
    }));
}

function checkReplaced(selection: Selection & { readonly replace: readonly Address[] }, inputs: PlanInputs): void {
  if (selection.replace.length === 0) return;
  const selected = new Set(selectMatches(inputs, selection.targets).map(({ address }) => address));
  for (const address of selection.replace) {
    const [message, hint] = reasonNotReplaced(address, selection, inputs, selected) ?? [];
    if (message !== undefined) throw new Failure('usage', message, { hint });
  }
}

/** Returns undefined if the resource can be replaced. */
function reasonNotReplaced(
  address: Address,
  { refresh }: Selection,
  { matching: { value: matches } }: PlanInputs,
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
      `Send another with: ${command('test', address)}`,
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
