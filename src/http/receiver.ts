// Receives webhook requests on this machine.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Receiver, ReceiverOptions, Reply } from '../model/outside.ts';
import { Failure } from '../model/workspace/failure.ts';

const maxConnections = 100;

/** `requestMs`: how long a request may take to arrive. Node lets go of a client that sends no HTTP. */
export async function openReceiver(options: ReceiverOptions, requestMs = 15_000): Promise<Receiver> {
  const timeouts = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: requestMs / 4,
  };
  const server = createServer(timeouts, (request, response) => void serve(request, response, options));
  server.maxConnections = maxConnections;
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const { host } = options;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      }),
  };
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
  response.writeHead(reply.status, {
    ...reply.headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    // Nobody reads the rest of an oversized body.
    ...(request.complete ? {} : { Connection: 'close' }),
  });
  response.end(text);
}

/** Returns undefined as soon as the body is larger than allowed. */
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
