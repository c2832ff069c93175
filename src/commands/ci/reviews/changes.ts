// The reviewed changes of a plan as one short text. The first line of a comment holds it: for each change a key of its
// address and its digest.

import { createHash } from 'node:crypto';

const keyLength = 8;

/** Eight characters for an address. They only tell which reviews are of one resource: the digest holds the address. */
export function keyOf(address: string): string {
  return createHash('sha256').update(address).digest().subarray(0, 6).toString('base64url');
}

export interface PlannedChange {
  readonly address: string;
  readonly digest?: string | undefined;
}

export interface DigestedChange {
  readonly address: string;
  readonly digest: string;
}

/** Changes without a digest need no review. */
export function needingReview(changes: readonly PlannedChange[]): readonly DigestedChange[] {
  return changes.flatMap(({ address, digest }) => (digest === undefined ? [] : { address, digest }));
}

export function encodeChanges(changes: readonly PlannedChange[]): string {
  return needingReview(changes)
    .map(({ address, digest }) => `${keyOf(address)}${Buffer.from(digest, 'hex').toString('base64url')}`)
    .join('.');
}

/** Each comment of a plan repeats them. */
const maxNamed = 500;

/** The keys of addresses; undefined if there are too many to name. */
export function encodeNamed(addresses: readonly string[]): string | undefined {
  const keys = [...new Set(addresses)].map(keyOf);
  return keys.length > maxNamed ? undefined : keys.join('.');
}

export interface ReviewedChange {
  /** The key of its address. */
  readonly key: string;
  readonly digest: string;
}

/** Undefined if the text has another form. */
export function decodeChanges(text: string): readonly ReviewedChange[] | undefined {
  const entries = text === '' ? [] : text.split('.');
  if (!entries.every((entry) => /^[\w-]{51}$/.test(entry))) return undefined;
  return entries.map((entry) => ({
    key: entry.slice(0, keyLength),
    digest: Buffer.from(entry.slice(keyLength), 'base64url').toString('hex'),
  }));
}
