// `almanac fmt`: which files it writes, and what it prints.

import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/files/fs-workspace.ts';
import { says } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const untidy = 'schedules:\n    weekly:\n        name: "Weekly"\n        identifier: 12db1a0a\n';
const tidy = 'schedules:\n  weekly:\n    identifier: 12db1a0a\n    name: Weekly\n';
const broken = 'schedules:\n    weekly: [\n';

const open = (files: Readonly<Record<string, string>>) => workspaceIn(makeFolder(files), {});

it('format writes the files that change, and no others', async () => {
  const workspace = open({ 'almanac.yaml': 'api:   {}\n', 'schedules/a.yaml': untidy, 'schedules/b.yaml': tidy });
  const inode = () => statSync(join(workspace.path, 'schedules/b.yaml')).ino;
  const before = inode();
  const ran = await workspace.run('fmt');
  expect(ran).toEqual({ code: 0, stdout: 'almanac.yaml\nschedules/a.yaml\n', stderr: 'Formatted 2 of 3 files.\n' });
  expect(workspace.read('schedules/a.yaml')).toBe(tidy);
  expect(workspace.read('almanac.yaml')).toBe('api: {}\n');
  expect(inode()).toBe(before);
  expect(await workspace.run('fmt')).toEqual({ code: 0, stdout: '', stderr: 'Nothing to do in 3 files.\n' });
});

it('format leaves an unknown layout and keeps the mode of a file', async () => {
  const workspace = open({ 'schedules/a.yaml': '? schedules\n:   null\n', 'schedules/b.yaml': untidy });
  chmodSync(join(workspace.path, 'schedules/b.yaml'), 0o640);
  const { code, stderr } = await workspace.run('fmt');
  expect(code).toBe(0);
  expect(stderr).toContain('schedules/a.yaml was not changed');
  expect(statSync(join(workspace.path, 'schedules/b.yaml')).mode & 0o777).toBe(0o640);
});

it('format leaves a read-only file as it is, formats the others, and exits with 1', async () => {
  const workspace = open({ 'schedules/a.yaml': untidy, 'schedules/b.yaml': untidy });
  chmodSync(join(workspace.path, 'schedules/a.yaml'), 0o444);
  expect(await workspace.run('fmt')).toEqual({
    code: 1,
    stdout: 'schedules/b.yaml\n',
    stderr: 'schedules/a.yaml cannot be written: it is read-only.\nFormatted 1 of 2 files.\n',
  });
  expect(workspace.read('schedules/a.yaml')).toBe(untidy);
});

it('format refuses to replace a file that somebody changed meanwhile', async () => {
  const folder = makeFolder({ 'schedules/a.yaml': untidy, 'schedules/b.yaml': untidy });
  let reads = 0;
  const workspace = workspaceIn(
    folder,
    {},
    {
      openWorkspace: async (options) => {
        const opened = await openWorkspace(options);
        const read: typeof opened.read = (path) => {
          const found = opened.read(path);
          if (path === 'schedules/b.yaml' && ++reads === 1) folder.write({ 'schedules/b.yaml': broken });
          return found;
        };
        return { ...opened, read };
      },
    },
  );
  const { code, stdout, stderr } = await workspace.run('fmt');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toEqual(says('schedules/b.yaml was changed while it was being formatted; no file was written.'));
  expect([workspace.read('schedules/a.yaml'), workspace.read('schedules/b.yaml')]).toEqual([untidy, broken]);
});

it('the workspace of this repository is already formatted', async () => {
  const workspace = workspaceIn({ ...makeFolder(), path: process.cwd() }, {});
  expect(await workspace.run('fmt', '--check')).toMatchObject({ code: 0, stdout: '' });
});
