// What is sent again and when, by status and error code.

import { describe, expect, test } from 'vitest';
import { judgeError } from '../../src/http/exchange.ts';
import { Failure, type FailureCode } from '../../src/model/workspace/failure.ts';
import {
  type AttemptResult,
  judgeStatus,
  type RepeatEffect,
  readRetryAfter,
  repeat,
} from '../../src/omni/http-call.ts';
import { makeInstantClock } from '../support/fake-clock.ts';

describe('a status', () => {
  test.each([
    [200, undefined, 'done'],
    [201, undefined, 'done'],
    [204, undefined, 'done'],
    [307, 5, 'refused'],
    [400, undefined, 'refused'],
    [401, undefined, 'refused'],
    [404, undefined, 'refused'],
    [408, undefined, 'lost'],
    [425, undefined, 'lost'],
    [409, undefined, 'refused'],
    [429, undefined, 'not-processed'],
    [429, 3, 'not-processed'],
    [503, 3, 'not-processed'],
    [503, undefined, 'lost'],
    [500, 3, 'lost'],
    [502, undefined, 'lost'],
    [504, undefined, 'lost'],
  ])('a status of %i with Retry-After %s is classified as %s', (status, retryAfter, outcome) => {
    for (const repeating of ['reads', 'repeatable', 'once'] as const)
      expect(judgeStatus(status, retryAfter, repeating)).toBe(outcome);
  });

  test.each([301, 302, 303])('a POST that is answered %i may have been carried out before', (status) => {
    expect(judgeStatus(status, undefined, 'once')).toBe('lost');
    expect(judgeStatus(status, undefined, 'reads')).toBe('refused');
  });

  test.each([300, 307, 308])('a POST that is answered %i was certainly not carried out', (status) => {
    expect(judgeStatus(status, undefined, 'once')).toBe('refused');
  });
});

describe('an error', () => {
  const unsent = [
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET'],
    ...['ECONNABORTED', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EPIPE', 'EPROTO', 'ENODATA'],
    ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_PRX_TLS', 'ERR_SSL_WRONG_VERSION_NUMBER'],
  ];
  test.each(unsent)('%s means that the request was surely not sent only before it was sent', (code) => {
    expect([judgeError(code, false), judgeError(code, true)]).toEqual(['unsent', 'lost']);
  });
  test.each([
    ...['UND_ERR_ABORTED', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'HOSTNAME_MISMATCH', 'INVALID_CA'],
  ])('%s is not tried again, because a proxy or a certificate does not change meanwhile', (code) => {
    expect([judgeError(code, false), judgeError(code, true)]).toEqual(['refused', 'lost']);
  });
  test.each(['UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_DESTROYED', 'UNKNOWN'])(
    '%s always means that the request may be lost',
    (code) => {
      expect(judgeError(code, false)).toBe('lost');
    },
  );
});

describe('Retry-After', () => {
  const now = Date.parse('2026-07-01T12:00:00Z');
  test.each([
    ['30', undefined, 30],
    [' 0 ', undefined, 0],
    ['1.5', undefined, 1.5],
    ['Wed, 01 Jul 2026 12:01:00 GMT', undefined, 60],
    ['Wed, 01 Jul 2026 11:00:00 GMT', undefined, 0],
    ['Wed, 01 Jul 2026 15:01:00 GMT', 'Wed, 01 Jul 2026 15:00:00 GMT', 60],
    ['soon', undefined, undefined],
    ['5 minutes', undefined, undefined],
    ['-5', undefined, undefined],
    ['', undefined, undefined],
    [undefined, undefined, undefined],
  ])('a Retry-After of %j with Date %j means %s seconds', (header, date, seconds) => {
    expect(readRetryAfter(header, date, now)).toBe(seconds);
  });
});

type Step = 'done' | 'refused' | 'unsent' | 'lost' | 'busy' | number;

async function run(
  repeating: RepeatEffect,
  steps: readonly Step[],
  options: { maxAttempts?: number; random?: () => number } = {},
) {
  const clock = makeInstantClock(0);
  const pauses: number[] = [];
  const waits: [number, string][] = [];
  let count = 0;
  const failure = (code: FailureCode): Failure => new Failure(code, `${code}.`, { hint: 'hint', cause: 'cause' });
  const attempt = async (): Promise<AttemptResult<string>> => {
    const step = steps[count++] ?? 'done';
    if (step === 'done') return { outcome: 'done', value: 'value' };
    if (step === 'refused') return { outcome: 'refused', failure: failure('api-rejected') };
    if (step === 'unsent') return { outcome: 'unsent', failure: failure('api-unreachable') };
    if (step === 'lost') {
      return { outcome: 'lost', failure: failure(repeating === 'reads' ? 'api-unreachable' : 'api-answer-lost') };
    }
    return {
      outcome: 'not-processed',
      failure: failure('api-rate-limited'),
      retryAfter: step === 'busy' ? undefined : step,
      pause: (milliseconds) => pauses.push(milliseconds),
    };
  };
  const policy = {
    clock,
    random: options.random ?? (() => 0),
    maxAttempts: options.maxAttempts ?? 5,
    maxWait: 120,
    onWait: (...wait: [number, string]) => waits.push(wait),
  };
  const outcome = await repeat(repeating, attempt, policy).catch((error: unknown) => error as Failure);
  return { outcome, count, slept: clock.slept, pauses, waits };
}

const coded = (code: FailureCode) => expect.objectContaining({ code });
const abandoned = expect.objectContaining({
  ...{ code: 'api-rate-limited', hint: 'hint', cause: 'cause' },
  message: expect.stringContaining('5 attempts were made'),
});
const tooLong = expect.objectContaining({ code: 'api-rate-limited', hint: expect.stringContaining('--max-wait') });

const kinds = [
  ['request that only reads', 'reads'],
  ['request that is safe to repeat', 'repeatable'],
  ['request that is sent once', 'once'],
] as const;

describe.each(kinds)('a %s', (method, repeating) => {
  test.each<[string, readonly Step[], { readonly maxAttempts?: number }, Partial<Awaited<ReturnType<typeof run>>>]>([
    [
      'that was surely not sent is repeated with growing waits',
      ['unsent', 'unsent', 'unsent'],
      {},
      { outcome: 'value', slept: [1000, 2000, 4000] },
    ],
    [
      'that was not processed is repeated after a pause of its token',
      [7, 'busy', 'busy', 0],
      {},
      { outcome: 'value', slept: [], pauses: [7000, 6000, 18_000, 54_000] },
    ],
    ['that was refused is not repeated', ['refused'], {}, { outcome: coded('api-rejected'), count: 1 }],
    ['is abandoned after the last attempt', Array(9).fill('busy'), {}, { outcome: abandoned, count: 5 }],
    [
      'is sent once where one attempt is allowed',
      ['unsent'],
      { maxAttempts: 1 },
      { outcome: coded('api-unreachable') },
    ],
    ['does not wait longer than the maximum', [121], {}, { outcome: tooLong, count: 1, pauses: [] }],
    ['waits as long as the maximum', [120], {}, { outcome: 'value' }],
  ])(`a ${method} %s`, async (_, steps, options, expected) => {
    expect(await run(repeating, steps, options)).toMatchObject(expected);
  });

  test(`a ${method} that is repeated says why it waits`, async () => {
    const { waits } = await run(repeating, ['unsent']);
    expect(waits).toEqual([[1, 'attempt 1 of 5 failed. api-unreachable.']]);
  });
});

test('a POST whose answer is lost is never sent again', async () => {
  const { outcome, count } = await run('once', ['lost']);
  expect([outcome, count]).toEqual([expect.objectContaining({ code: 'api-answer-lost' }), 1]);
  expect((await run('once', ['unsent', 3, 'lost'])).count).toBe(3);
});

test.each(['reads', 'repeatable'] as const)(
  'a request of the kind %s whose answer is lost is sent again',
  async (repeating) => {
    expect(await run(repeating, ['lost', 'lost'])).toMatchObject({ outcome: 'value', count: 3, slept: [1000, 2000] });
  },
);

test('a later refusal does not prove that a lost request was not carried out', async () => {
  for (const steps of [
    ['lost', 'unsent'],
    ['lost', 'busy'],
    ['lost', 600],
  ] as Step[][]) {
    const { outcome } = await run('repeatable', steps, { maxAttempts: 2 });
    expect(outcome).toMatchObject({ code: 'api-answer-lost' });
    expect(String(outcome)).toContain('An earlier attempt may have succeeded');
  }
  expect((await run('reads', ['lost', 'busy'], { maxAttempts: 2 })).outcome).toMatchObject({
    code: 'api-rate-limited',
  });
});

test('jitter lengthens a wait by up to a quarter, and no wait exceeds the maximum', async () => {
  expect((await run('repeatable', ['lost'], { random: () => 0.5 })).slept).toEqual([1125]);
  const { slept } = await run('repeatable', Array(9).fill('lost'), { maxAttempts: 10, random: () => 0.99 });
  expect(Math.max(...slept)).toBe(120_000);
});

test('an interruption ends the wait and the attempts', async () => {
  const clock = makeInstantClock();
  const off = new AbortController();
  const policy = {
    clock,
    random: () => 0,
    maxAttempts: 5,
    maxWait: 120,
    onWait: () => off.abort(),
    signal: off.signal,
  };
  for (const [outcome, code] of [
    ['unsent', 'interrupted'],
    ['lost', 'api-answer-lost'],
  ] as const) {
    const failure = new Failure('api-unreachable', 'No.');
    await expect(repeat('repeatable', async () => ({ outcome, failure }), policy)).rejects.toMatchObject({ code });
  }
});
