// A saved plan: read back, and held against what would be planned now. Applying a plan that no longer describes what
// would happen is refused, each reason in its own words.

import { Failure } from '../model/failure.ts';
import type { Json } from '../model/json.ts';
import type { PlanDocument, SavedPlan } from '../model/plan.ts';
import { validatePlan } from '../validate/compiled.js';
import { desiredDigest, planDigest } from './digest.ts';
import type { Proposal } from './propose.ts';

const again = 'Run almanac plan --out again, and have that one reviewed.';

/** Throws Failure plan-unreadable. */
export function readSavedPlan(text: string, name: string): SavedPlan {
  const unreadable = (why: string) => new Failure('plan-unreadable', `${name} ${why}`, { hint: again });
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw unreadable('is not JSON, or cut short.');
  }
  const version =
    typeof value === 'object' && value !== null && 'formatVersion' in value ? value['formatVersion'] : undefined;
  if (typeof version === 'number' && version > 1)
    throw unreadable(`has format version ${version}; this almanac reads 1. It was saved by a newer one.`);
  if (!validatePlan(value)) throw unreadable('is not a plan that almanac plan --out has saved.');
  const plan = value as unknown as SavedPlan;
  if (plan.desiredDigest === undefined)
    throw unreadable('is what plan --format json prints; apply takes what plan --out saves.');
  if (planDigest(plan) !== plan.digest)
    throw unreadable('was changed after it was saved: its digest does not fit its changes.');
  return plan;
}

/** Throws Failure plan-stale where the proposal is not what was saved. */
export function checkSavedPlan(saved: SavedPlan, { document, desired }: Proposal): void {
  const stale = (why: string) => new Failure('plan-stale', `The saved plan is out of date: ${why}`, { hint: again });
  if (saved.baseUrl !== document.baseUrl)
    throw stale(`it was made for ${saved.baseUrl ?? 'no base URL'}, this run is for ${document.baseUrl ?? 'none'}.`);
  if (saved.state.lineage !== document.state.lineage) {
    throw stale(
      saved.state.lineage === null
        ? 'it was made where no state was, and now there is one.'
        : 'it was made from another state.',
    );
  }
  if (saved.state.serial !== document.state.serial)
    throw stale(
      `the state had serial ${saved.state.serial} and has ${document.state.serial} now: something was applied since.`,
    );
  if (saved.desiredDigest !== desiredDigest(desired)) throw stale('the declarations have changed since.');
  if (saved.digest !== document.digest)
    throw stale('what would be done is no longer the same; a secret may have changed.');
}

/** Throws Failure plan-stale where the plan has another digest than the reviewed one. */
export function checkExpected(expected: string, document: PlanDocument): void {
  if (expected === document.digest) return;
  throw new Failure(
    'plan-stale',
    `The plan has the digest ${document.digest}, and ${expected} was expected: what would be done is not what was reviewed.`,
    {
      hint: 'Run almanac plan, review it, and apply with the digest that it prints.',
    },
  );
}
