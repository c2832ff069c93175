// A saved plan is what it is about, and the changes that were reviewed. It is read back here and compared with what is planned
// now: an apply of it does its changes and no others, where all of them are still to be done.

import { type Change, type Plan, type PlanDocument, planSchema, type SavedPlan } from '../model/plan/plan.ts';
import type { Address } from '../model/values/address.ts';
import { isJsonObject, parseJson } from '../model/values/json.ts';
import { nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import { checkedDocument } from '../yaml/document-problem.ts';
import { keyOf, planDigest, withDigests } from './digest.ts';

/** Of thousands of changes, the rest is counted. */
export const mostNamed = 20;

const again = 'Run almanac plan --out again, and have the new plan reviewed.';

/** Throws Failure plan-unreadable. */
export function readSavedPlan(text: string, name: string): SavedPlan {
  const unreadable = (why: string) => new Failure('plan-unreadable', `${name} ${why}`, { hint: again });
  const value = parseJson(text);
  if (value === undefined) throw unreadable('is not JSON, cut short, or nested too deeply.');
  const version = isJsonObject(value) ? value['formatVersion'] : undefined;
  if (typeof version === 'number' && version > 1)
    throw unreadable(`has format version ${version}; this almanac reads 1. It was saved by a newer one.`);
  const plan = checkedDocument(planSchema, value, (problem) =>
    unreadable(`is not a plan that almanac plan --out of this version saves: ${problem}.`),
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

/** What is planned now, beside a saved plan. An apply of it does nothing else. */
export interface SavedPart {
  readonly saved: SavedPlan;
  /** Of the changes of the saved plan that a reviewer decides: those that are planned, and those that are not. */
  readonly still: readonly Change[];
  readonly gone: readonly Change[];
  /** Planned for the same resources, and not in it. */
  readonly otherwise: readonly Change[];
  /** What else is planned and not in it, which the apply leaves out. */
  readonly left: readonly Change[];
  readonly isHeld: (change: Change) => boolean;
}

/** `about`: the resources that it changes, with those that make room for them. */
export function compareSaved(saved: SavedPlan, plan: Plan, about: ReadonlySet<Address>): SavedPart {
  const planned = new Set(plan.changes.map((change) => keyOf(change, plan)));
  const held = new Set(saved.changes.map((change) => keyOf(change, saved)));
  const isPlanned = (change: Change) => planned.has(keyOf(change, saved));
  const isHeld = (change: Change) => held.has(keyOf(change, plan));
  const reviewed = withDigests(saved).filter(({ digest }) => digest !== undefined);
  const others = withDigests(plan).filter((change) => !isHeld(change));
  const isOtherwise = ({ digest, address }: Change) => digest !== undefined && about.has(address);
  return {
    saved,
    still: reviewed.filter(isPlanned),
    gone: reviewed.filter((change) => !isPlanned(change)),
    otherwise: others.filter(isOtherwise),
    left: others.filter((change) => !isOtherwise(change)),
    isHeld,
  };
}

/** Of its changes that a reviewer decides. */
export function digestsIn(saved: SavedPlan): ReadonlySet<string> {
  return new Set(withDigests(saved).flatMap(({ digest }) => digest ?? []));
}

/** Whether all that a reviewer decided is done. */
export function isDone({ still, gone, otherwise }: SavedPart): boolean {
  return gone.length > 0 && still.length === 0 && otherwise.length === 0;
}

/** Where only a part of it is still to be done, or something else with the same resources. */
export function outOfDate(part: SavedPart, { baseUrl, state }: PlanDocument): readonly Failure[] {
  const { saved, still, gone, otherwise } = part;
  if (saved.baseUrl !== baseUrl)
    return [stale(`it was made for ${saved.baseUrl ?? 'no base URL'}, this run is for ${baseUrl ?? 'none'}.`)];
  if (saved.state.lineage !== null && saved.state.lineage !== state.lineage)
    return [stale('it was made from another state than the one that this run reads.')];
  if (isDone(part) || gone.length + otherwise.length === 0) return [];
  const lists = [
    ['Still planned', still],
    ['Done, or not planned in this way any more', gone],
    ['Planned now, and not in it', otherwise],
  ] as const;
  const words = lists.flatMap(([title, changes]) => (changes.length === 0 ? [] : `${title}: ${listOf(changes)}.`));
  return [stale(['what it holds is not what is planned now.', ...words].join(' '), [...still, ...gone, ...otherwise])];
}

function stale(why: string, changes: readonly Change[] = []): Failure {
  const addresses = [...new Set(changes.map(({ address }) => address))];
  return new Failure('plan-stale', `The saved plan is out of date: ${why}`, { hint: again, addresses });
}

function listOf(changes: readonly Change[]): string {
  return nameSome(
    changes.map(({ address, action }) => `${address} (${action})`),
    changes.length,
    mostNamed,
  );
}

/** Where the plan has another digest than the reviewed one. */
export function unexpected(expected: string, { digest }: PlanDocument): readonly Failure[] {
  if (expected === digest) return [];
  const message = `The plan has the digest ${digest}, and ${expected} was expected: what would be done is not what was reviewed.`;
  return [
    new Failure('plan-stale', message, {
      hint: 'Run almanac plan, review it, and apply with the digest that it prints.',
    }),
  ];
}
