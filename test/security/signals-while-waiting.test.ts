// A signal ends a run that waits for a lock.

import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { openWorld } from '../support/world.ts';

it('a run that waits for the lock ends with a signal, and does not say that it waited in vain', async () => {
  const signals = new AbortController();
  /** Ends with the signal that it is given, as a wait of the system does. */
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal?.addEventListener('abort', () => resolve());
      signals.abort();
    });
  const outside = { signal: signals.signal, clock: { ...makeInstantClock(), sleep } };
  const { run, write } = await openWorld({ schedules: { weekly } }, { outside });
  const since = '2026-01-01T00:00:00.000Z';
  write({ 'almanac.state.json.lock': { who: 'bo', host: 'another-machine', pid: 4242, command: 'apply', since } });
  const { code, stderr } = await run('apply --auto-approve --lock-timeout 60');
  expect(code, stderr).toBe(1);
  expect(stderr).toContain('error[interrupted]');
  expect(stderr).not.toContain('error[state-locked]');
});
