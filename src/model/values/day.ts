// Days of the calendar in UTC, written `2027-03-31`: in this form they compare as texts.

const milliseconds = 86_400_000;

/** Takes epoch milliseconds. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** True for a text that is an existing day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && utcDay(time) === text;
}

/** The last day of the month of a day that need not exist; undefined where there is no such month. */
export function lastDayOfMonth(text: string): string | undefined {
  const [year = 0, month = 0] = text.split('-').map(Number);
  return month >= 1 && month <= 12 ? utcDay(Date.UTC(year, month, 0)) : undefined;
}

export function dayAfter(day: string): string {
  return utcDay(Date.parse(day) + milliseconds);
}

/** True if a last day is over: it counts until its end in UTC. */
export function isOver(until: string, today: string): boolean {
  return until < today;
}

/** Reports name a last day from this many days before it: whoever reads one can still decide again. */
const noticeDays = 30;

export function endsSoon(until: string, today: string): boolean {
  return !isOver(until, today) && daysBetween(today, until) <= noticeDays;
}

/** The same day of the next year, or the last one of its month. */
export function yearAfter(day: string): string {
  const next = `${String(Number(day.slice(0, 4)) + 1).padStart(4, '0')}${day.slice(4)}`;
  return isDay(next) ? next : (lastDayOfMonth(next) ?? next);
}

/** The number of days from the first to the second. */
export function daysBetween(first: string, second: string): number {
  return (Date.parse(second) - Date.parse(first)) / milliseconds;
}
