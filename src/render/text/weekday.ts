// The name of a day, short.

const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Of `2026-11-23`: `Mon`. */
export function weekday(day: string): string {
  return names[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? '';
}
