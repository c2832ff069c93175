// A cron expression of AWS EventBridge: minutes, hours, day of month, month, day of week and year, one space between.
// Exactly one of the two day fields is `?`. It may be an expression that never fires.

export interface Cron {
  /** The minutes of a day, latest first. */
  readonly minutes: readonly number[];
  /** True if it runs on a date of the local clock, given in the UTC fields of the date. */
  readonly runsOn: (date: Date) => boolean;
}

interface Field {
  readonly least: number;
  readonly most: number;
  /** The names of the values, the first for `least`. */
  readonly names?: readonly string[];
}

const minute: Field = { least: 0, most: 59 };
const hour: Field = { least: 0, most: 23 };
const dayOfMonth: Field = { least: 1, most: 31 };
const month: Field = {
  least: 1,
  most: 12,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
};
const dayOfWeek: Field = { least: 1, most: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] };
const year: Field = { least: 1970, most: 2199 };

/** Undefined for a text that is not an expression. */
export function readCron(expression: string): Cron | undefined {
  const texts = expression.length > 256 ? [] : expression.split(' ');
  const [ofMinute = '', ofHour = '', ofMonthDay = '', ofMonth = '', ofWeekDay = '', ofYear = ''] = texts;
  if (texts.length !== 6 || (ofMonthDay === '?') === (ofWeekDay === '?')) return undefined;
  const [minutes, hours] = [readValues(minute, ofMinute), readValues(hour, ofHour)];
  const [months, years] = [readValues(month, ofMonth), readValues(year, ofYear)];
  const isDay = ofWeekDay === '?' ? readDayOfMonth(ofMonthDay) : readDayOfWeek(ofWeekDay);
  if (!minutes || !hours || !months || !years || !isDay) return undefined;
  return {
    minutes: [...hours].flatMap((each) => [...minutes].map((past) => each * 60 + past)).sort((a, b) => b - a),
    runsOn: (date) => years.has(date.getUTCFullYear()) && months.has(date.getUTCMonth() + 1) && isDay(date),
  };
}

/** A list of values, ranges (which may go past the end, except for years) and steps. */
function readValues(field: Field, text: string): ReadonlySet<number> | undefined {
  const { least, most } = field;
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const [span = '', step, ...rest] = item.split('/');
    if (rest.length > 0 || (step !== undefined && !isStep(field, step))) return undefined;
    const ends = span === '*' ? [least, most] : span.split('-').map((end) => readValue(field, end));
    const [first, last = step === undefined ? first : most] = ends;
    if (first === undefined || last === undefined || ends.includes(undefined) || ends.length > 2) return undefined;
    if (last < first && field === year) return undefined;
    const count = most - least + 1;
    const length = last >= first ? last - first : last - first + count;
    for (let past = 0; past <= length; past += Number(step ?? 1)) values.add(least + ((first - least + past) % count));
  }
  return values;
}

function isStep({ most }: Field, text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most;
}

function readValue(field: Field, text: string): number | undefined {
  const name = field.names?.indexOf(text.toUpperCase()) ?? -1;
  if (name >= 0) return field.least + name;
  if (!(field === year ? /^\d{4}$/ : /^\d{1,2}$/).test(text)) return undefined;
  const value = Number(text);
  return value >= field.least && value <= field.most ? value : undefined;
}

function readDayOfMonth(text: string): Cron['runsOn'] | undefined {
  if (text === 'L') return (date) => date.getUTCDate() === lastDay(date);
  const before = text.startsWith('L-') ? readValue({ least: 1, most: 30 }, text.slice(2)) : undefined;
  if (before !== undefined) return (date) => date.getUTCDate() === lastDay(date) - before;
  if (text === 'LW') return (date) => date.getUTCDate() === weekdayNear(lastDay(date), date);
  const near = text.endsWith('W') ? readValue(dayOfMonth, text.slice(0, -1)) : undefined;
  if (near !== undefined) return (date) => near <= lastDay(date) && date.getUTCDate() === weekdayNear(near, date);
  const days = readValues(dayOfMonth, text);
  return days && ((date) => days.has(date.getUTCDate()));
}

function readDayOfWeek(text: string): Cron['runsOn'] | undefined {
  if (text === 'L') return (date) => weekdayOf(date) === 7;
  const last = text.endsWith('L') ? readValue(dayOfWeek, text.slice(0, -1)) : undefined;
  if (last !== undefined) return (date) => weekdayOf(date) === last && date.getUTCDate() + 7 > lastDay(date);
  const [, name = '', nth] = /^(.*)#([1-5])$/.exec(text) ?? [];
  const day = readValue(dayOfWeek, name);
  if (day !== undefined) return (date) => weekdayOf(date) === day && Math.ceil(date.getUTCDate() / 7) === Number(nth);
  const days = readValues(dayOfWeek, text);
  return days && ((date) => days.has(weekdayOf(date)));
}

/** Counted from 1, which is Sunday. */
function weekdayOf(date: Date): number {
  return date.getUTCDay() + 1;
}

function lastDay(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** The day from Monday to Friday that is nearest to a day, in the same month. */
function weekdayNear(day: number, date: Date): number {
  const isWorkday = (each: number) =>
    ![0, 6].includes(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), each)).getUTCDay());
  const near = [day, day - 1, day + 1, day - 2, day + 2];
  return near.find((each) => each >= 1 && each <= lastDay(date) && isWorkday(each)) ?? day;
}
