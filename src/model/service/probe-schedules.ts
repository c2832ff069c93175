// The schedules that `almanac doctor --probe` makes for a few minutes, and deletes. No import declares them and no report
// calls them untracked. Anybody may choose such a name in Omni, so a name alone hides nothing that is delivered.

import { countOf } from '../values/words.ts';
import type { ListedSchedule } from './remote.ts';

export function probeName(uuid: string): string {
  return `Almanac probe ${uuid}, may be deleted`;
}

const form = /^Almanac probe [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}, may be deleted$/;

export function hasProbeName({ name }: Pick<ListedSchedule, 'name'>): boolean {
  return form.test(name);
}

/** The one run of each of them: the first minute of the year 2099. */
export const probeRun = '0 0 1 1 ? 2099';

/** True if it has the name, and delivers nothing: it is paused, or its one run is in 2099. */
export function isProbe(row: Pick<ListedSchedule, 'name' | 'schedule' | 'paused'>): boolean {
  return hasProbeName(row) && (row.paused || row.schedule === probeRun);
}

/** Words about probe schedules; empty for none. */
export function probesWords(count: number): string {
  if (count === 0) return '';
  return `${countOf(count, 'schedule')} of a probe ${count === 1 ? 'was' : 'were'} left out.`;
}
