// Reads the whole list of schedules. A cursor is a page number, so schedules that are created or removed meanwhile
// shift the others onto two pages or none. Each id is therefore counted once, and the read is repeated if the service's
// count changed or differs from the number of schedules found, until the count fits or two reads agree.

import type { ListedSchedule } from '../../model/service/remote.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { SchedulePage } from '../answers/read-remote.ts';
import { countDiffers, makeListEnd } from './list-end.ts';

const walks = 3;

type GetPage = (cursor: string | undefined) => Promise<SchedulePage>;

/** `page` reads one page; an undefined cursor means the first. `onNote` is told if the service's count does not fit. */
export async function listAll(
  page: GetPage,
  onNote: (message: string) => void = () => undefined,
): Promise<readonly ListedSchedule[]> {
  let before: string | undefined;
  for (let count = 1; count <= walks; count += 1) {
    const { found, totals } = await walk(page);
    const [total = found.size] = totals;
    const isSteady = totals.size === 1;
    if (isSteady && found.size === total) return [...found.values()];
    const seen = isSteady ? JSON.stringify([total, ...found.keys()]) : undefined;
    if (seen !== undefined && seen === before) {
      onNote(countDiffers('schedules', total, found.size));
      return [...found.values()];
    }
    before = seen;
  }
  throw new Failure('api-unreachable', `The list of schedules changed ${walks} times while it was read.`, {
    hint: 'Someone is creating or removing schedules. Try again.',
  });
}

interface Walk {
  /** By id. */
  readonly found: ReadonlyMap<string, ListedSchedule>;
  /** What the pages counted. */
  readonly totals: ReadonlySet<number | undefined>;
}

async function walk(page: GetPage): Promise<Walk> {
  const found = new Map<string, ListedSchedule>();
  const totals = new Set<number | undefined>();
  const seen = new Set<string>();
  const checkEnd = makeListEnd('schedules');
  let cursor: string | undefined;
  do {
    const { schedules, next, total } = await page(cursor);
    for (const schedule of schedules) found.set(schedule.id, schedule);
    totals.add(total);
    cursor = next !== undefined && !seen.has(next) ? next : undefined;
    checkEnd({ found: schedules.length, next: cursor, total });
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return { found, totals };
}
