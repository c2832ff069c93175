// Failures of the world, as typed errors: no code depends on the text of a message. A mistake in a user's file is a
// diagnostic instead. Anything else that is thrown is a bug in Almanac and is reported as one.

import type { Danger } from '../plan/danger.ts';
import type { Address } from '../values/address.ts';
import type { Finding, SourceFile, Unrecorded } from './diagnostic.ts';
import type { Desired } from './resource.ts';

export type FailureCode =
  | 'usage'
  | 'invalid-workspace'
  | 'refused'
  | 'blocked'
  | 'plan-stale'
  | 'not-reviewed'
  | 'plan-unreadable'
  | 'missing-token'
  | 'missing-base-url'
  | 'missing-secret'
  | 'state-locked'
  | 'state-conflict'
  | 'state-unreadable'
  | 'state-unwritable'
  | 'state-lock-lost'
  | 'state-backend-unfit'
  | 'state-backend-missing'
  | 'state-moved'
  | 'api-rejected'
  | 'api-unreachable'
  | 'api-unauthorized'
  | 'api-rate-limited'
  | 'api-at-maximum'
  | 'api-answer-lost'
  | 'interrupted';

/** The files to which findings refer, and the declarations whose secrets must not be shown with them. */
export interface FindingSource {
  readonly desired: Desired;
  readonly fileNamed: (path: string) => SourceFile | undefined;
}

interface FailureDetails {
  readonly hint?: string;
  /** The resources that it is about, for programs; undefined if it is about none, or about all. */
  readonly addresses?: readonly Address[];
  /** Facts that only this run knows. Its commands are without the options of the run. */
  readonly unrecorded?: readonly Unrecorded[];
  readonly findings?: readonly Finding[];
  /** Dangers that a reviewer must see first, although there is no plan. */
  readonly dangers?: readonly Danger[] | undefined;
  readonly source?: FindingSource;
  readonly cause?: unknown;
}

/** A failure with a message for users: what happened, and in `hint` what to do. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly hint: string | undefined;
  readonly addresses: readonly Address[] | undefined;
  readonly unrecorded: readonly Unrecorded[];
  readonly findings: readonly Finding[];
  readonly dangers: readonly Danger[] | undefined;
  readonly source: FindingSource | undefined;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.hint = details.hint;
    this.addresses = details.addresses;
    this.unrecorded = details.unrecorded ?? [];
    this.findings = details.findings ?? [];
    this.dangers = details.dangers;
    this.source = details.source;
  }

  /** The same failure, in other words or with other details. */
  with({
    code = this.code,
    message = this.message,
    ...details
  }: Partial<Pick<Failure, 'code' | 'message'>> & FailureDetails): Failure {
    const { hint, addresses, unrecorded, findings, dangers, source, cause } = this;
    return new Failure(code, message, { hint, addresses, unrecorded, findings, dangers, source, cause, ...details });
  }
}

/** A use that cannot be carried out as it was asked for; the hint says what to write instead. */
export function usageFailure(message: string, hint: string): Failure {
  return new Failure('usage', message, { hint });
}

/** Several failures as one, with the code and the cause of the first and all that each knows; undefined for none. */
export function together(failures: readonly Failure[]): Failure | undefined {
  const [first, ...others] = failures;
  if (first === undefined || others.length === 0) return first;
  const hints = new Set(failures.flatMap(({ hint }) => hint ?? []));
  const addresses = new Set(failures.flatMap((each) => each.addresses ?? []));
  return first.with({
    message: failures.map(({ message }) => message).join('\n'),
    hint: hints.size === 0 ? undefined : [...hints].join('\n'),
    addresses: addresses.size === 0 ? undefined : [...addresses],
    unrecorded: failures.flatMap(({ unrecorded }) => unrecorded),
    findings: failures.flatMap(({ findings }) => findings),
    source: failures.find(({ source }) => source !== undefined)?.source,
  });
}

/** Throws all reasons to refuse something as one Failure; does nothing where there are none. */
export function refuseAll(reasons: readonly Failure[]): void {
  const failure = together(reasons);
  if (failure !== undefined) throw failure;
}

/**
 * The cause of a Failure that an answer of the service led to: its status distinguishes a 401, after which nothing helps,
 * from a 403.
 */
export interface ServiceError extends Error {
  readonly code: string;
  readonly status: number;
}

/** The status with which the service refused a request; undefined if there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Failure ? (error.cause as Partial<ServiceError> | undefined)?.status : undefined;
}

/** The code of the cause if there was an answer that cannot be used. */
export const answerUnreadable = 'ANSWER_UNREADABLE';

/** True if no answer came to a request, however often it was sent: an answer would give a status or a code. */
export function gotNoAnswer({ code, cause }: Failure): boolean {
  const { status, code: why } = (cause ?? {}) as Partial<ServiceError>;
  const isSilent = code === 'api-unreachable' || code === 'api-answer-lost';
  return isSilent && status === undefined && why !== undefined && why !== answerUnreadable;
}
