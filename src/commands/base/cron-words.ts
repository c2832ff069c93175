// Words for when and how often schedules run, and about outdated zone data. Each expression is read once.

import { comingRuns, unsureRunsAfter } from '../../cron/coming-runs.ts';
import { loadCronWords } from '../../cron/describe-cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { ageWords, knownRelease, outdatedZones } from '../../cron/zone-data.ts';
import { memoize } from '../../model/values/collections.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import type { CronWords } from '../../report/plan/timed-plan.ts';
import type { Run } from './run.ts';

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

// Words for how often something runs, made from one day's runs.

interface TimedRun {
  readonly at: string;
  readonly local: string;
}

/** `24 × every hour` if all runs are equally far apart, even if only by the clocks of their zone. */
export function howOften(runs: readonly TimedRun[]): string {
  const beat = beatWords(runs);
  return beat === undefined ? countOf(runs.length, 'run') : `${runs.length} × ${beat}`;
}

/** `every hour`; undefined if the runs are not equally far apart. */
export function beatWords(runs: readonly TimedRun[]): string | undefined {
  const gap = onlyGap(runs.map(({ at }) => at)) ?? onlyGap(runs.map(({ local }) => `${local}Z`));
  if (gap === undefined) return undefined;
  const unit = gap % 60 === 0 ? 'hour' : 'minute';
  const times = unit === 'hour' ? gap / 60 : gap;
  return `every ${times === 1 ? unit : `${times} ${unit}s`}`;
}

/** The gap between all times in minutes; undefined if they are not equally far apart. */
function onlyGap(times: readonly string[]): number | undefined {
  const minutes = times.map((time) => Date.parse(time) / 60_000);
  const gaps = new Set(minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? 0)));
  return gaps.size === 1 ? [...gaps][0] : undefined;
}

// Warns once in a run about outdated time zone data. Only zones in use whose clocks have changed since count.

/** Warns on stderr, unless --quiet. `zones` are names as they are declared or listed. */
export function sayOldZones(run: Run, zones: readonly unknown[]): void {
  const words = oldZonesWords(zones, run);
  if (words !== undefined && !run.options.quiet) run.say(`note: ${words}`, run.stderr);
}

/** Undefined if the program's time zone data is right for all these zones. */
export function oldZonesWords(
  zones: readonly unknown[],
  { zoneRelease, runtime }: Pick<Run, 'zoneRelease' | 'runtime'>,
): string | undefined {
  const texts = zones.filter((zone) => typeof zone === 'string');
  const old = outdatedZones(texts, zoneRelease).map((zone) => `\`${zone}\``);
  if (old.length === 0) return undefined;
  return `This ${runtime.name} has time zones ${ageWords(zoneRelease)}, older than ${knownRelease}, which Almanac knows. The clocks of ${nameSome(old)} have changed since, so times there may be an hour off.`;
}
