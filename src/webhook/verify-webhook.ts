// Verifies that the service signed a webhook request recently with this secret. The signature is HMAC-SHA256 over the
// timestamp, a full stop and the raw body. Its encoding is not published, so hex and base64 are both accepted, with or
// without a scheme name before them. Pure: the caller passes the time, and recognises repeats by the event's id.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { readEvent, type WebhookEvent } from './read-event.ts';

export const signatureHeader = 'x-omni-signature';
export const timestampHeader = 'x-omni-signature-timestamp';

/** Node's `request.headers`, fetch's `Headers`, or an object with names in any case. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Epoch milliseconds: Date.now(). */
  readonly now: number;
  /** The allowed difference between the timestamp and `now`, in seconds; 300 by default. */
  readonly tolerance?: number;
}

export type WebhookRefusal =
  | 'no-secret'
  | 'no-signature'
  | 'bad-signature'
  | 'bad-timestamp'
  | 'wrong-signature'
  | 'stale'
  | 'bad-body';

export type WebhookVerdict =
  | { readonly ok: true; readonly event: WebhookEvent /** Epoch milliseconds. */; readonly signedAt: number }
  | {
      readonly ok: false;
      readonly reason: WebhookRefusal /** A sentence, without any secret. */;
      readonly message: string;
    };

const defaultTolerance = 300;

/** `rawBody` is the exact received body: JSON that was parsed and serialised again has another signature. */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { now, tolerance = defaultTolerance }: VerifyOptions,
): WebhookVerdict {
  const body = bytesOf(rawBody);
  if (typeof secret !== 'string' || secret === '')
    return refuse('no-secret', 'There is no secret to check the signature with.');
  const signature = headerOf(headers, signatureHeader);
  const timestamp = headerOf(headers, timestampHeader);
  if (signature === undefined) return refuse('no-signature', 'The header X-Omni-Signature is missing.');
  if (timestamp === undefined) return refuse('no-signature', 'The header X-Omni-Signature-Timestamp is missing.');
  if (!isSignature(signature)) {
    return refuse('bad-signature', 'X-Omni-Signature is not an HMAC-SHA256 digest, neither in hex nor in base64.');
  }
  const signedAt = readTimestamp(timestamp);
  if (signedAt === undefined) return refuse('bad-timestamp', 'X-Omni-Signature-Timestamp is not a time in seconds.');
  if (!isSignedBy(secret, timestamp, body, signature)) {
    return refuse('wrong-signature', 'The signature does not belong to this body, timestamp and secret.');
  }
  const seconds = (now - signedAt) / 1000;
  if (!(Math.abs(seconds) <= tolerance)) {
    const age = `${Math.round(Math.abs(seconds))} seconds ${seconds > 0 ? 'ago' : 'ahead'}`;
    return refuse('stale', `The signature is right, but it was made ${age}; at most ${tolerance} are allowed.`);
  }
  const event = readEvent(body);
  if (event === undefined) return refuse('bad-body', 'The signature is right, but the body is not a JSON object.');
  return { ok: true, event, signedAt };
}

function refuse(reason: WebhookRefusal, message: string): WebhookVerdict {
  return { ok: false, reason, message };
}

function bytesOf(rawBody: string | Uint8Array): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  throw new TypeError('verifyWebhook needs the raw body as text or bytes, not a parsed body.');
}

/** Returns undefined if it is missing, empty, or given more than once. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = isGetter(headers) ? headers.get(name) : ownHeader(headers, name);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

function isGetter(headers: WebhookHeaders): headers is { readonly get: (name: string) => string | null } {
  return typeof headers['get'] === 'function';
}

function ownHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | undefined {
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 1 ? values[0] : undefined;
}

/** Unix seconds, as published; thirteen digits are read as milliseconds. */
function readTimestamp(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text) * 1000;
  return /^\d{13}$/.test(text) ? Number(text) : undefined;
}

const digestBytes = 32;
/** A header may contain several signatures, for example while a secret is rotated. */
const maxSignatures = 10;

/** Compares in constant time. `timestamp` is the text of its header. */
function isSignedBy(secret: string, timestamp: string, body: Uint8Array, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  let found = false;
  for (const digest of digestsIn(signature)) found = timingSafeEqual(digest, expected) || found;
  return found;
}

/** True if a text contains anything that could be a signature. */
function isSignature(text: string): boolean {
  return digestsIn(text).length > 0;
}

function digestsIn(text: string): readonly Uint8Array[] {
  const parts = text.split(',', maxSignatures).map((part) => part.trim());
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
