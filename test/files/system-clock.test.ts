// The machine's own clock and randomness.

import { expect, test } from 'vitest';
import { systemClock, systemRandomness } from '../../src/files/system.ts';

test('a sleep ends in time, or at once if it is interrupted, and leaves nothing behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const start = systemClock.now();
  await systemClock.sleep(5);
  expect(systemClock.now() - start).toBeGreaterThanOrEqual(4);

  const off = new AbortController();
  const interrupted = systemClock.sleep(2 ** 40, off.signal);
  off.abort();
  await interrupted;
  await systemClock.sleep(1e9, off.signal);
  expect(timers()).toBeLessThanOrEqual(before);
});

test('a sleep of months does not end at once', async () => {
  let over = false;
  const off = new AbortController();
  const long = systemClock.sleep(2 ** 40, off.signal).then(() => {
    over = true;
  });
  // A timer that overflows is due after 1 ms; a later one of 50 ms fires after it, however late both are.
  await systemClock.sleep(50);
  expect(over).toBe(false);
  off.abort();
  await long;
});

test('identities differ, and random bytes have the requested length', () => {
  expect(systemRandomness.uuid()).not.toBe(systemRandomness.uuid());
  expect(Buffer.from(systemRandomness.bytes(16), 'base64')).toHaveLength(16);
});
