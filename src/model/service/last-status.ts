// How the last run of a schedule ended, in the words of the service.

/** How a run can end badly, in the words of the service. One that ended with an error may have been delivered to some.
 * FAILED is how a job of the AI ends, and so may a routine be. */
const badEnds: ReadonlySet<string> = new Set(['ERROR', 'ERROR_DELIVERED', 'KILLED', 'FAILED']);

export function hasFailed(lastStatus: string | undefined): boolean {
  return lastStatus !== undefined && badEnds.has(lastStatus);
}
