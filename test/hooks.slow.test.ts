// The hooks of this repository, run by pre-commit itself. The repository that uses them installs Almanac. Without
// pre-commit on the machine the test is left out, but not in CI.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from './support/workspace.ts';

const schedule = (cron: string) =>
  `schedules:\n  weekly: { name: Weekly, identifier: 12db1a0a, schedule: ${cron}, timezone: UTC, format: pdf, destinationType: email, recipients: [ana@example.com], subject: Weekly }\n`;

const isThere = spawnSync('pre-commit', ['--version']).status === 0;

it.skipIf(!isThere && process.env['CI'] === undefined)(
  'pre-commit refuses a commit with a mistake, or in another form, and lets through what is right',
  () => {
    const [hooks, folder] = [makeFolder().path, makeFolder().path];
    const git = (cwd: string, ...argv: readonly string[]) => execFileSync('git', [...argv], { cwd, stdio: 'pipe' });
    const commit = (cwd: string) =>
      git(cwd, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'x', '--no-verify');
    cpSync('.pre-commit-hooks.yaml', join(hooks, '.pre-commit-hooks.yaml'));
    git(hooks, 'init', '-q');
    git(hooks, 'add', '.');
    commit(hooks);
    const rev = String(git(hooks, 'rev-parse', 'HEAD')).trim();
    mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
    symlinkSync(resolve('dist/cli.cjs'), join(folder, 'node_modules', '.bin', 'almanac'));
    mkdirSync(join(folder, 'schedules'));
    const ids = ['almanac-validate', 'almanac-fmt'].map((id) => `      - id: ${id}\n`).join('');
    const files = {
      'package.json': '{}',
      '.gitignore': 'node_modules\n',
      'almanac.yaml': 'api:\n  operations: full\n',
      '.pre-commit-config.yaml': `repos:\n  - repo: ${hooks}\n    rev: ${rev}\n    hooks:\n${ids}`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    git(folder, 'init', '-q');
    const environment = { ...process.env, PRE_COMMIT_HOME: join(folder, 'node_modules', '.pre-commit') };
    const check = (change: () => void) => {
      change();
      git(folder, 'add', '.');
      return spawnSync('pre-commit', ['run', '--all-files'], { cwd: folder, env: environment, encoding: 'utf8' });
    };
    const write = (cron: string) => () => writeFileSync(join(folder, 'schedules/all.yaml'), schedule(cron));
    expect(check(write("'0 9 * * *'"))).toMatchObject({ status: 1, stdout: expect.stringContaining('error[') });
    expect(check(write('0 9 ? * MON *'))).toMatchObject({ status: 1, stdout: expect.stringContaining('almanac fmt') });
    const formatted = check(() => execFileSync(resolve('dist/cli.cjs'), ['fmt'], { cwd: folder }));
    expect(formatted.stdout).not.toContain('Failed');
    expect(formatted.status).toBe(0);
  },
);

it.skipIf(!isThere && process.env['CI'] === undefined)(
  'pre-commit checks each commit: one that only deletes or renames, one of other files, and one that lacks a file',
  () => {
    const folder = makeFolder();
    const { path } = folder;
    const git = (...argv: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...argv], {
        cwd: path,
        stdio: 'pipe',
      });
    const hooks = readFileSync('.pre-commit-hooks.yaml', 'utf8').replace(/^#.*$/gm, '').replace(/^/gm, '      ');
    folder.write({
      'package.json': '{}',
      '.gitignore': 'node_modules\n',
      'almanac.yaml': 'api:\n  operations: full\n',
      '.pre-commit-config.yaml': `repos:\n  - repo: local\n    hooks:\n${hooks}`,
      'schedules/lists.yaml': 'audiences:\n  board:\n    emails: [bo@example.com]\n',
      'schedules/a.yaml': schedule('0 9 ? * MON *').replace('[ana@example.com]', '"${audience.board}"'),
      'README.md': 'words',
    });
    mkdirSync(join(path, 'node_modules', '.bin'), { recursive: true });
    symlinkSync(resolve('dist/cli.cjs'), join(path, 'node_modules', '.bin', 'almanac'));
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'x', '--no-verify');
    const environment = { ...process.env, PRE_COMMIT_HOME: join(path, 'node_modules', '.pre-commit') };
    const check = (change: () => void) => {
      change();
      const { stdout } = spawnSync('pre-commit', ['run', 'almanac-validate'], {
        ...{ cwd: path, env: environment, encoding: 'utf8' },
      });
      git('reset', '-q', '--hard');
      git('clean', '-qfd');
      return stdout.replaceAll(/\s+/g, ' ');
    };
    expect(check(() => git('rm', '-q', 'schedules/lists.yaml'))).toMatch(/Failed.*error\[/);
    expect(check(() => git('mv', 'schedules/lists.yaml', 'lists.old'))).toMatch(/Failed.*error\[/);
    expect(check(() => git('mv', 'schedules/lists.yaml', 'schedules/people.yaml'))).toContain('Passed');
    const ofOthers = () => {
      folder.write({ 'README.md': 'other words' });
      git('add', '.');
    };
    expect(check(ofOthers)).toContain('Passed');
    const untracked = () => {
      folder.write({
        'README.md': 'other words',
        'schedules/new.yaml': schedule('0 9 ? * TUE *').replace('weekly:', 'other:'),
      });
      git('add', 'README.md');
    };
    expect(check(untracked)).toMatch(/Failed.*`schedules\/new\.yaml` is read.*git add -- schedules\/new\.yaml/);
  },
);
