// An expression in words: `at 09:00 on Monday`. The cronstrue package supplies them, and is asked only what it gets right:
// sets of values, never a backward range or an uneven step. Several minutes of several hours, which it would put into two
// phrases, and steps of years have words of our own.

import { comingRuns } from './coming-runs.ts';
import { type Cron, hoursSpec, minutesSpec, monthSpec, yearSpec } from './cron.ts';
import { parseCron } from './parse-cron.ts';
import { evenStep, runsOf, spellDays, spellRanges } from './spell-values.ts';
import { dayMs } from './time-zone.ts';

/** Up to this many times are listed one by one; more are described by minutes and hours. */
const maxTimes = 8;

/**
 * Loads the function that puts an expression in words, in English, beginning in lower case so that it can stand in a
 * sentence. It never throws; an invalid expression comes back as it is. A year that is far away says that nothing but a
 * trigger delivers. Loading takes some 50 ms: load it to print only. `now`: epoch milliseconds.
 */
export async function loadCronWords(now: number): Promise<(expression: string) => string> {
  const { default: cronstrue } = await import('cronstrue');
  const options = { dayOfWeekStartIndexZero: false, use24HourTimeFormat: true };
  return (expression) => {
    const { cron } = parseCron(expression);
    if (cron === undefined) return expression;
    if (isFarAway(cron, now)) return 'by trigger only';
    const times = listedTimes(cron);
    const [minutes, hours] = times === undefined ? timeFields(cron) : ['0', '0'];
    const [dayOfMonth, dayOfWeek] = spellDays(cron.days, spellRanges);
    const years = everyYears(cron);
    const fields = [minutes, hours, dayOfMonth, spellRanges(monthSpec, cron.months), dayOfWeek];
    const words = cronstrue.toString(
      ['0', ...fields, years === '' ? spellRanges(yearSpec, cron.years) : '*'].join(' '),
      options,
    );
    const sentence = words
      .replaceAll(', only ', ' ')
      .replaceAll(/, between day (\d+) and (\d+)/g, ', on days $1 through $2')
      .replace(/^At 00:00/, (midnight) => (times === undefined ? midnight : `at ${times}`));
    return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}${years}`;
  };
}

/** Few enough to be listed one by one; undefined for more, and for what is better said by a step or a stretch. */
function listedTimes({ minutes, hours }: Cron): string | undefined {
  const isBeat = spellBeat(minutes, 60, minutesSpec.highest) !== undefined;
  const isFew = minutes.length * hours.length <= maxTimes && !(isBeat && minutes.length > 2);
  const isStretch = runsOf(hours).length === 1 && hours.length > 2;
  const isHourly = minutes.join() === '0' && (isStretch || (hours.length > 4 && wholeBeat(hours) !== undefined));
  if (hours.length === 24 || isHourly || !(isFew || (minutes.length === 1 && !isStretch))) return undefined;
  const clock = (value: number) => String(value).padStart(2, '0');
  const times = hours.flatMap((hour) => minutes.map((minute) => `${clock(hour)}:${clock(minute)}`));
  return times.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

function timeFields({ minutes, hours }: Cron): readonly [string, string] {
  const hourly = runsOf(hours)
    .map(({ from, to }) => `${from}-${to}`)
    .join(',');
  return [
    spellBeat(minutes, 60, minutesSpec.highest) ?? spellRanges(minutesSpec, minutes),
    hours.length === 24 ? '*' : minutes.join() === '0' ? (wholeBeat(hours) ?? hourly) : hourly,
  ];
}

function wholeBeat(hours: readonly number[]): string | undefined {
  const beat = spellBeat(hours, 24, hoursSpec.highest);
  return beat?.startsWith('*') ? beat : undefined;
}

/** True if its year, and not a rare day, keeps it from running for a year. */
function isFarAway(cron: Cron, now: number): boolean {
  const [first = 0] = cron.years;
  if (first <= new Date(now).getUTCFullYear()) return false;
  const next = comingRuns(cron, 'UTC', now).next().value;
  return next !== undefined && next.at > now + 366 * dayMs;
}

/** Beginning with a blank; empty for years that are not an even step. */
function everyYears({ years }: Cron): string {
  const [first, last = 0] = [years[0], years.at(-1)];
  const step = evenStep(years);
  if (step === undefined || years.length < 5) return '';
  return ` every ${step} years from ${first}${last + step > yearSpec.highest ? '' : ` to ${last}`}`;
}

/** An even step, so that "every 15 minutes" is also true across the hour; undefined for any other set. */
function spellBeat(values: readonly number[], span: number, highest: number): string | undefined {
  if (values.length === span) return '*';
  const [first = 0, second] = values;
  const step = values.length === 2 && second !== undefined ? second - first : evenStep(values);
  if (step === undefined || step < 2 || step * values.length !== span || first + step * (values.length - 1) > highest) {
    return undefined;
  }
  return first === 0 ? `*/${step}` : `${first}/${step}`;
}
