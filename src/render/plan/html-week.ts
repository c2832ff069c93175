// A week of deliveries before and after a plan, as two tables of hours and days. Hours in which nothing is delivered on
// any day are left out, and so is a week in which nothing is.

import { countOf } from '../text/count-words.ts';
import { weekday } from '../text/time-words.ts';
import type { HourCounts, WeekOfDeliveries } from './week-of-deliveries.ts';

export function htmlWeek({ days, before, after }: WeekOfDeliveries): string {
  const most = Math.max(...[...before, ...after].flat());
  const [was, becomes] = [total(before), total(after)];
  if (most === 0) return '';
  const hours = [...Array(24).keys()].filter((hour) => [...before, ...after].some((day) => (day[hour] ?? 0) > 0));
  const frame = { days, hours, most };
  const tables = [
    ...(was === 0 ? [] : [weekTable('Before', before, frame)]),
    ...(becomes === 0 ? [] : [weekTable('After', after, frame, was === 0 ? undefined : before)]),
  ];
  return `<h2>A week of deliveries</h2>
<div class="card">
<p>${countOf(was, 'delivery', 'deliveries')} before, ${countOf(becomes, 'delivery', 'deliveries')} after, from ${days[0]} to ${days.at(-1)}.</p>
<p class="quiet">Counts only the schedules in this plan, each in its own time zone, and the orphans that keep running. A frame marks an hour that differs.</p>
<div class="weeks">
${tables.join('\n')}
</div>
</div>`;
}

interface Frame {
  readonly days: readonly string[];
  /** Those that have a row. */
  readonly hours: readonly number[];
  /** The most deliveries in an hour, of both tables. */
  readonly most: number;
}

/** What differs from the other week is framed. */
function weekTable(title: string, counts: HourCounts, { days, hours, most }: Frame, other?: HourCounts): string {
  const head = days.map((date) => `<th scope="col">${weekday(date)}<br>${date.slice(8)}</th>`).join('');
  const rows = hours.map((hour) => {
    const cells = days.map((_, day) => {
      const count = counts[day]?.[hour] ?? 0;
      const differs = other !== undefined && other[day]?.[hour] !== count;
      const names = [...(count === 0 ? [] : [`heat${Math.ceil((5 * count) / most)}`]), ...(differs ? ['differs'] : [])];
      const shown = count === 0 && !differs ? '' : shortCount(count);
      return names.length === 0 ? `<td>${shown}</td>` : `<td class="${names.join(' ')}">${shown}</td>`;
    });
    return `<tr><th scope="row">${String(hour).padStart(2, '0')}:00</th>${cells.join('')}</tr>`;
  });
  return `<table><caption>${title}</caption><thead><tr><td class="hour"></td>${head}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

function total(counts: HourCounts): number {
  return counts.flat().reduce((sum, count) => sum + count, 0);
}

/** In a cell there is room for three figures. */
function shortCount(count: number): string {
  return count < 1000 ? String(count) : count < 100_000 ? `${Math.round(count / 1000)}k` : '…';
}
