// How the last run of a schedule ended, in the words of the service.

/** How a run can end badly. With an error it may have been delivered to some. An AI job ends as FAILED, and so may a routine. */
const badEnds: ReadonlySet<string> = new Set(['ERROR', 'ERROR_DELIVERED', 'KILLED', 'FAILED']);

export function hasFailed(lastStatus: string | undefined): boolean {
  return lastStatus !== undefined && badEnds.has(lastStatus);
}
