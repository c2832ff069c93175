// Words about when schedules run, from an instant on. Each expression is read once.

import { comingRuns, unsureRunsAfter } from '../../cron/coming-runs.ts';
import { loadCronWords } from '../../cron/describe-cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { CronWords } from '../../report/plan/timed-plan.ts';

/** `now` is in epoch milliseconds. */
export async function cronWordsAt(now: number): Promise<CronWords> {
  const words = memoize(await loadCronWords(now));
  const next = memoize((expression) => {
    const { cron } = parseCron(expression);
    return memoize((zone) => (cron === undefined ? undefined : comingRuns(cron, zone, now).next().value?.local));
  });
  return { words, nextRun: (expression, zone) => next(expression)(zone), clockWords: clockWordsAfter(now) };
}

/**
 * Gives, for an expression and its zone, `On 2027-03-14 clocks in Europe/Paris skip 02:30; Omni may skip or repeat the
 * run`; undefined if clocks skip and repeat none of its times in the year after `from` (epoch milliseconds).
 */
export function clockWordsAfter(from: number): CronWords['clockWords'] {
  const unsureRuns = unsureRunsAfter(from);
  const words = memoize((expression) =>
    memoize((zone) => {
      const times = unsureRuns(expression, zone).map(({ kind, first, last }, index) => {
        const until = last === first ? '' : ` to ${last.slice(11)}`;
        const who = index === 0 ? `clocks in ${zone}` : 'they';
        return `${index === 0 ? 'On' : 'on'} ${first.slice(0, 10)} ${who} ${kind} ${first.slice(11)}${until}`;
      });
      return times.length === 0 ? undefined : `${times.join(', ')}; Omni may skip or repeat the run`;
    }),
  );
  return (expression, zone) => words(expression)(zone);
}
