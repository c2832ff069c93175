// Reads a list of the service page by page. Records that are created, removed or renamed meanwhile shift others onto two pages
// or none, so each id counts once, and a list whose records the service counts is read again until the count fits or two
// reads agree. A service that never ends its list does not keep us.

import { Failure } from '../../model/workspace/failure.ts';
import type { Page } from '../answers/reading.ts';

export interface List<T, P extends Page<T>> {
  /** In words, such as `schedules`. */
  readonly what: string;
  readonly getPage: (cursor: string | undefined) => Promise<P>;
  readonly idOf: (record: T) => string;
  /** Of the page to begin with; undefined: the first one. */
  readonly cursor?: string;
  /** Enough records; undefined: all. */
  readonly limit?: number;
}

export interface Read<T, P> {
  /** Each record once. */
  readonly found: readonly T[];
  /** What the pages counted. */
  readonly totals: ReadonlySet<number | undefined>;
  readonly last: P;
  /** The last page leads back to an earlier one. */
  readonly isCircular: boolean;
  /** Why the list was given up; undefined where it ended, or the limit was reached. */
  readonly endless: string | undefined;
}

const reads = 3;
/** For a service that does not count: a million records, 100 on a page. */
const mostPages = 10_000;
/** Records move to other pages when somebody creates or removes some. */
const spare = 3;

export async function readOnce<T, P extends Page<T>>(list: List<T, P>): Promise<Read<T, P>> {
  const { getPage, idOf, limit = Number.POSITIVE_INFINITY } = list;
  const found = new Map<string, T>();
  const totals = new Set<number | undefined>();
  const seen = new Set<string>();
  let { cursor } = list;
  let most = mostPages;
  for (let pages = 1; ; pages += 1) {
    const last = await getPage(cursor);
    const { records, entries = records.length, next, total } = last;
    for (const record of records) found.set(idOf(record), record);
    totals.add(total);
    if (pages === 1 && total !== undefined)
      most = Math.min(mostPages, 2 * Math.ceil(total / Math.max(1, entries)) + spare);
    const isCircular = next !== undefined && seen.has(next);
    const endless =
      entries === 0
        ? 'an empty page has a next page'
        : pages >= most
          ? `there is another page after ${pages}`
          : undefined;
    const read = { found: [...found.values()], totals, last, isCircular };
    if (next === undefined || isCircular || found.size >= limit) return { ...read, endless: undefined };
    if (endless !== undefined) return { ...read, endless };
    seen.add(next);
    cursor = next;
  }
}

/** Throws Failure api-unreachable for a list without an end. */
export function ended<R extends Pick<Read<unknown, unknown>, 'endless'>>(what: string, read: R): R {
  if (read.endless === undefined) return read;
  throw new Failure('api-unreachable', `The list of ${what} has no end: ${read.endless}.`, {
    hint: 'Try again. If it stays so, report it to the support of Omni.',
  });
}

/** The whole list. `onNote` is told if the service's count does not fit. Throws Failure api-unreachable. */
export async function readAll<T, P extends Page<T>>(
  list: List<T, P>,
  onNote: (message: string) => void,
): Promise<Read<T, P>> {
  const { what, idOf } = list;
  let before: string | undefined;
  for (let count = 1; count <= reads; count += 1) {
    const read = ended(what, await readOnce(list));
    const { found, totals } = read;
    const [total = found.length] = totals;
    const isSteady = totals.size === 1;
    if (isSteady && found.length === total) return read;
    const seen = isSteady ? JSON.stringify([total, ...found.map(idOf)]) : undefined;
    if (seen !== undefined && seen === before) {
      onNote(
        `Omni counts ${total} ${what}, but its list holds ${found.length}. Two reads agree, so the list is used as it is.`,
      );
      return read;
    }
    before = seen;
  }
  throw new Failure('api-unreachable', `The list of ${what} changed ${reads} times while it was read.`, {
    hint: `Someone is changing ${what}. Try again.`,
  });
}
