// The rate limit against a clock that a test moves.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  makeSlidingWindow,
  type Release,
  type SlidingWindowOptions,
  secondsFor,
} from '../../src/omni/sliding-window.ts';
import { makeFakeClock, settle } from '../support/fake-clock.ts';
import { runs } from '../support/runs/runs.ts';

const window = 60_000;
/** What the limiter adds, because clocks differ. */
const guard = 20;

function start(options: Partial<SlidingWindowOptions> & { rateLimit: number }) {
  const clock = makeFakeClock(0);
  const waits: [number, string][] = [];
  const limiter = makeSlidingWindow({
    concurrency: 1000,
    clock,
    onWait: (...wait) => waits.push(wait),
    ...options,
  });
  const sent: number[] = [];
  /** One request that is answered after the given milliseconds. */
  async function request(duration = 0, signal?: AbortSignal): Promise<void> {
    const release = await limiter.take(signal);
    sent.push(clock.now());
    if (duration > 0) await clock.sleep(duration);
    release(true);
  }
  return { clock, limiter, waits, sent, request };
}

describe('the rate limit', () => {
  test('without a limit, requests go in order, and no more at once than allowed', async () => {
    const { clock, limiter } = start({ rateLimit: 0, concurrency: 2 });
    const turns: [number, Release][] = [];
    for (let i = 0; i < 5; i++) void limiter.take().then((release) => turns.push([i, release]));
    await settle();
    expect(turns.map(([i]) => i)).toEqual([0, 1]);
    turns[1]?.[1](true);
    await settle();
    expect(turns.map(([i]) => i)).toEqual([0, 1, 2]);
    expect(clock.sleepers()).toBe(0);
  });

  test('a request that was not sent takes no slot', async () => {
    const { limiter, sent, request } = start({ rateLimit: 1 });
    (await limiter.take())(false);
    void request();
    await settle();
    expect(sent).toHaveLength(1);
  });

  test('a pause holds every request and is reported', async () => {
    const { clock, limiter, sent, request, waits } = start({ rateLimit: 10 });
    limiter.pause(7000);
    limiter.pause(3000);
    for (let i = 0; i < 3; i++) void request();
    await clock.advance(6999);
    expect(sent).toHaveLength(0);
    await clock.advance(1);
    expect(sent).toHaveLength(3);
    expect(waits).toEqual([[7, 'the service asked for a pause']]);
  });

  test('a pause that starts while requests wait holds them too', async () => {
    const { clock, limiter, sent, request } = start({ rateLimit: 1 });
    void request();
    void request();
    await clock.advance(1000);
    limiter.pause(99_000);
    await clock.advance(98_999);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent).toHaveLength(2);
  });

  test('a pause that several answers ask for, one shortly after the other, is reported once', async () => {
    const { clock, limiter, waits } = start({ rateLimit: 0 });
    const open = await Promise.all([1, 2, 3].map(() => limiter.take()));
    for (const release of open) {
      limiter.pause(59_000);
      release(true);
      void limiter.take();
      await settle();
      await clock.advance(50);
    }
    expect(waits).toEqual([[59, 'the service asked for a pause']]);
  });

  test('a clock that is set back lengthens neither a pause nor the wait for a slot', async () => {
    const { clock, limiter, sent, request, waits } = start({ rateLimit: 1 });
    limiter.pause(10_000);
    clock.setBack(3_600_000);
    void request();
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
    void request();
    clock.setBack(3_600_000);
    await clock.advance(window + guard);
    expect(sent).toHaveLength(2);
    expect(waits.map(([seconds]) => seconds)).toEqual([10, 60.02]);
  });

  test('whoever leaves the queue lets nobody pass', async () => {
    const { limiter } = start({ rateLimit: 0, concurrency: 1 });
    const release = await limiter.take();
    const order: string[] = [];
    void limiter.take().then(() => order.push('second'));
    const off = new AbortController();
    const third = limiter.take(off.signal);
    void limiter.take().then(() => order.push('fourth'));
    off.abort();
    await expect(third).rejects.toMatchObject({ code: 'interrupted' });
    release(true);
    await settle();
    expect(order).toEqual(['second']);
  });

  test('one wait or all waits can be interrupted, and leave no timer', async () => {
    const { clock, sent, request } = start({ rateLimit: 1 });
    await request();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = request(0, one.signal);
    const second = request(0, two.signal);
    one.abort();
    await expect(first).rejects.toMatchObject({ code: 'interrupted' });
    await clock.advance(1000);
    expect(clock.sleepers()).toBe(1);
    two.abort();
    await expect(second).rejects.toMatchObject({ code: 'interrupted' });
    await settle();
    expect(clock.sleepers()).toBe(0);
    await expect(request(0, AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
    expect(sent).toHaveLength(1);
  });
});

const arrivals = fc.array(
  fc.record({
    gap: fc.nat({ max: 30_000 }),
    duration: fc.nat({ max: 20_000 }),
    reached: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 40 },
);

test('no window of sixty seconds ever holds more than the limit, by the count of sender and service', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 5 }), async (list, rateLimit) => {
      const clock = makeFakeClock(0);
      const limiter = makeSlidingWindow({ rateLimit, concurrency: 4, clock });
      const sent: { at: number; counted: number; order: number }[] = [];
      for (const [order, { gap, duration, reached }] of list.entries()) {
        await clock.advance(gap);
        void limiter.take().then(async (release) => {
          sent.push({ at: clock.now(), counted: clock.now() + duration * reached, order });
          if (duration > 0) await clock.sleep(duration);
          release(true);
        });
      }
      await clock.advance(100 * window);

      expect(sent.map(({ order }) => order)).toEqual(list.map((_, index) => index));
      expect(clock.sleepers()).toBe(0);
      for (const { at, counted } of sent) {
        expect(sent.filter((other) => other.at >= at && other.at <= at + window).length).toBeLessThanOrEqual(rateLimit);
        expect(
          sent.filter((other) => other.counted >= counted && other.counted <= counted + window).length,
        ).toBeLessThanOrEqual(rateLimit);
      }
    }),
    { numRuns: runs(60) },
  );
});

test('no request waits longer than it must', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 30_000 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      async (gaps, rateLimit) => {
        const { clock, sent, request } = start({ rateLimit });
        const expected: number[] = [];
        for (const gap of gaps) {
          await clock.advance(gap);
          const before = expected[expected.length - rateLimit];
          expected.push(
            Math.max(clock.now(), expected.at(-1) ?? 0, before === undefined ? 0 : before + window + guard),
          );
          void request();
        }
        await clock.advance(100 * window);
        expect(sent).toEqual(expected);
      },
    ),
    { numRuns: runs(60) },
  );
});

test.each([
  [0, 60, 0],
  [60, 60, 0],
  [61, 60, 60],
  [500, 60, 480],
  [500, 0, 0],
])('%i requests at %i a minute take %i s', (requests, rateLimit, seconds) => {
  expect(secondsFor(requests, rateLimit)).toBe(seconds);
});
