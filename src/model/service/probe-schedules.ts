// The schedules that `almanac doctor --probe` makes for a few minutes, and deletes. Their name alone says what they are, so that
// no import declares them, no report calls them untracked, and nothing else is ever deleted in their place.

import type { ListedSchedule } from './remote.ts';

export function probeName(uuid: string): string {
  return `Almanac probe ${uuid}, may be deleted`;
}

const form = /^Almanac probe [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}, may be deleted$/;

export function isProbe({ name }: Pick<ListedSchedule, 'name'>): boolean {
  return form.test(name);
}
