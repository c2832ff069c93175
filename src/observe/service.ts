// The service, as one run uses it, and the names that its answers tell. It is connected with the token of the
// environment at the first question, and closed once, at the end. It counts every request, because the rate limit does,
// and reads the filters of a dashboard once.

import type { Environment } from '../declare/load/load-config.ts';
import { idKey } from '../model/fields/ids.ts';
import type { Clock } from '../model/outside.ts';
import type { NamesById } from '../model/plan/names.ts';
import { makeMaskOfLong } from '../model/values/secret.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Api, ApiSettings, CallOptions, ConnectApi } from '../omni/api.ts';
import { rateWindowSeconds, secondsFor } from '../omni/sliding-window.ts';
import { tokenSource } from './token-source.ts';

type PassedSettings = Pick<ApiSettings, 'allowHttp' | 'maxAttempts' | 'maxWait' | 'onWait' | 'onNote'>;

export interface ServiceOptions extends PassedSettings {
  /** The configuration; undefined if almanac.yaml has errors: then nothing may be asked. */
  readonly config: Config | undefined;
  /** The secrets for `ApiSettings`; asked for on connecting, because a state that was read names more. */
  readonly secrets: () => readonly string[];
  readonly environment: Environment;
  readonly connect: ConnectApi;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

export interface Service {
  /** Does not connect. Throws Failure missing-base-url, missing-token. */
  token(): string;
  /** Connects at the first call. Throws what `token` throws, and Failure usage for a base URL that may not be used. */
  api(): Promise<Api>;
  /** The options of a request that has none of its own: the signal of the run. */
  readonly call: CallOptions;
  readonly concurrency: number;
  /** Requests a minute; 0 = no limit. */
  readonly rateLimit: number;
  /** The number of requests so far, repeats included. */
  sent(): number;
  /** The number of requests that the rate limit still counts. */
  sentLately(): number;
  /** Names from the answers so far for everything with an id, whatever they were asked for. */
  names(): NamesById;
  /** The membership ids of the active members in the answers, by address in lower case. */
  members(): ReadonlyMap<string, string>;
}

/** A configuration for work that is in no hurry: others may need the rest of the rate limit meanwhile. */
export function atHalfOfTheRate(config: Config): Config {
  const { rateLimit } = config.api;
  const half = rateLimit === 0 ? 0 : Math.max(1, Math.floor(rateLimit / 2));
  return { ...config, api: { ...config.api, rateLimit: half } };
}

/** The seconds until the last of `requests` may be sent, after those that the rate limit still counts. */
export function secondsUntilSent(requests: number, service: Service): number {
  return secondsFor(service.sentLately() + requests, service.rateLimit);
}

/** Hands a service to `work`, and closes it when that ends. */
export async function withService<T>(options: ServiceOptions, work: (service: Service) => Promise<T>): Promise<T> {
  let connected: Promise<Api> | undefined;
  const times: number[] = [];
  const heard: CollectedNames = { names: new Map(), members: new Map() };
  const { config, clock, signal } = options;
  const service: Service = {
    token: () => apiSettingsOf(options).token,
    api: () => {
      const onRequest = () => times.push(clock.monotonic());
      connected ??= connect(options, onRequest, heard);
      return connected;
    },
    call: { signal },
    concurrency: config?.api.concurrency ?? 1,
    rateLimit: config?.api.rateLimit ?? 0,
    sent: () => times.length,
    sentLately: () => times.filter((at) => at > clock.monotonic() - rateWindowSeconds * 1000).length,
    names: () => Object.fromEntries(heard.names),
    members: () => heard.members,
  };
  try {
    return await work(service);
  } catch (error) {
    throw error instanceof Failure ? masked(error, options.secrets()) : error;
  } finally {
    // A failed connection has given its error to whoever asked for it.
    await (await connected?.catch(() => undefined))?.close();
  }
}

/** A failure may name what Omni calls something. */
function masked(failure: Failure, secrets: readonly string[]): Failure {
  const mask = makeMaskOfLong(secrets);
  return failure.with({ message: mask(failure.message), hint: failure.hint && mask(failure.hint) });
}

async function connect(options: ServiceOptions, onRequest: () => void, heard: CollectedNames): Promise<Api> {
  const { secrets, onWait, onNote, allowHttp, maxAttempts, maxWait } = options;
  const limits = { allowHttp, maxAttempts, maxWait };
  const settings = { ...apiSettingsOf(options), secrets: secrets(), ...limits };
  const api = await options.connect({ ...settings, onWait, onNote, onRequest });
  return readingOnce(collectingNames(api, heard));
}

function apiSettingsOf({ config, environment }: ServiceOptions) {
  if (config === undefined) throw new Error('the service is asked without a configuration');
  const { baseUrl, rateLimit, concurrency, timeout } = config.api;
  if (baseUrl === undefined) throw noBaseUrl();
  return { baseUrl, token: tokenSource(config, environment).token, rateLimit, concurrency, timeout };
}

export function noBaseUrl(): Failure {
  return new Failure('missing-base-url', 'Neither almanac.yaml nor OMNI_BASE_URL names the organization.', {
    hint: 'Set `api: { baseUrl: … }` in almanac.yaml. Nothing was sent.',
  });
}

/** Online checks, a refresh and an apply of the same run need the same of a dashboard. */
function readingOnce(api: Api): Api {
  const filters = new Map<string, ReturnType<Api['getFilters']>>();
  const layouts = new Map<string, ReturnType<Api['getLayout']>>();
  const users = new Map<string, ReturnType<Api['listUsers']>>();
  const access = new Map<string, ReturnType<Api['groupsWithAccess']>>();
  // Several changes ask for the same at the same moment, so the question is kept, and forgotten if it fails.
  const askOnce = <T>(answers: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = answers.get(key) ?? ask();
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    return answer;
  };
  return {
    ...api,
    getFilters: (identifier, options) => {
      if (options?.rereadDashboards) filters.delete(identifier);
      return askOnce(filters, identifier, () => api.getFilters(identifier, options));
    },
    getLayout: (identifier, options) => {
      if (options?.rereadDashboards) layouts.delete(identifier);
      return askOnce(layouts, identifier, () => api.getLayout(identifier, options));
    },
    groupsWithAccess: (identifier, options) =>
      askOnce(access, identifier, () => api.groupsWithAccess(identifier, options)),
    listUsers: (only, options) => askOnce(users, only.email?.toLowerCase() ?? '', () => api.listUsers(only, options)),
    updateFilters: (attributes, options) => {
      filters.clear();
      layouts.clear();
      return api.updateFilters(attributes, options);
    },
  };
}

/** A condition that must hold while a request is sent, such as the lock of a state. */
export interface RequestGuard {
  /** Resolves when it surely holds for longer than a request of that many milliseconds. Throws Failure where it is lost. */
  guard(requestMs: number): Promise<void>;
  /** True if it still holds now; asked as the bytes of a request go out. */
  holds(): boolean;
}

/**
 * The service for a run that holds the lock of the state: before each request, also one that only reads, the lock must
 * surely outlast it. `timeout`: the seconds that a request may take.
 */
export function guardedService(service: Service, locked: RequestGuard, timeout: number): Service {
  const guard = { beforeRequest: () => locked.guard(timeout * 1000), maySend: () => locked.holds() };
  return { ...service, call: { ...service.call, ...guard } };
}

/** Throws Failure usage with operations core. `what` completes `cannot ask Omni …`; `instead` is a whole sentence. */
export function requireFullOperations({ api: { operations } }: Config, what: string, instead?: string): void {
  if (operations === 'full') return;
  const hint = ['Set `api: { operations: full }` in almanac.yaml.', ...(instead === undefined ? [] : [instead])];
  throw new Failure('usage', `With operations core, Almanac cannot ask Omni ${what}.`, {
    hint: [...hint, 'Nothing was sent.'].join(' '),
  });
}

/**
 * The time by the clock of the service, which says when its schedules ran: epoch milliseconds; by the clock of this machine
 * before the first answer.
 */
export function serviceNow(clock: Clock, api: Pick<Api, 'clockDifference'>): number {
  return clock.now() + (api.clockDifference() ?? 0);
}

// The names that answers tell beside ids, whatever was asked for: the one place that knows which answers those are. No request
// is sent for a name.

/** The book of a run, in which each answer writes. */
interface CollectedNames {
  /** Omni's names, by id. */
  readonly names: Map<string, string>;
  /** The membership ids of active members, by address in lower case. */
  readonly members: Map<string, string>;
}

function collectingNames(api: Api, { names, members }: CollectedNames): Api {
  const hears = (id = '', name = '') => {
    if (id !== '' && name !== '') names.set(idKey(id), cut(name));
  };
  return {
    ...api,
    listSchedules: async (only, options) => {
      const rows = await api.listSchedules(only, options);
      for (const { identifier, dashboardName } of rows) hears(identifier, dashboardName);
      return rows;
    },
    listDocuments: async (parameters, options) => {
      const list = await api.listDocuments(parameters, options);
      for (const { identifier, name, deleted } of list.documents) if (!deleted) hears(identifier, name);
      return list;
    },
    listModels: async (kind, options) => {
      const models = await api.listModels(kind, options);
      for (const each of models.flatMap((model) => [model, ...model.branches])) hears(each.id, each.name);
      return models;
    },
    groupsWithAccess: async (identifier, options) => {
      const groups = await api.groupsWithAccess(identifier, options);
      for (const { id, name } of groups) hears(id, name);
      return groups;
    },
    listUsers: async (only, options) => {
      const users = await api.listUsers(only, options);
      for (const { id, email, active } of users) if (active) members.set(email.toLowerCase(), id);
      return users;
    },
    getRecipients: async (id, options) => {
      const recipients = await api.getRecipients(id, options);
      for (const group of recipients.groups ?? []) hears(group.id, group.name);
      return recipients;
    },
  };
}

/** The limit in characters. More says no more, and would fill a comment, where the changes themselves are cut. */
const maxNameLength = 200;

function cut(name: string): string {
  const characters = name.length > maxNameLength ? [...name] : [];
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength).join('')}…` : name;
}
