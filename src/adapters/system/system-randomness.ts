// New ids and salts from the machine's random source. The global `crypto` is loaded when it is first asked; an import of
// node:crypto would be loaded by every command.

import type { Randomness } from '../../ports/randomness.ts';

export const systemRandomness: Randomness = {
  uuid: () => crypto.randomUUID(),
  bytes: (count) => Buffer.from(crypto.getRandomValues(new Uint8Array(count))).toString('base64'),
};
