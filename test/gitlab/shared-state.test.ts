// The pipelines of a workspace whose state is a branch: one job plans, another applies and writes the branch, with the
// credential of the job or with a token of the project.

import { expect, test } from 'vitest';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { jobToken, pushToken } from '../support/gitlab/fake-gitlab.ts';
import { type GitlabProject, openProject } from '../support/gitlab/open-project.ts';

const branch = 'almanac-state';
const workspace = (schedules: object) => ({
  'almanac.yaml': { api: { operations: 'full' }, state: { backend: 'git' } },
  'schedules/all.yaml': { schedules },
});
const opened = () => openProject(workspace({}), { backend: 'git' });
const written = ({ emulator }: GitlabProject) => emulator.requests().filter(({ method }) => method !== 'GET');
const tracked = (project: GitlabProject) =>
  Object.keys(JSON.parse(project.read('almanac.state.json', branch)).resources);

test('a project token writes the branch of the state, and the next pipeline has nothing to do', async () => {
  const project = await opened();
  project.set({ key: 'STATE_PUSH_TOKEN', value: pushToken, isProtected: true, environment: 'production' });
  const pipeline = await project.push(workspace({ weekly, hook }));
  const child = await pipeline.play('apply');
  expect(child.result('apply').status, child.result('apply').log).toBe('success');
  expect(Object.keys(child.results)).toEqual(['apply']);
  expect(tracked(project)).toEqual(['schedules.hook', 'schedules.weekly']);
  expect(project.subjects()[0]).not.toContain('Almanac state');
  expect((await project.again()).result('plan').log).toContain('No changes.');
  const everything = `${project.calls()}${project.logs()}`;
  for (const token of [pushToken, project.organizationKey]) expect(everything).not.toContain(token);
}, 180_000);

test('the credential of the job writes the branch where the project allows that', async () => {
  const project = await opened();
  project.unset('STATE_PUSH_TOKEN');
  project.gitlab.writers.add(jobToken);
  const child = await (await project.push(workspace({ weekly }))).play('apply');
  expect(child.result('apply').status, child.result('apply').log).toBe('success');
  expect(tracked(project)).toEqual(['schedules.weekly']);
  expect(project.logs()).not.toContain(jobToken);
}, 180_000);

test('a job that may not write the branch sends nothing, and says so without a token', async () => {
  const project = await opened();
  project.unset('STATE_PUSH_TOKEN');
  const child = await (await project.push(workspace({ weekly }))).play('apply');
  expect(child.result('apply').status).toBe('failed');
  expect(child.result('apply').log).toMatch(/error\[state-unwritable\]|state branch|cannot be written/i);
  expect(child.result('apply').log).not.toContain(jobToken);
  expect(written(project)).toEqual([]);
}, 180_000);
