// Two applies of one workspace at once, as processes: one waits or is refused, neither damages the state, and every
// schedule exists once.

import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hook } from '../support/cli/open-stage.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const names = ['a', 'b', 'c', 'd'];

/** Each request takes a moment, so that the second run finds the first at work. */
async function openStage() {
  const world = await openWorld(
    { schedules: Object.fromEntries(names.map((name) => [name, { ...hook, name }])) },
    { operations: 'core', faults: [{ fault: 'latency', ms: 150 }], api: { concurrency: 1 }, now: Date.now },
  );
  const { emulator, path, spawn } = world;
  const apply = (...argv: readonly string[]) => {
    let pid: number | undefined;
    const ended = spawn(['apply --auto-approve', ...argv].join(' '), {
      during: (child) => {
        pid = child.pid;
      },
    });
    return { pid, ended };
  };
  const isLocked = () => existsSync(join(path, 'almanac.state.json.lock'));
  const expectOnce = () => {
    const made = emulator.data().schedules;
    expect(made.map(({ fields }) => fields['name']).sort()).toEqual(names);
    const { resources, serial, unresolved, orphans } = world.state();
    expect({ serial, unresolved, orphans }).toEqual({ serial: 1, unresolved: [], orphans: [] });
    expect(
      Object.values(resources)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(made.map(({ id }) => id).sort());
    expect(existsSync(join(path, 'almanac.state.json.journal'))).toBe(false);
    expect(isLocked()).toBe(false);
  };
  return { apply, isLocked, expectOnce };
}

it('the second of two applies is refused, and sees who has held the lock since when', async () => {
  const { apply, isLocked, expectOnce } = await openStage();
  const first = apply();
  await expect.poll(isLocked, { timeout: 10_000, interval: 10 }).toBe(true);
  const second = await apply().ended;
  expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('error[state-locked]') });
  for (const words of [hostname(), `${first.pid}`, '--lock-timeout', 'almanac state unlock'])
    expect(second.stderr).toEqual(says(words));
  expect(second.stderr).toMatch(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/);
  expect(await first.ended).toMatchObject({ code: 0 });
  expectOnce();
});

it('the second of two applies waits with --lock-timeout, and then finds nothing to do', async () => {
  const { apply, isLocked, expectOnce } = await openStage();
  const first = apply();
  await expect.poll(isLocked, { timeout: 10_000, interval: 10 }).toBe(true);
  const second = await apply('--lock-timeout', '30').ended;
  expect(await first.ended).toMatchObject({ code: 0 });
  expect(second, second.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') });
  expectOnce();
});

it('five applies that start at the same time all reach the same end', async () => {
  const { apply, expectOnce } = await openStage();
  const ended = await Promise.all(Array.from({ length: 5 }, () => apply('--lock-timeout', '60').ended));
  expect(ended.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0, 0, 0, 0]);
  expect(ended.filter(({ stdout }) => stdout.includes('No changes'))).toHaveLength(4);
  expectOnce();
});
