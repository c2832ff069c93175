// The service as other rooms see it: one method per operation, with resources as input and the service's answer as
// output. How a resource is sent, operations.ts decides. Each method throws a Failure: the codes are listed at `Api`.

import type { BodySink, Method } from '../http/exchange.ts';
import type { DocumentList, DocumentParameters } from '../model/service/documents.ts';
import type {
  Created,
  ListedRoutine,
  ListedSchedule,
  ModelKind,
  Principal,
  RemoteDraft,
  RemoteModel,
  RemoteUser,
  TokenHolder,
} from '../model/service/remote.ts';
import type { Declared, DeclaredObject } from '../model/workspace/resource.ts';
import type { operationsById } from './operations.ts';

/** Options of every call. */
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
export interface Api extends CallsById {
  /** PATCH of a dashboard's filters and controls; `attributes` contains only the entries to send. Repeatable. */
  updateFilters(attributes: DeclaredObject, options?: CallOptions): Promise<void>;
  /** POST of a schedule. Not repeatable. */
  createSchedule(attributes: DeclaredObject, options?: CallOptions): Promise<Created>;
  /** POST of an AI job. Not repeatable. */
  createAiJob(attributes: DeclaredObject, options?: CallOptions): Promise<Created>;

  /** All pages, each document once; up to `limit` if given. */
  listDocuments(parameters: DocumentParameters, options?: CallOptions): Promise<DocumentList>;

  /** POST: begins to render the dashboard of these attributes, with the rights of a member. The id of the job. */
  startDownload(attributes: DeclaredObject, userId: string | undefined, options?: CallOptions): Promise<string>;
  /**
   * Passes the file of a job to the sink, once it is made: what was said of it, or undefined while it is not. Never repeated
   * after an answer that was lost. Throws what the sink throws.
   */
  getDownload(job: DownloadJob, sink: BodySink, options?: CallOptions): Promise<DownloadedFile | undefined>;

  // Operations full. A missing resource is an api-rejected whose cause has the status 404.

  /** PUT of the whole schedule, with explicit defaults for undeclared fields. Repeatable. */
  updateSchedule(id: string, attributes: DeclaredObject, options?: CallOptions): Promise<void>;
  /** Status 400 if the member owns it already; `owner` is a membership id. Repeatable. */
  transferOwnership(id: string, owner: string, options?: CallOptions): Promise<void>;
  /** User groups, by their UUIDs, receive it as well. Repeatable. */
  addRecipients(id: string, userGroupIds: readonly string[], options?: CallOptions): Promise<void>;
  /** Addresses, and user groups by their UUIDs, receive it no longer. Repeatable. */
  removeRecipients(id: string, recipients: RemovedRecipients, options?: CallOptions): Promise<void>;
  /** The user groups that may view a dashboard, all pages. */
  groupsWithAccess(identifier: string, options?: CallOptions): Promise<readonly Principal[]>;
  /** The people of the organization, all pages; with an e-mail address, only who has it. Needs an organization key. */
  listUsers(only: { readonly email?: string }, options?: CallOptions): Promise<readonly RemoteUser[]>;
  /** The names of all user groups; their ids are in no list but that of a dashboard. Needs an organization key. */
  listGroupNames(options?: CallOptions): Promise<readonly string[]>;
  whoami(options?: CallOptions): Promise<TokenHolder>;
  /** The drafts of a dashboard that a PATCH with clearExistingDraft would discard. */
  listDrafts(identifier: string, options?: CallOptions): Promise<readonly RemoteDraft[]>;
  /** The models of a kind with their active branches, all pages. */
  listModels(modelKind: ModelKind, options?: CallOptions): Promise<readonly RemoteModel[]>;
  /**
   * The addresses of those who receive deliveries without an account, all pages; with an e-mail address, only that one.
   * Needs an organization key.
   */
  listEmailOnlyUsers(only: { readonly email?: string }, options?: CallOptions): Promise<readonly string[]>;
  /**
   * All pages, each schedule once; with an identifier, only the schedules of that dashboard; with a limit of up to 100,
   * the first ones, with one request.
   */
  listSchedules(
    only: { readonly identifier?: Declared; readonly limit?: number },
    options?: CallOptions,
  ): Promise<readonly ListedSchedule[]>;

  /** The routines of one member, all pages, each once and whole. */
  listRoutines(of: ActingFor, options?: CallOptions): Promise<readonly ListedRoutine[]>;
  /** POST of a routine. Not repeatable. */
  createRoutine(attributes: DeclaredObject, options?: CallOptions): Promise<Created>;
  /** PATCH of a routine: only `fields` change. Status 404 for the routine of another member. Repeatable. */
  updateRoutine(id: string, fields: DeclaredObject, as: ActingFor, options?: CallOptions): Promise<void>;
  deleteRoutine(id: string, as: ActingFor, options?: CallOptions): Promise<void>;
  /** One delivery now. Status 404 also where it is paused or stopped, 409 while a run is under way. Not repeatable. */
  triggerRoutine(id: string, as: ActingFor, options?: CallOptions): Promise<void>;

  /**
   * Milliseconds by which the service's clock is ahead of ours, as its last answer showed; undefined before the first
   * answer of the run.
   */
  clockDifference(): number | undefined;
  close(): Promise<void>;
}

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
