// A signal ends a run that waits for a lock.

import { expect, it } from 'vitest';
import { hook, openBare } from '../support/cli/open-stage.ts';

const declared = { 'schedules/all.yaml': { schedules: { hook } } };
const heldLock = JSON.stringify({
  who: 'bo',
  host: 'another-machine',
  pid: 4242,
  command: 'apply',
  since: '2026-01-01T00:00:00.000Z',
});

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s ends a run that waits for the lock, with code %i', async (signal, code) => {
  const stage = await openBare({ ...declared, 'almanac.state.json.lock': heldLock });
  const started = Date.now();
  const ended = await stage.spawn('apply --auto-approve --lock-timeout 60', {
    during: (child) => {
      child.stderr?.once('data', () => child.kill(signal));
    },
  });
  expect(ended.code, ended.stderr).toBe(code);
  expect(ended.stderr).toContain('error[interrupted]');
  expect(ended.stderr).not.toContain('error[state-locked]');
  expect(Date.now() - started).toBeLessThan(20_000);
});
