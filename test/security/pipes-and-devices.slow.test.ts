// Pipes, devices and large files where a command reads or writes. The threat: a folder from elsewhere makes a command
// wait for ever, whatever signal it gets, or fill the memory.

import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const journal = 'almanac.state.json.journal';
const lock = 'almanac.state.json.lock';

function sparse(path: string): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, 24_000_000_000);
  closeSync(file);
}

const makers: readonly (readonly [string, (world: World, name: string) => void, string])[] = [
  ['a pipe', (world, name) => world.pipe(name), 'not a regular file'],
  ['a device that never ends', (world, name) => world.link('/dev/zero', name), 'not a regular file'],
  ['24 GB large', (world, name) => sparse(join(world.path, name)), 'it has 24000 MB; the limit is 250 MB'],
  ['a folder', (world, name) => mkdirSync(join(world.path, name)), 'folder'],
];

it.each(makers)('a state, a journal and a saved plan that are %s are refused', async (_, make, words) => {
  const world = await openApplied({ schedules: { weekly } });
  for (const name of ['other.json', 'planned', journal]) make(world, name);
  for (const command of ['plan', 'apply --auto-approve', 'state list'])
    await expectRefused(world, `${command} --state other.json`, words);
  expect(existsSync(join(world.path, 'other.json.lock'))).toBe(false);
  await expectRefused(world, 'plan', words);
  rmSync(join(world.path, journal), { recursive: true });
  for (const command of ['show planned', 'apply --auto-approve planned', 'state push planned'])
    await expectRefused(world, command, words);
});

it.each(makers)('a lock that is %s does not make a run wait for ever', async (_, make) => {
  const world = await openWorld({ schedules: { weekly } });
  make(world, lock);
  await expectRefused(world, 'apply --auto-approve', 'is locked');
  expect(await world.run('state unlock --auto-approve')).toMatchObject({ code: 0 });
  expect(existsSync(join(world.path, lock))).toBe(false);
});

it('a state on a device that is always full is refused before a lock is made there', async () => {
  const world = await openWorld({ schedules: { weekly } });
  expect(await world.run('apply --auto-approve --state /dev/full')).toMatchObject({ code: 1 });
  expect(existsSync('/dev/full.lock')).toBe(false);
});

it.each([
  ['plan --out planned', 'planned', 'it is not a regular file'],
  ['init --yes --force', 'almanac.yaml', 'almanac.yaml cannot be read: it is not a regular file'],
  ['init --yes --force', 'package.json', 'package.json cannot be read: it is not a regular file'],
  ['import --resume', '.almanac-import.json', '.almanac-import.json cannot be read: it is not a regular file'],
])('%s does not wait for a pipe in place of %s', async (command, name, words) => {
  const world = await openWorld({ schedules: { weekly } });
  rmSync(join(world.path, name), { force: true });
  world.pipe(name);
  await expectRefused(world, command, words);
});

it('a source that becomes a pipe is an error, so its schedules are not planned as deleted', async () => {
  const other = { schedules: { other: { ...weekly, name: 'Other', subject: 'Other' } } };
  const world = await openApplied({ schedules: { weekly }, 'schedules/other.yaml': other });
  rmSync(join(world.path, 'schedules/other.yaml'));
  world.pipe('schedules/other.yaml');
  await expectRefused(world, 'plan', 'schedules/other.yaml cannot be read: it is not a regular file.');
});

it.each(['.git/HEAD', '.git/index', '.git/commondir', '.git/config', '.git'])(
  'a pipe in place of %s holds no command up',
  async (name) => {
    const world = await openApplied({ schedules: { weekly } });
    world.write(name === '.git' ? {} : { '.git/HEAD': 'ref: refs/heads/main\n', '.git/index': '' });
    rmSync(join(world.path, name), { force: true });
    world.pipe(name);
    for (const command of ['plan', 'state list', 'doctor'])
      expect(await world.run(command), command).toMatchObject({ code: expect.any(Number) });
    expect((await world.plan()).changes).toEqual([]);
  },
);
