// Cron for reports: words, and the next run from the time that is handed in. Both remember, because thousands of
// schedules share few expressions.

import { comingRuns } from '../cron/coming-runs.ts';
import { loadCronWords } from '../cron/describe-cron.ts';
import { parseCron } from '../cron/parse-cron.ts';
import type { CronWords } from '../render/cron-text.ts';

export async function cronWords(now: number): Promise<CronWords> {
  const words = remember(await loadCronWords());
  const next = remember((key: string) => {
    const [expression = '', zone = ''] = key.split('\n');
    const { cron } = parseCron(expression);
    return cron === undefined ? undefined : comingRuns(cron, zone, now).next().value?.local;
  });
  return { words, nextRun: (expression, zone) => next(`${expression}\n${zone}`) };
}

function remember<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.has(key) ? (known.get(key) as T) : make(key);
    known.set(key, value);
    return value;
  };
}
