// Parses the options that say when. They stand apart from those of all commands, because every start would load the names
// of the time zones otherwise.

import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isDate, type LocalTime, parseLocalTime } from '../../cron/local-time.ts';
import { checkTimeZone } from '../../cron/time-zone.ts';

const isoInstant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Epoch milliseconds. A time needs an offset. */
function instant(text: string): number {
  const at = isoInstant.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It must be an instant such as 2026-11-21T09:00:00Z, or a date.');
  const date = text.slice(0, 'YYYY-MM-DD'.length);
  if (!isDate(date)) throw new InvalidArgumentError(`There is no ${date} in the calendar.`);
  return at;
}

/** A date means its midnight, in a zone that another option may name. */
export type DateOrInstant = { readonly date: string } | { readonly at: number };

export function dateOrInstant(text: string): DateOrInstant {
  const at = instant(text);
  return text.length === 'YYYY-MM-DD'.length ? { date: text } : { at };
}

/** A name of the IANA time zone database, in any case. */
export function timeZone(text: string): string {
  const { zone, problem } = checkTimeZone(text);
  if (zone !== undefined) return zone;
  throw new InvalidArgumentError([problem?.message, problem?.hint].filter(Boolean).join(' '));
}

/** Such as `MON 09:00`. */
export function localTime(text: string): LocalTime {
  const time = parseLocalTime(text);
  if (time !== undefined) return time;
  throw new InvalidArgumentError(
    'It must be a time such as 09:00, with a day where one is meant: MON 09:00, 2026-11-23 09:00.',
  );
}
