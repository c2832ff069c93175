// The service over HTTP: implements the port `Api` with one connection pool, one rate limit and one function per
// operation.

import { mostSchedulesOnAPage } from '../../model/service/remote.ts';
import type { Json } from '../../model/values/json.ts';
import { makeMask, makeMaskOfLong } from '../../model/values/mask-secrets.ts';
import type { Api, ApiSettings, CallOptions } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';
import { readCreatedAiJob, readCreatedSchedule, readDone } from '../answers/read-created.ts';
import { readDocumentPage, readQueries } from '../answers/read-documents.ts';
import {
  readAiJob,
  readAiJobResult,
  readFilters,
  readRecipients,
  readSchedule,
  readSchedulePage,
} from '../answers/read-remote.ts';
import { checkBaseUrl, refuseUnfitToken } from './base-url.ts';
import { type Environment, proxySecrets } from './dispatcher.ts';
import { type Call, type Caller, send, withMaskedOutputs } from './http-call.ts';
import { listAccess } from './list-access.ts';
import { listDocuments } from './list-documents.ts';
import { listAll } from './list-schedules.ts';
import { listEmailOnlyUsers, listUsers } from './list-users.ts';
import * as operations from './operations.ts';
import { makeSlidingWindow } from './sliding-window.ts';
import { openTransport } from './transport.ts';
import {
  aiJobPath,
  filtersPath,
  queriesPath,
  schedulePath,
  toBare,
  toReplacement,
  toRequest,
  type WireRequest,
} from './wire.ts';

export interface HttpApiSettings extends ApiSettings {
  readonly clock: Clock;
  /** Returns a number from 0 to 1; Math.random by default. */
  readonly random?: () => number;
  /** Almanac's own version. */
  readonly version: string;
  /** The environment variables that name proxies. */
  readonly environment?: Environment;
}

export async function connectHttpApi(settings: HttpApiSettings): Promise<Api> {
  const { rateLimit, concurrency, clock, onWait } = settings;
  const base = checkBaseUrl(settings.baseUrl, settings.allowHttp);
  refuseUnfitToken(settings.token);
  const environment = settings.environment ?? {};
  const secrets = [settings.token, ...settings.secrets, ...proxySecrets(environment)];
  const caller: Caller = {
    ...settings,
    base,
    mask: makeMask(secrets),
    keptMask: makeMaskOfLong(secrets),
    random: settings.random ?? Math.random,
    transport: await openTransport({ base, timeout: settings.timeout, connections: concurrency, environment }, clock),
    window: makeSlidingWindow({ rateLimit, concurrency, clock, onWait }),
  };

  return {
    ...sendingOperations(caller),
    ...observingOperations(caller, settings.onNote),
    ...peopleOperations(caller),
    clockDifference: () => caller.transport.clockDifference(),
    close: () => caller.transport.close(),
  };
}

type Sending =
  | 'updateFilters'
  | 'createSchedule'
  | 'createAiJob'
  | 'updateSchedule'
  | 'deleteSchedule'
  | 'pauseSchedule'
  | 'resumeSchedule'
  | 'triggerSchedule'
  | 'transferOwnership'
  | 'cancelAiJob';

function sendingOperations(caller: Caller): Pick<Api, Sending> {
  const done = (operation: operations.Operation, request: WireRequest, options: CallOptions | undefined) =>
    send(caller, { operation, request, read: readDone, options });
  return {
    updateFilters: async (attributes, options) =>
      done(operations.updateFilters, toRequest('dashboard', attributes), options),
    createSchedule: async (attributes, options) => {
      const request = toRequest('schedule', attributes);
      const testNow = attributes['testNow'] === true;
      const read = (answer: Json | undefined) => withMaskedOutputs(readCreatedSchedule(answer, testNow), caller);
      return send(caller, { operation: operations.createSchedule, request, read, options });
    },
    createAiJob: async (attributes, options) => {
      const request = toRequest('aiJob', attributes);
      const read = (answer: Json | undefined) => withMaskedOutputs(readCreatedAiJob(answer), caller);
      return send(caller, { operation: operations.createAiJob, request, read, options });
    },
    updateSchedule: (id, attributes, options) =>
      done(operations.updateSchedule, toReplacement(id, attributes), options),
    deleteSchedule: (id, options) => done(operations.deleteSchedule, toBare(schedulePath(id)), options),
    pauseSchedule: (id, options) => done(operations.pauseSchedule, toBare(`${schedulePath(id)}/pause`), options),
    resumeSchedule: (id, options) => done(operations.resumeSchedule, toBare(`${schedulePath(id)}/resume`), options),
    triggerSchedule: (id, options) => done(operations.triggerSchedule, toBare(`${schedulePath(id)}/trigger`), options),
    transferOwnership: (id, owner, options) =>
      done(
        operations.transferOwnership,
        { ...toBare(`${schedulePath(id)}/transfer-ownership`), body: { userId: owner } },
        options,
      ),
    cancelAiJob: (id, options) => done(operations.cancelAiJob, toBare(`${aiJobPath(id)}/cancel`), options),
  };
}

function observingOperations(
  caller: Caller,
  onNote: ApiSettings['onNote'],
): Omit<Api, Sending | 'listUsers' | 'listEmailOnlyUsers' | 'listAccess' | 'clockDifference' | 'close'> {
  const get = <T>(
    operation: operations.Operation,
    path: string,
    read: Call<T>['read'],
    options: CallOptions | undefined,
  ) => send(caller, { operation, request: toBare(path), read, options });
  const noted = new Set<string>();
  const noteOnce = (message: string) => {
    if (!noted.has(message)) onNote?.(message);
    noted.add(message);
  };
  return {
    listSchedules: async ({ identifier, limit }, options) => {
      const page = (cursor?: string) => {
        const size = String(limit ?? mostSchedulesOnAPage);
        const order = { sortField: 'scheduleName', sortDirection: 'asc' };
        const request = toBare('/v1/schedules', { pageSize: size, ...order, identifier, cursor });
        return send(caller, { operation: operations.listSchedules, request, read: readSchedulePage, options });
      };
      return limit === undefined ? listAll(page, noteOnce) : (await page()).schedules;
    },
    getSchedule: (id, options) => get(operations.getSchedule, schedulePath(id), readSchedule, options),
    getRecipients: (id, options) =>
      get(operations.getRecipients, `${schedulePath(id)}/recipients`, readRecipients, options),
    getFilters: (identifier, options) => get(operations.getFilters, filtersPath(identifier), readFilters, options),
    getAiJob: (id, options) => get(operations.getAiJob, aiJobPath(id), readAiJob, options),
    getAiJobResult: (id, options) =>
      get(operations.getAiJobResult, `${aiJobPath(id)}/result`, readAiJobResult, options),
    listDocuments: (parameters, options) =>
      listDocuments(
        parameters,
        (request) => send(caller, { operation: operations.listDocuments, request, read: readDocumentPage, options }),
        noteOnce,
      ),
    listQueries: (identifier, options) => get(operations.listQueries, queriesPath(identifier), readQueries, options),
  };
}

/** Who is in the organization, who receives deliveries without an account, and who may see a document. */
function peopleOperations(caller: Caller): Pick<Api, 'listUsers' | 'listEmailOnlyUsers' | 'listAccess'> {
  return {
    listUsers: (only, options) => listUsers(only, (call) => send(caller, { ...call, options })),
    listEmailOnlyUsers: (only, options) => listEmailOnlyUsers(only, (call) => send(caller, { ...call, options })),
    listAccess: (identifier, options) => listAccess(identifier, (call) => send(caller, { ...call, options })),
  };
}
