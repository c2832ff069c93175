// A pushed tag with the name of a branch. The threat: somebody who merges nothing pushes a tag. Git prefers a tag
// wherever a name says neither, so a job would apply what the tag holds, or take the state for unusable.

import { expect, onTestFinished, test } from 'vitest';
import { git } from '../support/action/repository.ts';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { openProject } from '../support/gitlab/open-project.ts';
import { makeGitStage, stateBranch } from '../support/state/git-remote.ts';
import { newEntry } from '../support/state/state-log-conformance.ts';

test('a tag with the name of the branch of the state changes nothing, for readers and for writers', async () => {
  const stage = makeGitStage();
  onTestFinished(() => stage.close());
  const clone = stage.clone('clone');
  stage.git(clone, 'push', '--quiet', 'origin', `HEAD:refs/tags/${stateBranch}`);
  const log = await stage.open(clone);
  await log.probe();
  expect(await log.append(1, newEntry('commit'))).toBe('written');
  const other = await stage.open(stage.clone('other'));
  expect((await other.read(0)).map(({ n }) => n)).toEqual([1]);
  expect(await other.append(2, newEntry('lock'))).toBe('written');
  expect(stage.git(stage.remote, 'rev-list', '--count', `refs/heads/${stateBranch}`)).toBe('2');
  expect(stage.git(stage.remote, 'rev-parse', `refs/tags/${stateBranch}`)).toBe(stage.git(clone, 'rev-parse', 'HEAD'));
});

test('a pipeline of GitLab plans the default branch, and no tag with its name', async () => {
  const workspace = (schedules: object) => ({
    'almanac.yaml': { api: { operations: 'full' }, state: { backend: 'git' } },
    'schedules/all.yaml': { schedules },
  });
  const project = await openProject(workspace({ weekly }));
  const clone = project.clone();
  git(clone, 'rm', '--quiet', 'schedules/all.yaml');
  git(clone, 'commit', '--quiet', '--message', 'Never merged');
  git(clone, 'push', '--quiet', 'origin', 'HEAD:refs/tags/main');
  const pipeline = await project.again();
  expect(pipeline.result('plan').log).toContain('create  schedules.weekly: ');
  await pipeline.play('apply');
  expect(project.tracked()).toEqual(['schedules.weekly']);
  const next = await project.push(workspace({ weekly, hook }));
  expect(next.result('plan').log).toContain('Plan: 1 to create');
});
