// A probe as a process: SIGKILL leaves what its file names, for --clean, and SIGINT leaves nothing.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { says } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const line = 'doctor --probe 12db1a0a --to ana@example.com --auto-approve';
const named = '.almanac/probe.json';

/** The first schedule is made, and its pause takes long, so that a signal comes in between. */
const open = () =>
  openWorld(
    {},
    {
      now: Date.now,
      downloadDurationMs: 0,
      faults: [{ fault: 'latency', on: 'PUT /v1/schedules', at: 1, ms: 3000 }],
    },
  );

async function signalled(signal: NodeJS.Signals) {
  const world = await open();
  const { emulator, path, spawn } = world;
  const finished = await spawn(line, {
    during: (child) => {
      const looking = setInterval(() => {
        if (emulator.data().schedules.length > 0 && child.kill(signal)) clearInterval(looking);
      }, 5);
      child.on('close', () => clearInterval(looking));
    },
  });
  return { world, finished, isNamed: () => existsSync(join(path, named)) };
}

it('--clean deletes what a probe has left that SIGKILL ended', async () => {
  const { world, finished, isNamed } = await signalled('SIGKILL');
  expect([finished.signal, world.emulator.data().schedules.length, isNamed()]).toEqual(['SIGKILL', 1, true]);
  expect(await world.spawn('doctor --clean')).toMatchObject({ code: 0, stdout: 'Deleted 1 schedule.\n' });
  expect([world.emulator.data().schedules, isNamed()]).toEqual([[], false]);
});

it('a probe that gets SIGINT deletes what it has made, and exits with 130', async () => {
  const { world, finished, isNamed } = await signalled('SIGINT');
  expect([finished.code, finished.stderr]).toEqual([
    130,
    says('Interrupted: what the probe has made is deleted first.'),
  ]);
  expect([world.emulator.data().schedules, isNamed()]).toEqual([[], false]);
});
