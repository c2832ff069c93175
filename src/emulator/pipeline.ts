// The way of a request to its operation and back: its body is received, it is refused or routed, and its answer is sent.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorOf, type Fault } from './faults.ts';
import type { Operation, Step } from './requests.ts';
import type { Store } from './store.ts';

/**
 * An answer of the emulator: a status, headers and a JSON body. A refusal is thrown, so that a rule deep inside an
 * operation can end the request; the pipeline turns it into the service's error body.
 */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A request that the service refuses: becomes `{ detail, status }`. */
export class Rejection extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = 'Rejection';
    this.status = status;
    this.headers = headers;
  }
}

export function toErrorAnswer(error: unknown): Answer {
  if (error instanceof Rejection) {
    const { status, headers, message: detail } = error;
    return { status, headers, body: { detail, status } };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 500, body: { detail: `This is a bug of the emulator: ${reason}`, status: 500 } };
}

/** Receives the body of a request: JSON media type, at most one megabyte, valid UTF-8. */
const maxBytes = 1_000_000;

// Deeper bodies can be parsed, but overflow the stack when they are copied or printed later.
const maxDepth = 200;

export const receiveBody: Step = async (exchange) => {
  if (exchange.route?.operation.hasBody !== true) return undefined;
  const bytes = await readBytes(exchange.request);
  if (!isJsonMediaType(exchange.request.headers['content-type'])) {
    throw new Rejection(415, 'Content-Type must be application/json');
  }
  exchange.body = parseJson(bytes);
  return undefined;
};

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Reads an oversized body to its end, so that the client receives the answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) throw new Rejection(413, `The request body is larger than ${maxBytes} bytes`);
  return Buffer.concat(chunks);
}

function isJsonMediaType(header: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/i.test(header?.split(';')[0]?.trim() ?? '');
}

function parseJson(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (depthOf(text) <= maxDepth) return JSON.parse(text);
  } catch {
    throw new Rejection(400, 'Bad Request: The request body is not valid JSON');
  }
  throw new Rejection(400, `Bad Request: The request body is nested more than ${maxDepth} deep`);
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString && character === '\\') index++;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === '[' || character === '{')) deepest = Math.max(deepest, ++depth);
    else if (!inString && (character === ']' || character === '}')) depth--;
  }
  return deepest;
}

// What the server says to bytes that are not HTTP, and to a request that never comes to its end.

/** How long the client may read the answer. */
const graceMs = 1000;

/** Input that is not HTTP never becomes a request; its sender still gets an error in the service's form. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A client that never closes its side would otherwise keep the connection for good.
  setTimeout(() => socket.destroy(), graceMs).unref();
  if (!socket.writable) return;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const { body } = toErrorAnswer(new Rejection(status, 'The request could not be read'));
  const text = JSON.stringify(body);
  const head = [`HTTP/1.1 ${status} Refused`, 'Content-Type: application/json', `Content-Length: ${text.length}`];
  socket.end([...head, 'Connection: close', '', text].join('\r\n'));
}

// Refuses requests that name another host than this machine. The emulator's tokens are public, so without this a page in
// a browser could make its own host name lead here (DNS rebinding) and use them.

/** The answer to a request for another host, undefined for one of ours. `listened` is the host that is listened on. */
export function refuseForeignHost(header: string | undefined, listened: string): Answer | undefined {
  const name = hostName(header ?? '');
  if (isThisMachine(name) || name === hostName(listened.includes(':') ? `[${listened}]` : listened)) return undefined;
  return toErrorAnswer(new Rejection(421, `The emulator does not answer for the host ${JSON.stringify(header ?? '')}`));
}

function hostName(text: string): string | undefined {
  if (!/^[^\s/?#@\\]+$/.test(text)) return undefined;
  return parsedUrl(`http://${text}`)?.hostname.replace(/\.$/, '');
}

/** Identifies the caller: the bearer token belongs either to the organization or to one of its members. */
export function authenticateBy(store: Store): Step {
  return (exchange) => {
    const sent = /^Bearer +(\S+)$/i.exec(exchange.request.headers.authorization ?? '')?.[1];
    const caller = store.data.tokens.find((known) => known.token === sent);
    if (caller === undefined) throw new Rejection(401, 'Unauthorized: Missing or invalid API key');
    exchange.caller = caller;
    return undefined;
  };
}

/** The rate limit: at most `limit` requests per token in any sixty seconds. A refused request does not count. */
const windowMilliseconds = 60_000;

/** A limit of 0 allows everything. */
export function limitRate(limit: number, now: () => number): Step {
  const taken = new Map<string, number[]>();
  return ({ caller }) => {
    if (limit === 0 || caller === undefined) return undefined;
    const time = now();
    const recent = (taken.get(caller.token) ?? []).filter((at) => at > time - windowMilliseconds);
    taken.set(caller.token, recent);
    const oldest = recent[0];
    if (oldest !== undefined && recent.length >= limit) {
      const seconds = Math.ceil((oldest + windowMilliseconds - time) / 1000);
      throw new Rejection(429, `Too many requests: ${limit} a minute are allowed`, { 'Retry-After': String(seconds) });
    }
    recent.push(time);
    return undefined;
  };
}

/** Finds the operation for a method and a path. A known path with another method is 405; anything else is 404. */
export const basePath = '/api';

export function routeBy(operations: readonly Operation[]): Step {
  return (exchange) => {
    const matches = operations.flatMap((operation) => {
      const params = matchPath(basePath + operation.path, exchange.path);
      return params === undefined ? [] : [{ operation, params }];
    });
    if (matches.length === 0) throw new Rejection(404, `There is no operation at ${exchange.path}`);
    const route = matches.find(({ operation }) => operation.method === exchange.method);
    if (route === undefined) {
      const allowed = matches.map(({ operation }) => operation.method).join(', ');
      throw new Rejection(405, 'Invalid request method', { Allow: allowed });
    }
    exchange.route = route;
    return undefined;
  };
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const expected = template.split('/');
  const segments = path.split('/');
  if (expected.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = decodeSegment(segments[index] ?? '');
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined && segment) params[name] = segment;
    else if (segment !== part) return undefined;
  }
  return params;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

// Sends an answer, or what is left of it after a fault that strikes after the work.

/** Larger than any answer of the service. */
const hugeBytes = 10_000_000;

const notJson = '<html><head><title>Please wait</title></head><body>One moment &hellip;</body></html>';

const idFields = ['id', 'jobId', 'scheduledTaskId'];

/** The answer for the client; status 0 if the connection is dropped without an answer. */
export function disturb(answer: Answer, fault: Fault | undefined): Answer {
  switch (fault?.fault) {
    case 'drop-before':
    case 'drop-after':
      return { status: 0, body: undefined };
    case '500-after':
    case '502-after':
    case '503-after':
    case '504-after':
      return errorOf(fault) ?? answer;
    case 'no-id':
      return { ...answer, body: withoutIds(answer.body) };
    case 'huge':
      return { ...answer, body: { ...asObject(answer.body), padding: 'x'.repeat(hugeBytes) } };
    default:
      return answer;
  }
}

export function sendAnswer(
  response: ServerResponse,
  { status, headers, body }: Answer,
  fault: Fault | undefined,
): void {
  if (status === 0) {
    response.destroy();
  } else if (fault?.fault === 'garbage') {
    response.writeHead(status, { 'Content-Type': 'text/html' });
    response.end(notJson);
  } else {
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length, ...headers });
    if (fault?.fault !== 'cut') response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }
}

function withoutIds(body: unknown): object {
  return Object.fromEntries(Object.entries(asObject(body)).filter(([name]) => !idFields.includes(name)));
}

function asObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}

/**
 * A URL parsed without throwing. URL.canParse is no help: on Node 20 it refuses letters such as ü once it is compiled.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Whether a host, as a URL has it, is this machine. */
export function isThisMachine(host: string | undefined): boolean {
  return host !== undefined && /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}
