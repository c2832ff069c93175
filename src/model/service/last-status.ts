// How the last run of a schedule ended, in the words of the service.

/** How a run can end badly, in the words of the service. One that ended with an error may have been delivered to some. */
const badEnds: ReadonlySet<string> = new Set(['ERROR', 'ERROR_DELIVERED', 'KILLED']);

export function hasFailed(lastStatus: string | undefined): boolean {
  return lastStatus !== undefined && badEnds.has(lastStatus);
}
