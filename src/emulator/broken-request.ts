// What the server says to bytes that are not HTTP, and to a request that never comes to its end.

import type { Duplex } from 'node:stream';
import { Rejection, toErrorAnswer } from './answers.ts';

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
