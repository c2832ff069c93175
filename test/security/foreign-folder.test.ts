// A folder above the workspace that belongs to others, as /tmp does. The almanac.yaml that they leave there would
// decide where the token goes.

import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { openWorld } from '../support/world.ts';

const commands = ['list documents', 'import', 'doctor', 'status'];

it.each(commands)('%s outside of a repository sends no token where a file of a folder above says', async (command) => {
  const world = await openWorld({}, { environment: {} });
  mkdirSync(join(world.path, 'ana/reports'), { recursive: true });
  await world.run('-C', 'ana/reports', ...command.split(' '));
  expect(world.asked()).toEqual([]);
});

it('outside of a repository the root of a workspace is the folder itself', async () => {
  const { path, write } = await openWorld({ schedules: { weekly } });
  write({ 'ana/a.txt': '' });
  expect(await openWorkspace({ cwd: join(path, 'ana') })).toMatchObject({
    root: join(path, 'ana'),
    configFile: undefined,
  });
});

// Only root can give files away.
describe.runIf(process.getuid?.() === 0)('an almanac.yaml of another user in a folder above', () => {
  const other = 4321;
  /** `planted` belongs to the other user, everything else to this one. */
  const openShared = (planted: readonly string[]) => {
    const path = realpathSync(mkdtempSync('/tmp/almanac-shared-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    for (const name of ['almanac.yaml', '.git/HEAD', 'ana/reports/a.txt']) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), '');
    }
    for (const name of planted) chownSync(join(path, name), other, other);
    return join(path, 'ana/reports');
  };

  it('an almanac.yaml of another user in a folder above is refused, also where a repository was planted beside it', async () => {
    const cwd = openShared(['almanac.yaml', '.git', '.git/HEAD']);
    await expect(openWorkspace({ cwd })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('almanac.yaml belongs to another user'),
      hint: expect.stringContaining('--config'),
    });
    await expect(openWorkspace({ cwd: join(cwd, '../..') })).resolves.toMatchObject({ configFile: 'almanac.yaml' });
  });

  it('an almanac.yaml of another user is used where the folder in which the command runs is theirs as well, as in the container of a job', async () => {
    const cwd = openShared(['almanac.yaml', '.git', '.git/HEAD', 'ana/reports']);
    await expect(openWorkspace({ cwd })).resolves.toMatchObject({ configFile: 'almanac.yaml' });
  });
});
