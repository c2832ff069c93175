// Why an apply refuses a plan as a whole, before the first request. Each refusal names the flag or the way out.

import { actions } from '../model/plan/action.ts';
import { leavesOrphan, type Plan } from '../model/plan/plan.ts';
import { Failure } from '../model/workspace/failure.ts';

export interface GuardPolicy {
  readonly allowOrphans: boolean;
  readonly force: boolean;
  readonly maxDeletePercent: number;
}

export interface GuardContext {
  /** How many resources the state holds. */
  readonly tracked: number;
  /** The service was observed, and none of the tracked schedules was found. */
  readonly foundNone: boolean;
}

/** How many resources must be tracked before a share of them means something. */
const shareCountsFrom = 10;

/** The reasons to refuse; empty if the plan may be applied. */
export function guardPlan(plan: Plan, policy: GuardPolicy, context: GuardContext): readonly Failure[] {
  const blocked = plan.changes.filter((change) => change.blocked !== undefined);
  const orphaned = plan.changes.filter((change) => leavesOrphan(change, plan.operations));
  const many = givesUpMany(plan, policy.maxDeletePercent, context);
  const refused = (message: string, hint: string) => new Failure('blocked', message, { hint });
  const reasons = blocked.map(({ address, blocked: why }) =>
    refused(`${address} is blocked. ${why}`, 'Nothing was sent.'),
  );
  if (orphaned.length > 0 && !policy.allowOrphans) {
    const schedules = orphaned.length === 1 ? 'One schedule' : `${orphaned.length} schedules`;
    const which = orphaned.map(({ address, id }) => `${address} (${id})`).join(', ');
    reasons.push(
      refused(
        `${schedules} would keep running without being tracked: ${which}. With operations core Almanac cannot remove them.`,
        'To go on, use --allow-orphans; then remove them in Omni and clear them from the list with `almanac state orphans --clear ID`.',
      ),
    );
  }
  if (many !== undefined && !policy.force) reasons.push(refused(many, 'If that is intended, use --force.'));
  return reasons;
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
  ).length;
  const percent = tracked === 0 ? 0 : (100 * lost) / tracked;
  if (tracked < shareCountsFrom || percent <= maxDeletePercent) return undefined;
  return `The plan deletes, replaces, forgets or finds missing ${lost} of ${tracked} tracked resources, ${Math.round(percent)} percent; safety.maxDeletePercent is ${maxDeletePercent}.`;
}
