// The form of counts, places in files, days and lengths of time in reports.

/** `sales.yaml:11`; empty without a file. */
export function fileAndLine({ file, line }: { readonly file?: string; readonly line?: number }): string {
  if (file === undefined) return '';
  return line === undefined ? file : `${file}:${line}`;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Turns `2026-11-23` into `Mon`. */
export function weekday(day: string): string {
  return weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? '';
}

/** `90 s`, `3 min`. */
export function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
