// Asks Omni with a small read, and a second one if that had no answer. Both give up soon, so that a mistyped host shows
// within seconds.

import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import type { Loaded } from '../load/load.ts';
import type { Service, ServiceOptions } from '../service/service.ts';
import { attempt } from './attempt.ts';

/** What Omni answered. */
export interface Answer {
  /** Undefined if the read succeeded. */
  readonly failure: Failure | undefined;
  /** Milliseconds by which the service's clock is ahead; undefined if there was no answer, or no time in it. */
  readonly clockDifference: number | undefined;
}

export interface AskRequest {
  readonly config: Config;
  /** Its secrets are masked in every answer. */
  readonly loaded: Loaded;
  readonly asking: <T>(loaded: Loaded, limits: Limits, work: (service: Service) => Promise<T>) => Promise<T>;
}

export type Limits = Pick<ServiceOptions, 'maxAttempts' | 'maxWait' | 'allowHttp'>;

const mostAttempts = 2;
/** In seconds. */
const longestAnswer = 8;
const longestWait = 5;

/** Throws Failure interrupted. */
export async function askService(request: AskRequest): Promise<Answer> {
  const { api } = request.config;
  const config = { ...request.config, api: { ...api, timeout: Math.min(api.timeout, longestAnswer) } };
  const limits: Limits = { maxAttempts: mostAttempts, maxWait: longestWait, allowHttp: false };
  let service: Api | undefined;
  const read = await attempt(() =>
    request.asking({ ...request.loaded, config }, limits, async ({ api, call }) => {
      service = await api();
      await unlessInterrupted(readOne(service, config, call), call.signal);
    }),
  );
  return {
    failure: 'failure' in read ? read.failure : undefined,
    clockDifference: service?.clockDifference(),
  };
}

async function readOne(api: Api, { api: { operations } }: Config, call: CallOptions): Promise<void> {
  if (operations === 'full') await api.listSchedules({ limit: 1 }, call);
  else {
    const order = { sortField: 'name', sortDirection: 'asc' } as const;
    await api.listDocuments({ include: [], labels: [], pageSize: 1, limit: 1, ...order }, call);
  }
}

/** Unlike a change, a read may be given up where it is. */
async function unlessInterrupted(reading: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  let stop = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    stop = () => reject(new Failure('interrupted', 'Interrupted before Omni answered; nothing was changed.'));
  });
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([reading, interrupted]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
