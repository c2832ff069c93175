// Clients with half-open connections do not use up a server. Such a client begins a request and never reads or closes.

import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { openReceiver } from '../../src/http/receiver.ts';

const patience = { timeout: 8_000, interval: 50 };

const halfHeader = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ';
const halfBody = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\nhalf';
const noHttp = 'garbage\r\n\r\n';

/** Resolves once all of them have sent `text`. Those that the server turns away are left out. */
async function openHalf(url: string, count: number, text: string): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(Array.from({ length: count }, () => openOne(hostname, Number(port), text)));
  return sockets.filter((socket) => !socket.destroyed);
}

function openOne(host: string, port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    onTestFinished(() => {
      socket.destroy();
    });
    socket.pause();
    socket.on('error', () => resolve(socket));
    socket.write(text, () => resolve(socket));
  });
}

/** Whether the other side has gone altogether: what is written to it then fails. */
async function isGone(socket: Socket): Promise<boolean> {
  if (!socket.destroyed) await new Promise<void>((resolve) => socket.write('x', () => resolve()));
  return socket.destroyed;
}

async function receive() {
  const options = {
    port: 0,
    host: '127.0.0.1',
    largestBody: 1000,
    onRequest: async () => ({ status: 200, body: {} }),
  };
  const receiver = await openReceiver(options, 400);
  onTestFinished(() => receiver.close());
  return receiver.url;
}

const statusOf = (url: string) =>
  fetch(url, { method: 'POST', body: '{}' }).then(
    ({ status }) => status,
    () => 'refused',
  );

test.each([
  ['half a header', halfHeader],
  ['half a body', halfBody],
  ['what is not HTTP', noHttp],
])('110 clients that send %s and hold on do not switch the webhook listener off', async (_, text) => {
  const url = await receive();
  await openHalf(url, 110, text);
  await expect.poll(() => statusOf(url), patience).toBe(200);
});

test.each([
  ['what is not HTTP', noHttp],
  ['a header that is too large', `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(20_000)}`],
])('the emulator lets go of a client that sends %s and holds on', async (_, text) => {
  const emulator = createEmulator();
  const { baseUrl } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const sockets = await openHalf(baseUrl, 5, text);
  for (const socket of sockets) await expect.poll(() => isGone(socket), patience).toBe(true);
  expect((await fetch(`${baseUrl}/v1/documents`)).status).toBe(401);
});
