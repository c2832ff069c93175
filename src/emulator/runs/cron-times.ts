// What an expression of AWS EventBridge matches: whether a date, and which times of a day. Only for expressions that
// aws-cron.ts accepts.

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** A date as a clock on the wall shows it, by the UTC fields of the date. */
export function matchesDate(expression: string, date: Date): boolean {
  const [, , dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = expression.toUpperCase().split(' ');
  if (year !== '*' && !valuesOf(year, 1970, 2199).has(date.getUTCFullYear())) return false;
  if (month !== '*' && !valuesOf(month, 1, 12, monthNames).has(date.getUTCMonth() + 1)) return false;
  return dayOfWeek === '?' ? matchesDayOfMonth(dayOfMonth, date) : matchesDayOfWeek(dayOfWeek, date);
}

/** The minutes of a day, latest first. */
export function minutesOfDay(expression: string): readonly number[] {
  const [minute = '', hour = ''] = expression.split(' ');
  const minutes = [...valuesOf(minute, 0, 59)];
  const all = [...valuesOf(hour, 0, 23)].flatMap((each) => minutes.map((past) => each * 60 + past));
  return all.sort((a, b) => b - a);
}

function matchesDayOfMonth(text: string, date: Date): boolean {
  const day = date.getUTCDate();
  const last = lastDay(date);
  if (text === 'L') return day === last;
  if (text === 'LW') return day === weekdayNear(last, date);
  if (text.endsWith('W'))
    return Number(text.slice(0, -1)) <= last && day === weekdayNear(Number(text.slice(0, -1)), date);
  return text === '*' || valuesOf(text, 1, 31).has(day);
}

function matchesDayOfWeek(text: string, date: Date): boolean {
  const [day, weekday] = [date.getUTCDate(), date.getUTCDay() + 1];
  if (text === 'L') return weekday === 7;
  if (text.endsWith('L')) return weekday === numberOf(text.slice(0, -1), dayNames) && day + 7 > lastDay(date);
  const [name = '', nth] = text.split('#');
  if (nth !== undefined) return weekday === numberOf(name, dayNames) && Math.ceil(day / 7) === Number(nth);
  return valuesOf(text, 1, 7, dayNames).has(weekday);
}

function lastDay(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** The day from Monday to Friday that is nearest to a day, in the same month. */
function weekdayNear(day: number, date: Date): number {
  const weekdayOf = (each: number) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), each)).getUTCDay();
  const near = [day, day - 1, day + 1, day - 2, day + 2];
  const isIn = (each: number) => each >= 1 && each <= lastDay(date) && weekdayOf(each) !== 0 && weekdayOf(each) !== 6;
  return near.find(isIn) ?? day;
}

/** A list of values, ranges (which may go past the end) and steps. */
function valuesOf(text: string, least: number, most: number, names: readonly string[] = []): Set<number> {
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const [span = '', step] = item.split('/');
    const [from, to = step === undefined ? from : String(most)] =
      span === '*' ? [String(least), String(most)] : span.split('-');
    const [first, end] = [numberOf(from ?? '', names), numberOf(to ?? '', names)];
    const length = end >= first ? end - first : end - first + (most - least + 1);
    for (let past = 0; past <= length; past += Number(step ?? 1)) {
      values.add(least + ((first - least + past) % (most - least + 1)));
    }
  }
  return values;
}

/** The names count from 1. */
function numberOf(text: string, names: readonly string[]): number {
  const at = names.indexOf(text);
  return at < 0 ? Number(text) : at + 1;
}
