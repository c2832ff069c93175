// The coming runs of schedules for a terminal: all of them in order, day by day, then each schedule in words.

import type { BusyMinute } from '../../cron/busy-minutes.ts';
import type { NextDocument, NextSchedule } from '../../model/plan/next.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { pad, safeText, wrap } from '../text/terminal-text.ts';
import { weekday } from '../text/time-words.ts';
import { renderHeatMap } from './heat-map.ts';

export interface Horizon {
  /** Undefined if a number of runs was requested instead. */
  readonly days: number | undefined;
  readonly busy: readonly BusyMinute[];
  /** How many schedules are left out because they are paused. */
  readonly paused: number;
}

const longestHeatMap = 31;
const mostNamed = 5;
const mostBusy = 5;

/** Ends with a newline. */
export function renderNext(document: NextDocument, page: Page, { days, busy, paused }: Horizon): string {
  const { schedules, from } = document;
  if (schedules.length === 0) return paused === 0 ? 'No schedules.\n' : `No schedules run: ${pausedWords(paused)}.\n`;
  const heatMap = days === undefined || days > longestHeatMap ? [] : [renderHeatMap(schedules, from, days, page)];
  const parts = [
    ...dayParts(schedules, page),
    ...heatMap,
    schedules.flatMap((schedule) => scheduleLines(page, schedule, days)).join('\n'),
    ...(busy.length === 0 ? [] : [renderBusyMinutes(busy, page)]),
    ...(paused === 0 ? [] : [`${countOf(paused, 'paused schedule')} ${paused === 1 ? 'is' : 'are'} left out.`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function pausedWords(paused: number): string {
  return `${paused} ${paused === 1 ? 'is' : 'are'} paused`;
}

/** What is said of minutes with many deliveries; without a newline at the end. */
export function renderBusyMinutes(busy: readonly BusyMinute[], { theme, width }: Page): string {
  const sentences = busy.slice(0, mostBusy).map(({ at, addresses }) => {
    const named = addresses.slice(0, mostNamed).map((address) => safeText(address));
    const rest = addresses.length - named.length;
    const names = rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
    return `${countOf(addresses.length, 'delivery', 'deliveries')} in one minute, ${dayAndTime(at)} UTC: ${names}.`;
  });
  const others = busy.length - sentences.length;
  if (others > 0) sentences.push(`${others} more minutes are as busy.`);
  const lines = sentences.flatMap((sentence) => wrap(sentence, width));
  return lines.map((line) => theme.warning(line)).join('\n');
}

interface Row {
  readonly at: string;
  readonly local: string;
  readonly zone: string;
  readonly address: string;
}

function dayParts(schedules: readonly NextSchedule[], { theme }: Page): readonly string[] {
  const rows = schedules
    .flatMap(({ address, timezone, runs }) => runs.map((run): Row => ({ ...run, zone: timezone, address })))
    .sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
  const localWidth = rows.reduce((widest, row) => Math.max(widest, localText(row).length), 0);
  const byDay = new Map<string, string[]>();
  for (const row of rows) {
    const local = localWidth === 0 ? '' : `${pad(localText(row), localWidth)}  `;
    const line = `  ${row.at.slice(11, 16)} UTC  ${local}${theme.strong(safeText(row.address))}`;
    const day = row.at.slice(0, 10);
    const lines = byDay.get(day);
    if (lines === undefined) byDay.set(day, [line]);
    else lines.push(line);
  }
  return [...byDay].map(([day, lines]) => [`${weekday(day)} ${day}`, ...lines].join('\n'));
}

/** In the schedule's own zone, with the day where that is another one; nothing where that is UTC. */
function localText({ at, local, zone }: Row): string {
  if (zone === 'UTC') return '';
  const sameDay = at.slice(0, 10) === local.slice(0, 10);
  return `${sameDay ? local.slice(11) : local.replace('T', ' ')} ${safeText(zone)}`;
}

function dayAndTime(at: string): string {
  return `${weekday(at.slice(0, 10))} ${at.slice(0, 16).replace('T', ' ')}`;
}

function scheduleLines(
  { theme, width }: Page,
  { address, schedule, description, timezone, runs }: NextSchedule,
  days: number | undefined,
): readonly string[] {
  const words = `${safeText(address)}: ${safeText(description)}, ${safeText(timezone)} (${safeText(schedule)})`;
  const lines = [...wrap(words, width)];
  if (runs.length > 0) return lines;
  return [...lines, theme.warning(days === undefined ? '  never runs again' : '  does not run on these days')];
}
