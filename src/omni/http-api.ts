// The service over HTTP: the port `Api`, its operations and its lists. It has one connection pool, one rate limit and
// one table of operations.

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
import type { DocumentList, DocumentParameters } from '../model/service/documents.ts';
import {
  type ListedRoutine,
  type ListedSchedule,
  type ModelKind,
  maxRoutinesOnAPage,
  maxSchedulesOnAPage,
  type Principal,
  type RemoteModel,
  type RemoteUser,
} from '../model/service/remote.ts';
import { allowing } from '../model/values/allowances.ts';
import { command } from '../model/values/command.ts';
import { makeMask, makeMaskOfLong } from '../model/values/secret.ts';
import { baseUrlFault, isLoopback } from '../model/values/urls.ts';
import { trimEndOf } from '../model/values/words.ts';
import { Failure, usageFailure } from '../model/workspace/failure.ts';
import type { Declared, DeclaredObject } from '../model/workspace/resource.ts';
import type { ActingFor, ApiSettings, CallOptions, CallsById, DownloadJob, RemovedRecipients } from './api.ts';
import { type Caller, isPage, send, sendForFile, withMaskedOutputs } from './http-call.ts';
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
import type { AnswerPage, DocumentPage, ScimPage } from './read-answers.ts';
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
  // The form of a bearer token in RFC 6750.
  if (/^[\w.~+/=-]+$/.test(token)) return;
  throw usageFailure(
    'The token holds characters that no token can hold, such as spaces, quotes, `$` or `*`.',
    'Check the environment variable that it comes from: OMNI_API_TOKEN, unless the configuration names another. It may hold the name of a variable, or the mask that a log shows in its place.',
  );
}

// How the pages of each list are requested: schedules, routines, documents, members, and those without an account.

/** Sends one request of a list. */
type GetPage = <T>(
  operation: Operation<T>,
  request: Partial<WireRequest>,
  options: CallOptions | undefined,
) => Promise<T>;

interface OnlyAddress {
  readonly email?: string;
}

const scimOnAPage = 100;
const modelsOnAPage = 100;
const groupsOnAPage = 100;
/** The service gives no more. */
const emailOnlyOnAPage = '20';

/** `onNote` is told once of a list that the service counts in another way. */
export function listsOf(get: GetPage, onNote: (message: string) => void) {
  return {
    /**
     * All pages, each schedule once; with an identifier, only the schedules of that dashboard; with a limit of up to 100,
     * the first ones, with one request. A cursor is a page number.
     */
    listSchedules: async (
      { identifier, limit }: { readonly identifier?: Declared; readonly limit?: number },
      options?: CallOptions,
    ): Promise<readonly ListedSchedule[]> => {
      const getPage = (cursor: string | undefined) => {
        const pageSize = String(limit ?? maxSchedulesOnAPage);
        const order = { sortField: 'scheduleName', sortDirection: 'asc' };
        return get(operations.listSchedules, { query: queryOf({ pageSize, ...order, identifier, cursor }) }, options);
      };
      if (limit !== undefined) return (await getPage(undefined)).records;
      return (await readAll({ what: 'schedules', idOf: ({ id }: ListedSchedule) => id, getPage }, onNote)).records;
    },
    /**
     * The routines of one member, all pages, each once and whole. The order is left to the service, whose names for it are not
     * published.
     */
    listRoutines: async ({ owner: userId }: ActingFor, options?: CallOptions): Promise<readonly ListedRoutine[]> => {
      const getPage = (cursor: string | undefined) => {
        const query = queryOf({ pageSize: String(maxRoutinesOnAPage), userId, cursor });
        return get(operations.listRoutines, { query }, options);
      };
      return (await readAll({ what: 'routines', idOf: ({ id }: ListedRoutine) => id, getPage }, onNote)).records;
    },
    /** All pages, each document once; up to `limit` if given. */
    listDocuments: (parameters: DocumentParameters, options?: CallOptions) =>
      listDocuments(parameters, (query) => get(operations.listDocuments, { query }, options), onNote),
    /** The people of the organization, all pages; with an e-mail address, only who has it. Needs an organization key. */
    listUsers: async ({ email }: OnlyAddress, options?: CallOptions): Promise<readonly RemoteUser[]> => {
      const filter = email === undefined ? undefined : `userName eq ${JSON.stringify(email)}`;
      const read = await readOnce({
        what: 'members',
        idOf: ({ id }: RemoteUser) => id,
        getPage: scimPages((query) => get(operations.listUsers, { query }, options), filter),
      });
      // Whoever has one address is known by now; if a list has no end, it is not known who is missing.
      return (email === undefined ? ended('members', read) : read).records;
    },
    /** The names of all user groups; their ids are in no list but that of a dashboard. Needs an organization key. */
    listGroupNames: async (options?: CallOptions): Promise<readonly string[]> => {
      const getPage = scimPages((query) => get(operations.listGroups, { query }, options));
      const read = await readOnce({ what: 'user groups', idOf: ({ id }: Principal) => id, getPage });
      return ended('user groups', read).records.map(({ name }) => name);
    },
    /** The models of a kind with their active branches, all pages. */
    listModels: async (modelKind: ModelKind, options?: CallOptions): Promise<readonly RemoteModel[]> => {
      const getPage = (cursor: string | undefined) => {
        const given = { modelKind, include: 'activeBranches', pageSize: String(modelsOnAPage), cursor };
        return get(operations.listModels, { query: queryOf(given) }, options);
      };
      return (await readAll({ what: 'models', idOf: ({ id }: RemoteModel) => id, getPage }, onNote)).records;
    },
    /** The user groups that may view a dashboard, all pages. */
    groupsWithAccess: async (id: string, options?: CallOptions): Promise<readonly Principal[]> => {
      const getPage = (cursor: string | undefined) => {
        const query = queryOf({ type: 'userGroup', pageSize: String(groupsOnAPage), cursor });
        return get(operations.listAccess, { id, query }, options);
      };
      const what = 'user groups with access to the dashboard';
      return (await readAll({ what, idOf: (group: Principal) => group.id, getPage }, onNote)).records;
    },
    /**
     * The addresses of those who receive deliveries without an account, all pages; with an e-mail address, only that one.
     * Needs an organization key.
     */
    listEmailOnlyUsers: async (only: OnlyAddress, options?: CallOptions): Promise<readonly string[]> => {
      const getPage = (cursor: string | undefined) => {
        const query = queryOf({ ...only, pageSize: emailOnlyOnAPage, cursor });
        return get(operations.listEmailOnlyUsers, { query }, options);
      };
      const what = 'e-mail-only users';
      return ended(what, await readOnce({ what, idOf: (email: string) => email, getPage })).records;
    },
  };
}

/** Pages of a SCIM list, where a cursor is the number of the first record. */
function scimPages<T>(get: (query: WireRequest['query']) => Promise<ScimPage<T>>, filter?: string) {
  return async (cursor = '1') => {
    const query = queryOf({ filter, startIndex: cursor, count: String(scimOnAPage) });
    const { records, entries, total } = await get(query);
    const first = Number(cursor) + entries;
    const next = entries === 0 || first > total ? undefined : String(first);
    return { records, entries, next, total };
  };
}

/** A cursor marks a position in the sort order. */
async function listDocuments(
  parameters: DocumentParameters,
  get: (query: WireRequest['query']) => Promise<DocumentPage>,
  onNote: (message: string) => void,
): Promise<DocumentList> {
  const { include, labels, limit, cursor, pageSize, sortField, sortDirection, ...rest } = parameters;
  const list = {
    what: 'documents',
    cursor,
    limit,
    idOf: ({ identifier }: DocumentList['documents'][number]) => identifier,
    getPage: (next: string | undefined) =>
      get(
        queryOf({
          pageSize: String(Math.min(pageSize, limit ?? pageSize)),
          sortField,
          sortDirection,
          include: include.length === 0 ? undefined : include.join(','),
          labels: labels.length === 0 ? undefined : labels.join(','),
          ...rest,
          cursor: next,
        }),
      ),
  };
  const isPart = limit !== undefined || cursor !== undefined;
  const { records, last } = isPart ? ended('documents', await readOnce(list)) : await readAll(list, onNote);
  const { pageInfo } = last;
  if (limit === undefined || records.length <= limit) return { documents: records, pageInfo };
  // The cursor would skip the documents that are cut off.
  const { nextCursor: _, ...others } = pageInfo;
  return { documents: records.slice(0, limit), pageInfo: { ...others, hasNextPage: true } };
}

interface List<T, P extends AnswerPage<T>> {
  /** The records in words, such as `schedules`. */
  readonly what: string;
  readonly getPage: (cursor: string | undefined) => Promise<P>;
  readonly idOf: (record: T) => string;
  /** The cursor of the page to begin with; undefined for the first one. */
  readonly cursor?: string;
  /** Enough records; undefined: all. */
  readonly limit?: number;
}

interface PagesRead<T, P> {
  /** The records, each once. */
  readonly records: readonly T[];
  /** The totals that the pages counted. */
  readonly totals: ReadonlySet<number | undefined>;
  readonly last: P;
  /** The pages after which the list was given up; undefined where it ended, or enough was read. */
  readonly endless?: number;
}

const reads = 3;
/** The limit for a service that does not count: a million records, 100 on a page. */
const maxPages = 10_000;
/** Records move to other pages when somebody creates or removes some. */
const spare = 3;

async function readOnce<T, P extends AnswerPage<T>>(list: List<T, P>): Promise<PagesRead<T, P>> {
  const { getPage, idOf, limit = Number.POSITIVE_INFINITY } = list;
  const found = new Map<string, T>();
  const totals = new Set<number | undefined>();
  let { cursor } = list;
  let most = maxPages;
  for (let pages = 1; ; pages += 1) {
    const last = await getPage(cursor);
    const { records, entries = records.length, next, total } = last;
    const known = found.size;
    for (const record of records) found.set(idOf(record), record);
    totals.add(total);
    if (pages === 1 && total !== undefined)
      most = Math.min(maxPages, 2 * Math.ceil(total / Math.max(1, entries)) + spare);
    const read = { records: [...found.values()], totals, last };
    // A page may be empty although others follow: the token does not see all. One that only repeats others, or leads back to
    // itself, leads nowhere.
    const isRepeated = found.size === known && (records.length > 0 || (next !== undefined && next === cursor));
    if (!isRepeated && (next === undefined || found.size >= limit)) return read;
    if (isRepeated || pages >= most) return { ...read, endless: pages };
    cursor = next;
  }
}

/** Throws Failure api-unreachable for a list without an end. */
function ended<R extends Pick<PagesRead<unknown, unknown>, 'endless'>>(what: string, read: R): R {
  if (read.endless === undefined) return read;
  throw new Failure(
    'api-unreachable',
    `The list of ${what} has no end: Almanac stopped reading after ${read.endless} pages.`,
    {
      hint: 'Try again. If the list still has no end, report it to the support of Omni.',
    },
  );
}

/**
 * Reads a list of the service page by page. Records that are created, removed or renamed meanwhile shift others onto two
 * pages or none, so each id counts once, and a list whose records the service counts is read again until the count fits
 * or two reads agree. A service that never ends its list does not keep us. The whole list. `onNote` is told if the
 * service's count does not fit. Throws Failure api-unreachable.
 */
export async function readAll<T, P extends AnswerPage<T>>(
  list: List<T, P>,
  onNote: (message: string) => void,
): Promise<PagesRead<T, P>> {
  const { what, idOf } = list;
  let before: string | undefined;
  for (let count = 1; count <= reads; count += 1) {
    const read = await readOnce(list);
    // The last page repeats others where records were removed meanwhile.
    if (read.last.next !== undefined) ended(what, read);
    const { records, totals } = read;
    const [total = records.length] = totals;
    const isSteady = totals.size === 1 && read.endless === undefined;
    if (isSteady && records.length === total) return read;
    const listAsRead = isSteady ? JSON.stringify([total, ...records.map(idOf)]) : undefined;
    if (listAsRead !== undefined && listAsRead === before) {
      onNote(
        `Omni counts ${total} ${what}, but its list holds ${records.length}. Two reads agree, so the list is used as it is.`,
      );
      return read;
    }
    before = listAsRead;
  }
  throw new Failure('api-unreachable', `The list of ${what} changed ${reads} times while it was read.`, {
    hint: `Someone is changing ${what}. Try again.`,
  });
}
