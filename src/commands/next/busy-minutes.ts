// Minutes in which many deliveries are due: each renders a dashboard, and all of them wait for the same warehouse. Finds
// them, and says which.

import { type LocalTimes, localTimesIn } from '../../cron/time-zone.ts';
import { groupBy } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { type Doc, indented } from '../../report/doc.ts';
import type { Page } from '../../report/text/theme.ts';
import { weekday } from '../../report/text/words.ts';

export interface BusyMinute {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly count: number;
  /** The addresses of some of the deliveries. */
  readonly examples: readonly string[];
}

interface ComingDeliveries {
  readonly address: string;
  /** ISO 8601, UTC. */
  readonly runs: readonly { readonly at: string }[];
}

const maxExamples = 3;

/** The minutes with more than `most` deliveries, in order. */
export function busyMinutes(schedules: readonly ComingDeliveries[], most: number): readonly BusyMinute[] {
  const due = schedules.flatMap(({ address, runs }) => runs.map(({ at }) => ({ at, address })));
  return [...groupBy(due, ({ at }) => at)]
    .filter(([, { length }]) => length > most)
    .map(([at, group]) => {
      const examples = group.slice(0, maxExamples).map(({ address }) => address);
      return { at, count: group.length, examples };
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

const maxSentences = 3;
const maxListed = 5;

/** Up to three minutes with examples, of more the busiest. */
export function busyDoc(
  busy: readonly BusyMinute[],
  { zone, maxPerMinute }: { readonly zone: string; readonly maxPerMinute: number },
  { showsAll }: Page,
): Doc {
  const local = localTimesIn(zone);
  const time = (at: string) => `${weekday(local(at).slice(0, 10))} ${local(at).replace('T', ' ')} ${zone}`;
  if (busy.length <= maxSentences)
    return busy.map(({ at, count, examples }) => {
      const what = `${countOf(count, 'delivery', 'deliveries')} in one minute`;
      return { role: 'warning', of: `${what}, ${time(at)}: ${nameSome(examples, count)}.` };
    });
  const weekly = weeklyOf(busy, local);
  const byCount = weekly.toSorted((a, b) => b.count - a.count);
  const listsAll = showsAll || weekly.length <= maxListed;
  const listed = listsAll ? weekly : byCount.slice(0, maxListed);
  const [most] = byCount;
  const digits = String(most?.count).length;
  const limit = `${countOf(maxPerMinute, 'delivery', 'deliveries')} (--max-per-minute)`;
  const heading = `${busy.length} minutes have more than ${limit}${listsAll ? '' : ', the busiest'}:`;
  return [
    { role: 'warning', of: heading },
    ...listed.map(({ at, count, weeks }) => {
      const more = weeks === 1 ? '' : `, the same in ${weeks} weeks`;
      return indented(2, `${String(count).padStart(digits)}  ${time(at)}${more}`);
    }),
    `\`${command('next', '--timezone', zone, '--at', local(most?.at ?? '').replace('T', ' '))}\` lists those of one minute.`,
  ];
}

interface WeeklyMinute extends BusyMinute {
  readonly weeks: number;
}

/** The busiest of those at the same time of the same day of the week, in the order of the first ones. */
function weeklyOf(busy: readonly BusyMinute[], local: LocalTimes): readonly WeeklyMinute[] {
  const byTime = new Map<string, WeeklyMinute>();
  for (const minute of busy) {
    const wall = local(minute.at);
    const key = weekday(wall.slice(0, 10)) + wall.slice(11);
    const known = byTime.get(key);
    const busiest = known === undefined || minute.count > known.count ? minute : known;
    byTime.set(key, { ...busiest, weeks: (known?.weeks ?? 0) + 1 });
  }
  return [...byTime.values()];
}
