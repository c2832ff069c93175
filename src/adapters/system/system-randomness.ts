// New ids and salts from the machine's random source.

import { randomBytes, randomUUID } from 'node:crypto';
import type { Randomness } from '../../ports/randomness.ts';

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count).toString('base64'),
};
