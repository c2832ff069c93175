// A checkout that lacks what was applied last says so before it takes that back. Two clones share a state; git is real.

import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mail } from '../support/vocabulary.ts';
import { makeFolder } from '../support/workspace.ts';
import { openWorld, type World } from '../support/world.ts';

const report = (schedule: string) => ({ a: mail({ schedule }) });

async function openClone() {
  const state = join(makeFolder().path, 'almanac.state.json');
  const world = await openWorld({ schedules: report('0 9 ? * MON *') });
  const git = (...argv: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...argv], {
      cwd: world.path,
      stdio: 'pipe',
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: world.path, GIT_CONFIG_NOSYSTEM: '1' },
    }).trim();
  git('init', '-q', '-b', 'main');
  const commit = (message: string) => {
    git('add', '-A');
    git('commit', '-qm', message);
    return git('rev-parse', 'HEAD');
  };
  const first = commit('first');
  const apply = () => world.run('apply', '--auto-approve', '--state', state);
  const plan = () => world.run('plan', '--state', state);
  await apply();
  /** A colleague's commit, applied. */
  const advance = async () => {
    world.declare(report('0 10 ? * MON *'));
    const second = commit('second');
    expect((await apply()).code).toBe(0);
    return second;
  };
  return { ...world, git, commit, first, apply, plan, advance };
}

type Clone = Awaited<ReturnType<typeof openClone>>;

const behind = (commit: string) =>
  `warning: The last apply was made at commit ${commit.slice(0, 12)}, and this checkout is behind it: git pull.\n`;
const unfetched = (commit: string) =>
  `warning: The last apply was made at commit ${commit.slice(0, 12)}, which this checkout has not fetched: git fetch.\n`;

it('a plan and an apply in a checkout that is behind begin with one line that says so', async () => {
  const clone = await openClone();
  const second = await clone.advance();
  expect((await clone.plan()).stderr).toBe('');
  clone.git('checkout', '-q', clone.first);
  expect((await clone.plan()).stderr).toBe(behind(second));
  expect((await clone.apply()).stderr).toMatch(new RegExp(`^${behind(second)}`));
});

it('a commit that the checkout has not fetched is named', async () => {
  const clone = await openClone();
  const second = await clone.advance();
  clone.git('reset', '-q', '--hard', clone.first);
  clone.git('reflog', 'expire', '--expire=now', '--all');
  clone.git('gc', '-q', '--prune=now');
  expect((await clone.plan()).stderr).toBe(unfetched(second));
});

it.each<[string, (clone: Clone) => void]>([
  [
    'where the commit is on another line, as after a squash',
    ({ git, declare, commit }) => {
      git('checkout', '-q', 'HEAD~');
      declare(report('0 10 ? * MON *'));
      commit('squashed');
    },
  ],
  ['where nothing is a repository', ({ path }) => rmSync(join(path, '.git'), { recursive: true })],
  [
    'on a machine without git',
    ({ git, first, environment }) => {
      git('checkout', '-q', first);
      environment['PATH'] = '/nowhere';
    },
  ],
  [
    'in a shallow clone',
    ({ git, first, path }) => {
      git('checkout', '-q', first);
      git('clone', '-q', '--depth', '1', `file://${path}`, '.git/shallow-clone');
      cpSync(join(path, '.git/shallow-clone/.git'), join(path, '.git-new'), { recursive: true });
      rmSync(join(path, '.git'), { recursive: true });
      cpSync(join(path, '.git-new'), join(path, '.git'), { recursive: true });
      rmSync(join(path, '.git-new'), { recursive: true });
    },
  ],
  [
    'in CI',
    ({ git, first, environment }) => {
      git('checkout', '-q', first);
      environment['CI'] = 'true';
    },
  ],
])('there is no such line, and no failure, %s', async (_, change) => {
  const clone = await openClone();
  await clone.advance();
  change(clone);
  const { code, stderr } = await clone.plan();
  expect([code, stderr]).toEqual([0, '']);
  expect((await clone.apply()).stderr).not.toContain('The last apply');
});

it('every apply records its commit, also with --target, and none outside of CI moves the commit of reviews', async () => {
  const clone: Clone & Pick<World, 'state'> = await openClone();
  clone.declare(report('0 11 ? * MON *'));
  const second = clone.commit('second');
  await clone.run('apply', '--auto-approve', '--target', 'schedules.a', '--allow-duplicates');
  expect(clone.state()).toMatchObject({ checkout: second });
  expect(clone.state()).not.toHaveProperty('commit');
});
