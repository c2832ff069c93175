// The document of `almanac next`: the schedules and their runs. Runs are found once for each expression and zone, and
// schedules that share both share the list.

import type { NextDocument, NextSchedule } from '../../model/plan/next.ts';
import { memoize } from '../../model/values/memoize.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { firstLines } from '../../render/next/next-text.ts';
import { runRows } from '../../render/next/run-list.ts';
import { findRuns, type Question, wholeDays } from './find-runs.ts';

/** The runs of all schedules; with a requested time, of those that run then. */
export function documentsOf(schedules: readonly Resource[], describe: (expression: string) => string) {
  const words = memoize(describe);
  return (question: Question): NextDocument => {
    const runs = memoize((expression) => memoize((zone) => findRuns(expression, zone, question)));
    const all = schedules.map(({ address, attributes }): NextSchedule => {
      const [schedule, timezone] = [String(attributes['schedule']), String(attributes['timezone'])];
      return { address, schedule, timezone, description: words(schedule), runs: runs(schedule)(timezone) };
    });
    return {
      formatVersion: 1,
      from: new Date(question.from).toISOString(),
      schedules: question.at === undefined ? all : all.filter((schedule) => schedule.runs.length > 0),
    };
  };
}

/** The runs of so many whole days that none is missing among the first lines. */
export function firstRuns(question: Question, makeDocument: (question: Question) => NextDocument): NextDocument {
  let document = makeDocument(question);
  for (const days of [2, 8, 32, 366]) {
    const whole = wholeDays(question, days);
    document = makeDocument(whole);
    const rows = runRows(document.schedules, { zone: question.zone ?? 'UTC', foldsDays: true, foldsTimes: true });
    if (rows.filter(({ at }) => Date.parse(at) < whole.until).length >= firstLines) break;
  }
  return document;
}
