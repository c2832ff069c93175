// The end of a schedule's last run, in the words of the service.

/** Bad ends of a run. After an error some may have it. An AI job ends as FAILED, and a routine may. */
const badEnds: ReadonlySet<string> = new Set(['ERROR', 'ERROR_DELIVERED', 'KILLED', 'FAILED']);

const underWay: ReadonlySet<string> = new Set(['QUEUED', 'EXECUTING', 'DELIVERING']);

export function isUnderWay(lastStatus: string): boolean {
  return underWay.has(lastStatus);
}

export function hasFailed(lastStatus: string | undefined): boolean {
  return lastStatus !== undefined && badEnds.has(lastStatus);
}
