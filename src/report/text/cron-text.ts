// A schedule's expression in words and with its next run. The words and the clock are handed in.

import type { Json, JsonObject } from '../../model/values/json.ts';
import { safeText } from './terminal-text.ts';
import { isMask } from './visible-values.ts';

export interface CronWords {
  /** `at 09:00 on Monday`. */
  words(expression: string): string;
  /** The next run in the zone's own time, without the zone's name: `2026-11-23 09:00`; undefined where none comes. */
  nextRun(expression: string, zone: string): string | undefined;
}

/** `at 09:00 on Monday, next 2026-11-23 09:00 Europe/London`. */
export function scheduleComment(cron: CronWords, attributes: JsonObject | null): string | undefined {
  const expression = known(attributes?.['schedule']);
  if (expression === undefined) return undefined;
  const next = nextRunComment(cron, attributes);
  return [safeText(cron.words(expression)), ...(next === undefined ? [] : [next])].join(', ');
}

/** `next 2026-11-23 09:00 Europe/London`. */
export function nextRunComment(cron: CronWords, attributes: JsonObject | null): string | undefined {
  const expression = known(attributes?.['schedule']);
  const zone = known(attributes?.['timezone']);
  if (expression === undefined || zone === undefined) return undefined;
  const next = cron.nextRun(expression, zone);
  return next === undefined ? 'never runs again' : `next ${localTime(next)} ${safeText(zone)}`;
}

/** `2026-11-23T09:00` as people write it. */
export function localTime(text: string): string {
  return safeText(text).replace('T', ' ');
}

function known(value: Json | undefined): string | undefined {
  return typeof value === 'string' && !isMask(value) ? value : undefined;
}
