// When the reading of a list must end although the service always names a next page: after an empty page, and after more
// pages than the counted records can fill.

import { Failure } from '../../model/workspace/failure.ts';

export interface PageSize {
  readonly found: number;
  readonly next: string | undefined;
  /** What the service counts; undefined if it does not count. */
  readonly total: number | undefined;
}

/** For a service that does not count: a million records, 100 on a page. */
const mostPages = 10_000;
/** Records move to other pages when somebody creates or removes some. */
const spare = 3;

/** Call the result with every page. Throws Failure api-unreachable if the list has no end. */
export function makeListEnd(what: string): (page: PageSize) => void {
  let pages = 0;
  let most = mostPages;
  return ({ found, next, total }) => {
    pages += 1;
    if (pages === 1 && total !== undefined)
      most = Math.min(mostPages, 2 * Math.ceil(total / Math.max(1, found)) + spare);
    if (next === undefined || (found > 0 && pages < most)) return;
    const why = found === 0 ? 'an empty page has a next page' : `there is another page after ${pages}`;
    throw new Failure('api-unreachable', `The list of ${what} has no end: ${why}.`, {
      hint: 'Try again. If it stays so, report it to the support of Omni.',
    });
  };
}

/** What to say of a list that two reads found alike, but with another number than the service counts. */
export function countDiffers(what: string, total: number, found: number): string {
  return `Omni counts ${total} ${what}, but its list holds ${found}. Two reads agree, so the list is used as it is.`;
}
