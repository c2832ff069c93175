// The credential with which an apply writes the branch of the state: a token of the project, or that of the job.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { jobToken, pushToken } from '../support/gitlab/fake-gitlab.ts';
import { type GitlabProject, openProject } from '../support/gitlab/open-project.ts';

const workspace = (schedules: object, remote?: string) => ({
  'almanac.yaml': {
    api: { operations: 'full' },
    state: { backend: 'git', remote },
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

test('the token of the project goes to no other server that almanac.yaml names', async () => {
  const given: string[] = [];
  let asked = 0;
  const other = createServer(({ headers: { authorization } }, response) => {
    asked += 1;
    if (authorization !== undefined) given.push(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString());
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  onTestFinished(() => void other.close());
  const remote = `http://127.0.0.1:${(other.address() as AddressInfo).port}/acme/reports.git`;
  const project = await opened();
  const pipeline = await project.push(workspace({ weekly }));
  // The apply takes the tip of the branch, and a merge can change what pins the place as well.
  await project.push(workspace({ weekly }, remote));
  project.set({ key: 'ALMANAC_STATE_PLACE', value: `git branch almanac-state of ${remote}` });
  const { status, log } = (await pipeline.play('apply')).result('apply');
  expect(status).toBe('failed');
  expect(log).toContain(remote);
  expect(asked).toBeGreaterThan(0);
  expect(given.join()).not.toContain(pushToken);
}, 180_000);
