// Stands between the program and an emulator, and keeps what was sent: what reaches the service is what counts, and not
// what a report says. A test may change what is answered, or answer itself.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

interface Passed {
  readonly status: number;
  readonly text: string;
  readonly date?: string;
}

/** Answers a request, most often with what `forward` brings; undefined: the connection ends. */
export type Pass = (request: SentRequest, forward: () => Promise<Passed>) => Promise<Passed | undefined>;

export interface Gateway {
  /** Ends in `/api`, as that of the service behind it. */
  readonly baseUrl: string;
  readonly sent: SentRequest[];
  pass: Pass;
  close(): Promise<void>;
}

/** `target`: the base URL of the emulator. */
export async function openGateway(target: string, pass: Pass = (_, forward) => forward()): Promise<Gateway> {
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    incoming.on('end', async () => {
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, body };
      gateway.sent.push(request);
      const passed = await gateway.pass(request, async () => {
        const answer = await fetch(new URL(path, target), {
          method,
          headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
          body: body || undefined,
        });
        return { status: answer.status, text: await answer.text() };
      });
      if (passed === undefined) response.destroy();
      else {
        const { status, text, date } = passed;
        response.writeHead(status, { 'content-type': 'application/json', ...(date && { date }) }).end(text);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gateway: Gateway = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    sent: [],
    pass,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return gateway;
}
