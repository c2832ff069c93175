// How the last run of a schedule ended, in the words of the service.

/** How a run can end badly. With an error it may have been delivered to some. An AI job ends as FAILED, and so may a routine. */
const badEnds: ReadonlySet<string> = new Set(['ERROR', 'ERROR_DELIVERED', 'KILLED', 'FAILED']);

const underWay: ReadonlySet<string> = new Set(['QUEUED', 'EXECUTING', 'DELIVERING']);

export function isUnderWay(lastStatus: string): boolean {
  return underWay.has(lastStatus);
}

export function hasFailed(lastStatus: string | undefined): boolean {
  return lastStatus !== undefined && badEnds.has(lastStatus);
}
