// Receives webhook requests on this machine, and forwards them unchanged.

import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ForwardRequest, Receiver, ReceiverOptions, Reply } from '../../model/outside.ts';
import { Failure } from '../../model/workspace/failure.ts';

const mostConnections = 100;

interface Patience {
  /** How long a request may take to arrive. */
  readonly requestMs: number;
  /** How often connections are checked for that. */
  readonly checkMs: number;
  /** How long a client that was refused may read the answer. */
  readonly graceMs: number;
}

const usualPatience: Patience = { requestMs: 15_000, checkMs: 5_000, graceMs: 1_000 };

export async function openReceiver(options: ReceiverOptions, patience = usualPatience): Promise<Receiver> {
  const { requestMs, checkMs, graceMs } = patience;
  const timeouts = { requestTimeout: requestMs, headersTimeout: requestMs, connectionsCheckingInterval: checkMs };
  const server = createServer(timeouts, (request, response) => void serve(request, response, options));
  server.maxConnections = mostConnections;
  server.on('clientError', (_, socket) => refuseBroken(socket, graceMs));
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const { host } = options;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      }),
  };
}

/** A client that neither reads nor closes its side would otherwise keep the connection, and count as one, for good. */
function refuseBroken(socket: Duplex, graceMs: number): void {
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  setTimeout(() => socket.destroy(), graceMs).unref();
}

async function serve(request: IncomingMessage, response: ServerResponse, options: ReceiverOptions): Promise<void> {
  response.on('error', () => {});
  let reply: Reply;
  try {
    const body = await readBody(request, options.largestBody);
    const { method = '', url: path = '/', headers } = request;
    reply = await options.onRequest({ method, path, headers, body });
  } catch {
    // The client disconnected during its request, or there is a bug. Either way the next request is served.
    if (request.destroyed && !request.complete) return;
    reply = { status: 500, body: { error: 'internal' } };
  }
  const text = JSON.stringify(reply.body);
  const isWhole = request.complete;
  response.writeHead(reply.status, {
    ...reply.headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...(isWhole ? {} : { Connection: 'close' }),
  });
  response.end(text);
  // Reads the rest of an oversized body for a moment, so that the client receives the answer.
  if (!isWhole) {
    request.resume();
    setTimeout(() => request.destroy(), 1000).unref();
  }
}

/** Undefined as soon as the body is larger than allowed. */
function readBody(request: IncomingMessage, largest: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > largest) return resolve(undefined);
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largest) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client left.')));
  });
}

async function listen(server: Server, { port, host }: ReceiverOptions): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    const hint = 'Choose another with --port or --host; port 0 takes any free one.';
    const why = (cause as Error).message;
    throw new Failure('usage', `The listener cannot use port ${port} of ${host}: ${why}.`, { hint, cause });
  }
}

const timeoutMs = 10_000;

const ofTheConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'expect', 'host', 'content-length'],
]);

export const forwardRequest: ForwardRequest = (url, { headers, body }) =>
  new Promise((resolve) => {
    const send = url.toLowerCase().startsWith('https:') ? requestHttps : requestHttp;
    const kept = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofTheConnection.has(name) ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    );
    const fail = (error: Error): void => resolve({ problem: error.message || 'no connection' });
    const request = send(url, {
      method: 'POST',
      agent: false,
      timeout: timeoutMs,
      headers: { ...Object.fromEntries(kept), 'content-length': body.byteLength },
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    request.on('error', fail);
    request.on('response', (response) => {
      response.on('error', fail);
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    request.end(body);
  });
