// A state, a saved plan or a source that is a pipe, a device or far too large ends with a clear error at once.

import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { openWorld, type World } from '../support/world.ts';

const quick = 5000;

function sparse(path: string): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, 24_000_000_000);
  closeSync(file);
}

const makers: readonly (readonly [string, (stage: World, name: string) => void, string])[] = [
  ['a pipe', (stage, name) => stage.pipe(name), 'not a regular file'],
  ['a device that never ends', (stage, name) => stage.link('/dev/zero', name), 'not a regular file'],
  ['24 GB large', (stage, name) => sparse(join(stage.path, name)), 'it has 24000 MB; the limit is 250 MB'],
  ['a folder', (stage, name) => mkdirSync(join(stage.path, name)), 'folder'],
];

it.each(makers)('a state that is %s is refused', { timeout: quick }, async (_, make, words) => {
  const stage = await openWorld({ schedules: { weekly } });
  make(stage, 'other.json');
  for (const command of ['plan', 'apply --auto-approve', 'state list']) {
    await expectRefused(stage, [...command.split(' '), '--state', 'other.json'], words);
  }
  expect(existsSync(join(stage.path, 'other.json.lock'))).toBe(false);
});

it.each(makers)('a journal that is %s is refused', { timeout: quick }, async (_, make, words) => {
  const stage = await openWorld({ schedules: { weekly } });
  await stage.apply();
  make(stage, 'almanac.state.json.journal');
  await expectRefused(stage, 'plan', words);
});

it.each(makers)('a saved plan that is %s is refused', { timeout: quick }, async (_, make, words) => {
  const stage = await openWorld({ schedules: { weekly } });
  make(stage, 'planned');
  for (const command of ['show planned', 'apply --auto-approve planned', 'state push planned']) {
    await expectRefused(stage, command, words);
  }
});

it.each(makers)('a lock that is %s does not make a run wait forever', { timeout: quick }, async (_, make) => {
  const stage = await openWorld({ schedules: { weekly } });
  make(stage, 'almanac.state.json.lock');
  const refused = await stage.run('apply', '--auto-approve');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is locked') });
  expect((await stage.run('state', 'unlock', '--auto-approve')).code).toBe(0);
  expect(existsSync(join(stage.path, 'almanac.state.json.lock'))).toBe(false);
});

it('a state on a device that is always full is refused before a lock is made there', { timeout: quick }, async () => {
  const stage = await openWorld({ schedules: { weekly } });
  const refused = await stage.run('apply', '--auto-approve', '--state', '/dev/full');
  expect(refused.code).toBe(1);
  expect(existsSync('/dev/full.lock')).toBe(false);
});

it('a plan is not saved over a device', { timeout: quick }, async () => {
  const stage = await openWorld({ schedules: { weekly } });
  stage.pipe('planned');
  const refused = await stage.run('plan', '--out', 'planned');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('it is not a regular file') });
});
