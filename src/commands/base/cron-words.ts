// What reports say about a cron expression: its words, and its next run after a given time.

import { comingRuns } from '../../cron/coming-runs.ts';
import { loadCronWords } from '../../cron/describe-cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { CronWords } from '../../render/text/cron-text.ts';

/** Of what a document changes: where that is nothing, no words are asked for, and none are loaded. */
export async function cronWords(now: number, { changes }: Pick<PlanDocument, 'changes'>): Promise<CronWords> {
  const words = changes.length === 0 ? (expression: string) => expression : memoize(await loadCronWords());
  const next = memoize((expression) => {
    const { cron } = parseCron(expression);
    return memoize((zone) => (cron === undefined ? undefined : comingRuns(cron, zone, now).next().value?.local));
  });
  return { words, nextRun: (expression, zone) => next(expression)(zone) };
}
