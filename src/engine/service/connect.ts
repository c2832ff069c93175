// The connection of a run: what it may take is checked before it is made, and it is made once.

import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Api, ConnectApi } from '../../ports/api.ts';
import { tokensOf } from '../apply/check-apply.ts';
import type { Environment } from '../load/load-config.ts';

export interface ConnectOptions {
  readonly config: Config;
  readonly environment: Environment;
  readonly connect: ConnectApi;
  readonly reporter: {
    emit(event: { readonly type: 'waiting'; readonly seconds: number; readonly why: string }): void;
  };
  readonly allowHttp: boolean;
  readonly maxAttempts: number;
  readonly maxWait: number;
  /** Told before each request is sent. */
  readonly onRequest?: () => void;
}

export interface Connection {
  readonly tokens: readonly string[];
  /** Connected at the first call. Throws Failure usage for a base URL that may not be used. */
  open(): Promise<Api>;
  close(): Promise<void>;
}

/** Throws Failure missing-base-url, missing-token; connects to nothing yet. */
export function connectionOf(options: ConnectOptions): Connection {
  const { config, environment, reporter } = options;
  const { baseUrl, rateLimit, concurrency, timeout } = config.api;
  if (baseUrl === undefined) throw noBaseUrl();
  const tokens = tokensOf(config, environment);
  const { allowHttp, maxAttempts, maxWait, onRequest } = options;
  const onWait = (seconds: number, why: string) => reporter.emit({ type: 'waiting', seconds, why });
  const limits = { rateLimit, concurrency, timeout, maxAttempts, maxWait };
  const told = onRequest === undefined ? { onWait } : { onWait, onRequest };
  const settings = { baseUrl, tokens, allowHttp, ...limits, ...told };
  let api: Promise<Api> | undefined;
  return {
    tokens,
    open: () => {
      api ??= options.connect(settings);
      return api;
    },
    close: async () => (await api)?.close(),
  };
}

export function noBaseUrl(): Failure {
  return new Failure(
    'missing-base-url',
    'Neither almanac.yaml nor OMNI_BASE_URL says which organization to apply to.',
    { hint: 'Set `api: { baseUrl: … }` in almanac.yaml. Nothing was sent.' },
  );
}
