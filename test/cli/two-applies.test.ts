// Several applies of one workspace at once: one works, and the others wait or are refused. None damages the state, and every
// schedule exists once.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeInstantClock } from '../support/fake-clock.ts';
import { hook, says } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const names = ['a', 'b', 'c', 'd'];
const lock = ({ path }: World) => join(path, 'almanac.state.json.lock');

it.each([
  [2, 'is refused, and sees who has held the lock since when', []],
  [2, 'waits with --lock-timeout, and then finds nothing to do', ['--lock-timeout', '600']],
  [5, 'waits with --lock-timeout, and then finds nothing to do', ['--lock-timeout', '600']],
])('of %i applies at once, every one but the first %s', async (count, _, options) => {
  const clock = makeInstantClock(Date.UTC(2026, 2, 1));
  const sleep = async (milliseconds: number) => {
    await clock.sleep(milliseconds);
    await wait(10);
  };
  const world = await openWorld(
    { schedules: Object.fromEntries(names.map((name) => [name, hook({ name })])) },
    {
      operations: 'core',
      faults: [{ fault: 'latency', ms: 30 }],
      api: { concurrency: 1 },
      outside: { clock: { ...clock, sleep } },
    },
  );
  const start = () => world.run('apply', '--auto-approve', ...options);
  const first = start();
  // A lock that was just created does not say by whom yet.
  while (!existsSync(lock(world)) || readFileSync(lock(world), 'utf8') === '') await wait(1);
  const ended = await Promise.all([first, ...Array.from({ length: count - 1 }, start)]);
  const others = ended.filter(({ code, stdout }) => code !== 0 || stdout.includes('No changes'));
  expect(others).toHaveLength(count - 1);
  for (const { code, stdout, stderr } of others) {
    expect([code, stderr.includes('error[state-locked]')]).toEqual(options.length === 0 ? [1, true] : [0, false]);
    if (options.length > 0) continue;
    expect(stdout).toBe('');
    for (const words of [`process ${process.pid}`, 'since 20', '--lock-timeout', 'almanac state unlock'])
      expect(stderr).toEqual(says(words));
  }
  const made = world.emulator.data().schedules;
  expect(made.map(({ fields }) => fields['name']).sort()).toEqual(names);
  const { resources, serial, unresolved, orphans } = world.state();
  expect({ serial, unresolved, orphans }).toEqual({ serial: 1, unresolved: [], orphans: [] });
  expect(
    Object.values(resources)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(made.map(({ id }) => id).sort());
  expect(readdirSync(world.path).filter((file) => file.startsWith('almanac.state.json.'))).toEqual([]);
});
