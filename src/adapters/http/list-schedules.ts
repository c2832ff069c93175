// The whole list of schedules. A cursor of the service is the number of a page, so a schedule that is made or removed
// while the pages are read shifts the others: one may stand on two pages, or on none. So ids are counted once, and a walk
// on which the service's count changed, or that has found fewer or more, is made again.

import type { ListedSchedule } from '../../model/service/remote.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { SchedulePage } from './read-remote.ts';

const walks = 3;

/** `page` gets one page: the first where the cursor is undefined. */
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
  throw new Failure('api-unreachable', `The list of schedules changed while it was read, ${walks} times.`, {
    hint: 'Someone is making or removing schedules. Run again.',
  });
}
