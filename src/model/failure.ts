// The world's failures, as typed errors: nothing decides on the text of a message. A user's mistake in a file is a
// diagnostic instead, and anything else that is thrown is a bug of Almanac's and says so.

import type { Finding } from './diagnostic.ts';

export type FailureCode =
  | 'usage'
  | 'invalid-workspace'
  | 'refused'
  | 'blocked'
  | 'plan-stale'
  | 'plan-unreadable'
  | 'missing-token'
  | 'missing-base-url'
  | 'missing-secret'
  | 'state-locked'
  | 'state-conflict'
  | 'state-unreadable'
  | 'state-unwritable'
  | 'api-rejected'
  | 'api-unreachable'
  | 'api-unauthorized'
  | 'api-rate-limited'
  | 'api-answer-lost'
  | 'interrupted';

export interface FailureDetails {
  readonly hint?: string;
  readonly findings?: readonly Finding[];
  readonly cause?: unknown;
}

/** A failure that is said in words: what happened, and in `hint` what to do. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly hint: string | undefined;
  readonly findings: readonly Finding[];

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.hint = details.hint;
    this.findings = details.findings ?? [];
  }
}
