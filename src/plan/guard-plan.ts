// Why an apply refuses a plan as a whole, before its first request, and the way out.

import { actions } from '../model/plan/action.ts';
import { leavesOrphan, type Plan } from '../model/plan/plan.ts';
import { movedWords, type Standing, shortCommit } from '../model/plan/standing.ts';
import { type Address, groupOf, itemOf } from '../model/values/address.ts';
import { groupBy } from '../model/values/collections.ts';
import { command } from '../model/values/command.ts';
import { nameSome } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';

export interface GuardPolicy {
  readonly allowOrphans: boolean;
  readonly allowBehind: boolean;
  /** Nobody is asked before it is applied. */
  readonly isUnattended: boolean;
  readonly force: boolean;
  readonly maxDeletePercent: number;
}

export interface GuardContext {
  /** What the state holds. */
  readonly tracked: readonly Address[];
  /** The service was observed, and none of the tracked schedules was found. */
  readonly foundNone: boolean;
  /** How the files stand to what was applied last. */
  readonly standing: Standing;
}

/** How many resources, or instances of a loop, must be tracked before a share of them means something. */
const shareCountsFrom = 10;

/** Why an apply refuses a plan as a whole, before the first request; each names the flag or the way out. Empty for nothing. */
export function guardPlan(plan: Plan, policy: GuardPolicy, context: GuardContext): readonly Failure[] {
  const blocked = plan.changes.filter((change) => change.blocked !== undefined);
  const orphaned = plan.changes.filter((change) => leavesOrphan(change, plan.operations));
  const many = givesUpMany(plan, policy.maxDeletePercent, context);
  const back = goingBack(plan, context.standing);
  const refused = (message: string, hint: string, addresses?: readonly Address[]) =>
    new Failure('blocked', message, { hint, addresses });
  const reasons = blocked.map(({ address, blocked: why }) =>
    refused(`${address} is blocked. ${why}`, 'Nothing was sent.', [address]),
  );
  if (orphaned.length > 0 && !policy.allowOrphans) {
    const schedules = orphaned.length === 1 ? 'One schedule' : `${orphaned.length} schedules`;
    const which = nameSome(orphaned.map(({ address, id }) => `${address} (${id})`));
    reasons.push(
      refused(
        `${schedules} would keep running without being tracked: ${which}. With operations core Almanac cannot remove them.`,
        `To go on, use --allow-orphans; then remove them in Omni and clear them from the list with \`${command('state orphans', '--clear', 'ID')}\`.`,
        orphaned.map(({ address }) => address),
      ),
    );
  }
  if (back > 0 && !policy.allowBehind) {
    reasons.push(
      refused(
        `This checkout is behind commit ${shortCommit(context.standing.behind ?? '')}, which was applied last, so ${back === 1 ? 'the change of this plan goes' : `the ${back} changes of this plan go`} back.`,
        'Run `git pull`, and plan again. To go back on purpose, use --allow-behind.',
      ),
    );
  }
  if (policy.isUnattended && isSending(plan) && !policy.allowBehind) {
    for (const each of context.standing.moved ?? [])
      reasons.push(
        refused(
          `${movedWords(each)}. So this plan is not what that commit declares.`,
          `Run ${each.update}, and plan again. To apply what is here, use --allow-behind.`,
        ),
      );
  }
  if (many !== undefined && !policy.force) reasons.push(refused(many, 'If that is intended, use --force.'));
  return reasons;
}

/** How many changes go back where the files lack what was applied last: all of them, unless the plan sends nothing. */
export function goingBack(plan: Pick<Plan, 'changes'>, { behind }: Standing): number {
  return behind !== undefined && isSending(plan) ? plan.changes.length : 0;
}

/** Such a plan does more than to record something in the state. */
export function isSending({ changes }: Pick<Plan, 'changes'>): boolean {
  return changes.some(({ requests }) => requests > 0);
}

/** Why the plan needs --force, if it gives up too many resources. */
export function givesUpMany(
  plan: Plan,
  maxDeletePercent: number,
  { tracked, foundNone }: GuardContext,
): string | undefined {
  if (foundNone && plan.changes.some(({ reason }) => reason === 'missing'))
    return 'None of the tracked schedules was found in Omni. A token of another organization, or one that may not see them, gives the same picture.';
  // A replaced schedule is no longer tracked; it was counted when it was replaced.
  const lost = plan.changes.filter(
    ({ action, reason }) => reason !== 'replaced' && (actions[action].givesUp || reason === 'missing'),
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
