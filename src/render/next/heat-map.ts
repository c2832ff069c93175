// How many deliveries there are in each hour of each day, as a table of numbers: colour only makes them stand out.

import type { NextSchedule } from '../../model/plan/next.ts';
import type { Page } from '../text/field-lines.ts';
import { weekday } from '../text/time-words.ts';

const dayMs = 86_400_000;
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const most = 999;
const dayWidth = 15;

/** One row per day (UTC), in two halves where the cells of 24 hours do not fit; without a newline at the end. */
export function renderHeatMap(
  schedules: readonly NextSchedule[],
  from: string,
  days: number,
  { theme, width }: Page,
): string {
  const counts = countsOf(schedules);
  const busiest = Math.max(0, ...counts.values());
  const cellWidth = String(Math.min(busiest, most)).length + 1;
  const cell = (count: number): string => {
    if (count === 0) return theme.dim('·'.padStart(cellWidth));
    const text = (count > most ? '+++' : String(count)).padStart(cellWidth);
    if (count * 3 > busiest * 2) return theme.error(text);
    return count * 3 > busiest ? theme.warning(text) : theme.note(text);
  };
  const tableOf = (shown: readonly number[]): readonly string[] => {
    const names = shown.map((hour) => (hour % 3 === 0 ? String(hour) : '').padStart(cellWidth));
    const rows = daysOf(from, days).map((day) => {
      const cells = shown.map((hour) => cell(counts.get(`${day}T${String(hour).padStart(2, '0')}`) ?? 0));
      return `${weekday(day)} ${day} ${cells.join('')}`;
    });
    return [theme.dim((' '.repeat(dayWidth) + names.join('')).trimEnd()), ...rows];
  };
  const isWide = dayWidth + hours.length * cellWidth > width;
  const tables = isWide ? [hours.slice(0, 12), hours.slice(12)] : [hours];
  return ['Deliveries an hour, UTC', ...tables.flatMap(tableOf)].join('\n');
}

/** By the hour that they are in, `2026-11-23T09`. */
function countsOf(schedules: readonly NextSchedule[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { runs } of schedules) {
    for (const { at } of runs) counts.set(at.slice(0, 13), (counts.get(at.slice(0, 13)) ?? 0) + 1);
  }
  return counts;
}

/** The days from `from` on, the end not included. */
function daysOf(from: string, days: number): readonly string[] {
  const first = Date.parse(from);
  const midnight = Math.floor(first / dayMs) * dayMs;
  const length = Math.ceil((first + days * dayMs - midnight) / dayMs);
  return Array.from({ length }, (_, index) => new Date(midnight + index * dayMs).toISOString().slice(0, 10));
}
