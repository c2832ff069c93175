// A download that is looked at and never kept: its bytes are in memory only, and no more of them than a limit.

import type { BodySink } from '../../http/exchange.ts';
import { Failure } from '../../model/workspace/failure.ts';

/** Thrown for a file that is too large to be looked at. */
export class TooLarge extends Failure {
  constructor(limit: number, what: string) {
    super('refused', `${what} has more than ${limit / 1024 / 1024} MiB, so it was not looked at.`);
  }
}

export interface MemorySink extends BodySink {
  bytes(): Buffer;
}

/** `write` throws TooLarge where more than `most` bytes come. */
export function openMemory(most: number): MemorySink {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const restart = () => {
    pieces = [];
    size = 0;
  };
  return {
    restart,
    write: (piece) => {
      size += piece.length;
      if (size > most) {
        restart();
        throw new TooLarge(most, 'What Omni sent');
      }
      // The connection uses its own again.
      pieces.push(Uint8Array.from(piece));
    },
    bytes: () => Buffer.concat(pieces),
  };
}
