// Reads the whole list of schedules. A cursor is a page number, so schedules that are created or removed meanwhile
// shift the others onto two pages or none. Each id is therefore counted once, and the read is repeated if the service's
// count changed or differs from the number of schedules found.

import type { ListedSchedule } from '../../model/service/remote.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { SchedulePage } from './read-remote.ts';

const walks = 3;

/** `page` reads one page; an undefined cursor means the first. */
export async function listAll(
  page: (cursor: string | undefined) => Promise<SchedulePage>,
): Promise<readonly ListedSchedule[]> {
  for (let walk = 1; walk <= walks; walk += 1) {
    const found = new Map<string, ListedSchedule>();
    let cursor: string | undefined;
    const totals = new Set<number | undefined>();
    const seen = new Set<string>();
    do {
      const { schedules, next, total: counted } = await page(cursor);
      for (const schedule of schedules) found.set(schedule.id, schedule);
      totals.add(counted);
      cursor = next !== undefined && !seen.has(next) ? next : undefined;
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
    const [total = found.size] = totals;
    if (totals.size === 1 && found.size === total) return [...found.values()];
  }
  throw new Failure('api-unreachable', `The list of schedules changed ${walks} times while it was read.`, {
    hint: 'Someone is creating or removing schedules. Try again.',
  });
}
