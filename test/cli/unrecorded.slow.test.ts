// As unrecorded.test.ts, with a real branch and the double of a bucket.

import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connecting } from '../support/cli/connecting.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { watchedApi } from '../support/emulator/watched-api.ts';
import { startS3Double } from '../support/state/s3-double.ts';
import { says } from '../support/vocabulary.ts';
import { makeFolder } from '../support/workspace.ts';
import { openWorld, type World } from '../support/world.ts';

/** What a test does to the place of the state. */
interface Place {
  readonly world: World;
  readonly cut: () => void;
  readonly mend: () => void;
}

/** Its remote is taken away, and comes back. */
async function inGit(): Promise<Place> {
  const { path } = makeFolder();
  const world = await openWorld(
    { schedules: { weekly } },
    { config: { state: { backend: 'git' } }, environment: { PATH: `${process.env['PATH']}`, HOME: path } },
  );
  const remote = join(path, 'remote.git');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: world.path, stdio: 'pipe' });
  git('init', '-q', '--bare', remote);
  git('init', '-q');
  git('remote', 'add', 'origin', `file://${remote}`);
  return {
    world,
    cut: () => renameSync(remote, `${remote}.away`),
    mend: () => renameSync(`${remote}.away`, remote),
  };
}

/** It refuses to be written. */
async function inS3(): Promise<Place> {
  const double = await startS3Double();
  onTestFinished(() => double.close());
  const { bucket, endpoint, keys } = double;
  const state = { backend: 's3', bucket, endpoint, region: 'eu-central-1' };
  const world = await openWorld({ schedules: { weekly } }, { config: { state }, environment: keys });
  let refuses = false;
  double.deny(({ method }) => refuses && method === 'PUT');
  return {
    world,
    cut: () => {
      refuses = true;
    },
    mend: () => {
      refuses = false;
    },
  };
}

it.each([
  ['a remote that is taken away', inGit],
  ['a bucket that refuses every write', inS3],
])('%s while a create is under way loses no id', async (_, open) => {
  const { world, cut, mend } = await open();
  const reach = (when: 'before' | 'after') => (when === 'before' ? cut() : undefined);
  const program = world.beside({ connect: connecting((api) => watchedApi(api, reach)) });
  const { code, stderr } = await program.run('apply', '--auto-approve', '--quiet');
  expect([code, stderr]).toEqual([1, says('error[state-unwritable]:')]);
  const made = world.emulator.data().schedules.map(({ id }) => id);
  const commands = [...stderr.matchAll(/^ {2}almanac (.*)$/gm)].map(([, line]) => line);
  expect(commands).toEqual([`state resolve schedules.weekly --id ${made[0]}`]);
  mend();
  // The process of the test still lives.
  await world.run('state unlock --auto-approve');
  const resolved = await world.run(...commands.map(String));
  expect(resolved, resolved.stderr).toMatchObject({ code: 0 });
  await world.apply();
  expect(world.emulator.data().schedules.map(({ id }) => id)).toEqual(made);
  expect((await world.plan()).changes).toEqual([]);
});
