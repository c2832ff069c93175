// A day that passes: validate and plan report again what was accepted until then, and nothing that was reviewed is stopped.

import { expect, test } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
import { openWorld } from '../support/world.ts';

const often = {
  ...daily,
  schedule: '0/15 * ? * * *',
  accept: { 'cron-too-frequent': { reason: 'soon rarer', until: '2026-03-10' } },
};

test('an acceptance that ends between review and apply stops the pull request that follows, and not the apply', async () => {
  const world = await openWorld({ schedules: { a: often } }, { config: { checks: { 'cron-too-frequent': 'error' } } });
  world.until(10, 23, 59);
  expect((await world.run('validate')).code).toBe(0);
  const { digest } = await world.plan();
  await world.run('plan', '--out', 'plan.json');
  world.until(11, 0);
  const [validated, planned] = [await world.run('validate'), await world.run('plan')];
  for (const { code, stdout, stderr } of [validated, planned]) {
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('error[cron-too-frequent]');
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain('It was accepted until 2026-03-10');
  }
  const applied = await world.run('apply', '--auto-approve', '--expect', digest);
  expect(applied.code, applied.stderr).toBe(0);
  expect(applied.stdout + applied.stderr).toContain('warning[cron-too-frequent]');
  expect((await world.run('apply', '--auto-approve', 'plan.json')).code).toBe(0);
  const drift = await world.run('drift', '-v');
  expect(drift.code).toBe(0);
  expect(drift.stderr).toContain('warning[cron-too-frequent]');
  const status = await world.run('status');
  expect(status.code, status.stderr).toBe(0);
  expect(status.stderr).toContain('warning: 1 acceptance is over: cron-too-frequent of `schedules.a`.');
  expect((await world.run('apply', '--auto-approve')).code).toBe(0);
});
