// The steps of every request before its operation and after it. They refuse or route it, read its body and send its
// answer; `answerTo` in emulator.ts takes most of them in order.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Answer, Rejection, toErrorAnswer } from './answers.ts';
import type { Fault } from './faults.ts';
import { isThisMachine, parsedUrl } from './formats.ts';
import type { Operation } from './requests.ts';
import type { Store, Token } from './store.ts';

/**
 * The answer to a request that names another host than this machine; undefined if it names this one. The emulator's
 * tokens are public, so without this a page in a browser could make its own host name lead here (DNS rebinding) and use
 * them. `listened` is the host that is listened on.
 */
export function refuseForeignHost(header: string | undefined, listened: string): Answer | undefined {
  const name = hostName(header ?? '');
  if (isThisMachine(name) || name === hostName(listened.includes(':') ? `[${listened}]` : listened)) return undefined;
  return toErrorAnswer(new Rejection(421, `The emulator does not answer for the host ${JSON.stringify(header ?? '')}`));
}

function hostName(text: string): string | undefined {
  if (!/^[^\s/?#@\\]+$/.test(text)) return undefined;
  return parsedUrl(`http://${text}`)?.hostname.replace(/\.$/, '');
}

const maxBytes = 1_000_000;

// Deeper bodies can be parsed, but overflow the stack when they are copied or printed later.
const maxDepth = 200;

/** The body of a request: JSON media type, at most one megabyte, valid UTF-8. */
export async function receiveBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request);
  if (!isJsonMediaType(request.headers['content-type'])) {
    throw new Rejection(415, 'Content-Type must be application/json');
  }
  return parseJson(bytes);
}

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

/** Identifies the caller: the bearer token belongs either to the organization or to one of its members. */
export function authenticate({ headers }: IncomingMessage, { data }: Store): Token {
  const sent = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const caller = data.tokens.find((known) => known.token === sent);
  if (caller === undefined) throw new Rejection(401, 'Unauthorized: Missing or invalid API key');
  return caller;
}

const windowMilliseconds = 60_000;

/** Allows `limit` requests per token in any sixty seconds; 0 allows all. A refused request does not count. */
export function limitRate(limit: number, now: () => number): (caller: Token) => void {
  const taken = new Map<string, number[]>();
  return ({ token }) => {
    if (limit === 0) return;
    const time = now();
    const recent = (taken.get(token) ?? []).filter((at) => at > time - windowMilliseconds);
    taken.set(token, recent);
    const oldest = recent[0];
    if (oldest !== undefined && recent.length >= limit) {
      const seconds = Math.ceil((oldest + windowMilliseconds - time) / 1000);
      throw new Rejection(429, `Too many requests: ${limit} a minute are allowed`, { 'Retry-After': String(seconds) });
    }
    recent.push(time);
  };
}

export const basePath = '/api';

/** Finds the operation for a method and a path. A known path with another method is 405; anything else is 404. */
export function findRoute(operations: readonly Operation[], method: string, path: string) {
  const matches = operations.flatMap((operation) => {
    const ids = idsIn(basePath + operation.path, path);
    return ids === undefined ? [] : [{ operation, ids }];
  });
  if (matches.length === 0) throw new Rejection(404, `There is no operation at ${path}`);
  const route = matches.find(({ operation }) => operation.method === method);
  if (route === undefined) {
    const allowed = matches.map(({ operation }) => operation.method).join(', ');
    throw new Rejection(405, 'Invalid request method', { Allow: allowed });
  }
  return route;
}

/** The parts of a path in place of the template's parameters; undefined for another path. */
function idsIn(template: string, path: string): readonly string[] | undefined {
  const expected = template.split('/');
  const segments = path.split('/').map(decodeSegment);
  if (expected.length !== segments.length) return undefined;
  const isParameter = (part: string) => part.startsWith('{');
  const fits = expected.every((part, index) => (isParameter(part) ? segments[index] : segments[index] === part));
  return fits
    ? segments.flatMap((segment, index) => (isParameter(expected[index] ?? '') ? (segment ?? []) : []))
    : undefined;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const notJson = '<html><head><title>Please wait</title></head><body>One moment &hellip;</body></html>';

/** Sends an answer; a fault may put a page of HTML in its place, or cut it. Status 0 closes the connection. */
export function sendAnswer(
  response: ServerResponse,
  { status, headers, body, file }: Answer,
  fault: Fault | undefined,
): void {
  if (status === 0) {
    response.destroy();
  } else if (fault?.fault === 'garbage') {
    response.writeHead(status, { 'Content-Type': 'text/html' });
    response.end(notJson);
  } else {
    const bytes = file ?? Buffer.from(JSON.stringify(body));
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length, ...headers });
    if (fault?.fault !== 'cut') response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }
}

/** The milliseconds that the sender of a broken request has to read the answer. */
const graceMs = 1000;

/**
 * Input that is not HTTP, or never comes to its end, never becomes a request; its sender still gets an error in the
 * service's form.
 */
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
