// Clients that hold on to a connection: they send a text, read no answer and never close their side. On loopback, and
// gone when the test ends.

import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Resolves once all of them have sent `text`. Those that the server turns away are left out. */
export async function openHalf(url: string, count: number, text: string): Promise<readonly Socket[]> {
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
export async function isGone(socket: Socket): Promise<boolean> {
  if (!socket.destroyed) await new Promise<void>((resolve) => socket.write('x', () => resolve()));
  return socket.destroyed;
}
