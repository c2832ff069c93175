// The service, as one run uses it: connected at the first question and closed once, at the end. It counts every
// request, because the rate limit does, and reads the filters and queries of a dashboard once.

import type { RemoteQuery } from '../../model/service/documents.ts';
import type { RemoteFilters } from '../../model/service/remote.ts';
import { makeMaskOfLong } from '../../model/values/mask-secrets.ts';
import { rateWindowSeconds, secondsFor } from '../../model/values/rate.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Api, CallOptions, ConnectApi } from '../../ports/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Environment } from '../load/load-config.ts';
import { tokenSource } from './tokens.ts';

export interface ServiceOptions {
  /** Undefined where almanac.yaml has errors: then nothing may be asked. */
  readonly config: Config | undefined;
  readonly environment: Environment;
  /** All of the workspace that are known: what a failure quotes of the service is masked by them. */
  readonly secrets: readonly string[];
  readonly connect: ConnectApi;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Called before a wait that a person would notice. */
  readonly onWait: (seconds: number, why: string) => void;
  /** Called with what a person should know about the service's answers. */
  readonly onNote?: (message: string) => void;
  readonly allowHttp: boolean;
  readonly maxAttempts: number;
  /** Seconds that one wait may take. */
  readonly maxWait: number;
}

export interface Service {
  /** Connects to nothing. Throws Failure missing-base-url, missing-token. */
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
  /** Those of them that the rate limit still counts. */
  sentLately(): number;
}

/** How long it takes until the last of `requests` to come may be sent, after those that the rate limit still counts. */
export function secondsUntilSent(requests: number, service: Service): number {
  return secondsFor(service.sentLately() + requests, service.rateLimit);
}

/** Hands a service to `work`, and closes it when that ends. */
export async function withService<T>(options: ServiceOptions, work: (service: Service) => Promise<T>): Promise<T> {
  let connected: Promise<Api> | undefined;
  const times: number[] = [];
  const { config, clock, signal } = options;
  const service: Service = {
    token: () => settingsOf(options).token,
    api: () => {
      connected ??= connect(options, () => times.push(clock.monotonic()));
      return connected;
    },
    call: signal === undefined ? {} : { signal },
    concurrency: config?.api.concurrency ?? 1,
    rateLimit: config?.api.rateLimit ?? 0,
    sent: () => times.length,
    sentLately: () => times.filter((at) => at > clock.monotonic() - rateWindowSeconds * 1000).length,
  };
  try {
    return await work(service);
  } catch (error) {
    throw error instanceof Failure ? masked(error, options.secrets) : error;
  } finally {
    // If the connection failed, whoever asked for it has received the error.
    await (await connected?.catch(() => undefined))?.close();
  }
}

/** A failure may name what Omni calls something. */
function masked(failure: Failure, secrets: readonly string[]): Failure {
  const mask = makeMaskOfLong(secrets);
  const { code, hint, addresses, findings, source, cause } = failure;
  return new Failure(code, mask(failure.message), {
    ...{ findings, cause },
    ...(hint === undefined ? {} : { hint: mask(hint) }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(source === undefined ? {} : { source }),
  });
}

async function connect(options: ServiceOptions, onRequest: () => void): Promise<Api> {
  const { secrets, onWait, onNote, allowHttp, maxAttempts, maxWait } = options;
  const limits = { allowHttp, maxAttempts, maxWait };
  const told = { onWait, onRequest, ...(onNote === undefined ? {} : { onNote }) };
  const settings = { ...settingsOf(options), secrets, ...limits, ...told };
  return readingOnce(await options.connect(settings));
}

function settingsOf({ config, environment }: ServiceOptions) {
  if (config === undefined) throw new Error('the service is asked without a configuration');
  const { baseUrl, rateLimit, concurrency, timeout } = config.api;
  if (baseUrl === undefined) throw noBaseUrl();
  return { baseUrl, token: tokenSource(config, environment).token, rateLimit, concurrency, timeout };
}

export function noBaseUrl(): Failure {
  return new Failure(
    'missing-base-url',
    'Neither almanac.yaml nor OMNI_BASE_URL says which organization to apply to.',
    { hint: 'Set `api: { baseUrl: … }` in almanac.yaml. Nothing was sent.' },
  );
}

/** Online checks and a refresh of the same run both need the filters of a dashboard. */
function readingOnce(api: Api): Api {
  const filters = new Map<string, RemoteFilters>();
  const queries = new Map<string, readonly RemoteQuery[]>();
  const users = new Map<string, ReturnType<Api['listUsers']>>();
  return {
    ...api,
    getFilters: (identifier, options) => once(filters, identifier, () => api.getFilters(identifier, options)),
    listQueries: (identifier, options) => once(queries, identifier, () => api.listQueries(identifier, options)),
    // Several changes ask at once for the same person, so the question is kept, and forgotten if it fails.
    listUsers: (only, options) => {
      const key = only.email?.toLowerCase() ?? '';
      const asked = users.get(key) ?? api.listUsers(only, options);
      users.set(key, asked);
      asked.catch(() => users.delete(key));
      return asked;
    },
    updateFilters: (attributes, options) => {
      filters.clear();
      return api.updateFilters(attributes, options);
    },
  };
}

async function once<T>(known: Map<string, T>, key: string, read: () => Promise<T>): Promise<T> {
  const value = known.get(key) ?? (await read());
  known.set(key, value);
  return value;
}
