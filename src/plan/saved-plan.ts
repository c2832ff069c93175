// Reads saved plans, and compares them with what is planned now. A saved plan is a selection and the digests of its
// changes. An apply plans the selection again, and refuses what is planned otherwise than reviewed.

import { planSchema } from '../model/plan/drift-document.ts';
import type { Plan, SavedPlan } from '../model/plan/plan.ts';
import { command } from '../model/values/command.ts';
import { isJsonObject, parseJson } from '../model/values/json.ts';
import { Failure } from '../model/workspace/failure.ts';
import { checkedDocument } from '../yaml/document-problem.ts';
import { planDigest, withDigests } from './digest.ts';

/** The number of changes that messages name; the rest is counted. */
export const maxNamed = 20;

/** The way out where a saved plan cannot be used. */
export const planAgainHint = `Run ${command('plan', '--out')} again, and have the new plan reviewed.`;

/** Throws Failure plan-unreadable. */
export function readSavedPlan(text: string, name: string): SavedPlan {
  const unreadable = (why: string) => new Failure('plan-unreadable', `${name} ${why}`, { hint: planAgainHint });
  const value = parseJson(text);
  if (value === undefined) throw unreadable('is not JSON, cut short, or nested too deeply.');
  const version = isJsonObject(value) ? value['formatVersion'] : undefined;
  if (typeof version === 'number' && version > 1)
    throw unreadable(
      `has format version ${version}; this almanac reads version 1. The plan was saved by a newer version.`,
    );
  const plan = checkedDocument(planSchema, value, (problem) =>
    unreadable(`is not a plan that ${command('plan', '--out')} of this version saves: ${problem}.`),
  );
  const { selection } = plan;
  if (selection === undefined)
    throw unreadable('is what plan --format json prints; apply takes what plan --out of this version saves.');
  if (planDigest(plan) !== plan.digest)
    throw unreadable('was changed after it was saved: its digest does not fit its changes.');
  return { ...plan, selection };
}

/**
 * Throws Failure plan-stale where it was made for another environment: there all of it may be done already. `environment`:
 * that of --env.
 */
export function checkEnvironment({ selection }: SavedPlan, environment: string | undefined): void {
  if (selection.environment === environment) return;
  const [made, here] = [selection.environment, environment].map((name) =>
    name === undefined ? 'without --env' : `with --env ${name}`,
  );
  throw new Failure('plan-stale', `The saved plan was made ${made}, and this run is ${here}.`, {
    hint: 'Give apply the same environment, or save a plan for this one.',
  });
}

/** The digests of its changes that a reviewer decides on. */
export function digestsIn(saved: SavedPlan): ReadonlySet<string> {
  return new Set(withDigests(saved).flatMap(({ digest }) => digest ?? []));
}

/** Returns a failure if the plan was made for something else than this run is about. */
export function madeForOther(
  saved: SavedPlan,
  { baseUrl, state }: Pick<Plan, 'baseUrl' | 'state'>,
): readonly Failure[] {
  if (saved.baseUrl !== baseUrl)
    return [stale(`it was made for ${saved.baseUrl ?? 'no base URL'}, this run is for ${baseUrl ?? 'none'}.`)];
  if (saved.state.lineage !== null && saved.state.lineage !== state.lineage)
    return [stale('it was made from a different state than this run reads.')];
  return [];
}

function stale(why: string): Failure {
  return new Failure('plan-stale', `The saved plan cannot be applied: ${why}`, { hint: planAgainHint });
}

/** Returns a failure if the plan has another digest than the reviewed one. */
export function unexpected(expected: string, { digest }: { readonly digest: string }): readonly Failure[] {
  if (expected === digest) return [];
  const message = `The plan has the digest ${digest}, and ${expected} was expected: what would be done is not what was reviewed.`;
  return [
    new Failure('plan-stale', message, {
      hint: `Run ${command('plan')}, review it, and apply with the digest that it prints.`,
    }),
  ];
}
