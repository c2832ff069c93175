// A local double of the service: an HTTP server on loopback over a store. A request passes through a list of steps
// (authenticate, limit, route, receive, inject faults, answer) until one of them ends it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BackgroundOptions, makeBackground, type Sleep, sleepByTimer } from './background.ts';
import { answerInspection, type Inspection, inspect, inspectPath } from './inspect.ts';
import { coreOperations, fullOperations } from './operations.ts';
import { type Answer, toErrorAnswer } from './pipeline/answer.ts';
import { authenticateBy } from './pipeline/authenticate.ts';
import { type Exchange, openExchange, type ScheduleRuns, type Step } from './pipeline/exchange.ts';
import type { Fault, FaultName } from './pipeline/fault.ts';
import { injectFaults } from './pipeline/inject-faults.ts';
import { refuseForeignHost } from './pipeline/own-host.ts';
import type { Quirks } from './pipeline/quirks.ts';
import { receiveBody } from './pipeline/receive-body.ts';
import { refuseBrokenRequest } from './pipeline/refuse-broken-request.ts';
import { routeBy } from './pipeline/route-request.ts';
import { disturb, sendAnswer } from './pipeline/send-answer.ts';
import { limitRate } from './pipeline/sliding-window.ts';
import { makeRuns } from './runs/catch-up.ts';
import { demoOrganization } from './store/demo-organization.ts';
import { createStore, type EmulatorData, type Store, type Token } from './store/store.ts';

export interface EmulatorOptions extends Quirks, BackgroundOptions {
  /** Requests per token in any 60 seconds; 0 for no limit, 60 by default. */
  readonly rateLimit?: number;
  /** `core`, the default, is the documented minimum; `full` adds the rest of the vendor's public API. */
  readonly operations?: 'core' | 'full';
  /** How long a run of a schedule takes, in milliseconds; 0 by default: then it has ended when it begins. */
  readonly runDurationMs?: number;
  /** The faults to inject; an invalid fault throws a BadFault. */
  readonly faults?: readonly Fault[];
  /**
   * The clock, in epoch milliseconds; the rate limit uses it too. If it is given without `sleep`, AI jobs and postings
   * wait for `tick`.
   */
  readonly now?: () => number;
  /** Waits between the steps of AI jobs; timers are used if neither this nor `now` is given. */
  readonly sleep?: Sleep;
  /** Like Math.random; the source of ids. */
  readonly random?: () => number;
  /** The organization to start with, instead of the demo. */
  readonly data?: EmulatorData;
  /** Called with a copy after each change. */
  readonly onChange?: (data: EmulatorData) => void;
}

export interface Emulator {
  /** Port 0 takes a free one. */
  listen(port?: number, host?: string): Promise<Listening>;
  /** Stops the server, and drops connections that clients keep open. */
  close(): Promise<void>;
  /** A copy of the current data of the organization. */
  data(): EmulatorData;
  /** Changes the organization without the API, as a person in the browser would. */
  edit(change: (data: EmulatorData) => void): void;
  /** Does everything that is due by `now`: runs job steps, posts events and deliveries. Resolves when it is done. */
  tick(): Promise<void>;
  /** What was delivered, and the webhook events with their attempts. */
  inspect(): Inspection;
  /** The last 10,000 requests, in the order of their answers. */
  requests(): readonly RecordedRequest[];
}

interface Listening {
  /** Ends in `/api`. */
  readonly baseUrl: string;
  readonly organizationKey: string;
  readonly personalToken: string;
}

interface RecordedRequest {
  readonly at: number;
  readonly method: string;
  /** As sent, `/api` included, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** As sent, secrets included; undefined if no body was read. */
  readonly body: unknown;
  /** As sent; 0 if a fault dropped the connection. */
  readonly status: number;
  /** The fault that struck the request. */
  readonly fault: FaultName | undefined;
  /** undefined: the token was missing or unknown. */
  readonly token: Token['kind'] | undefined;
}

const mostRecorded = 10_000;

export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const store = createStore({ ...options, data: options.data ?? demoOrganization() });
  const steps: readonly Step[] = [
    authenticateBy(store),
    limitRate(options.rateLimit ?? 60, store.now),
    routeBy(options.operations === 'full' ? fullOperations : coreOperations),
    receiveBody,
    injectFaults(options.faults ?? []),
    answerFrom(store, options, makeRuns(store, options.faults ?? [], options.runDurationMs ?? 0)),
  ];
  const recorded: RecordedRequest[] = [];
  let listenedHost = '127.0.0.1';
  const sleep = options.sleep ?? (options.now ? undefined : sleepByTimer);
  let background = makeBackground(store, options, sleep);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = refuseForeignHost(request.headers.host, listenedHost);
    if (foreign !== undefined) return sendAnswer(response, foreign, undefined);
    const exchange = openExchange(request);
    response.setHeader('Date', new Date(store.now()).toUTCString());
    if (exchange.path === inspectPath) return sendAnswer(response, answerInspection(exchange.method, store), undefined);
    const answer = disturb(await runSteps(exchange, steps), exchange.fault);
    // The client left before the request was read. If a client leaves later, the request is still recorded.
    if (response.destroyed && !request.complete) return;
    recorded.push(recordOf(exchange, answer, store.now()));
    if (recorded.length > mostRecorded) recorded.shift();
    if (!response.destroyed) sendAnswer(response, answer, exchange.fault);
    background.poke();
  }

  const timeouts = { headersTimeout: 15_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };
  const server = createServer(timeouts, (request, response) => void serve(request, response));
  server.on('clientError', refuseBrokenRequest);
  // Longer than a client waits for its rate limit, so that its next request does not hit a socket that just closed.
  server.keepAliveTimeout = 75_000;

  return {
    listen: async (port = 0, host = '127.0.0.1') => {
      await startListening(server, port, host);
      listenedHost = host;
      background = makeBackground(store, options, sleep);
      background.poke();
      return {
        baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/api`,
        organizationKey: tokenOf(store, 'organization'),
        personalToken: tokenOf(store, 'personal'),
      };
    },
    close: async () => {
      await Promise.all([background.close(), stopListening(server)]);
    },
    data: () => structuredClone(store.data),
    edit: (change) => {
      change(store.data);
      store.save();
      background.poke();
    },
    tick: () => background.tick(),
    inspect: () => inspect(store),
    requests: () => [...recorded],
  };
}

async function runSteps(exchange: Exchange, steps: readonly Step[]): Promise<Answer> {
  try {
    for (const step of steps) {
      const answer = await step(exchange);
      if (answer !== undefined) return answer;
    }
    throw new Error('no step answered');
  } catch (error) {
    return toErrorAnswer(error);
  }
}

function answerFrom(store: Store, quirks: Quirks, runs: ScheduleRuns): Step {
  return ({ caller, route, query, body }) => {
    if (caller === undefined || route === undefined) throw new Error('answered before it was routed');
    return route.operation.answer({ store, quirks, caller, params: route.params, query, body, runs });
  };
}

function recordOf(exchange: Exchange, { status }: Answer, at: number): RecordedRequest {
  const { method, path, query, body, caller, fault } = exchange;
  return {
    at,
    method,
    path,
    query: Object.fromEntries(query),
    body,
    status,
    fault: fault?.fault,
    token: caller?.kind,
  };
}

function startListening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The only possible error is that the server was not listening, and that is fine.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function tokenOf(store: Store, kind: Token['kind']): string {
  return store.data.tokens.find((token) => token.kind === kind)?.token ?? '';
}
