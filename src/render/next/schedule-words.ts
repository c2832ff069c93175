// When schedules run, in words: each of a few, and of many the expressions that most of them share.

import type { NextSchedule } from '../../model/plan/next.ts';
import { countOf } from '../text/count-words.ts';
import { nameSome } from '../text/more-words.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import type { Page } from '../text/theme.ts';

const mostGroups = 10;

/** `days`: undefined if a number of runs was requested instead. */
export function scheduleLines(
  schedules: readonly NextSchedule[],
  days: number | undefined,
  { theme, width }: Page,
): readonly string[] {
  return schedules.flatMap((schedule) => {
    const { address, description, timezone, schedule: expression } = schedule;
    const words = `${safeText(description)}, ${safeText(timezone)} (${safeText(expression)})`;
    const lines = wrap(`${safeText(address)}: ${words}`, width);
    if (schedule.runs.length > 0) return lines;
    return [...lines, theme.warning(days === undefined ? '  never runs again' : '  does not run on these days')];
  });
}

/** The same for many: a line for each of the most frequent expressions. */
export function expressionLines(
  schedules: readonly NextSchedule[],
  days: number | undefined,
  { width }: Page,
): readonly string[] {
  const running = schedules.filter(({ runs }) => runs.length > 0);
  const idle = schedules.filter(({ runs }) => runs.length === 0).map(({ address }) => safeText(address));
  const counts = new Map<string, number>();
  for (const schedule of running) {
    const words = `${safeText(schedule.description)}, ${safeText(schedule.timezone)}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const groups = [...counts].sort(([, a], [, b]) => b - a);
  const digits = String(groups[0]?.[1] ?? 0).length;
  const lines = groups.slice(0, mostGroups).flatMap(([words, count]) => {
    const indent = ' '.repeat(digits + 4);
    const [first = '', ...others] = wrap(words, width - indent.length);
    return [`  ${String(count).padStart(digits)}  ${first}`, ...others.map((line) => indent + line)];
  });
  const rest = groups.slice(mostGroups);
  const restCount = rest.reduce((sum, [, count]) => sum + count, 0);
  const idleWords = `${countOf(idle.length, 'schedule')} ${idle.length === 1 ? 'does' : 'do'} not run ${days === undefined ? 'again' : 'on these days'}: ${nameSome(idle)}.`;
  return [
    ...(running.length === 0 ? [] : [`${countOf(running.length, 'schedule')}:`]),
    ...lines,
    ...(rest.length === 0 ? [] : [`  ${restCount} more at ${countOf(rest.length, 'other time')}`]),
    ...(idle.length === 0 ? [] : wrap(idleWords, width)),
  ];
}
