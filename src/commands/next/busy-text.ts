// What is said of minutes with many deliveries.

import type { BusyMinute } from '../../cron/coming-runs.ts';
import { type LocalTimes, localTimesIn } from '../../cron/time-zone.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import { safeText, wrap } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { weekday } from '../../report/text/words.ts';

const mostSentences = 3;
const mostListed = 5;

/** Up to three minutes with examples, of more the busiest; without a newline at the end. */
export function renderBusyMinutes(
  busy: readonly BusyMinute[],
  { zone, maxPerMinute }: { readonly zone: string; readonly maxPerMinute: number },
  { theme, width, showsAll }: Page,
): string {
  const local = localTimesIn(zone);
  const time = (at: string) => `${weekday(local(at).slice(0, 10))} ${local(at).replace('T', ' ')}`;
  if (busy.length <= mostSentences) {
    const sentences = busy.map(({ at, count, examples }) => {
      const names = nameSome(
        examples.map((address) => safeText(address)),
        count,
      );
      return `${countOf(count, 'delivery', 'deliveries')} in one minute, ${time(at)} ${zone}: ${names}.`;
    });
    return sentences
      .flatMap((sentence) => wrap(sentence, width))
      .map((line) => theme.warning(line))
      .join('\n');
  }
  const weekly = weeklyOf(busy, local);
  const listsAll = showsAll || weekly.length <= mostListed;
  const listed = listsAll ? weekly : weekly.toSorted((a, b) => b.count - a.count).slice(0, mostListed);
  const digits = Math.max(...listed.map(({ count }) => String(count).length));
  const [most] = listed.toSorted((a, b) => b.count - a.count);
  const limit = `${countOf(maxPerMinute, 'delivery', 'deliveries')} (--max-per-minute)`;
  const heading = `${busy.length} minutes have more than ${limit}${listsAll ? '' : ', the busiest'}:`;
  const ask = `\`almanac next --timezone ${zone} --at '${local(most?.at ?? '').replace('T', ' ')}'\` lists those of one minute.`;
  return [
    ...wrap(heading, width).map((line) => theme.warning(line)),
    ...listed.map(({ at, count, weeks }) => {
      const more = weeks === 1 ? '' : `, in ${weeks} weeks`;
      return `  ${String(count).padStart(digits)}  ${time(at)} ${zone}${more}`;
    }),
    ...wrap(ask, width),
  ].join('\n');
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
