// The service over HTTP: the port `Api`, with one connection pool, one rate limit and one table of operations.

import {
  type Base,
  type BodySink,
  type Exchange,
  exchange,
  httpDate,
  makeDispatcher,
  proxySecrets,
} from '../http/exchange.ts';
import type { Clock, Variables } from '../model/outside.ts';
import { allowing } from '../model/values/allowances.ts';
import { command } from '../model/values/command.ts';
import { makeMask, makeMaskOfLong } from '../model/values/secret.ts';
import { baseUrlFault, isLoopback } from '../model/values/urls.ts';
import { trimEndOf } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { DeclaredObject } from '../model/workspace/resource.ts';
import type { ActingFor, ApiSettings, CallOptions, CallsById, DownloadJob, RemovedRecipients } from './api.ts';
import { type Caller, isPage, send, sendForFile, withMaskedOutputs } from './http-call.ts';
import { listsOf } from './lists.ts';
import {
  type Operation,
  operations,
  operationsById,
  queryOf,
  toDownload,
  toReplacement,
  toRequest,
  type WireRequest,
} from './operations.ts';
import { makeSlidingWindow } from './sliding-window.ts';

export interface HttpApiSettings extends ApiSettings {
  readonly clock: Clock;
  /** Returns a number from 0 to 1; Math.random by default. */
  readonly random?: () => number;
  /** Almanac's own version. */
  readonly version: string;
  /** The environment variables that name proxies. */
  readonly environment?: Variables;
}

export async function connectHttpApi(settings: HttpApiSettings) {
  const { caller, clockDifference, close } = await openCaller(settings);
  const call = <T>(operation: Operation<T>, request: Partial<WireRequest>, options: CallOptions | undefined) =>
    send(caller, operation, request, options);

  const byId = Object.entries<Operation>(operationsById).map(([name, operation]) => {
    return [name, (id: string, options?: CallOptions) => call(operation, { id }, options)] as const;
  });

  return {
    ...(Object.fromEntries(byId) as CallsById),
    ...listsOf(call, caller.note),
    /** POST: begins to render the dashboard of these attributes, with the rights of a member. The id of the job. */
    startDownload: (attributes: DeclaredObject, userId: string | undefined, options?: CallOptions) =>
      call(operations.startDownload, toDownload(attributes, userId), options),
    /**
     * Passes the file of a job to the sink, once it is made: what was said of it, or undefined while it is not. Never repeated
     * after an answer that was lost. Throws what the sink throws.
     */
    getDownload: ({ id: jobId, identifier: id, userId }: DownloadJob, sink: BodySink, options?: CallOptions) =>
      sendForFile(caller, operations.getDownload, { id, jobId, query: queryOf({ userId }) }, sink, options),
    /** PATCH of a dashboard's filters and controls; `attributes` contains only the entries to send. Repeatable. */
    updateFilters: async (attributes: DeclaredObject, options?: CallOptions) =>
      call(operations.updateFilters, toRequest('dashboard', attributes), options),
    /** POST of a schedule. Not repeatable. */
    createSchedule: async (attributes: DeclaredObject, options?: CallOptions) => {
      const operation = attributes['testNow'] === true ? operations.testDelivery : operations.createSchedule;
      return withMaskedOutputs(await call(operation, toRequest('schedule', attributes), options), caller);
    },
    /** POST of an AI job. Not repeatable. */
    createAiJob: async (attributes: DeclaredObject, options?: CallOptions) =>
      withMaskedOutputs(await call(operations.createAiJob, toRequest('aiJob', attributes), options), caller),

    // Operations full. A missing resource is an api-rejected whose cause has the status 404.

    /** PUT of the whole schedule, with explicit defaults for undeclared fields. Repeatable. */
    updateSchedule: async (id: string, attributes: DeclaredObject, options?: CallOptions) =>
      call(operations.updateSchedule, toReplacement(id, attributes), options),
    /** Status 400 if the member owns it already; `owner` is a membership id. Repeatable. */
    transferOwnership: (id: string, owner: string, options?: CallOptions) =>
      call(operations.transferOwnership, { id, body: { userId: owner } }, options),
    /** POST of a routine. Not repeatable. */
    createRoutine: async (attributes: DeclaredObject, options?: CallOptions) =>
      call(operations.createRoutine, toRequest('routine', attributes), options),
    /** PATCH of a routine: only `fields` change. Status 404 for the routine of another member. Repeatable. */
    updateRoutine: async (id: string, fields: DeclaredObject, as: ActingFor, options?: CallOptions) =>
      call(operations.updateRoutine, { ...toRequest('routine', fields), ...onBehalf(id, as) }, options),
    deleteRoutine: (id: string, as: ActingFor, options?: CallOptions) =>
      call(operations.deleteRoutine, onBehalf(id, as), options),
    /** One delivery now. Status 404 also where it is paused or stopped, 409 while a run is under way. Not repeatable. */
    triggerRoutine: (id: string, as: ActingFor, options?: CallOptions) =>
      call(operations.triggerRoutine, onBehalf(id, as), options),
    /** User groups, by their UUIDs, receive it as well. Repeatable. */
    addRecipients: (id: string, userGroupIds: readonly string[], options?: CallOptions) =>
      call(operations.addRecipients, { id, body: { userGroupIds } }, options),
    /** Addresses, and user groups by their UUIDs, receive it no longer. Repeatable. */
    removeRecipients: (id: string, recipients: RemovedRecipients, options?: CallOptions) =>
      call(operations.removeRecipients, { id, body: { ...recipients } }, options),
    /** The holder of the token. */
    whoami: (options?: CallOptions) => call(operations.whoami, {}, options),
    /** The drafts of a dashboard that a PATCH with clearExistingDraft would discard. */
    listDrafts: (id: string, options?: CallOptions) => call(operations.listDrafts, { id }, options),
    /**
     * Milliseconds by which the service's clock is ahead of ours, as its last answer showed; undefined before the first
     * answer of the run.
     */
    clockDifference,
    close,
  };
}

/** Opens the pool of connections. Throws Failure usage for a base URL or token that cannot be right. */
async function openCaller(settings: HttpApiSettings) {
  const { rateLimit, concurrency, clock, onWait, environment = {} } = settings;
  const base = checkBaseUrl(settings.baseUrl, settings.allowHttp);
  refuseUnfitToken(settings.token);
  const secrets = [settings.token, ...settings.secrets, ...proxySecrets(environment)];
  const connection = { base, timeout: settings.timeout, connections: concurrency, environment };
  const dispatcher = await makeDispatcher(connection);
  let clockDifference: number | undefined;
  let hasAnswered = false;
  const caller: Caller = {
    ...settings,
    base,
    mask: makeMask(secrets),
    keptMask: makeMaskOfLong(secrets),
    random: settings.random ?? Math.random,
    note: once(settings.onNote),
    ask: async (request, given) => {
      const sent = { ...request, origin: base.origin, path: base.path + request.path };
      const limits = { timeoutMs: settings.timeout * 1000, mostBytes: 5_000_000, ...given };
      const answer = await exchange(dispatcher, sent, limits);
      hasAnswered ||= answer.type === 'answer' && !isPage(answer);
      const date = dateOfService(answer);
      if (date !== undefined) clockDifference = date - clock.now();
      return answer;
    },
    window: makeSlidingWindow({ rateLimit, concurrency, clock, onWait }),
    hasAnswered: () => hasAnswered,
  };
  return {
    caller,
    clockDifference: () => clockDifference,
    // Only connections that no request waits for remain by now.
    close: () => dispatcher.destroy(),
  };
}

/** A request about what belongs to a member. */
function onBehalf(id: string, { owner }: ActingFor): Partial<WireRequest> {
  return { id, query: queryOf({ userId: owner }) };
}

/** A gateway that answers in its place has a clock of its own. */
function dateOfService(answer: Exchange): number | undefined {
  if (answer.type !== 'answer' || answer.status >= 500) return undefined;
  if (answer.headers['content-type']?.includes('json') !== true) return undefined;
  return httpDate(answer.headers['date']?.trim() ?? '');
}

/** Says nothing twice. */
function once(onNote: ApiSettings['onNote']): Caller['note'] {
  const noted = new Set<string>();
  return (message, key = message) => {
    if (!noted.has(key)) onNote?.(message);
    noted.add(key);
  };
}

/** Throws Failure usage. */
function checkBaseUrl(baseUrl: string, allowHttp: boolean): Base {
  const fault = baseUrlFault(baseUrl);
  if (fault !== undefined) throw usageFailure(`The base URL ${fault}`, 'Write it as https://INSTANCE.omniapp.co/api.');
  const url = new URL(baseUrl);
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !loopback && !allowHttp) {
    throw usageFailure(
      `The base URL ${url.origin} is not HTTPS: the token would travel unencrypted.`,
      `Use https://. If you trust the network, \`${command(`apply ${allowing('http')}`)}\` allows it.`,
    );
  }
  return { origin: url.origin, host: url.host, path: trimEndOf(url.pathname, /\//), loopback };
}

/** Throws Failure usage for a text that cannot be a token. */
function refuseUnfitToken(token: string): void {
  if (/^[!-~]+$/.test(token)) return;
  throw usageFailure(
    'The token holds characters that no token can hold, such as spaces, line breaks or typographic quotes.',
    'Check the environment variable that it comes from: OMNI_API_TOKEN, unless the configuration names another.',
  );
}

function usageFailure(message: string, hint: string): Failure {
  return new Failure('usage', message, { hint });
}
