// What an apply ends with: the outcome on stdout, and the exit code.

import { hasSucceeded } from '../../engine/ai-jobs/follow-jobs.ts';
import type { Applied } from '../../engine/apply/apply-request.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderApplySummary } from '../../render/apply/apply-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import type { Run, Session } from '../base/run.ts';
import { printPlan, shownPlan } from '../plan/publish-plan.ts';
import type { ApplyOptions } from './command.ts';

/** Throws Failure refused, or interrupted, where the plan was declined. */
export async function reportApplied(
  run: Run,
  options: ApplyOptions,
  { loaded, shown }: Session,
  applied: Applied,
): Promise<number> {
  const { document, plan, state, finished = [] } = applied;
  if (document === undefined) {
    throw run.signal.aborted
      ? new Failure('interrupted', 'Interrupted; nothing was applied.')
      : new Failure('refused', 'The plan was not confirmed; nothing was applied.', {
          hint: 'To apply it, answer yes in full.',
        });
  }
  if (options.format === 'json') run.stdout.data(renderJson(shown(document)));
  else if (plan.changes.length === 0) {
    const { refreshOnly } = options;
    await printPlan(run, { document: shownPlan(plan, shown), source: loaded, refreshOnly });
  } else {
    const attributesOf = (address: string): JsonObject | undefined => state?.resources[address]?.attributes;
    run.stdout.write(`\n${renderApplySummary(shown(document), { ...run.page(), attributesOf, finished })}`);
  }
  const { failed, skipped, unknown } = document.summary;
  const isDone = failed + skipped + unknown === 0 && document.results.every(({ job }) => hasSucceeded(job));
  return isDone ? 0 : 1;
}
