// Asks an endpoint on a connection of its own, such as one that hands out credentials: again while a fault may pass.

import { isLoopback } from '../../model/workspace/base-url-fault.ts';
import type { Clock } from '../../ports/clock.ts';
import { makeDispatcher } from '../http/dispatcher.ts';
import { type Answer, exchange, type NoAnswer, type WireRequest } from './exchange.ts';
import type { Environment } from './host.ts';

export interface EndpointOptions {
  /** For proxies. */
  readonly environment: Environment;
  /** For one try. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Undefined: the endpoint is asked once. */
  readonly again?: { readonly clock: Clock; readonly mayPass: (answer: Answer | NoAnswer) => boolean };
}

export type EndpointRequest = Omit<WireRequest, 'origin' | 'path'>;

const tries = 4;
const firstPauseMs = 500;

/** The last answer, or none. Throws Failure usage for a proxy that cannot be used, and interrupted. */
export async function askEndpoint(
  url: URL,
  request: EndpointRequest,
  { environment, timeoutMs, signal, again }: EndpointOptions,
): Promise<Answer | NoAnswer> {
  const { origin, host, pathname, search } = url;
  const dispatcher = await makeDispatcher({
    base: { origin, host, path: '', loopback: isLoopback(url.hostname) },
    timeout: timeoutMs / 1000,
    connections: 1,
    environment,
  });
  const sent = { ...request, origin, path: pathname + search };
  try {
    for (let count = 1; ; count += 1) {
      const answer = await exchange(dispatcher, sent, timeoutMs, signal);
      if (again === undefined || count === tries || !again.mayPass(answer)) return answer;
      await again.clock.sleep(firstPauseMs * 2 ** (count - 1), signal);
    }
  } finally {
    await dispatcher.destroy();
  }
}
