// The reasons why an apply refuses a whole plan, and the way out. They are asked for before its first request.

import { actions } from '../model/plan/action.ts';
import {
  behindWords,
  type CheckoutPosition,
  commitWords,
  fetchWords,
  type LastApplied,
  movedWords,
  type Relation,
} from '../model/plan/checkout-position.ts';
import { foundNoneWords } from '../model/plan/observation.ts';
import { type Change, leavesOrphan, type Plan } from '../model/plan/plan.ts';
import { type Address, groupOf, itemOf } from '../model/values/address.ts';
import { type Allowed, allowing } from '../model/values/allowances.ts';
import { groupBy } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { isWithin, type Pointer, pointerSegments, pointerTo } from '../model/values/pointer.ts';
import { nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';

export interface GuardPolicy {
  readonly allow: Allowed;
  /** True if nobody is asked before the plan is applied. */
  readonly isUnattended: boolean;
  readonly force: boolean;
  readonly maxDeletePercent: number;
}

export interface GuardContext {
  /** The addresses in the state. */
  readonly tracked: readonly Address[];
  /** True if the service was observed, and none of the tracked schedules was found. */
  readonly foundNone: boolean;
  /** The position of the files relative to the last apply. */
  readonly standing: CheckoutPosition;
}

/** The number of resources, or instances of a loop, that must be tracked before a share of them means something. */
const shareCountsFrom = 10;

/** The reasons why an apply refuses a whole plan before the first request; each names the flag or the way out. Empty if it does not. */
export function guardPlan(plan: Plan, policy: GuardPolicy, context: GuardContext): readonly Failure[] {
  const blocked = plan.changes.filter((change) => change.blocked !== undefined);
  const orphaned = plan.changes.filter((change) => leavesOrphan(change, plan.operations) && !isKept(change));
  const many = givesUpMany(plan, policy.maxDeletePercent, context);
  const back = revertedChanges(plan, context.standing);
  const refused = (message: string, hint: string, addresses?: readonly Address[]) =>
    new Failure('blocked', message, { hint, addresses });
  const reasons = blocked.map(({ address, blocked: why }) =>
    refused(`${address} is blocked. ${why}`, 'Nothing was sent.', [address]),
  );
  if (orphaned.length > 0 && !policy.allow.orphans) {
    const schedules = orphaned.length === 1 ? 'One schedule' : `${orphaned.length} schedules`;
    const which = nameSome(orphaned.map(({ address, id }) => `${address} (${id})`));
    reasons.push(
      refused(
        `${schedules} would keep running without being tracked: ${which}. With operations core Almanac cannot remove them.`,
        `To go on, use ${allowing('orphans')}; then remove them in Omni and clear them from the list with \`${command('state orphans', '--clear', 'ID')}\`.`,
        orphaned.map(({ address }) => address),
      ),
    );
  }
  const { last } = context.standing;
  if (last !== undefined && back.length > 0 && !policy.allow.behind) {
    const why = whyBack[last.relation]?.(last, back, policy);
    const addresses = last.relation === 'behind' ? undefined : back.map(({ address }) => address);
    if (why !== undefined) reasons.push(refused(...why, addresses));
  }
  if (policy.isUnattended && isSending(plan) && !policy.allow.behind) {
    for (const each of context.standing.moved ?? [])
      reasons.push(
        refused(
          `${movedWords(each)}, so this plan is not what that commit declares.`,
          `Run ${each.update}, and plan again. To apply what is here, use ${allowing('behind')}.`,
        ),
      );
  }
  if (many !== undefined && !policy.force) reasons.push(refused(many, 'To apply the plan all the same, use --force.'));
  return reasons;
}

type WhyBack = (
  last: LastApplied,
  back: readonly Change[],
  policy: GuardPolicy,
) => readonly [message: string, hint: string] | undefined;

/** The reason why these changes need `--allow behind`, and the way out; undefined if they do not. */
const whyBack: Readonly<Partial<Record<Relation, WhyBack>>> = {
  behind: (last, { length }) => [
    `${behindWords(last)}, so ${length === 1 ? 'the change of this plan takes' : `the ${length} changes of this plan take`} back what was applied.`,
    `Run \`git pull\`, and plan again. To take that back on purpose, use ${allowing('behind')}.`,
  ],
  diverged: (last, back) => [
    `This checkout has diverged from ${commitWords(last)}, which was applied last, and the plan deletes or takes back what is applied: ${takenBackList(back, last)}.`,
    `Merge that commit or rebase onto it, and plan again. To do that on purpose, use ${allowing('behind')}.`,
  ],
  unknown: (last, back, { isUnattended }) =>
    isUnattended
      ? [
          `This clone does not have ${commitWords(last)}, which was applied last, so it is not known whether the plan takes back what that commit declares: ${takenBackList(back, last)}.`,
          `${fetchWords}. Then plan again. To delete on purpose, use ${allowing('behind')}.`,
        ]
      : undefined,
};

function takenBackList(back: readonly Change[], last: LastApplied): string {
  return back.map((change) => `${change.address} (${takenBackWords(change, last)})`).join(', ');
}

/** Says what a change takes away of what was applied: `deleted`, `created again`, or the fields that go back. */
export function takenBackWords(change: Change, { brought }: LastApplied): string {
  if (isDeletion(change)) return actions[change.action].done;
  if (change.action === 'create') return 'created again';
  const places = brought?.get(trackedAddress(change)) ?? [''];
  const fields = touchedPlaces(change).filter((each) => places.some((place) => overlap(each, place)));
  return fields.map((place) => pointerSegments(place).join('.')).join(', ');
}

/**
 * The changes that take back what was applied at a commit that the files lack. Behind it these are all of them, for nobody can
 * tell which their author means. Where the lines have diverged, these are deletions and what changes the same as that line did. Of a
 * commit that nobody knows these are deletions. None where the plan sends nothing.
 */
export function revertedChanges(plan: Pick<Plan, 'changes'>, { last }: CheckoutPosition): readonly Change[] {
  if (last === undefined || !isSending(plan)) return [];
  const takes = takesBack[last.relation];
  return takes === undefined ? [] : plan.changes.filter((change) => takes(change, last));
}

const takesBack: Readonly<Partial<Record<Relation, (change: Change, last: LastApplied) => boolean>>> = {
  behind: () => true,
  diverged: (change, { brought }) =>
    isDeletion(change) || brought === undefined || isAbout(change, brought.get(trackedAddress(change)) ?? []),
  unknown: isDeletion,
};

export function isAbout(change: Change, places: readonly Pointer[]): boolean {
  return touchedPlaces(change).some((each) => places.some((place) => overlap(each, place)));
}

/** True if one of two places holds the other. */
function overlap(one: Pointer, other: Pointer): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

function isDeletion(change: Change): boolean {
  const { action, reason } = change;
  return (action === 'delete' || (action === 'forget' && reason !== 'removed')) && !isKept(change);
}

/** True if a change that gives a resource up is left, so that the state keeps it. */
function isKept({ action, left }: Change): boolean {
  return left !== undefined && actions[action].givesUp === true;
}

/** The address in the state. */
export function trackedAddress({ address, previousAddress = address }: Change): Address {
  return previousAddress;
}

/** The places in the attributes that a change is about: all of them, unless it changes what is there. Of a list, all of it. */
export function touchedPlaces({ action, diff }: Change): readonly Pointer[] {
  if (action !== 'update' && action !== 'replace' && action !== 'move') return [''];
  return [...new Set(diff.map(({ path }) => outsideOfLists(path)))];
}

/** The item of a list may be another one where the list has changed. */
function outsideOfLists(path: Pointer): Pointer {
  const segments = pointerSegments(path);
  const item = segments.findIndex((segment) => /^\d+$/.test(segment));
  return item === -1 ? path : pointerTo(...segments.slice(0, item));
}

/** True if the plan does more than record something in the state. */
export function isSending({ changes }: Pick<Plan, 'changes'>): boolean {
  return changes.some(({ requests }) => requests > 0);
}

/** The reason why the plan needs --force, if it gives up too many resources. */
export function givesUpMany(
  plan: Plan,
  maxDeletePercent: number,
  { tracked, foundNone }: GuardContext,
): string | undefined {
  if (foundNone && plan.changes.some(({ reason }) => reason === 'missing')) return foundNoneWords;
  // A replaced schedule is no longer tracked; it was counted when it was replaced.
  const lost = plan.changes.filter(
    (change) =>
      change.reason !== 'replaced' &&
      !isKept(change) &&
      (actions[change.action].givesUp || change.reason === 'missing'),
  );
  const lostAt = new Set(lost.map(({ address, previousAddress = address }) => previousAddress));
  const loops = groupBy(
    tracked.filter((address) => itemOf(address) !== undefined),
    groupOf,
  );
  const shareOf = (all: readonly Address[], words: string): readonly string[] => {
    const count = all.filter((address) => lostAt.has(address)).length;
    const percent = all.length === 0 ? 0 : (100 * count) / all.length;
    if (all.length < shareCountsFrom || percent <= maxDeletePercent) return [];
    return [`${count} of ${words}, ${Math.round(percent)} percent`];
  };
  const shares = [
    ...shareOf(tracked, `${tracked.length} tracked resources`),
    ...[...loops].flatMap(([loop, all]) => shareOf(all, `the ${all.length} instances of ${loop}`)),
  ];
  if (shares.length === 0) return undefined;
  return `The plan deletes, replaces, forgets or finds missing ${shares.join(', and ')}; safety.maxDeletePercent is ${maxDeletePercent}.`;
}
