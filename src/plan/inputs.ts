// The inputs of a plan, worked out once in a run. They are the declarations with fingerprints in place of their secrets, the
// state, and which of them belong together.

import { withAudienceWaivers } from '../declare/inside/recipients-inside.ts';
import type { Loaded } from '../declare/load/load.ts';
import { invalidWorkspace } from '../declare/load/refuse-errors.ts';
import type { Randomness } from '../model/outside.ts';
import type { CheckoutPosition } from '../model/plan/checkout-position.ts';
import { type Neighbours, noNeighbours } from '../model/plan/neighbours.ts';
import { openChanges } from '../model/plan/open-change.ts';
import type { PlanDocument } from '../model/plan/plan.ts';
import type { State } from '../model/plan/state.ts';
import type { Address } from '../model/values/address.ts';
import { once } from '../model/values/collections.ts';
import type { Config } from '../model/workspace/config.ts';
import { type Finding, hasErrors, type Origin } from '../model/workspace/diagnostic.ts';
import type { Failure } from '../model/workspace/failure.ts';
import type { DeclaredObject, Desired, SealedResource } from '../model/workspace/resource.ts';
import { withoutFaulty } from './beside-errors.ts';
import {
  type FingerprintKey,
  fingerprintSecrets,
  holdsSecrets,
  keyingOf,
  withoutFingerprints,
} from './fingerprints.ts';
import { comparingSecrets, type MatchResult, match } from './match.ts';
import type { Unsettled } from './open-changes.ts';

export interface PlanInputs {
  readonly loaded: Loaded;
  readonly config: Config;
  readonly desired: Desired<SealedResource>;
  /** The declaration of an address, with its secrets. */
  readonly declared: (address: Address) => DeclaredObject | undefined;
  readonly state: State | undefined;
  /** The findings about how the state was read. */
  readonly findings: readonly Finding[];
  /** The salt of the state, or the one that a new state will have. */
  readonly salt: string;
  readonly keying: FingerprintKey;
  readonly matching: MatchResult;
  /** The position of these files relative to the last apply; nothing is known if git was not asked. */
  readonly standing: CheckoutPosition;
  /** The place of the state, if several machines share it, and who wrote it there last. */
  readonly place: Pick<PlanDocument['state'], 'place' | 'writtenBy'>;
  /** Empty unless the run takes ids that this state does not hold, or lists what is untracked. */
  readonly neighbours: Neighbours;
  /** The reasons why changes stay open that an apply has looked for; undefined before it has. */
  readonly unsettled?: Unsettled;
  readonly toolVersion: string;
}

/** The facts of the run that are neither in the declarations nor in the state. */
export interface OfRun {
  readonly randomness: Randomness;
  readonly toolVersion: string;
  readonly findings?: readonly Finding[];
  readonly place?: PlanInputs['place'];
  readonly standing?: CheckoutPosition;
}

/** The purpose that decides how many fingerprints of secrets are made: one takes some 40 ms of processor time. */
type SecretsFor =
  /** All, to record them. */
  | 'recording'
  /** The secrets that decide what is planned. */
  | 'planning'
  /** The secrets that decide which declaration and which tracked resource belong together. */
  | 'matching';

interface InputOptions {
  readonly secrets?: SecretsFor;
  /** True if secrets that nothing can be compared with are sent again. */
  readonly resends?: boolean;
  /** True if the plan judges itself whether it may be made although files have errors. */
  readonly besideErrors?: boolean | undefined;
}

/** Throws Failure invalid-workspace where a finding is an error. */
export async function makeInputs(
  loaded: Loaded,
  state: State | undefined,
  { randomness, toolVersion, findings = [], place = {}, standing = {} }: OfRun,
  { secrets = 'planning', resends = false, besideErrors = false }: InputOptions = {},
): Promise<PlanInputs> {
  const config = configOf(loaded);
  const isFaulty = hasErrors(loaded.findings);
  if (isFaulty && !besideErrors) throw unplanned(loaded);
  const sound = isFaulty ? { ...loaded, desired: withoutFaulty(loaded) } : loaded;
  const salt = state?.salt ?? randomness.bytes(16);
  const keying = keyingOf({ state, salt, key: loaded.stateKey, resends });
  const declarations = await declarationsOf(sound, state, keying, secrets);
  return {
    ...declarations,
    loaded,
    config,
    state,
    findings,
    salt,
    keying,
    place,
    standing,
    neighbours: noNeighbours,
    toolVersion,
  };
}

async function declarationsOf(loaded: Loaded, state: State | undefined, keying: FingerprintKey, secrets: SecretsFor) {
  const { internalDomains = [] } = loaded.config?.safety ?? {};
  const waived = withAudienceWaivers(loaded.desired, loaded.audiences, internalDomains);
  const recorded = keying.comparable(state);
  const isCompared = secrets === 'recording' ? () => true : isComparedIn(waived, recorded, secrets === 'planning');
  const desired = await fingerprintSecrets(waived, keying.fingerprint, isCompared);
  const sources = once(() => new Map(loaded.desired.resources.map(({ address, attributes }) => [address, attributes])));
  const declared = (address: Address) => sources().get(address);
  return { loaded, desired, declared, matching: match(desired, recorded) };
}

/** Tells the declarations whose secrets are compared, by a match without secrets. */
function isComparedIn(desired: Desired, state: State | undefined, applied: boolean): (address: Address) => boolean {
  if (state === undefined || !holdsSecrets(desired)) return () => false;
  const compared = comparingSecrets(match(withoutFingerprints(desired), state).value, { applied });
  const open = new Set(openChanges(state).map(({ address }) => address));
  return (address) => compared.has(address) || (applied && open.has(address));
}

/** Other declarations over the same state. Throws Failure invalid-workspace where almanac.yaml has errors. */
export async function withDeclarations(
  inputs: PlanInputs,
  loaded: Loaded,
  secrets: SecretsFor = 'planning',
): Promise<PlanInputs> {
  return {
    ...inputs,
    ...(await declarationsOf(loaded, inputs.state, inputs.keying, secrets)),
    config: configOf(loaded),
  };
}

/** The same declarations over a later version of the state. */
export function withState(inputs: PlanInputs, state: State): PlanInputs {
  return state === inputs.state
    ? inputs
    : { ...inputs, state, matching: match(inputs.desired, inputs.keying.comparable(state)) };
}

/**
 * Adds what neighbours track, where the run takes ids that this state does not hold, or lists what is untracked. `recovers` is
 * true if it looks for what a lost request has made.
 */
export async function withNeighbours(
  inputs: PlanInputs,
  { listsUntracked, recovers = false }: { readonly listsUntracked: boolean; readonly recovers?: boolean },
  read: (() => Promise<Neighbours>) | undefined,
): Promise<PlanInputs> {
  const adopts = inputs.matching.value.some(({ adopt }) => adopt !== undefined);
  if (read === undefined || !(listsUntracked || adopts || recovers)) return inputs;
  return { ...inputs, neighbours: await read() };
}

/** Throws Failure invalid-workspace where almanac.yaml has errors. */
export function configOf(loaded: Loaded): Config {
  if (loaded.config === undefined) throw unplanned(loaded);
  return loaded.config;
}

export function unplanned(source: Loaded, findings: readonly Finding[] = source.findings): Failure {
  return invalidWorkspace('The declarations have errors; nothing was planned.', findings, source);
}

/** The declarations of an environment, and what was applied to it. */
interface EnvironmentSide {
  readonly loaded: Loaded;
  readonly state?: State | undefined;
  readonly inputs: () => Promise<PlanInputs>;
}

export interface FinishedEntries {
  /** The entries that are finished in every environment. */
  readonly origins: readonly Origin[];
  /** The number of entries that are still to take effect in each environment, in order. */
  readonly open: readonly number[];
}

/**
 * Finds the entries that have taken effect in every environment: only those can be removed from the files. Throws Failure
 * invalid-workspace if a declaration has an error: then it is unclear what an entry is for.
 */
export async function finishedEverywhere(environments: readonly EnvironmentSide[]): Promise<FinishedEntries> {
  let finished: ReadonlyMap<string, Origin> | undefined;
  const open: number[] = [];
  for (const { loaded, state, inputs } of environments) {
    if (hasErrors(loaded.findings)) throw unplanned(loaded);
    // Every entry may still take effect if nothing was applied yet.
    const origins = state === undefined ? [] : (await inputs()).matching.finished;
    const took = new Map(origins.map((origin) => [JSON.stringify(origin), origin]));
    const { leftOut = [] } = loaded.desired;
    // An entry that is not about this environment does not wait for it.
    const here = new Map([...took, ...leftOut.map((origin) => [JSON.stringify(origin), origin] as const)]);
    finished = new Map([...(finished ?? here)].filter(([key]) => here.has(key)));
    const { moves, adoptions, removals } = loaded.desired;
    open.push(moves.length + adoptions.length + removals.length - took.size);
  }
  return { origins: [...(finished?.values() ?? [])], open };
}
