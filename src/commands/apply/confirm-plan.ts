// Before an apply: shows the plan, and asks whether to carry it out.

import type { RunCost } from '../../model/plan/apply-outcome.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import { isConfirmed, noTerminal } from '../base/confirm.ts';
import { cronWords } from '../base/cron-words.ts';
import type { Session } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { printPlan } from '../plan/print-plan.ts';
import { shownPlan } from '../plan/shown-plan.ts';
import type { ApplyOptions } from './command.ts';
import type { Reviewed } from './open-reviewed.ts';

/** Where nobody asks for a plan and stdout carries the document, none is shown. */
export function showsPlan({ format, autoApprove }: ApplyOptions): boolean {
  return format === 'text' || autoApprove !== true;
}

/** Nobody can agree to a plan that is not shown: when stdout carries the document, the plan goes to stderr. */
export async function showPlan(
  world: World,
  options: ApplyOptions,
  { loaded, shown }: Session,
  { document, cost }: { readonly document: PlanDocument; readonly cost: RunCost | undefined },
): Promise<void> {
  const isText = options.format === 'text';
  const printed = {
    document: shownPlan(document, shown),
    source: loaded,
    cron: await cronWords(world.clock.now(), document),
    cost,
  };
  printPlan(world, options, printed, isText ? world.stdout : world.stderr);
}

export async function confirmPlan(
  world: World,
  { autoApprove }: ApplyOptions,
  { baseUrl }: PlanDocument,
): Promise<boolean> {
  return autoApprove === true || isConfirmed(world, `\nApply these changes to ${baseUrl}?`);
}

export function needsApproval({ saved, expect, expectChanges }: Reviewed): Error {
  const isReviewed = (saved ?? expect ?? expectChanges) !== undefined;
  return noTerminal(
    'nothing was applied',
    isReviewed
      ? 'Use --auto-approve. It applies only what was reviewed.'
      : 'Use --auto-approve. To apply only what was reviewed, add --expect DIGEST or --expect-changes FILE, or apply a saved plan.',
  );
}
