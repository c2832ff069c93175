// A saved plan: read back, and compared with what would be planned now. Applying a plan that no longer describes what
// would happen is refused, each reason in its own words.

import type { PlanDocument, SavedPlan } from '../../model/plan/plan.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { documentProblem } from '../../parse/document-problem.ts';
import { desiredDigest, planDigest } from './digest.ts';
import type { Proposal } from './propose.ts';
import { validatePlan } from './saved-plan.compiled.js';

const again = 'Run almanac plan --out again, and have the new plan reviewed.';

/** Throws Failure plan-unreadable. */
export function readSavedPlan(text: string, name: string): SavedPlan {
  const unreadable = (why: string) => new Failure('plan-unreadable', `${name} ${why}`, { hint: again });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable('is not JSON, or cut short.');
  }
  const version =
    typeof value === 'object' && value !== null && 'formatVersion' in value ? value['formatVersion'] : undefined;
  if (typeof version === 'number' && version > 1)
    throw unreadable(`has format version ${version}; this almanac reads 1. It was saved by a newer one.`);
  if (!validatePlan(value))
    throw unreadable(`is not a plan that almanac plan --out has saved: ${documentProblem(validatePlan.errors)}.`);
  const { desiredDigest } = value;
  if (desiredDigest === undefined)
    throw unreadable('is what plan --format json prints; apply takes what plan --out saves.');
  if (planDigest(value) !== value.digest)
    throw unreadable('was changed after it was saved: its digest does not fit its changes.');
  return { ...value, desiredDigest };
}

/** Why a plan may not be applied in place of another; undefined where it may. */
export interface Staleness {
  readonly message: string;
  readonly hint: string;
}

/** Where the proposal is not what was saved. */
export function stalenessOf(saved: SavedPlan, { document, basis }: Proposal): Staleness | undefined {
  const why = whatDiffers(saved, document) ?? whatChanged(saved, document, desiredDigest(basis.desired));
  return why === undefined ? undefined : { message: `The saved plan is out of date: ${why}`, hint: again };
}

function whatDiffers(saved: SavedPlan, { baseUrl, state }: PlanDocument): string | undefined {
  if (saved.baseUrl !== baseUrl)
    return `it was made for ${saved.baseUrl ?? 'no base URL'}, this run is for ${baseUrl ?? 'none'}.`;
  if (saved.state.lineage !== state.lineage) {
    if (state.lineage === null) return 'it was made from a state, and now there is none.';
    return saved.state.lineage === null
      ? 'it was made where no state was, and now there is one.'
      : 'it was made from another state.';
  }
  if (saved.state.serial === state.serial) return undefined;
  return `the state had serial ${saved.state.serial} and has ${state.serial} now: something was applied since.`;
}

function whatChanged(saved: SavedPlan, { digest }: PlanDocument, desired: string): string | undefined {
  if (saved.desiredDigest !== desired) return 'the declarations have changed since.';
  return saved.digest === digest ? undefined : 'what would be done is no longer the same; a secret may have changed.';
}

/** Where the plan has another digest than the reviewed one. */
export function unexpected(expected: string, { digest }: PlanDocument): Staleness | undefined {
  if (expected === digest) return undefined;
  return {
    message: `The plan has the digest ${digest}, and ${expected} was expected: what would be done is not what was reviewed.`,
    hint: 'Run almanac plan, review it, and apply with the digest that it prints.',
  };
}
