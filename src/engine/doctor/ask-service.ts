// Asks Omni with at most two small reads: one for each of the first two tokens, or a second try with the only token. Both
// give up soon, so that a mistyped host shows within seconds.

import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import type { Loaded } from '../load/load.ts';
import type { Environment } from '../load/load-config.ts';
import { type ServiceOptions, withService } from '../service/service.ts';
import type { TokenSource } from '../service/tokens.ts';
import { attempt } from './attempt.ts';

/** What Omni answered to one token. */
export interface Answer {
  /** Undefined if the read succeeded. */
  readonly failure: Failure | undefined;
  /** Milliseconds by which the service's clock is ahead; undefined if there was no answer, or no time in it. */
  readonly clockDifference: number | undefined;
}

export interface AskRequest {
  readonly config: Config;
  readonly environment: Environment;
  readonly source: TokenSource;
  /** Its secrets are masked in every answer. */
  readonly loaded: Loaded;
  readonly optionsFor: (loaded: Loaded, limits: Limits, environment: Environment) => ServiceOptions;
}

export type Limits = Pick<ServiceOptions, 'maxAttempts' | 'maxWait' | 'allowHttp'>;

const mostReads = 2;
/** In seconds. */
const longestAnswer = 8;
const longestWait = 5;

/** The answers to the first tokens, up to one that another token cannot change. Throws Failure interrupted. */
export async function askService(request: AskRequest): Promise<readonly Answer[]> {
  const tokens = [...new Set(request.source.tokens)].slice(0, mostReads);
  const answers: Answer[] = [];
  for (const token of tokens) {
    const answer = await askWith(token, Math.floor(mostReads / tokens.length), request);
    answers.push(answer);
    if (answer.failure !== undefined && !isAboutToken(answer.failure)) break;
  }
  return answers;
}

async function askWith(token: string, maxAttempts: number, request: AskRequest): Promise<Answer> {
  const { api } = request.config;
  const config = { ...request.config, api: { ...api, timeout: Math.min(api.timeout, longestAnswer) } };
  const environment: Environment = (name) => (name === request.source.variable ? token : request.environment(name));
  const limits: Limits = { maxAttempts, maxWait: longestWait, allowHttp: false };
  let service: Api | undefined;
  const read = await attempt(() =>
    withService(request.optionsFor({ ...request.loaded, config }, limits, environment), async ({ api, call }) => {
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

function isAboutToken({ code }: Failure): boolean {
  return code === 'api-unauthorized' || code === 'api-rejected' || code === 'api-rate-limited';
}
