// A receiver of webhooks that keeps what comes, and answers as the test says.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookSink {
  readonly url: string;
  readonly received: Received[];
}

/** Closed when the test ends. `answer` is given how many came before. */
export async function openSink(answer: (before: number) => number = () => 200): Promise<WebhookSink> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const status = answer(received.length);
      received.push({ path: request.url ?? '', headers: request.headers, body });
      if (status === 0) response.destroy();
      else response.writeHead(status, { Location: '/elsewhere' }).end('x'.repeat(100));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, received };
}
