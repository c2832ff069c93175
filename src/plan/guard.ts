// What an apply refuses about a plan as a whole, before the first request. Each refusal names the flag or the way out.

import { leavesOrphan } from '../model/plan/leaves-orphan.ts';
import type { Plan } from '../model/plan/plan.ts';

export interface GuardPolicy {
  readonly allowOrphans: boolean;
  readonly force: boolean;
  readonly maxDeletePercent: number;
}

export interface GuardContext {
  /** How many resources the state holds. */
  readonly tracked: number;
  /** A look at the service found no schedule that is tracked. */
  readonly foundNone: boolean;
}

/** How many resources must be tracked before a share of them means something. */
const shareCountsFrom = 10;

/** The reasons to refuse; none where the plan may be applied. */
export function guardPlan(
  plan: Plan,
  policy: GuardPolicy,
  context: GuardContext,
): readonly { message: string; hint: string }[] {
  const blocked = plan.changes.filter((change) => change.blocked !== undefined);
  const orphaned = plan.changes.filter((change) => leavesOrphan(change, plan.operations));
  const many = givesUpMany(plan, policy.maxDeletePercent, context);
  const refusals: { message: string; hint: string }[] = blocked.map(({ address, blocked: why }) => ({
    message: `${address} is blocked. ${why}`,
    hint: 'Nothing was sent.',
  }));
  if (orphaned.length > 0 && !policy.allowOrphans) {
    refusals.push({
      message:
        `${orphaned.length === 1 ? 'One schedule' : `${orphaned.length} schedules`} would keep running without being tracked: ` +
        `${orphaned.map(({ address, id }) => `${address} (${id})`).join(', ')}. With operations core Almanac can not remove them.`,
      hint: 'Go on with --allow-orphans, then remove them in Omni and take them from the list with `almanac state orphans --clear ID`.',
    });
  }
  if (many !== undefined && !policy.force) {
    refusals.push({ message: many, hint: 'Go on with --force if that is meant.' });
  }
  return refusals;
}

/** That a plan gives up more than it may without --force, in words; undefined where it doesn't. */
export function givesUpMany(
  plan: Plan,
  maxDeletePercent: number,
  { tracked, foundNone }: GuardContext,
): string | undefined {
  if (foundNone && plan.changes.some(({ reason }) => reason === 'missing'))
    return 'None of the schedules that are tracked was found in Omni. To a token of another organization, or one that may not see them, it looks the same.';
  // What was replaced is tracked no more, and was counted when it was.
  const lost = plan.changes.filter(
    ({ action, reason }) =>
      reason !== 'replaced' &&
      (action === 'delete' || action === 'replace' || action === 'forget' || reason === 'missing'),
  ).length;
  const percent = tracked === 0 ? 0 : (100 * lost) / tracked;
  if (tracked < shareCountsFrom || percent <= maxDeletePercent) return undefined;
  return `The plan deletes, replaces, forgets or finds missing ${lost} of ${tracked} tracked resources, ${Math.round(percent)} percent; safety.maxDeletePercent is ${maxDeletePercent}.`;
}
