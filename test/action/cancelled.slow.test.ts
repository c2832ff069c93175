// A job that is cancelled, or whose time is up. GitHub's runner then sends SIGINT to the process of the step, after 7.5 s
// SIGTERM, and after another 2.5 s it kills whatever is left. Here the times are shorter, as the requests are: what counts is
// whether a request ends before or after each signal.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { openRunner } from '../support/action/fake-runner.ts';
import type { Action } from '../support/action/workflow-files.ts';
import { daily } from '../support/cli/open-stage.ts';
import { openWorld } from '../support/world.ts';

const { steps } = (parse(readFileSync('.github/actions/almanac/action.yml', 'utf8')) as Action).runs;
const step = steps.find(({ id }) => id === 'run')?.run ?? '';
const [many, concurrency] = [40, 2];

/** Sends what the runner sends. Whether the step had to be killed. */
async function cancel(child: ReturnType<ReturnType<typeof openRunner>['begin']>, toTerm: number, toKill: number) {
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
  });
  child.kill('SIGINT');
  await Promise.race([setTimeout(toTerm), new Promise((done) => child.once('exit', done))]);
  if (!hasEnded) child.kill('SIGTERM');
  await Promise.race([setTimeout(hasEnded ? 0 : toKill), new Promise((done) => child.once('exit', done))]);
  // What a step has started is in its group, also once the step has ended.
  try {
    process.kill(-Number(child.pid), 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

it.each([
  ['a request that ends soon', 300, 4000, 2000],
  ['a request that ends after the second signal', 1500, 700, 5000],
])(
  'an apply that is cancelled during %s finishes it, begins nothing more, and leaves state and lock in order',
  async (_, ms, toTerm, toKill) => {
    const names = Array.from({ length: many }, (_each, index) => `report-${index}`);
    const schedules = Object.fromEntries(names.map((name) => [name, { ...daily, name }]));
    const faults = [{ fault: 'latency', on: 'POST /v1/schedules', ms }] as const;
    const world = await openWorld({ schedules }, { now: Date.now, faults, api: { concurrency } });
    const files = { 'almanac.yaml': world.read('almanac.yaml'), 'schedules/all.yaml': { schedules } };
    const runner = openRunner(files, 'dist/cli.cjs');
    runner.happens({ repository: { default_branch: 'main' } });
    const child = runner.begin(step, {
      ...world.environment,
      OMNI_BASE_URL: world.baseUrl,
      ALMANAC_COMMAND: 'apply',
    });
    const file = (end = '') => join(runner.path, `almanac.state.json${end}`);
    // The next ones are then on their way.
    const done = () => world.emulator.requests().filter(({ method }) => method !== 'GET').length;
    await vi.waitFor(() => expect(done()).toBeGreaterThanOrEqual(concurrency), { timeout: 20_000 });
    const atCancel = done();
    expect(await cancel(child, toTerm, toKill)).toBe(false);
    const { resources, unresolved } = JSON.parse(readFileSync(file(), 'utf8'));
    expect(unresolved).toEqual([]);
    expect(Object.keys(resources).length).toBeGreaterThanOrEqual(concurrency);
    expect(Object.keys(resources).length).toBeLessThanOrEqual(atCancel + 2 * concurrency);
    expect(world.emulator.data().schedules).toHaveLength(Object.keys(resources).length);
    for (const left of ['.lock', '.journal']) expect(existsSync(file(left))).toBe(false);
  },
);

it('after a signal during its plan, the step of an apply begins nothing more', async () => {
  const faults = [{ fault: 'latency', on: 'GET /v1/schedules', ms: 1500 }] as const;
  const world = await openWorld({ schedules: { daily } }, { now: Date.now, faults });
  expect((await world.run('apply', '--auto-approve')).code).toBe(0);
  const runner = openRunner(
    {
      'almanac.yaml': world.read('almanac.yaml'),
      'almanac.state.json': world.read('almanac.state.json'),
      'schedules/all.yaml': { schedules: { daily: { ...daily, timezone: 'Europe/Berlin' } } },
    },
    'dist/cli.cjs',
  );
  runner.happens({ repository: { default_branch: 'main' } });
  const before = world.emulator.requests().length;
  const variables = { ...world.environment, OMNI_BASE_URL: world.baseUrl, ALMANAC_COMMAND: 'apply' };
  const child = runner.begin(step, variables);
  const asked = () => world.emulator.requests().slice(before);
  await vi.waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 20_000 });
  child.kill('SIGINT');
  const code = await new Promise((done) => child.once('exit', done));
  expect([code, asked().filter(({ method }) => method !== 'GET')]).toEqual([130, []]);
});
