// What an apply ends with: the outcome on stdout, and the exit code.

import { hasSucceeded } from '../../engine/ai-jobs/follow-jobs.ts';
import type { Applied } from '../../engine/apply/apply-request.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderApplySummary } from '../../render/apply/apply-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { cronWords } from '../base/cron-words.ts';
import { pageOf } from '../base/page.ts';
import type { Session } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { printPlan } from '../plan/print-plan.ts';
import { shownPlan } from '../plan/shown-plan.ts';
import type { ApplyOptions } from './command.ts';

/** Throws Failure refused, or interrupted, where the plan was declined. */
export async function reportApplied(
  world: World,
  options: ApplyOptions,
  { loaded, shown }: Session,
  applied: Applied,
): Promise<number> {
  const { document, plan, state, finished = [] } = applied;
  if (document === undefined) {
    throw world.signal.aborted
      ? new Failure('interrupted', 'Interrupted; nothing was applied.')
      : new Failure('refused', 'The plan was not confirmed; nothing was applied.', {
          hint: 'To apply it, answer yes in full.',
        });
  }
  if (options.format === 'json') world.stdout.data(renderJson(shown(document)));
  else if (plan.changes.length === 0) {
    const { refreshOnly } = options;
    const cron = await cronWords(world.clock.now(), plan);
    printPlan(world, options, { document: shownPlan(plan, shown), source: loaded, cron, refreshOnly });
  } else {
    const attributesOf = (address: string): JsonObject | undefined => state?.resources[address]?.attributes;
    world.stdout.write(
      `\n${renderApplySummary(shown(document), { ...pageOf(world.stdout, world, options), attributesOf, finished })}`,
    );
  }
  const { failed, skipped, unknown } = document.summary;
  const isDone = failed + skipped + unknown === 0 && document.results.every(({ job }) => hasSucceeded(job));
  return isDone ? 0 : 1;
}
