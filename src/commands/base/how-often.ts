// Words for how often something runs, made from one day's runs.

import { countOf } from '../../model/values/words.ts';

interface Run {
  readonly at: string;
  readonly local: string;
}

/** `24 × every hour` if all runs are equally far apart, even if only by the clocks of their zone. */
export function howOften(runs: readonly Run[]): string {
  const beat = beatWords(runs);
  return beat === undefined ? countOf(runs.length, 'run') : `${runs.length} × ${beat}`;
}

/** `every hour`; undefined if the runs are not equally far apart. */
export function beatWords(runs: readonly Run[]): string | undefined {
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
