// Days of the calendar in UTC, written `2027-03-31`: in this form they compare as texts.

const milliseconds = 86_400_000;

/** Of epoch milliseconds. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && utcDay(time) === text;
}

/** How many days the second is after the first. */
export function daysBetween(first: string, second: string): number {
  return (Date.parse(second) - Date.parse(first)) / milliseconds;
}
