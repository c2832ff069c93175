// The reviewed changes of a plan as one short text. The first line of a comment holds the text: for each change a key
// of its address and its digest. A plan with very many changes is reviewed as a whole, because a comment has a limit.

import { createHash } from 'node:crypto';

/** 26,000 characters of the 65,536 that a comment may have. */
const maxChanges = 500;
const keyLength = 8;

/** Eight characters for an address. They only say which reviews are about the same resource: the digest holds the address. */
export function keyOf(address: string): string {
  return createHash('sha256').update(address).digest().subarray(0, 6).toString('base64url');
}

/** The digest of a whole set of changes, from their digests. */
export function digestOfSet(digests: readonly string[]): string {
  return createHash('sha256')
    .update([...digests].sort().join('\n'))
    .digest('hex');
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
  const reviewed = needingReview(changes);
  if (reviewed.length > maxChanges) return `set:${digestOfSet(reviewed.map(({ digest }) => digest))}`;
  return reviewed
    .map(({ address, digest }) => `${keyOf(address)}${Buffer.from(digest, 'hex').toString('base64url')}`)
    .join('.');
}

/** The keys of addresses; undefined if there are too many to name. */
export function encodeNamed(addresses: readonly string[]): string | undefined {
  const keys = [...new Set(addresses)].map(keyOf);
  return keys.length > maxChanges ? undefined : keys.join('.');
}

/** Each with the key of its address, or the digest of all of them. */
export type ReviewedChanges =
  | { readonly each: readonly { readonly key: string; readonly digest: string }[]; readonly set?: undefined }
  | { readonly set: string; readonly each?: undefined };

/** Undefined if the text is neither. */
export function decodeChanges(text: string): ReviewedChanges | undefined {
  if (/^set:[0-9a-f]{64}$/.test(text)) return { set: text.slice('set:'.length) };
  const entries = text === '' ? [] : text.split('.');
  if (!entries.every((entry) => /^[\w-]{51}$/.test(entry))) return undefined;
  return {
    each: entries.map((entry) => ({
      key: entry.slice(0, keyLength),
      digest: Buffer.from(entry.slice(keyLength), 'base64url').toString('hex'),
    })),
  };
}
