// The service as other rooms see it: one method per operation, with resources as input and the service's answer as
// output. How a resource is sent, operations.ts decides. Each method throws a Failure: the codes are listed at `Api`.
// What each method does stands at its body, in http-api.ts.

import type { Method } from '../http/exchange.ts';
import type { connectHttpApi } from './http-api.ts';
import type { operationsById } from './operations.ts';

export interface CallOptions {
  /** Ends all waiting and prevents the next request; an open request may finish. */
  readonly signal?: AbortSignal;
  /** Awaited when it is the request's turn, before each attempt. Nothing is sent if it throws. */
  readonly beforeRequest?: () => Promise<void>;
  /** Called before each request is sent. */
  readonly onRequest?: (method: Method) => void;
  /** Asked as the first byte of each attempt goes out. Nothing is sent if it says no. */
  readonly maySend?: () => boolean;
  /** Asks for the filters or the layout of a dashboard even if this run has read it already. */
  readonly rereadDashboards?: true | undefined;
}

export interface DownloadJob {
  readonly id: string;
  /** The identifier of the dashboard. */
  readonly identifier: string;
  readonly userId: string | undefined;
}

/** A file as its headers describe it. */
export interface DownloadedFile {
  /** The media type. */
  readonly type: string;
  /** The number of bytes; undefined if they are not counted. */
  readonly length: number | undefined;
  /** True if the way in which it was sent says where it ends. */
  readonly isBounded: boolean;
}

/** The operations that take nothing but an id, as the table of operations has them. */
export type CallsById = {
  readonly [Name in keyof typeof operationsById]: (
    id: string,
    options?: CallOptions,
  ) => Promise<ReturnType<(typeof operationsById)[Name]['read']>>;
};

/** The people and groups who must no longer receive a schedule; a list that is left out names nobody. */
export interface RemovedRecipients {
  readonly emails?: readonly string[];
  readonly userGroupIds?: readonly string[];
}

export interface ActingFor {
  /** A membership id. Undefined: the member of the token, or whom the service chooses for an organization key. */
  readonly owner?: string | undefined;
}

/**
 * Methods throw a Failure: api-rejected (a 4xx, with the service's own text), api-at-maximum (a
 * create that no waiting makes possible: the member has as many as the service allows), api-unauthorized (401, 403),
 * api-unreachable (certainly nothing was done), api-rate-limited (the longest allowed wait was exceeded, nothing was
 * done), interrupted (the signal came first, nothing was done), state-lock-lost (`maySend` said no, nothing was done),
 * what `beforeRequest` throws (nothing was done) or api-answer-lost (it may have been done).
 */
export type Api = Awaited<ReturnType<typeof connectHttpApi>>;

/** Creates the Api of a run; sends nothing. Throws Failure `usage` for a base URL that must not be used. */
export type ConnectApi = (settings: ApiSettings) => Promise<Api>;

export interface ApiSettings {
  /** Ends in /api. */
  readonly baseUrl: string;
  readonly token: string;
  /** All secrets of the workspace that are known: what a failure quotes of the service is masked by them. */
  readonly secrets: readonly string[];
  /** Requests per minute; 0 for no limit. */
  readonly rateLimit: number;
  readonly concurrency: number;
  /** Seconds per request. */
  readonly timeout: number;
  /** True if plain HTTP is allowed to hosts other than loopback. */
  readonly allowHttp: boolean;
  /** Attempts per request, including the first. */
  readonly maxAttempts: number;
  /** The longest wait before a repeat, in seconds. */
  readonly maxWait: number;
  /** Called before a wait that a person would notice. */
  readonly onWait: (seconds: number, why: string) => void;
  /** Called with what a person should know about the service's answers. */
  readonly onNote?: (message: string) => void;
  /** Called before every request of the run, including repeats. */
  readonly onRequest?: () => void;
}
