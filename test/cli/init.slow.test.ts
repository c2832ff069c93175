// `almanac init` in an editor, on a terminal, and in clones of git. Editor, terminal and git are real.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { destinations } from '../../src/model/fields/field.ts';
import { git, openRepository } from '../support/action/repository.ts';
import { openEditor } from '../support/editor.ts';
import { hasTerminal, runOnTerminal } from '../support/terminal.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

it('a new workspace has no problem in an editor that reads the schemas of its first lines', async () => {
  const workspace = workspaceIn(makeFolder(), {});
  await workspace.run('init', '--destination', ...destinations);
  const editor = openEditor();
  for (const [file, schema] of [
    ['schedules/first.yaml', '.almanac/resources.schema.json'],
    ['almanac.yaml', '.almanac/almanac.schema.json'],
  ] as const) {
    expect(workspace.read(file).split('\n')[0]).toMatch(`${schema.replace('.almanac', '')}`);
    expect(await editor.diagnose(workspace.read(file), join(workspace.path, file))).toEqual([]);
  }
});

it.each(['vscode', 'jetbrains'])(
  'a new workspace is checked by an editor because of its first lines alone, for %s',
  async (editor) => {
    const workspace = workspaceIn(makeFolder(), {});
    await workspace.run('init', '--editor', editor);
    const { diagnose } = openEditor();
    for (const [file, right, wrong] of [
      ['schedules/first.yaml', 'format: pdf', 'format: pdff'],
      ['almanac.yaml', 'operations: full', 'operations: fulll'],
    ] as const) {
      const text = workspace.read(file).replace(right, wrong);
      const line = text.split('\n').findIndex((each) => each.includes(wrong));
      const shown = await diagnose(text, join(workspace.path, file));
      expect(shown.map((problem) => problem.line)).toEqual([line]);
    }
  },
);

it.skipIf(!hasTerminal)('init asks on a real terminal (needs `script` of util-linux)', async () => {
  const { path, read } = makeFolder();
  const typed = [
    ['later): ', 'acme.omniapp.co\n'],
    ['acme.com (Enter: later): ', 'acme.com\n'],
    ['Time zone', 'Europe/Berlin\n'],
    ['Start with', '\n'],
    ['email): ', 's3\n'],
    ['CI: 1 ', '\n'],
    ['works): ', 'jetbrains\n'],
    ['Enter: no): ', '\n'],
  ] as const;
  const shown = await runOnTerminal(['init'], { cwd: path, typed });
  expect(shown.code, shown.text).toBe(0);
  expect(shown.text).toContain('Next:');
  expect(read('almanac.yaml')).toContain('internalDomains: [acme.com]');
  expect(read('schedules/first.yaml')).toContain('destinationType: s3');
  const stopped = await runOnTerminal(['init', '--dir', 'other'], { cwd: path, typed: [['later): ', '\u0003']] });
  expect(stopped).toMatchObject({ code: 130, text: expect.stringContaining('nothing was written') });
  const ended = await runOnTerminal(['init', '--dir', 'other'], { cwd: path, typed: [['later): ', '\u0004']] });
  expect(ended).toMatchObject({ code: 1, text: expect.stringMatching(/^error\[interrupted\]/m) });
  expect(existsSync(join(path, 'other'))).toBe(false);
});

it.each<[string, (clone: string, url: string) => string]>([
  [
    'a remote that was added by hand',
    (clone, url) => {
      git(clone, 'init', '--quiet');
      git(clone, 'remote', 'add', 'origin', url);
      git(clone, 'fetch', '--quiet', 'origin');
      git(clone, 'checkout', '--quiet', '-b', 'add-almanac', 'origin/trunk');
      return clone;
    },
  ],
  [
    'a linked worktree',
    (clone, url) => {
      git(clone, 'clone', '--quiet', url, 'clone');
      git(join(clone, 'clone'), 'worktree', 'add', '--quiet', '-b', 'add-almanac', '../linked');
      return join(clone, 'linked');
    },
  ],
])('init asks the remote what its default branch is, from %s', async (_, opened) => {
  const { url, ask } = openRepository({ 'README.md': 'Reports' });
  ask('branch', '--move', 'main', 'trunk');
  ask('symbolic-ref', 'HEAD', 'refs/heads/trunk');
  const workspace = workspaceIn({ ...makeFolder(), path: opened(makeFolder().path, url) }, {});
  const { code, stdout } = await workspace.run('init', '--yes', '--ci', 'github');
  expect(code).toBe(0);
  const apply = join(workspace.path, '.github/workflows/almanac-apply.yml');
  expect(readFileSync(apply, 'utf8')).toContain('    branches: [trunk]\n');
  expect(stdout).not.toContain('Nothing here says');
});

it('init says which branch it took where the remote does not answer', async () => {
  const workspace = workspaceIn(makeFolder(), {});
  git(workspace.path, 'init', '--quiet');
  git(workspace.path, 'remote', 'add', 'origin', `file://${join(workspace.path, 'nowhere.git')}`);
  const { code, stdout } = await workspace.run('init', '--yes', '--ci', 'github');
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Nothing here says what the default branch is called');
  expect(workspace.read('.github/workflows/almanac-apply.yml')).toContain('    branches: [main]\n');
});
