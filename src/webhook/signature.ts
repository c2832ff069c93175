// The signature of a webhook request: HMAC-SHA256 over the timestamp, a full stop and the raw body. The encoding is not
// published, so hex and base64 are both accepted, with or without a scheme name before them.

import { createHmac, timingSafeEqual } from 'node:crypto';

const digestBytes = 32;
/** A header may contain several signatures, for example while a secret is rotated. */
const mostSignatures = 10;

/** Compares in constant time. `timestamp` is the text of its header. */
export function isSignedBy(secret: string, timestamp: string, body: Uint8Array, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  let found = false;
  for (const digest of digestsIn(signature)) found = timingSafeEqual(digest, expected) || found;
  return found;
}

/** Whether a text contains anything that could be a signature. */
export function isSignature(text: string): boolean {
  return digestsIn(text).length > 0;
}

function digestsIn(text: string): readonly Uint8Array[] {
  const parts = text.split(',', mostSignatures).map((part) => part.trim());
  return parts.flatMap((part) => {
    const digest = decode(part) ?? decode(part.replace(/^[A-Za-z][\w-]{0,20}[=:]\s*/, ''));
    return digest === undefined ? [] : [digest];
  });
}

function decode(text: string): Uint8Array | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === digestBytes ? bytes : undefined;
}
