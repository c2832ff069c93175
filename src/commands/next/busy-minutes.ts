// Finds minutes in which many deliveries are due, and lists them. Each delivery renders a dashboard, and all of them
// wait for the same warehouse.

import { localTimesIn } from '../../cron/time-zone.ts';
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
  readonly examples: readonly string[];
}

interface ComingDeliveries {
  readonly address: string;
  /** ISO 8601, UTC. */
  readonly runs: readonly { readonly at: string }[];
}

const maxExamples = 3;

/** Minutes with more deliveries are reported. */
const most = 10;

/** The minutes with more than ten deliveries, in order. */
export function busyMinutes(schedules: readonly ComingDeliveries[]): readonly BusyMinute[] {
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

/** Up to three minutes with examples, the busiest if there are more. */
export function busyDoc(busy: readonly BusyMinute[], zone: string, { showsAll }: Page): Doc {
  const local = localTimesIn(zone);
  const time = (at: string) => `${weekday(local(at).slice(0, 10))} ${local(at).replace('T', ' ')} ${zone}`;
  if (busy.length <= maxSentences)
    return busy.map(({ at, count, examples }) => {
      const what = `${countOf(count, 'delivery', 'deliveries')} in one minute`;
      return { role: 'warning', of: `${what}, ${time(at)}: ${nameSome(examples, count)}.` };
    });
  const byCount = busy.toSorted((a, b) => b.count - a.count);
  const listsAll = showsAll || busy.length <= maxListed;
  const [busiest] = byCount;
  const digits = String(busiest?.count).length;
  return [
    {
      role: 'warning',
      of: `${busy.length} minutes have more than ${most} deliveries${listsAll ? '' : ', the busiest'}:`,
    },
    ...(listsAll ? busy : byCount.slice(0, maxListed)).map(({ at, count }) =>
      indented(2, `${String(count).padStart(digits)}  ${time(at)}`),
    ),
    `\`${command('next', '--timezone', zone, '--at', local(busiest?.at ?? '').replace('T', ' '))}\` lists those of one minute.`,
  ];
}
