import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { verifyWebhook, type WebhookHeaders } from '../../src/webhook/verify-webhook.ts';
import { eventBody, type SignOptions, signed, webhookSecret } from '../support/signed.ts';

const now = Date.UTC(2026, 2, 1);
const body = eventBody();
const good = signed(body, { at: now });
const verify = (headers: WebhookHeaders, text: string | Uint8Array = body, options = {}) =>
  verifyWebhook(text, headers, webhookSecret, { now, ...options });
const reasonOf = (headers: WebhookHeaders, text?: string | Uint8Array, options?: object) => {
  const verdict = verify(headers, text, options);
  return verdict.ok ? 'ok' : verdict.reason;
};

test('a signed event is verified and read', () => {
  expect(verify(good)).toEqual({
    ok: true,
    signedAt: now,
    event: {
      id: 'evt_7_COMPLETE_1772323210',
      kind: 'job.complete',
      jobId: '7',
      status: 'COMPLETE',
      summary: 'Up by 4 %.',
      metadata: { a: [1] },
      payload: JSON.parse(body),
    },
  });
});

describe('the signature', () => {
  it.each<[string, Partial<SignOptions>]>([
    ['hex with a scheme', {}],
    ['hex alone', { scheme: '' }],
    ['base64 with a scheme', { encoding: 'base64' }],
    ['base64 alone', { encoding: 'base64', scheme: '' }],
    ['base64url without padding', { encoding: 'base64url', scheme: 'v1=' }],
    ['another scheme', { scheme: 'hmac-sha256:' }],
    ['beside an older one', { scheme: `sha256=${'0'.repeat(64)}, sha256=` }],
  ])('a signature may be written as %s', (_, options) => {
    expect(reasonOf(signed(body, { at: now, ...options }))).toBe('ok');
  });

  it('a signature may be in capitals', () => {
    expect(reasonOf({ ...good, 'X-Omni-Signature': good['X-Omni-Signature'].toUpperCase() })).toBe('ok');
  });

  it.each<[string, string, WebhookHeaders]>([
    ['missing', 'no-signature', { 'X-Omni-Signature-Timestamp': '1' }],
    ['empty', 'no-signature', { ...good, 'X-Omni-Signature': ' ' }],
    ['given twice', 'no-signature', { ...good, 'x-omni-signature': good['X-Omni-Signature'] }],
    ['given twice in a list', 'no-signature', { ...good, 'X-Omni-Signature': ['a', 'b'] }],
    ['no digest', 'bad-signature', { ...good, 'X-Omni-Signature': 'sha256=' }],
    ['too short', 'bad-signature', { ...good, 'X-Omni-Signature': good['X-Omni-Signature'].slice(0, -1) }],
    ['of another algorithm', 'bad-signature', { ...good, 'X-Omni-Signature': `sha1=${'a'.repeat(40)}` }],
    ['of another secret', 'wrong-signature', signed(body, { at: now, secret: 'other' })],
    ['of another body', 'wrong-signature', signed(`${body} `, { at: now })],
    ['of another time', 'wrong-signature', { ...good, 'X-Omni-Signature-Timestamp': String(now / 1000 + 1) }],
    ['without its time', 'no-signature', { 'X-Omni-Signature': good['X-Omni-Signature'] }],
    ['with a time in words', 'bad-timestamp', { ...good, 'X-Omni-Signature-Timestamp': '2026-03-01' }],
    ['with a negative time', 'bad-timestamp', { ...good, 'X-Omni-Signature-Timestamp': '-1' }],
  ])('a signature is refused: %s', (_, reason, headers) => {
    expect(reasonOf(headers)).toBe(reason);
  });

  it('a signature covers the bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(400), (text, index) => {
        const bytes = new TextEncoder().encode(text);
        const headers = signed(text, { at: now });
        expect(reasonOf(headers, bytes)).toBe(reasonOf(headers, text));
        const changed = Uint8Array.from([...bytes, 0]);
        changed[index % changed.length] = ((changed[index % changed.length] ?? 0) + 1) % 256;
        expect(reasonOf(headers, changed)).toBe('wrong-signature');
      }),
    );
  });

  it('verification never throws for what a client sends', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (signature, timestamp, text) => {
        const verdict = verify({ 'x-omni-signature': signature, 'x-omni-signature-timestamp': timestamp }, text);
        expect(verdict.ok).toBe(false);
      }),
    );
  });
});

describe('the time', () => {
  it.each([
    [-300, 'ok'],
    [-301, 'stale'],
    [300, 'ok'],
    [301, 'stale'],
  ])('an event that is %i seconds off is %s', (seconds, reason) => {
    expect(reasonOf(signed(body, { at: now + seconds * 1000 }))).toBe(reason);
  });

  it('the allowed age of an event can be changed', () => {
    const headers = signed(body, { at: now - 60_000 });
    expect(reasonOf(headers, body, { tolerance: 59 })).toBe('stale');
    expect(reasonOf(signed(body, { at: 0 }), body, { tolerance: Number.POSITIVE_INFINITY })).toBe('ok');
    expect(reasonOf(headers, body, { tolerance: Number.NaN })).toBe('stale');
  });
});

describe('headers', () => {
  it('headers may come in any case, or as Headers', () => {
    const lower = Object.fromEntries(Object.entries(good).map(([name, value]) => [name.toLowerCase(), value]));
    expect(reasonOf(lower)).toBe('ok');
    expect(reasonOf(new Headers(good))).toBe('ok');
    expect(reasonOf(Object.fromEntries(Object.entries(good).map(([name, value]) => [name, [value]])))).toBe('ok');
  });
});

describe('the rest', () => {
  it('an empty secret checks nothing, so it is refused', () => {
    expect(verifyWebhook(body, signed(body, { at: now, secret: '' }), '', { now })).toMatchObject({
      reason: 'no-secret',
    });
  });

  it('a parsed body is a mistake of the caller', () => {
    expect(() => verify(good, JSON.parse(body))).toThrow(/raw body/);
  });

  it.each(['', 'null', '[]', '"a"', '{', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, '{"a":'.repeat(90_000)])(
    'a signed body that is not an event is refused: %#',
    (text) => {
      expect(reasonOf(signed(text, { at: now }), text)).toBe('bad-body');
    },
  );

  it.each<[object, string]>([
    [{ status: 'FAILED' }, 'job.failed'],
    [{ event: 'job.denied', status: 'X' }, 'job.denied'],
    [{ type: 'search', status: 'EXECUTING' }, 'search'],
    [{ status: 'EXECUTING' }, 'progress'],
    [{ status: undefined, progress: {} }, 'progress'],
    [{ status: 'constructor' }, 'unknown'],
  ])('the kind of %j is %s', (changes, kind) => {
    const text = eventBody(changes);
    expect(verify(signed(text, { at: now }), text)).toMatchObject({ ok: true, event: { kind } });
  });
});
