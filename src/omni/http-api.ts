// The service over HTTP: implements the port `Api` with one connection pool, one rate limit and one table of operations.

import { type Base, type Exchange, exchange, httpDate, makeDispatcher, proxySecrets } from '../http/exchange.ts';
import type { Clock, Variables } from '../model/outside.ts';
import { allowing } from '../model/values/allowances.ts';
import { command } from '../model/values/command.ts';
import { makeMask, makeMaskOfLong } from '../model/values/secret.ts';
import { baseUrlFault, isLoopback } from '../model/values/urls.ts';
import { trimEndOf } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { ActingFor, Api, ApiSettings, CallOptions, CallsById } from './api.ts';
import { type Caller, send, sendForFile, withMaskedOutputs } from './http-call.ts';
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

export async function connectHttpApi(settings: HttpApiSettings): Promise<Api> {
  const { rateLimit, concurrency, clock, onWait } = settings;
  const base = checkBaseUrl(settings.baseUrl, settings.allowHttp);
  refuseUnfitToken(settings.token);
  const environment = settings.environment ?? {};
  const secrets = [settings.token, ...settings.secrets, ...proxySecrets(environment)];
  const connection = { base, timeout: settings.timeout, connections: concurrency, environment };
  const dispatcher = await makeDispatcher(connection);
  const note = once(settings.onNote);
  /** Milliseconds by which the service's clock is ahead, by its last answer. */
  let clockDifference: number | undefined;
  let hasAnswered = false;
  const caller: Caller = {
    ...settings,
    base,
    mask: makeMask(secrets),
    keptMask: makeMaskOfLong(secrets),
    random: settings.random ?? Math.random,
    note,
    ask: async (request, given) => {
      const sent = { ...request, origin: base.origin, path: base.path + request.path };
      const limits = { timeoutMs: settings.timeout * 1000, mostBytes: 5_000_000, ...given };
      const answer = await exchange(dispatcher, sent, limits);
      hasAnswered ||= answer.type === 'answer';
      const date = dateOfService(answer);
      if (date !== undefined) clockDifference = date - clock.now();
      return answer;
    },
    window: makeSlidingWindow({ rateLimit, concurrency, clock, onWait }),
    hasAnswered: () => hasAnswered,
  };
  const call = <T>(operation: Operation<T>, request: Partial<WireRequest>, options: CallOptions | undefined) =>
    send(caller, operation, request, options);

  const byId = Object.entries<Operation>(operationsById).map(([name, operation]) => {
    return [name, (id: string, options?: CallOptions) => call(operation, { id }, options)] as const;
  });

  return {
    ...(Object.fromEntries(byId) as CallsById),
    ...listsOf(call, note),
    startDownload: async (attributes, userId, options) =>
      call(operations.startDownload, toDownload(attributes, userId), options),
    getDownload: ({ id: jobId, identifier: id, userId }, sink, options) =>
      sendForFile(caller, operations.getDownload, { id, jobId, query: queryOf({ userId }) }, sink, options),
    updateFilters: async (attributes, options) =>
      call(operations.updateFilters, toRequest('dashboard', attributes), options),
    createSchedule: async (attributes, options) => {
      const operation = attributes['testNow'] === true ? operations.testDelivery : operations.createSchedule;
      return withMaskedOutputs(await call(operation, toRequest('schedule', attributes), options), caller);
    },
    createAiJob: async (attributes, options) =>
      withMaskedOutputs(await call(operations.createAiJob, toRequest('aiJob', attributes), options), caller),
    updateSchedule: async (id, attributes, options) =>
      call(operations.updateSchedule, toReplacement(id, attributes), options),
    transferOwnership: (id, owner, options) =>
      call(operations.transferOwnership, { id, body: { userId: owner } }, options),
    createRoutine: (attributes, options) => call(operations.createRoutine, toRequest('routine', attributes), options),
    updateRoutine: (id, fields, as, options) =>
      call(operations.updateRoutine, { ...toRequest('routine', fields), ...onBehalf(id, as) }, options),
    deleteRoutine: (id, as, options) => call(operations.deleteRoutine, onBehalf(id, as), options),
    triggerRoutine: (id, as, options) => call(operations.triggerRoutine, onBehalf(id, as), options),
    addRecipients: (id, userGroupIds, options) =>
      call(operations.addRecipients, { id, body: { userGroupIds } }, options),
    removeRecipients: (id, recipients, options) =>
      call(operations.removeRecipients, { id, body: { ...recipients } }, options),
    whoami: (options) => call(operations.whoami, {}, options),
    listDrafts: (id, options) => call(operations.listDrafts, { id }, options),
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
