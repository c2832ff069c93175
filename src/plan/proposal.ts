// The proposal: observe the service where that was asked for, call the pure planner, and put digest, version and
// diagnostics around the plan. The one way to a plan, for plan, drift and apply alike.

import { unknownGroups } from '../apply/resolve-groups.ts';
import { membersAreInside } from '../declare/inside/members-inside.ts';
import { judgesRecipients } from '../declare/inside/recipients-inside.ts';
import { judgeFindings } from '../declare/judge-findings.ts';
import type { Loaded } from '../declare/load/load.ts';
import { placeFindings } from '../declare/load/place-findings.ts';
import type { Clock, Randomness } from '../model/outside.ts';
import type { Observation } from '../model/plan/observation.ts';
import type { Plan, PlanDocument, SavedPlan } from '../model/plan/plan.ts';
import type { Address } from '../model/values/address.ts';
import { type Finding, hasErrors } from '../model/workspace/diagnostic.ts';
import type { Service } from '../observe/service.ts';
import { checkSameOrganization, stateForPlan } from '../state/current-state.ts';
import type { StateStore } from '../state/state-store.ts';
import { type GuardContext, givesUpMany } from './block.ts';
import { findDangers } from './dangers/find-dangers.ts';
import { planDigest, withDigests } from './digest.ts';
import { type Basis, makeBasis, sinkIn, unplanned } from './inputs.ts';
import type { Step } from './plan.ts';
import type { SavedPart } from './saved-plan.ts';
import { type Asked, observedBy, planOf, type Selection, selectionOf, selectMatches } from './selection.ts';
import { findUntracked, type Untracked } from './untracked.ts';

/** What is asked of a plan. */
export interface PlanRequest extends Asked {
  /** Plan even though nothing is declared. */
  readonly allowEmpty?: boolean | undefined;
  /** Find out what is untracked even if that takes a request, or if the plan is limited to some addresses. */
  readonly untracked?: boolean | undefined;
  /** With a look, find out which declared names mean no user group: an apply does that before it sends. */
  readonly names?: boolean | undefined;
}

export interface PlanPorts {
  readonly service: Service;
  readonly clock: Clock;
  readonly toolVersion: string;
  readonly store: Pick<StateStore, 'name' | 'shared'>;
}

export interface Proposal {
  readonly basis: Basis;
  readonly document: PlanDocument;
  readonly steps: readonly Step[];
  readonly guardContext: GuardContext;
  readonly selection: Selection;
  /** Of a saved plan. */
  readonly part: SavedPart | undefined;
  /** Undefined where the list of schedules was not read, or only for some addresses. */
  readonly untracked: Untracked | undefined;
  /** What others changed to what is declared now, as the state names it. */
  readonly agreed: readonly Address[];
  /** Undefined where the service was not observed. */
  readonly observation: Observation | undefined;
}

/**
 * A proposal for the state as it is now, made without the lock: what plan and drift print. Throws what propose throws, and
 * Failure state-conflict where the state is another organization's.
 */
export async function proposeNow(
  loaded: Loaded,
  request: PlanRequest,
  ports: PlanPorts & { readonly store: StateStore; readonly randomness: Randomness },
): Promise<Proposal> {
  const { store, randomness } = ports;
  const { state, findings } = await stateForPlan(store);
  const basis = { ...(await makeBasis(loaded, state, randomness)), findings };
  checkSameOrganization(state, basis.config.api.baseUrl, store.name);
  return propose({ ...request, names: true }, basis, ports);
}

/**
 * `selection` is what the request asks for. Throws Failure usage where that cannot be planned, invalid-workspace where a
 * finding is an error, and what the service throws.
 */
export async function propose(
  request: PlanRequest,
  basis: Basis,
  ports: PlanPorts,
  selection = selectionOf(request, basis),
): Promise<Proposal> {
  const { loaded, config, state } = basis;
  const { saved, targets } = selection;
  const { service } = ports;
  const observation = await observed(selection, request, basis, ports);
  const { value, findings: fromPlan, part } = planOf(basis, selection, observation);
  // What the guard against mass removal compares the plan with.
  const tracked = Object.keys(state?.resources ?? {}).length;
  const guardContext = { tracked, foundNone: observation?.foundNone ?? false };
  const namesGroups = request.names === true && observation !== undefined;
  const matches = namesGroups ? selectMatches(basis, targets) : [];
  const fromNow = [
    ...(namesGroups ? await unknownGroups({ basis, steps: value.steps }, matches, service) : []),
    ...basis.findings,
    ...missingBaseUrl(value.plan),
    ...basis.keying.findings,
    ...(saved === undefined ? nothingDeclared(basis, request) : []),
    ...(observation?.findings ?? []),
    ...fromPlan,
    ...manyGivenUp(value.plan, config.safety.maxDeletePercent, guardContext),
  ];
  const findings = [
    ...loaded.findings,
    ...judgeFindings(fromNow, loaded),
    ...judgeFindings(membersOutside(observation, basis), loaded).map(atMostWarning),
  ];
  if (hasErrors(findings)) throw unplanned(loaded, findings);
  const document: PlanDocument = {
    formatVersion: 1,
    toolVersion: ports.toolVersion,
    digest: planDigest(value.plan),
    ...value.plan,
    state: { ...value.plan.state, ...sharedPlace(ports.store) },
    changes: withDigests(value.plan),
    ...sinkIn(basis),
    dangers: findDangers(value.plan, {
      state,
      internalDomains: config.safety.internalDomains,
      // A sink replaces those who are declared, and cannot be waived.
      judgesRecipients: judgesRecipients(config) && config.deliver === undefined,
    }),
    diagnostics: await placeFindings(findings, loaded.fileNamed, loaded.desired.loops),
  };
  const { steps, agreed } = value;
  const listed = targets === undefined || request.untracked ? observation?.listed.schedule : undefined;
  const untracked = listed && findUntracked(listed, state, basis.desired, config.ignore);
  return { basis, document, steps, guardContext, selection, part, untracked, agreed, observation };
}

/** An apply in CI is of what was reviewed. After any other, a plan may undo what its author declared elsewhere. */
function sharedPlace({ name, shared }: PlanPorts['store']): Pick<PlanDocument['state'], 'place' | 'writtenBy'> {
  if (shared === undefined) return {};
  const writer = shared.lastWriter();
  return { place: name, writtenBy: writer?.runUrl === undefined ? writer?.who : undefined };
}

/** `environment`: that of --env. */
export function savedPlan({ document, selection: { targets, refresh } }: Proposal, environment?: string): SavedPlan {
  return { ...document, selection: { environment, targets, refresh } };
}

async function observed(
  selection: Selection,
  { untracked = false }: PlanRequest,
  basis: Basis,
  { service, clock }: PlanPorts,
): Promise<Observation | undefined> {
  const { refresh } = selection;
  if (refresh === undefined) return undefined;
  const { observe } = await import('../observe/observe.ts');
  const only = observedBy(selection, basis);
  const { config, desired, keying } = basis;
  const { fingerprint } = keying;
  const state = keying.comparable(basis.state);
  return observe({ refresh, desired, config, state, fingerprint, only, lists: untracked, service, clock });
}

/** Of the user groups whose people a look has read. */
function membersOutside(observation: Observation | undefined, { loaded, config }: Basis): readonly Finding[] {
  if (observation === undefined) return [];
  const { resources, moves } = loaded.desired;
  const before = new Map(moves.map(({ from, to }) => [to, from]));
  const groupsOf = (address: Address) =>
    observation.members.get(address) ?? observation.members.get(before.get(address) ?? '') ?? [];
  return membersAreInside(resources, groupsOf, config, loaded.days);
}

/** Who joins a group stops nothing that was reviewed. */
function atMostWarning(finding: Finding): Finding {
  return finding.severity === 'error' ? { ...finding, severity: 'warning' } : finding;
}

/** What apply will refuse without --force, reported where the plan is read. */
function manyGivenUp(plan: Plan, maxDeletePercent: number, context: GuardContext): readonly Finding[] {
  const message = givesUpMany(plan, maxDeletePercent, context);
  return message === undefined
    ? []
    : [{ code: 'gives-up-many', message, hint: 'almanac apply refuses it without --force.' }];
}

function missingBaseUrl({ baseUrl }: Plan): readonly Finding[] {
  if (baseUrl !== null) return [];
  return [
    {
      code: 'missing-base-url',
      message:
        'Neither almanac.yaml nor OMNI_BASE_URL says which organization this is for; apply will need it, and the digest will change.',
      hint: 'Set `api: { baseUrl: … }` in almanac.yaml.',
    },
  ];
}

/** A glob that matches nothing must not empty an organization. */
function nothingDeclared({ loaded, state }: Basis, { allowEmpty, refresh }: PlanRequest): readonly Finding[] {
  const { resources, removals } = loaded.desired;
  if (resources.length > 0 || allowEmpty || refresh?.only) return [];
  const released = new Set(removals.map(({ from }) => from));
  const given = Object.keys(state?.resources ?? {}).filter((address) => !released.has(address)).length;
  if (given === 0) return [];
  return [
    {
      code: 'nothing-declared',
      message: `No resource is declared, and the state holds ${given}; applying this would remove all of them.`,
      hint: 'Check `sources` and the working directory; use --allow-empty if this is intended.',
    },
  ];
}
