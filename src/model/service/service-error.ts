// The cause of a Failure that an answer of the service led to: its status distinguishes a 401, after which nothing helps,
// from a 403.

import { Failure } from '../workspace/failure.ts';

export interface ServiceError extends Error {
  readonly code: string;
  readonly status: number;
}

/** The status that the service refused a request with; undefined where there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Failure ? (error.cause as Partial<ServiceError> | undefined)?.status : undefined;
}
