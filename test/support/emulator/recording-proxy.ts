// Stands between the program and an emulator, and keeps the bodies of what was sent: what reaches the service is what
// counts, and not what a report says.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface RecordingProxy {
  /** Ends in `/api`, as that of the service behind it. */
  readonly baseUrl: string;
  readonly sent: SentRequest[];
  /** Answers 400 to such a request, and does not pass it on. */
  refuses: ((request: SentRequest) => boolean) | undefined;
  close(): Promise<void>;
}

/** `target`: the base URL of the emulator. */
export async function openRecordingProxy(target: string): Promise<RecordingProxy> {
  const origin = new URL(target).origin;
  const sent: SentRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', async () => {
      const { method = '', url = '', headers } = request;
      sent.push({ method, path: url, body });
      if (proxy.refuses?.({ method, path: url, body })) {
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"detail":"not now"}');
        return;
      }
      const answer = await fetch(origin + url, {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
        body: body || undefined,
      });
      const text = await answer.text();
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: RecordingProxy = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    sent,
    refuses: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return proxy;
}
