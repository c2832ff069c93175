// The credential with which an apply writes the branch of the state: a token of the project, or that of the job.

import { expect, test } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { jobToken } from '../support/gitlab/fake-gitlab.ts';
import { type GitlabProject, openProject } from '../support/gitlab/open-project.ts';

const workspace = (schedules: object) => ({
  'almanac.yaml': {
    api: { operations: 'full' },
    state: { backend: 'git' },
  },
  'schedules/all.yaml': { schedules },
});
const opened = () => openProject(workspace({}));
const written = ({ emulator }: GitlabProject) => emulator.requests().filter(({ method }) => method !== 'GET');

test('the credential of the job writes the branch where the project allows that', async () => {
  const project = await opened();
  project.unset('STATE_PUSH_TOKEN');
  project.gitlab.writers.add(jobToken);
  const child = await (await project.push(workspace({ weekly }))).play('apply');
  expect(child.result('apply').status, child.result('apply').log).toBe('success');
  expect(project.tracked()).toEqual(['schedules.weekly']);
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
