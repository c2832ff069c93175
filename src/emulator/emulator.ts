// The local double of the service: an HTTP server on loopback over a store. `answerTo` shows the way of a request; its
// work between requests is in background.ts.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, toErrorAnswer } from './answers.ts';
import { type BackgroundOptions, makeBackground, type Sleep, sleepByTimer } from './background.ts';
import { demoOrganization } from './demo-organization.ts';
import { answerUnder, type Fault, type FaultName, makeFaultPicker, type Quirks } from './faults.ts';
import { coreOperations, fullOperations } from './operations.ts';
import {
  authenticate,
  basePath,
  findRoute,
  limitRate,
  receiveBody,
  refuseBrokenRequest,
  refuseForeignHost,
  sendAnswer,
} from './pipeline.ts';
import { type Exchange, openExchange } from './requests.ts';
import { makeRuns } from './runs.ts';
import { createStore, type Delivery, type EmulatorData, type JobEvent, type Store, type Token } from './store.ts';

export interface EmulatorOptions extends Quirks, BackgroundOptions {
  /** Requests per token in any 60 seconds; 0 for no limit, 60 by default. */
  readonly rateLimit?: number;
  /** `core`, the default, is the documented minimum; `full` adds the rest of the vendor's public API. */
  readonly operations?: 'core' | 'full';
  /** The duration of a dashboard's download in milliseconds; 3,000 by default. */
  readonly downloadDurationMs?: number;
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
  listen(port?: number, host?: string): Promise<RunningEmulator>;
  /** Stops the server, and drops connections that clients keep open. */
  close(): Promise<void>;
  /** A copy of the current data of the organization. */
  data(): EmulatorData;
  /** Changes the organization without the API, as a person in the browser would. */
  edit(change: (data: EmulatorData) => void): void;
  /** Does everything that is due by `now`: runs job steps, posts events and deliveries. Resolves when it is done. */
  tick(): Promise<void>;
  /** The deliveries, and the webhook events with their attempts. */
  inspect(): Inspection;
  /** The last 10,000 requests, in the order of their answers. */
  requests(): readonly RecordedRequest[];
  /**
   * Also answers requests that are passed to it as a `request` event, even if it does not listen. A project that uses
   * this package may have no types of Node.
   */
  readonly server: { emit(event: 'request', request: object, response: object): boolean };
}

interface RunningEmulator {
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
  readonly fault: FaultName | undefined;
  /** Undefined if the token was missing or unknown. */
  readonly token: Token['kind'] | undefined;
}

const maxRecorded = 10_000;

export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const store = createStore({ ...options, data: options.data ?? demoOrganization() });
  const { faults = [], downloadDurationMs = 3000, rateLimit = 60 } = options;
  const operations = options.operations === 'full' ? fullOperations : coreOperations;
  const checkRate = limitRate(rateLimit, store.now);
  const pickFault = makeFaultPicker(faults);
  const runs = makeRuns(store, faults);
  const recorded: RecordedRequest[] = [];
  let listenedHost = '127.0.0.1';
  const sleep = options.sleep ?? (options.now ? undefined : sleepByTimer);
  let background = makeBackground(store, options, sleep);

  async function answerTo(exchange: Exchange): Promise<Answer> {
    const { request, method, path, query } = exchange;
    try {
      const caller = authenticate(request, store);
      exchange.caller = caller;
      checkRate(caller);
      const { operation, ids } = findRoute(operations, method, path);
      if (operation.hasBody) exchange.body = await receiveBody(request);
      const { fault, atWork } = await pickFault(method, path.slice(basePath.length));
      exchange.fault = fault;
      const [id = '', jobId = ''] = ids;
      const { body } = exchange;
      const call = { store, quirks: options, caller, id, jobId, query, body, runs, downloadDurationMs, atWork };
      return answerUnder(fault, () => operation.answer(call));
    } catch (error) {
      return toErrorAnswer(error);
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = refuseForeignHost(request.headers.host, listenedHost);
    if (foreign !== undefined) return sendAnswer(response, foreign, undefined);
    const exchange = openExchange(request);
    response.setHeader('Date', new Date(store.now()).toUTCString());
    if (exchange.path === inspectPath) return sendAnswer(response, answerInspection(exchange.method, store), undefined);
    const answer = await answerTo(exchange);
    // The client left before the request was read. If a client leaves later, the request is still recorded.
    if (response.destroyed && !request.complete) return;
    recorded.push(recordOf(exchange, answer, store.now()));
    if (recorded.length > maxRecorded) recorded.shift();
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
      const tokenOf = (kind: Token['kind']) => store.data.tokens.find((token) => token.kind === kind)?.token ?? '';
      await once(server.listen(port, host), 'listening');
      listenedHost = host;
      background = makeBackground(store, options, sleep);
      background.poke();
      return {
        baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/api`,
        organizationKey: tokenOf('organization'),
        personalToken: tokenOf('personal'),
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
    server,
  };
}

function recordOf(exchange: Exchange, { status }: Answer, at: number): RecordedRequest {
  const { method, path, query, body, caller, fault } = exchange;
  return { at, method, path, query: Object.fromEntries(query), body, status, fault: fault?.fault, token: caller?.kind };
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The only possible error is that the server was not listening, and that is fine.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * GET /inspect, next to the API and without a token: the deliveries, and the webhook events with every attempt.
 * Contains no token and no signing secret.
 */
const inspectPath = '/inspect';

interface Inspection {
  readonly deliveries: readonly Delivery[];
  readonly events: readonly JobEvent[];
}

function inspect({ data }: Store): Inspection {
  return structuredClone({ deliveries: data.deliveries, events: data.events ?? [] });
}

function answerInspection(method: string, store: Store): Answer {
  if (method === 'GET') return { status: 200, body: inspect(store) };
  return { status: 405, headers: { Allow: 'GET' }, body: { detail: 'Invalid request method', status: 405 } };
}
