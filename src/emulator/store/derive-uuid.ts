// Ids of things that the store keeps without one: the same words always give the same id.

import { createHash } from 'node:crypto';

export function deriveUuid(...words: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** The dashboard's id where the service does not use the short identifier. */
export function dashboardUuid(identifier: string): string {
  return deriveUuid('dashboard', identifier);
}
