// A network between a client and a server that loses things at random, the same for the same seed: pieces come late or in
// halves, connections break or fall silent, and for a while nobody can be reached. What a client gave up on is dropped.

import { connect, createServer, type Server, type Socket } from 'node:net';

export interface NetworkOptions {
  /** Numbers from 0 to below 1. */
  readonly random: () => number;
  /** How many of a hundred pieces come to harm; 0 for none. */
  readonly harmed: number;
  /** The longest delay of a piece. */
  readonly delayMs: number;
  /** The longest time for which a broken connection is silent, or nobody can be reached. */
  readonly outageMs: number;
}

export interface Network {
  /** A port that leads to the port of a server on this machine. */
  lead(target: number, onPiece?: (piece: Buffer) => void): Promise<number>;
  /** From now on, nobody can be reached for that time. */
  goDown(ms: number): void;
  close(): Promise<void>;
}

export function makeNetwork({ random, harmed, delayMs, outageMs }: NetworkOptions): Network {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let downUntil = 0;

  function pass(from: Socket, to: Socket, cut: () => void, onPiece?: (piece: Buffer) => void): void {
    let isSilent = false;
    let last = Promise.resolve();
    from.on('data', (piece: Buffer) => {
      onPiece?.(piece);
      const strikes = random() * 100 < harmed;
      const kind = strikes ? random() : 1;
      const [delay, silence] = [random() * delayMs, random() * outageMs];
      if (kind < 0.1) downUntil = performance.now() + silence;
      if (isSilent || kind < 0.35 || performance.now() < downUntil) {
        isSilent = true;
        setTimeout(cut, silence);
        return;
      }
      last = last.then(async () => {
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
        if (to.destroyed) return;
        if (kind === 1) to.write(piece);
        else if (kind < 0.6) cut();
        else if (kind < 0.85) to.write(piece.subarray(0, piece.length >> 1), cut);
        // It arrives whole, and the answer does not.
        else to.write(piece, () => setTimeout(cut, 5));
      });
    });
  }

  return {
    lead: async (target, onPiece) => {
      const server = createServer((client) => {
        const upstream = connect(target, '127.0.0.1');
        const cut = (): void => {
          for (const socket of [client, upstream]) {
            sockets.delete(socket);
            socket.destroy();
          }
        };
        for (const socket of [client, upstream]) {
          sockets.add(socket);
          socket.setNoDelay(true).on('error', cut).on('close', cut);
        }
        pass(client, upstream, cut, onPiece);
        pass(upstream, client, cut);
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      return address.port;
    },
    goDown: (ms) => {
      downUntil = performance.now() + ms;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
