// What reports say about a cron expression: its words, and its next run after a given time.

import { comingRuns } from '../../cron/coming-runs.ts';
import { loadCronWords } from '../../cron/describe-cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { CronWords } from '../../render/text/cron-text.ts';

export async function cronWords(now: number): Promise<CronWords> {
  const words = memoize(await loadCronWords());
  const next = memoize((expression) => {
    const { cron } = parseCron(expression);
    return memoize((zone) => (cron === undefined ? undefined : comingRuns(cron, zone, now).next().value?.local));
  });
  return { words, nextRun: (expression, zone) => next(expression)(zone) };
}
