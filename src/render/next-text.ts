// The coming runs of schedules for a terminal.

import type { NextDocument, NextSchedule } from '../model/next.ts';
import { localTime } from './cron-text.ts';
import type { Page } from './field-lines.ts';
import { safeText, wrap } from './terminal-text.ts';

/** Ends with a newline. */
export function renderNext(document: NextDocument, page: Page): string {
  if (document.schedules.length === 0) return 'No schedules.\n';
  return document.schedules.map((schedule) => `${scheduleLines(page, schedule).join('\n')}\n`).join('\n');
}

function scheduleLines({ theme, width }: Page, schedule: NextSchedule): readonly string[] {
  const { address, description, timezone, runs } = schedule;
  const words = `${safeText(description)}, ${safeText(timezone)}`;
  const runLines = runs.map(({ at, local }) => `    ${localTime(local)}  ${theme.dim(utcTime(at))}`);
  return [
    theme.strong(safeText(address)),
    ...wrap(words, width, '  '),
    ...wrap(safeText(schedule.schedule), width, '  ').map(theme.dim),
    ...(runs.length === 0 ? [theme.warning('    never runs again')] : runLines),
  ];
}

/** `2026-11-23T09:00:00.000Z` as `2026-11-23 09:00 UTC`: schedules have no seconds. */
function utcTime(at: string): string {
  return `${safeText(at).slice(0, 16).replace('T', ' ')} UTC`;
}
