// An expression in words: `at 09:00 on Monday`. The cronstrue package supplies them, and is asked only what it gets right:
// it gets sets of values, never a backward range or an uneven step, and times and days separately. Times that it would
// put into two phrases, and steps of years, have words of our own.

import { type Cron, hoursSpec, minutesSpec, monthSpec, yearSpec } from './cron.ts';
import { parseCron } from './parse-cron.ts';
import { evenStep, runsOf, spellDays, spellRanges } from './spell-values.ts';

/** Gives cronstrue five fields behind a seconds field, and takes its sentence. */
type Ask = (fields: string) => string;

/** Up to this many times are listed one by one; more are described by minutes and hours. */
const mostTimes = 8;

/**
 * Loads the function that puts an expression in words, in English, beginning in lower case so that it can stand in a
 * sentence. It never throws; an invalid expression comes back as it is. Loading takes some 50 ms: load it to print only.
 */
export async function loadCronWords(): Promise<(expression: string) => string> {
  const { default: cronstrue } = await import('cronstrue');
  const options = { dayOfWeekStartIndexZero: false, use24HourTimeFormat: true };
  const ask: Ask = (fields) => cronstrue.toString(`0 ${fields}`, options);
  return (expression) => {
    const { cron } = parseCron(expression);
    return cron === undefined ? expression : `${timeWords(cron, ask)}${dayWords(cron, ask)}${yearWords(cron)}`;
  };
}

function timeWords({ minutes, hours }: Cron, ask: Ask): string {
  const minuteText = spellBeat(minutes, 60, minutesSpec.highest) ?? spellRanges(minutesSpec, minutes);
  const isBeat = minuteText === '*' || minuteText.includes('/');
  const [onlyRun, ...otherRuns] = runsOf(hours);
  const isOneStretch = otherRuns.length === 0 && onlyRun !== undefined;
  const isWholeHour = minutes.length === 1 && minutes[0] === 0;

  if (hours.length === 24) return lower(ask(`${minuteText} * * * ? *`));
  if (isWholeHour && isOneStretch && hours.length > 2) return lower(ask(`0 ${onlyRun.from}-${onlyRun.to} * * ? *`));
  if (isWholeHour && hours.length > 4) {
    const beat = spellBeat(hours, 24, hoursSpec.highest);
    if (beat?.startsWith('*')) return lower(ask(`0 ${beat} * * ? *`));
  }
  const isFew = minutes.length * hours.length <= mostTimes && !(isBeat && minutes.length > 2);
  if (isFew || (minutes.length === 1 && !isOneStretch)) return `at ${joinWithAnd(timesOf(minutes, hours))}`;
  const stretches = runsOf(hours).map(({ from, to }) => `between ${clock(from, 0)} and ${clock(to, 59)}`);
  return `${lower(ask(`${minuteText} * * * ? *`))}, ${joinWithAnd(stretches)}`;
}

/** Beginning with a comma or a blank; empty for every day. */
function dayWords(cron: Cron, ask: Ask): string {
  const [dayOfMonth, dayOfWeek] = spellDays(cron.days, spellRanges);
  const midnight = ask(`0 0 ${dayOfMonth} ${spellRanges(monthSpec, cron.months)} ${dayOfWeek} *`);
  return midnight
    .slice(midnight.indexOf('00:00') + '00:00'.length)
    .replaceAll(', only ', ' ')
    .replaceAll(/, between day (\d+) and (\d+)/g, ', on days $1 through $2');
}

/** Beginning with a blank; empty for every year. */
function yearWords({ years }: Cron): string {
  const [first, last] = [years[0], years.at(-1)];
  if (years.length === yearSpec.highest - yearSpec.lowest + 1) return '';
  const step = evenStep(years);
  if (step !== undefined && last !== undefined && years.length > 4) {
    return ` every ${step} years from ${first}${last + step > yearSpec.highest ? '' : ` to ${last}`}`;
  }
  const stretches = runsOf(years).map(({ from, to }) => (from === to ? `${from}` : `${from} through ${to}`));
  return ` in ${joinWithAnd(stretches)}`;
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

function timesOf(minutes: readonly number[], hours: readonly number[]): string[] {
  return hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute)));
}

function clock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

function joinWithAnd(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
