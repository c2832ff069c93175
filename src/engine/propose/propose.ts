// The proposal: read everything, call the pure planner, put digest, version and diagnostics around the plan. The one
// way to a plan, for `plan` and `apply` alike.

import {
  type Plan,
  type PlanDocument,
  planFormatVersion,
  type Refresh,
  type SavedPlan,
} from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import type { Failure } from '../../model/workspace/failure.ts';
import type { Desired, SealedResource } from '../../model/workspace/resource.ts';
import { givesUpMany, type Standing } from '../../plan/guard.ts';
import { makePlan } from '../../plan/make-plan.ts';
import type { Step } from '../../plan/make-step.ts';
import { invalidWorkspace } from '../load/invalid-workspace.ts';
import type { Loaded } from '../load/load.ts';
import { placeFindings } from '../load/place-findings.ts';
import type { Observation } from '../service/observe.ts';
import { checkSameOrganization } from '../state/current-state.ts';
import { desiredDigest, planDigest } from './digest.ts';
import { fingerprintSecrets } from './fingerprint-secrets.ts';
import { checkSelection } from './selection.ts';

export interface ProposeOptions {
  readonly loaded: Loaded;
  readonly state: State | undefined;
  /** How users call the state. */
  readonly stateName: string;
  /** Of the state, or the one that a new state will have. */
  readonly salt: string;
  readonly toolVersion: string;
  /** Undefined for everything. */
  readonly targets: readonly string[] | undefined;
  readonly replace: readonly string[];
  readonly allowEmpty: boolean;
  readonly refresh: Refresh | undefined;
  /** What a look at the service has shown, where one was asked for. */
  readonly observation: Observation | undefined;
}

export interface Proposal {
  readonly document: PlanDocument;
  readonly desired: Desired<SealedResource>;
  readonly steps: readonly Step[];
}

/**
 * Throws Failure invalid-workspace where a finding is an error, state-conflict where the state is another's, and usage where
 * what was chosen can't be planned.
 */
export async function propose(options: ProposeOptions): Promise<Proposal> {
  const { loaded, state, stateName } = options;
  const { config } = loaded;
  if (config === undefined || hasErrors(loaded.findings)) throw unplanned(loaded);
  const baseUrl = config.api.baseUrl ?? state?.baseUrl;
  checkSameOrganization(state, baseUrl, stateName);
  const before = [
    ...loaded.findings,
    ...(baseUrl === undefined ? [missingBaseUrl] : []),
    ...nothingDeclared(loaded, state, options),
  ];
  const desired = await fingerprintSecrets(loaded.desired, options.salt);
  checkSelection(desired, state, options, loaded);
  const { targets, replace, observation } = options;
  const refreshOnly = options.refresh?.only ?? false;
  const policy = { baseUrl, operations: config.api.operations, targets, replace, refreshOnly };
  const { value, findings: fromPlan } = makePlan({ desired, state, observed: observation?.observed, policy });
  const many = manyGivenUp(value.plan, config, standingOf(state, observation));
  const findings = [...before, ...(observation?.findings ?? []), ...fromPlan, ...many];
  if (hasErrors(findings)) throw unplanned(loaded, findings);
  const document: PlanDocument = {
    formatVersion: planFormatVersion,
    toolVersion: options.toolVersion,
    digest: planDigest(value.plan),
    ...value.plan,
    diagnostics: placeFindings(findings, loaded.fileNamed),
  };
  return { document, desired, steps: value.steps };
}

export function savedPlan({ document, desired }: Proposal, refresh: Refresh | undefined): SavedPlan {
  return { ...document, desiredDigest: desiredDigest(desired), ...(refresh === undefined ? {} : { refresh }) };
}

export function unplanned(source: Loaded, findings: readonly Finding[] = source.findings): Failure {
  return invalidWorkspace('The declarations have errors; nothing was planned.', findings, source);
}

/** What apply will refuse without --force, said where the plan is read. */
function manyGivenUp(plan: Plan, { safety }: Config, standing: Standing): readonly Finding[] {
  const message = givesUpMany(plan, safety.maxDeletePercent, standing);
  return message === undefined
    ? []
    : [{ code: 'gives-up-many', message, hint: 'almanac apply refuses it without --force.' }];
}

/** What the share of resources that a plan gives up is measured by. */
export function standingOf(state: State | undefined, observation: Observation | undefined): Standing {
  return { tracked: Object.keys(state?.resources ?? {}).length, foundNone: observation?.foundNone ?? false };
}

const missingBaseUrl: Finding = {
  code: 'missing-base-url',
  message:
    'Neither almanac.yaml nor OMNI_BASE_URL says which organization this is for; apply will need it, and the digest will change.',
  hint: 'Set `api: { baseUrl: … }` in almanac.yaml.',
};

/** A glob that matches nothing must not empty an organization. */
function nothingDeclared(
  { desired }: Loaded,
  state: State | undefined,
  { allowEmpty, refresh }: ProposeOptions,
): readonly Finding[] {
  const released = new Set(desired.removals.map(({ from }) => from));
  const given = Object.keys(state?.resources ?? {}).filter((address) => !released.has(address)).length;
  if (desired.resources.length > 0 || given === 0 || allowEmpty || refresh?.only) return [];
  return [
    {
      code: 'nothing-declared',
      message: `No resource is declared, and the state holds ${given}; applying this would give up all of them.`,
      hint: 'Check `sources` and the working directory; --allow-empty if it is meant.',
    },
  ];
}
