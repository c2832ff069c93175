// What was merged and never applied: git is real, and says how old the files are in the branch.

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hook, mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const long = { GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' };
const now = { GIT_AUTHOR_DATE: '2090-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2090-01-01T00:00:00Z' };
const both = { recipients: ['ana@example.com', 'kim@partner.example'] };
const file = (name: string, more: object = {}) => ({
  [`schedules/${name}.yaml`]: { schedules: { [name]: mail({ name, ...more }) } },
});

async function openRepository(files: object) {
  const path = `${process.env['PATH']}`;
  const world = await openWorld({}, { environment: { PATH: path, HOME: makeFolder().path } });
  const git = (argv: readonly string[], environment: object = {}) =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always', ...argv],
      {
        ...{ cwd: world.path, stdio: 'pipe', encoding: 'utf8' },
        env: { PATH: path, HOME: world.path, GIT_CONFIG_NOSYSTEM: '1', ...environment },
      },
    );
  git(['init', '-q', '-b', 'main']);
  const commit = (changed: object, when: object = long, message = 'A change [skip ci]') => {
    world.write(changed as Readonly<Record<string, unknown>>);
    git(['add', '-A']);
    git(['commit', '-qm', message], when);
  };
  commit(files);
  await world.run('apply', '--auto-approve');
  return { ...world, git, commit };
}

it('the nightly look, status and doctor count what was merged a day ago and never applied, and whom it takes away', async () => {
  const { run, commit } = await openRepository({ ...file('a', both), ...file('b'), ...file('c') });
  expect((await run('drift', '--unapplied')).code).toBe(0);
  commit({ ...file('a', { recipients: ['ana@example.com'] }), ...file('b', { subject: 'Other' }) });
  const words = /2 changes were merged and never applied; one takes away a recipient:\s+schedules\.a, schedules\.b\./;
  const drift = await run('drift', '--deep', '--unapplied');
  expect(drift.code).toBe(2);
  expect(drift.stdout).toMatch(words);
  expect((await run('drift', '--deep')).code).toBe(0);
  const { unapplied } = JSON.parse((await run('drift', '--unapplied', '--format', 'json')).stdout);
  expect(unapplied).toEqual({ merged: ['schedules.a', 'schedules.b'], takingAway: 1, recent: 0, left: [] });
  const markdown = await run('drift', '--unapplied', '--format', 'markdown');
  expect(markdown.stdout).toContain('## Almanac drift: none, 2 changes never applied');
  for (const command of ['status', 'doctor']) {
    const { code, stdout } = await run(command);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(words);
    expect(code).toBe(0);
  }
  expect((await run('drift', '--unapplied', '--target', 'schedules.c')).code).toBe(0);
  await run('apply', '--auto-approve');
  expect((await run('drift', '--unapplied')).code).toBe(0);
});

it('what a file was changed for within a day, or is in no commit, is not counted yet', async () => {
  const { run, commit, write } = await openRepository({ ...file('a', both), ...file('b') });
  commit(file('a', { recipients: ['ana@example.com'] }), now);
  const recent = async (words: string) => {
    const { code, stdout } = await run('drift', '--unapplied');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
    expect(code).toBe(0);
  };
  await recent('1 change is not applied yet: it was made within a day.');
  write(file('b', { subject: 'Edited' }));
  write(file('new'));
  await recent('3 changes are not applied yet: they were made within a day.');
});

it('a branch that was written long ago and merged today is recent', async () => {
  const { run, commit, git } = await openRepository({ ...file('a', both), ...file('b') });
  git(['checkout', '-qb', 'work']);
  commit(file('a', { recipients: ['ana@example.com'] }));
  git(['checkout', '-q', 'main']);
  git(['merge', '-q', '--no-ff', '-m', 'Merge', 'work'], now);
  expect((await run('drift', '--unapplied')).code).toBe(0);
});

it('a deletion that was merged and never applied is counted, and takes away its receivers', async () => {
  const { run, git } = await openRepository({ ...file('a', both), ...file('b') });
  git(['rm', '-q', 'schedules/b.yaml']);
  git(['commit', '-qm', 'Gone'], long);
  const { code, stdout } = await run('drift', '--unapplied');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    '1 change was merged and never applied; one takes away a recipient: schedules.b.',
  );
  expect(code).toBe(2);
});

it('what runs once and what needs a variable that is not set is not counted, and what is blocked is said apart', async () => {
  const { run, commit } = await openRepository({
    ...file('a'),
    ...file('kept', { lifecycle: { preventDestroy: true } }),
  });
  commit({
    'schedules/once.yaml': { schedules: { test: mail({ name: 'Test', testNow: true }) } },
    'schedules/hook.yaml': {
      schedules: { hook: hook({ name: 'Hook', url: 'https://hooks.example.com/${env.NOT_SET}' }) },
    },
    'schedules/kept.yaml': { schedules: {} },
  });
  const { code, stdout } = await run('drift', '--unapplied');
  expect(stdout).not.toContain('never applied');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('schedules.kept is not applied: ');
  expect(code).toBe(0);
});

it('without git and in a shallow clone nobody can tell how old a change is, and the look says so', async () => {
  const { run, commit, git, path, environment } = await openRepository(file('a'));
  commit(file('a', { subject: 'Other' }));
  const cloned = makeFolder();
  git(['clone', '-q', '--depth', '1', `file://${path}`, cloned.path]);
  const shallow = await workspaceIn(cloned, environment).run('drift', '--unapplied');
  expect(shallow.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '1 change is not applied, and it is not known since when: the clone is shallow',
  );
  expect(shallow.code).toBe(1);
  rmSync(join(path, '.git'), { recursive: true });
  const without = await run('drift', '--unapplied');
  expect(without.stdout.replaceAll(/\s+/g, ' ')).toContain('it is not known since when: git does not answer here.');
  expect(without.code).toBe(1);
});
