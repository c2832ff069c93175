// Deletions that nobody may have meant: what an import tracked in another line, and a state that names no commit. Git is real.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import type { State } from '../../src/model/plan/state.ts';
import { commitAll, gitIn } from '../support/git.ts';
import { inOneLine, mail } from '../support/vocabulary.ts';
import { makeFolder } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const file = (key: string, more = {}) => ({
  [`schedules/${key}.yaml`]: { schedules: { [key]: mail({ name: key, ...more }) } },
});

/** Main declares one report, which is applied. */
async function openMain() {
  const asker = () => async () => 'yes';
  const environment = { PATH: `${process.env['PATH']}`, HOME: makeFolder().path };
  const world = await openWorld(file('a'), { environment, outside: { asker } });
  const git = gitIn(world.path);
  const commit = (files: Readonly<Record<string, unknown>> = {}) => {
    world.write(files);
    return commitAll(git);
  };
  git('init', '-q');
  const first = commit({ '.gitignore': 'almanac.state.json*\n.almanac*\n' });
  expect((await world.run('apply', '--auto-approve')).code).toBe(0);
  world.sent();
  const plan = async () => JSON.parse((await world.run('plan', '--format', 'json')).stdout) as PlanDocument;
  const unattended = () => world.run('apply', '--auto-approve');
  const tracked = () => Object.keys((world.state() as State).resources);
  const undeclared = () => Object.values((world.state() as State).resources).filter((each) => each.undeclared).length;
  return { world, git, commit, first, plan, unattended, tracked, undeclared };
}

/** Somebody imports into a branch what was made by hand; main is checked out again. */
async function imported(names: readonly string[] = ['hand']) {
  const main = await openMain();
  const { world, git, commit } = main;
  git('checkout', '-q', '-b', 'import');
  for (const name of names) world.makeByHand(mail({ name }));
  expect((await world.run('import', '--write-state')).code).toBe(0);
  commit();
  git('checkout', '-q', 'main');
  world.sent();
  return main;
}

const why = 'An import tracked schedules.hand, and no apply has found it declared yet';

it('what an import tracked in a branch is not deleted from main unless somebody has seen that', async () => {
  const { world, commit, plan, unattended, tracked } = await imported();
  const { dangers, digest } = await plan();
  expect(dangers.map(({ code }) => code)).toEqual(['unmeant-deletion', 'deleted']);
  expect(dangers[0]?.title).toContain('1 deletion may not be meant');
  commit(file('b'));
  const left = await unattended();
  expect(left.code).toBe(1);
  expect(inOneLine(left.stdout)).toContain(why);
  expect(inOneLine(left.stdout)).toContain('schedules.b');
  expect(world.sent().map((request) => request.split(' ')[0])).toEqual(['POST']);
  expect(tracked()).toContain('schedules.hand');
  expect((await world.run('apply', '--auto-approve', '--expect', digest)).code).toBe(0);
  expect(tracked()).not.toContain('schedules.hand');
  expect((await plan()).changes).toEqual([]);
});

it('an apply that asks deletes what an import tracked and the files lack', async () => {
  const { world, tracked } = await imported();
  expect((await world.run('apply')).code).toBe(0);
  expect(tracked()).toEqual(['schedules.a']);
  await world.expectQuiet();
});

it('after a squash of the branch an apply with nothing to do finds it declared, and later deletions are meant', async () => {
  const { world, git, first, unattended, undeclared, tracked, commit } = await imported();
  git('merge', '-q', '--squash', 'import');
  commit();
  expect(undeclared()).toBe(1);
  expect(await unattended()).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') });
  expect([undeclared(), world.sent()]).toEqual([0, []]);
  commit({ 'README.md': 'Reports' });
  world.write(file('a', { subject: 'New' }));
  expect((await unattended()).code).toBe(0);
  git('checkout', '-q', '-f', first);
  expect(inOneLine((await unattended()).stderr)).toContain('This checkout is behind commit');
  git('checkout', '-q', '-f', 'main');
  git('rm', '-rqf', 'schedules');
  commit(file('a', { subject: 'New' }));
  expect((await unattended()).code).toBe(0);
  expect(tracked()).toEqual(['schedules.a']);
});

it('what fold made a loop of what an import tracked is declared once it is applied, and kept until then', async () => {
  const { world, git, commit, unattended, undeclared, tracked } = await imported(['North', 'South', 'East', 'West']);
  expect((await unattended()).code).toBe(1);
  expect(world.sent()).toEqual([]);
  git('checkout', '-q', 'import');
  await world.run('fold', '--write');
  commit({ 'README.md': 'Folded' });
  expect(undeclared()).toBe(4);
  expect((await unattended()).code).toBe(0);
  expect(undeclared()).toBe(0);
  expect(tracked()).toHaveLength(5);
  expect(world.sent()).toEqual([]);
});

it('where a repository is there and the state names no commit, a plan says so first, and deletions wait for a person', async () => {
  const { world, git, commit, first, plan, unattended, tracked } = await openMain();
  commit(file('b'));
  expect((await unattended()).code).toBe(0);
  git('rm', '-q', 'schedules/b.yaml');
  const last = commit({ 'README.md': 'Reports' });
  const { checkout, ...rest } = world.state() as State;
  expect(checkout).not.toBe(first);
  world.write({ 'almanac.state.json': rest });
  const planned = await world.run('plan');
  expect(planned.stderr).toContain('The state names no commit that was applied');
  expect((await plan()).dangers[0]?.code).toBe('unmeant-deletion');
  expect((await world.run('doctor')).stdout).toContain('The state names no commit that was applied');
  expect((await unattended()).code).toBe(1);
  expect(tracked()).toContain('schedules.b');
  expect(world.state()).not.toHaveProperty('checkout');
  expect((await world.run('apply')).code).toBe(0);
  expect(world.state()).toMatchObject({ checkout: last });
  expect(tracked()).toEqual(['schedules.a']);
});

it('an apply by hand with nothing to do ends that as well', async () => {
  const { world, first } = await openMain();
  const { checkout: _, ...rest } = world.state() as State;
  world.write({ 'almanac.state.json': rest });
  expect((await world.run('apply')).stdout).toContain('No changes');
  expect(world.state()).toMatchObject({ checkout: first });
});

it('where there is no repository at all, an apply that nobody sees deletes what is no longer declared', async () => {
  const { world, unattended, tracked } = await imported();
  rmSync(join(world.path, '.git'), { recursive: true });
  expect((await unattended()).code).toBe(0);
  expect(tracked()).toEqual(['schedules.a']);
});

it('an address that an apply of a part took out does not come back from a clone of yesterday', async () => {
  const { world, git, commit, unattended } = await openMain();
  const yesterday = commit(file('a', { recipients: ['ana@example.com', 'leaked@example.com'] }));
  expect((await unattended()).code).toBe(0);
  const fixed = commit({ ...file('a', { recipients: ['ana@example.com'] }), ...file('later') });
  expect((await world.run('apply', '--auto-approve', '--target', 'schedules.a')).code).toBe(0);
  expect(world.state()).toMatchObject({ checkout: fixed });
  git('checkout', '-q', yesterday);
  world.sent();
  const refused = await unattended();
  expect([refused.code, world.sent()]).toEqual([1, []]);
  expect(inOneLine(refused.stderr)).toContain(`This checkout is behind commit ${fixed.slice(0, 12)}`);
});
