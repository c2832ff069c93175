// The options of `almanac next`.

import { InvalidArgumentError } from '@commander-js/extra-typings';
import { checkTimeZone } from '../../cron/check-time-zone.ts';
import { timeZoneFault } from '../../declare/rules/time-zones.ts';
import { isDay } from '../../model/values/day.ts';
import { type EmptyCommand, type OptionsOf, selectors, textOrJson } from '../base/command.ts';
import { defining } from '../base/define-command.ts';
import { wholeNumber } from '../base/option-values.ts';
import { type LocalTime, parseLocalTime } from './local-time.ts';

export type NextOptions = OptionsOf<typeof nextCommand>;

function nextCommand(command: EmptyCommand) {
  return command
    .argument(...selectors)
    .addOption(textOrJson())
    .option('--count <n>', 'number of runs per schedule (default: 5)', wholeNumber(1, 1000))
    .option('--days <n>', 'the runs of this many whole days; the first day begins at --from', wholeNumber(1, 3660))
    .option('--from <instant>', 'start at this instant, ISO 8601, or at this date (default: now)', dateOrInstant)
    .option('--timezone <zone>', 'the time zone of days and times (default: UTC)', timeZone)
    .option(
      '--at <time>',
      "what runs at exactly this local time: 'MON 09:00', '09:00' or '2026-11-23 09:00', in --timezone or else in the schedule's own zone",
      localTime,
    )
    .withExample(`
Example: almanac next --at 'MON 09:00' 'to:*@partner.com'
Next: almanac status says how the last runs ended.`);
}

export const defineNext = defining(nextCommand, async () => (await import('./next.ts')).next);

const isoInstant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A date means its midnight, in a zone that another option may name; a time needs an offset. `at` is epoch ms. */
type DateOrInstant = { readonly date: string } | { readonly at: number };

function dateOrInstant(text: string): DateOrInstant {
  const at = isoInstant.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It must be an instant such as 2026-11-21T09:00:00Z, or a date.');
  const date = text.slice(0, 'YYYY-MM-DD'.length);
  if (!isDay(date)) throw new InvalidArgumentError(`There is no ${date} in the calendar.`);
  return date === text ? { date } : { at };
}

/** A name of the IANA time zone database, in any case. */
function timeZone(text: string): string {
  const { zone } = checkTimeZone(text);
  if (zone !== undefined) return zone;
  const { message, hint } = timeZoneFault(text) ?? { message: '', hint: '' };
  throw new InvalidArgumentError(`${message} ${hint}`);
}

/** Such as `MON 09:00`. */
function localTime(text: string): LocalTime {
  const time = parseLocalTime(text);
  if (time !== undefined) return time;
  throw new InvalidArgumentError(
    'It must be a time such as 09:00, with a day where one is meant: MON 09:00, 2026-11-23 09:00.',
  );
}
