// When schedules run, in words and from an instant on. Each expression is read once.

import { comingRuns } from '../../cron/coming-runs.ts';
import { loadCronWords } from '../../cron/describe-cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { CronWords } from '../../report/plan/timed-plan.ts';

/** `now`: epoch milliseconds. */
export async function cronWordsAt(now: number): Promise<CronWords> {
  const words = memoize(await loadCronWords(now));
  const next = memoize((expression) => {
    const { cron } = parseCron(expression);
    return memoize((zone) => (cron === undefined ? undefined : comingRuns(cron, zone, now).next().value?.local));
  });
  return { words, nextRun: (expression, zone) => next(expression)(zone) };
}
