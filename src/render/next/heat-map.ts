// How many deliveries there are in each hour of each day, as a table of numbers: colour only makes them stand out.

import type { NextSchedule } from '../../model/plan/next.ts';
import type { Page } from '../text/field-lines.ts';
import { weekday } from '../text/time-words.ts';

const dayMs = 86_400_000;
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const most = 99;

/** 63 columns wide, one row per day (UTC); without a newline at the end. */
export function renderHeatMap(
  schedules: readonly NextSchedule[],
  from: string,
  days: number,
  { theme }: Pick<Page, 'theme'>,
): string {
  const counts = new Map<string, number>();
  for (const { runs } of schedules) {
    for (const { at } of runs) counts.set(at.slice(0, 13), (counts.get(at.slice(0, 13)) ?? 0) + 1);
  }
  const busiest = Math.max(0, ...counts.values());
  const cell = (count: number): string => {
    if (count === 0) return theme.dim(' ·');
    const text = (count > most ? '++' : String(count)).padStart(2);
    if (count * 3 > busiest * 2) return theme.error(text);
    return count * 3 > busiest ? theme.warning(text) : theme.note(text);
  };
  const first = Date.parse(from);
  const until = first + days * dayMs;
  const rows: string[] = [];
  const last = [...counts.keys()].some((hour) => hour.startsWith(dayOf(until))) ? until : until - 1;
  for (let at = Math.floor(first / dayMs) * dayMs; at <= last; at += dayMs) {
    const day = dayOf(at);
    const cells = hours.map((hour) => cell(counts.get(`${day}T${String(hour).padStart(2, '0')}`) ?? 0));
    rows.push(`${weekday(day)} ${day} ${cells.join('')}`);
  }
  const title = 'Deliveries an hour, UTC';
  const head = `${' '.repeat(15)}${hours.map((hour) => (hour % 3 === 0 ? String(hour).padStart(2) : '  ')).join('')}`;
  return [title, theme.dim(head.trimEnd()), ...rows].join('\n');
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
