// A saved plan: read back, and held against what would be planned now. Applying a plan that no longer describes what
// would happen is refused, each reason in its own words.

import type { PlanDocument, SavedPlan } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { documentProblem } from '../../parse/document-problem.ts';
import { knownAddresses } from '../../plan/targeted.ts';

import type { Loaded } from '../load/load.ts';
import { desiredDigest, planDigest } from './digest.ts';
import { type Proposal, type ProposeOptions, propose } from './propose.ts';
import { validatePlan } from './saved-plan.compiled.js';

const again = 'Run almanac plan --out again, and have that one reviewed.';

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

export interface ProposeAgainOptions extends ProposeOptions {
  readonly saved: SavedPlan | undefined;
  /** The digest that the plan must have. */
  readonly expect: string | undefined;
}

/**
 * What an apply carries out: a plan of now; where one was saved, for the same resources, and it must come out the same.
 * Throws what propose throws, and Failure plan-stale.
 */
export async function proposeAgain(options: ProposeAgainOptions): Promise<Proposal> {
  const { saved, loaded, state, expect } = options;
  const shape = saved === undefined ? {} : { ...shapeOf(saved, loaded, state), allowEmpty: true };
  const proposal = await propose({ ...options, ...shape });
  if (expect !== undefined) checkExpected(expect, proposal.document);
  if (saved !== undefined) checkSavedPlan(saved, proposal);
  return proposal;
}

/** A saved plan may be about resources that nothing knows any more; what else differs then says that it is stale. */
function shapeOf(
  { changes }: SavedPlan,
  { desired }: Loaded,
  state: State | undefined,
): Pick<ProposeOptions, 'targets' | 'replace'> {
  const declared = new Set(desired.resources.map(({ address }) => address));
  const known = knownAddresses(desired, state);
  const kept = changes.filter(({ address }) => known.has(address));
  return {
    targets: kept.map(({ address }) => address),
    replace: kept
      .filter(({ address, reason }) => reason === 'requested' && declared.has(address))
      .map(({ address }) => address),
  };
}

/** Throws Failure plan-stale where the proposal is not what was saved. */
function checkSavedPlan(saved: SavedPlan, { document, desired }: Proposal): void {
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
function checkExpected(expected: string, document: PlanDocument): void {
  if (expected === document.digest) return;
  throw new Failure(
    'plan-stale',
    `The plan has the digest ${document.digest}, and ${expected} was expected: what would be done is not what was reviewed.`,
    {
      hint: 'Run almanac plan, review it, and apply with the digest that it prints.',
    },
  );
}
