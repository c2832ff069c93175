// The proposal: observe the service where that was asked for, call the pure planner, and put digest, version and
// diagnostics around the plan. The one way to a plan, for plan, drift and apply alike.

import {
  type Plan,
  type PlanDocument,
  planFormatVersion,
  type Refresh,
  type SavedPlan,
} from '../../model/plan/plan.ts';
import type { Address } from '../../model/values/address.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import { findDangers } from '../../plan/dangers/find-dangers.ts';
import { type GuardContext, givesUpMany } from '../../plan/guard.ts';
import type { Step } from '../../plan/make-step.ts';
import { trackedAs } from '../../plan/targeted.ts';
import { findUntracked, type Untracked } from '../../plan/untracked.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { judgeFindings } from '../../validate/checks/judge-findings.ts';
import { placeFindings } from '../load/place-findings.ts';
import type { Observation } from '../service/observe.ts';
import type { Service } from '../service/service.ts';
import { type Basis, sinkIn, unplanned } from './basis.ts';
import { withDigests } from './change-digests.ts';
import { desiredDigest, planDigest } from './digest.ts';
import { planOf, withoutValues } from './plan-of.ts';
import { checkSelection, type Selection, selectionFor, selectMatches, withSelected } from './selection.ts';

/** What is asked of a plan. */
export interface PlanRequest extends Selection {
  /** Tags, owners and patterns of addresses: what they match is added to the targets. */
  readonly select?: readonly string[] | undefined;
  /** Plan even though nothing is declared. */
  readonly allowEmpty: boolean;
  /** Find out what is untracked even if that takes a request, or if the plan is limited to some addresses. */
  readonly untracked?: boolean | undefined;
  /** A plan to make again: it says itself what it is about and how the service is observed. */
  readonly saved?: SavedPlan | undefined;
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
  /** What it was limited to. */
  readonly targets: readonly Address[] | undefined;
  /** Undefined where the list of schedules was not read, or only for some addresses. */
  readonly untracked: Untracked | undefined;
  /** What others changed to what is declared now, as the state names it. */
  readonly agreed: readonly Address[];
  /** The schedules of which only the row in the list was compared. */
  readonly detailsNotCompared: number;
  /** The schedules with a secret that could not be compared. */
  readonly secretsNotCompared: number;
  /** Undefined where the service was not observed. */
  readonly observation: Observation | undefined;
}

/**
 * Throws Failure usage where the selection cannot be planned, invalid-workspace where a finding is an error, and what
 * the service throws.
 */
export async function propose(asked: PlanRequest, basis: Basis, ports: PlanPorts): Promise<Proposal> {
  const { loaded, config, desired, state } = basis;
  const { saved } = asked;
  const selection = selectionFor(await withSelected(asked, basis), basis);
  const request = { ...asked, ...selection };
  checkSelection(selection, basis);
  const observation = await observed(selection.refresh, request, basis, ports);
  const { value, findings: fromPlan } = planOf(basis, selection, observation);
  const guardContext = guardContextOf(basis, observation);
  const fromNow = [
    ...basis.findings,
    ...missingBaseUrl(value.plan),
    ...basis.keying.findings,
    ...(saved === undefined ? nothingDeclared(basis, request) : []),
    ...(observation?.findings ?? []),
    ...fromPlan,
    ...manyGivenUp(value.plan, config.safety.maxDeletePercent, guardContext),
  ];
  const findings = [...loaded.findings, ...judgeFindings(fromNow, loaded)];
  if (hasErrors(findings)) throw unplanned(loaded, findings);
  const document: PlanDocument = {
    formatVersion: planFormatVersion,
    toolVersion: ports.toolVersion,
    digest: planDigest(value.plan),
    ...value.plan,
    state: { ...value.plan.state, ...sharedPlace(ports.store) },
    changes: withDigests(value.plan, () => planOf(withoutValues(basis), selection, observation).value.plan),
    ...sinkIn(basis),
    dangers: findDangers(value.plan, { desired, state, internalDomains: config.safety.internalDomains }),
    diagnostics: await placeFindings(findings, loaded.fileNamed, loaded.desired.loops),
  };
  const { steps, agreed } = value;
  const { detailsNotCompared = 0, secretsNotCompared = 0 } = observation ?? {};
  const untracked = untrackedIn(observation, request, basis);
  const { targets } = request;
  const notCompared = { detailsNotCompared, secretsNotCompared };
  return { basis, document, steps, guardContext, targets, untracked, agreed, ...notCompared, observation };
}

/** An apply in CI is of what was reviewed. After any other, a plan may undo what its author declared elsewhere. */
function sharedPlace({ name, shared }: PlanPorts['store']): Pick<PlanDocument['state'], 'place' | 'writtenBy'> {
  if (shared === undefined) return {};
  const writer = shared.lastWriter();
  return { place: name, ...(writer === undefined || writer.runUrl !== undefined ? {} : { writtenBy: writer.who }) };
}

export function savedPlan({ document, basis, targets }: Proposal, refresh: Refresh | undefined): SavedPlan {
  return {
    ...document,
    desiredDigest: desiredDigest(basis.desired),
    ...(targets === undefined ? {} : { targets }),
    ...(refresh === undefined ? {} : { refresh }),
  };
}

async function observed(
  refresh: Refresh | undefined,
  { targets, untracked = false }: PlanRequest,
  basis: Basis,
  { service, clock }: PlanPorts,
): Promise<Observation | undefined> {
  if (refresh === undefined) return undefined;
  const { observe } = await import('../service/observe.ts');
  const only = targets && new Set(selectMatches(basis, targets).map(trackedAs));
  const { config, desired, keying } = basis;
  const { fingerprint } = keying;
  const state = keying.comparable(basis.state);
  return observe({ refresh, desired, config, state, fingerprint, only, lists: untracked, service, clock });
}

/** A plan for some addresses says nothing of the others unless it is asked. */
function untrackedIn(
  observation: Observation | undefined,
  { targets, untracked = false }: PlanRequest,
  { config, desired, state }: Basis,
): Untracked | undefined {
  if (observation?.listed === undefined || (targets !== undefined && !untracked)) return undefined;
  return findUntracked(observation.listed, state, desired, config.ignore);
}

/** What the guard against mass removal compares the plan with. */
function guardContextOf({ state }: Basis, observation: Observation | undefined): GuardContext {
  return { tracked: Object.keys(state?.resources ?? {}).length, foundNone: observation?.foundNone ?? false };
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
