// The service over HTTP: the port `Api` as one connection pool, one rate limit and one function an operation.

import type { Json } from '../model/json.ts';
import type { Api, ApiSettings, Created } from '../ports/api.ts';
import type { Clock } from '../ports/clock.ts';
import type { Operation } from './api-failure.ts';
import { checkBaseUrl, checkTokens } from './base-url.ts';
import { type Environment, proxySecrets } from './dispatcher.ts';
import { type Caller, send } from './http-call.ts';
import { cleanText, makeMask } from './service-text.ts';
import { makeSlidingWindow } from './sliding-window.ts';
import { openTransport } from './transport.ts';
import {
  type Reading,
  readCreatedAiJob,
  readCreatedSchedule,
  readUpdatedFilters,
  toRequest,
  type WireRequest,
} from './wire.ts';

export interface HttpApiSettings extends ApiSettings {
  readonly clock: Clock;
  /** From 0 to 1; Math.random by default. */
  readonly random?: () => number;
  /** Almanac's own version. */
  readonly version: string;
  /** Where proxies are looked up. */
  readonly environment?: Environment;
}

const updateFilters: Operation = {
  method: 'PATCH',
  path: '/v1/dashboards/{dashboardId}/filters',
  notFoundHint:
    'Check `identifier`, the last part of the dashboard’s URL, and that the base URL is of the same organization.',
};
const createSchedule: Operation = {
  method: 'POST',
  path: '/v1/schedules',
  notFoundHint: 'Check `identifier`: the dashboard must exist in the organization of the base URL, and be published.',
};
const createAiJob: Operation = {
  method: 'POST',
  path: '/v1/ai/jobs',
  notFoundHint: 'Check `modelId`, and branchId, conversationId and topicName where they are declared.',
};

export async function connectHttpApi(settings: HttpApiSettings): Promise<Api> {
  const { rateLimit, concurrency, clock, onWait } = settings;
  const base = checkBaseUrl(settings.baseUrl, settings.allowHttp);
  const tokens = checkTokens(settings.tokens);
  const environment = settings.environment ?? {};
  const caller: Caller = {
    ...settings,
    base,
    tokens,
    secrets: [...tokens, ...proxySecrets(environment)],
    random: settings.random ?? Math.random,
    transport: await openTransport({ base, timeout: settings.timeout, connections: concurrency, environment }),
    window: makeSlidingWindow({ tokens, rateLimit, concurrency, clock, onWait }),
  };

  return {
    updateFilters: async (attributes, options) => {
      const request = toRequest('dashboard', attributes);
      return send(caller, { operation: updateFilters, request, read: readUpdatedFilters, options });
    },
    createSchedule: async (attributes, options) => {
      const request = toRequest('schedule', attributes);
      const testNow = attributes['testNow'] === true;
      const read = (answer: Json | undefined) => showable(readCreatedSchedule(answer, testNow), caller, request);
      return send(caller, { operation: createSchedule, request, read, options });
    },
    createAiJob: async (attributes, options) => {
      const request = toRequest('aiJob', attributes);
      const read = (answer: Json | undefined) => showable(readCreatedAiJob(answer), caller, request);
      return send(caller, { operation: createAiJob, request, read, options });
    },
    close: () => caller.transport.close(),
  };
}

/** Outputs go into the state, so no secret may come back in them. A short one would only spoil ids and addresses. */
function showable(reading: Reading<Created>, caller: Caller, request: WireRequest): Reading<Created> {
  if (!('value' in reading)) return reading;
  const mask = makeMask([...caller.secrets, ...request.secrets].filter((secret) => secret.length >= 8));
  const outputs = Object.entries(reading.value.outputs).map(([name, text]) => [name, mask(cleanText(String(text)))]);
  return { value: { ...reading.value, outputs: Object.fromEntries(outputs) } };
}
