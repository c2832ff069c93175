// A job that is cancelled, or whose time is up. GitHub's runner then sends SIGINT to the process of the step, after 7.5 s
// SIGTERM, and after another 2.5 s it kills whatever is left. Here the times are shorter, as the requests are: what counts is
// whether a request ends before or after each signal.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { openRunner } from '../support/action/fake-runner.ts';
import type { Action } from '../support/action/workflow-files.ts';
import { daily } from '../support/cli/open-stage.ts';
import { makeFolder } from '../support/workspace.ts';
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

/** A program that, but for its `ci`, writes down how it was called, and ends its plan as if nothing had happened. */
const unimpressed = `const fs = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === 'ci') return void require(${JSON.stringify(resolve('dist/cli.cjs'))});
fs.appendFileSync('calls', args.join(' ') + '\\n');
process.on('SIGINT', () => {});
for (const arg of args) {
  const [, file] = /^--report=[a-z]+=(.*)$/.exec(arg) ?? [];
  if (file) fs.writeFileSync(file, JSON.stringify({ changes: [{ address: 'schedules.a', action: 'create' }], summary: {} }));
}
setTimeout(() => {}, 1000);
`;

it('after a signal no other program is started, whatever became of the one that ran', async () => {
  const { path } = makeFolder({ 'cli.cjs': unimpressed });
  const runner = openRunner({ 'almanac.yaml': '{}' }, join(path, 'cli.cjs'));
  runner.happens({ repository: { default_branch: 'main' } });

  const child = runner.begin(step, { OMNI_BASE_URL: 'https://acme.example/api', ALMANAC_COMMAND: 'apply' });
  const calls = () => (existsSync(join(runner.path, 'calls')) ? runner.read('calls') : '');
  await vi.waitFor(() => expect(calls()).toContain(' plan '), { timeout: 20_000 });
  child.kill('SIGINT');
  const code = await new Promise((done) => child.once('exit', done));
  expect([code, calls()]).toEqual([130, expect.not.stringContaining(' apply ')]);
});
