// The service, as the engine sees it: one method an operation, resources in, what came back out. How a resource looks
// on the wire is the adapter's. Each method throws a Failure: api-rejected (a 4xx, with the service's own words),
// api-unauthorized (401, 403), api-unreachable (surely nothing was done), api-rate-limited (the cap on waiting was
// reached; nothing was done), interrupted (the signal came first; nothing was done), api-answer-lost (it may have been
// done).

import type { DocumentList, DocumentParameters, RemoteQuery } from '../model/service/documents.ts';
import type {
  ListedSchedule,
  RemoteAiJob,
  RemoteFilters,
  RemoteRecipients,
  RemoteSchedule,
} from '../model/service/remote.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { Secret } from '../model/values/secret.ts';
import type { Declared, DeclaredObject } from '../model/workspace/resource.ts';

export interface Created {
  /** Missing for a test delivery, which makes nothing recurring. */
  readonly id?: string;
  /** What people need of the answer, such as delivererRoleArn or omniChatUrl. */
  readonly outputs: JsonObject;
}

/** What came back, and how many requests it took, repeats included. A Failure carries no count: `onRequest` does. */
export interface CallOptions {
  /** Ends all waiting and stops the next request; one that is under way is let finish. */
  readonly signal?: AbortSignal;
  /** Told before each request is sent. */
  readonly onRequest?: () => void;
}

/** For answers that are shown: an AI may repeat what its prompt held. */
export interface ShownOptions extends CallOptions {
  /** Taken out of the answer wherever they stand in it. */
  readonly secrets: readonly Secret[];
}

export interface Api {
  /** PATCH of a dashboard's filters and controls; `attributes` holds only the entries to send. May be repeated. */
  updateFilters(attributes: DeclaredObject, options?: CallOptions): Promise<void>;
  /** POST of a schedule. Not repeatable. */
  createSchedule(attributes: DeclaredObject, options?: CallOptions): Promise<Created>;
  /** POST of an AI job. Not repeatable. */
  createAiJob(attributes: DeclaredObject, options?: CallOptions): Promise<Created>;

  /** All pages, each document once; up to `limit` where there is one. */
  listDocuments(parameters: DocumentParameters, options?: CallOptions): Promise<DocumentList>;

  // Operations full. What is not there is an api-rejected whose cause has the status 404.

  /** PUT of the whole schedule, the defaults of fields that are not declared spelt out. May be repeated. */
  updateSchedule(id: string, attributes: DeclaredObject, options?: CallOptions): Promise<void>;
  deleteSchedule(id: string, options?: CallOptions): Promise<void>;
  /** A status of 400 where it is paused already, or stopped by the service. */
  pauseSchedule(id: string, options?: CallOptions): Promise<void>;
  resumeSchedule(id: string, options?: CallOptions): Promise<void>;
  /** All pages, each schedule once; those of one dashboard where an identifier is given. */
  listSchedules(only: { readonly identifier?: Declared }, options?: CallOptions): Promise<readonly ListedSchedule[]>;
  getSchedule(id: string, options?: CallOptions): Promise<RemoteSchedule>;
  getRecipients(id: string, options?: CallOptions): Promise<RemoteRecipients>;
  getFilters(identifier: string, options?: CallOptions): Promise<RemoteFilters>;
  listQueries(identifier: string, options?: CallOptions): Promise<readonly RemoteQuery[]>;

  getAiJob(id: string, options: ShownOptions): Promise<RemoteAiJob>;
  /** All that the service keeps of a complete job; a status of 404 where it is not complete, or no longer kept. */
  getAiJobResult(id: string, options: ShownOptions): Promise<JsonObject>;
  /** May be repeated. A status of 409 where the job can no longer be cancelled. */
  cancelAiJob(id: string, options?: CallOptions): Promise<void>;

  close(): Promise<void>;
}

/** Makes an Api for a run; sends nothing. Throws Failure `usage` for a base URL that may not be used. */
export type ConnectApi = (settings: ApiSettings) => Promise<Api>;

export interface ApiSettings {
  /** Ends in /api. */
  readonly baseUrl: string;
  /** One or more: the work is shared among them, the limit is per token. */
  readonly tokens: readonly string[];
  /** Requests a minute and token; 0 = none. */
  readonly rateLimit: number;
  readonly concurrency: number;
  /** Seconds a request. */
  readonly timeout: number;
  /** Plain HTTP to hosts other than loopback. */
  readonly allowHttp: boolean;
  /** Attempts a request, the first included. */
  readonly maxAttempts: number;
  /** Seconds that one wait before a repeat may take. */
  readonly maxWait: number;
  /** Told before a wait that a person would notice. */
  readonly onWait: (seconds: number, why: string) => void;
  /** Told before each request is sent, repeats included, whatever it is for. */
  readonly onRequest?: () => void;
}
