// A proxy in front of a TCP server that loses what passes through it. It watches for a text in either direction and then
// does harm: cuts both connections, passes on a half and cuts, or swallows everything from then on.

import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback.ts';

export type Harm = 'cut' | 'halve' | 'swallow';

export interface Fault {
  readonly from: 'client' | 'server';
  /** It strikes at the first piece that holds this text, or once this number of bytes has passed. */
  readonly at: string | number;
  readonly harm: Harm;
  /** Once if undefined. */
  readonly times?: number;
}

export interface FaultyProxy {
  readonly port: number;
  arm(fault: Fault): void;
  /** Whether the armed fault is still waiting. */
  isArmed(): boolean;
  /** How many connections are open. */
  open(): number;
  /** How many have been opened so far. */
  opened(): number;
  close(): Promise<void>;
}

export async function startFaultyProxy(target: number): Promise<FaultyProxy> {
  let fault: Fault | undefined;
  let opened = 0;
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    opened += 1;
    const upstream = connect(target, '127.0.0.1');
    sockets.add(client);
    const end = () => {
      sockets.delete(client);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', end).on('close', end);
    const line = { isDead: false };
    pass(client, upstream, 'client', line, end);
    pass(upstream, client, 'server', line, end);
  });

  function pass(from: Socket, to: Socket, side: Fault['from'], line: { isDead: boolean }, end: () => void): void {
    let passed = 0;
    from.on('data', (data: Buffer) => {
      if (line.isDead) return;
      const struck = fault?.from === side && strikes(fault, data, passed) ? fault : undefined;
      if (struck === undefined) {
        passed += data.length;
        to.write(data);
        return;
      }
      const { times = 1 } = struck;
      fault = times > 1 ? { ...struck, times: times - 1 } : undefined;
      line.isDead = true;
      if (struck.harm === 'swallow') return;
      const kept = typeof struck.at === 'number' ? struck.at - passed : struck.harm === 'halve' ? data.length >> 1 : 0;
      if (kept === 0) end();
      else to.write(data.subarray(0, kept), () => setTimeout(end, 5));
    });
  }

  const { port, close } = await listenOnLoopback(server);
  return {
    port,
    arm: (next) => {
      fault = next;
    },
    isArmed: () => fault !== undefined,
    open: () => sockets.size,
    opened: () => opened,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await close();
    },
  };
}

function strikes({ at }: Fault, data: Buffer, passed: number): boolean {
  return typeof at === 'number' ? passed + data.length >= at : data.includes(at);
}
