// A lock without a holder. A process was killed between creating its lock and writing its name.

import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFileState } from '../../src/state/file/file-state.ts';
import { expectRefused } from '../support/security/refused.ts';
import { mail, says } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const hourAgo = () => new Date(Date.now() - 3_600_000);

async function stageWithLock(text: string) {
  const stage = await openWorld({ schedules: { weekly: mail() }, 'almanac.state.json.lock': text });
  return { stage, lock: join(stage.path, 'almanac.state.json.lock') };
}

it.each([
  ['empty', ''],
  ['cut off', '{\n  "id": "7c1f'],
])('a lock that was left %s an hour ago is taken over with a note', async (_, text) => {
  const { stage, lock } = await stageWithLock(text);
  utimesSync(lock, hourAgo(), hourAgo());
  const applied = await stage.run('apply', '--auto-approve');
  expect(applied.code, applied.stderr).toBe(0);
  expect(applied.stderr).toEqual(
    says(
      'Took over the lock of almanac.state.json: the process that created it ended before it wrote its name into it.',
    ),
  );
  expect(existsSync(lock)).toBe(false);
});

it('a lock that was created a moment ago belongs to a process that is about to write its name', async () => {
  const { stage, lock } = await stageWithLock('');
  const refused = await stage.run('apply', '--auto-approve');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is locked') });
  expect(existsSync(lock)).toBe(true);
});

it.each([0, -999999])('a lock that names process %i is not one of ours, so it is never taken over', async (pid) => {
  const record = { who: 'x', host: 'laptop', pid, command: 'apply', since: '2026-01-01T00:00:00.000Z' };
  const { stage, lock } = await stageWithLock(JSON.stringify(record));
  utimesSync(lock, hourAgo(), hourAgo());
  const refused = await stage.run('apply', '--auto-approve');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not say by whom') });
});

it('two runs that find half a lock do not both take it over', async () => {
  const { stage, lock } = await stageWithLock('');
  utimesSync(lock, hourAgo(), hourAgo());
  const path = join(stage.path, 'almanac.state.json');
  const taken = await Promise.allSettled([1, 2, 3, 4].map(() => openFileState({ path }).lock('apply')));
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('a lock that is a folder is removed by state unlock if it is empty, and named if it is not', async () => {
  const stage = await openWorld({ schedules: { weekly: mail() } });
  const lock = join(stage.path, 'almanac.state.json.lock');
  mkdirSync(lock);
  expect((await stage.run('state', 'unlock', '--auto-approve')).code).toBe(0);
  expect(existsSync(lock)).toBe(false);
  stage.write({ 'almanac.state.json.lock/kept': 'x' });
  await expectRefused(stage, 'state unlock --auto-approve', 'it is a folder that is not empty (ENOTEMPTY)');
});
