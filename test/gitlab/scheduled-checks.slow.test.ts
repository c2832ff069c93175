// The jobs of pipeline schedules: what differs in Omni, deep, and what nobody declared; and in the morning, which deliveries
// failed. Each has one issue that opens and closes by itself.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { git } from '../support/action/repository.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { noteToken } from '../support/gitlab/fake-gitlab.ts';
import { type GitlabProject, openProject } from '../support/gitlab/open-project.ts';
import { runProgram } from '../support/program.ts';

const workspace = {
  'almanac.yaml': { api: { operations: 'full' }, state: { backend: 'git' } },
  'schedules/all.yaml': { schedules: { weekly } },
};

/** Applied from elsewhere, which takes less time than a pipeline. */
async function applied(): Promise<GitlabProject> {
  const project = await openProject(workspace);
  const environment = { OMNI_BASE_URL: project.baseUrl, OMNI_API_TOKEN: project.organizationKey };
  const { code, stderr } = await runProgram(['apply', '--auto-approve'], { cwd: project.clone(), environment });
  expect(code, stderr).toBe(0);
  return project;
}

const recipientsOf = (project: GitlabProject, recipients: readonly string[]) =>
  project.emulator.edit((data) => {
    for (const { fields } of data.schedules) Object.assign(fields, { recipients });
  });

test('drift opens an issue, which names what nobody declared, is kept up to date and closed when nothing differs', async () => {
  const project = await applied();
  const { gitlab } = project;
  const looks = async () => (await project.scheduled('Nightly', 'drift')).result('drift');
  expect((await looks()).status).toBe('success');
  expect(gitlab.issues).toEqual([]);
  recipientsOf(project, ['kim@example.com']);
  await looks();
  expect(gitlab.issues).toMatchObject([{ state: 'opened', description: expect.stringContaining('kim@example.com') }]);
  const changes = () => gitlab.requests.filter((request) => /^(?:POST|PUT)/.test(request)).length;
  const before = changes();
  await looks();
  expect(changes()).toBe(before);
  recipientsOf(project, weekly.recipients);
  project.emulator.edit(({ schedules }) => {
    const [tracked] = schedules;
    if (tracked !== undefined)
      schedules.push({ ...tracked, id: randomUUID(), fields: { ...tracked.fields, name: 'Mine' } });
  });
  await looks();
  expect(gitlab.issues).toMatchObject([{ state: 'opened', description: expect.stringContaining('Mine') }]);
  project.emulator.edit(({ schedules }) => void schedules.splice(1));
  expect((await looks()).status).toBe('success');
  expect(gitlab.issues).toMatchObject([{ iid: 1, state: 'closed' }]);
  expect(project.logs() + project.calls()).not.toContain(noteToken);
});

test('before the first apply the jobs pass and open no issue, and later they fail where the state is gone', async () => {
  const project = await openProject(workspace);
  const environment = { OMNI_BASE_URL: project.baseUrl, OMNI_API_TOKEN: project.organizationKey };
  const looks = async () => Object.values((await project.scheduled('Nightly')).results);
  const both = (status: string, words: string) => [0, 1].map(() => ({ status, log: expect.stringContaining(words) }));
  expect(await looks()).toMatchObject(both('success', 'this workspace has no state yet.'));
  const clone = project.clone();
  const { code, stderr } = await runProgram(['apply', '--auto-approve'], { cwd: clone, environment });
  expect(code, stderr).toBe(0);
  expect(await looks()).toMatchObject(both('success', ''));
  git(clone, 'push', '--quiet', 'origin', '--delete', 'almanac-state');
  expect(await looks()).toMatchObject(both('failed', 'the state is lost.'));
  expect(project.gitlab.issues).toEqual([]);
});

test('without a token for issues, the job shows the drift and says why there is no issue', async () => {
  const project = await applied();
  project.unset('ALMANAC_NOTE_TOKEN');
  recipientsOf(project, ['kim@example.com']);
  const { status, log } = (await project.scheduled('Nightly', 'drift')).result('drift');
  expect(status).toBe('failed');
  expect(log).toContain('Changed outside of Almanac\n  schedules.weekly');
  expect(log).toContain('ALMANAC_NOTE_TOKEN is not set, so no issue is opened or closed.');
});

test('the nightly job sends no token where no variable of the project pins the base URL', async () => {
  const project = await openProject(workspace);
  project.unset('OMNI_BASE_URL');
  const sent = project.emulator.requests().length;
  const { status, log } = (await project.scheduled('Nightly', 'drift')).result('drift');
  expect(status).toBe('failed');
  expect(log).toContain('OMNI_BASE_URL is not set.');
  expect(project.emulator.requests()).toHaveLength(sent);
});

test('in the morning only the deliveries are looked at, and an issue says which failed until they are fine', async () => {
  const project = await applied();
  const run = (status: 'ERROR' | 'COMPLETE') =>
    project.emulator.edit(({ schedules }) => {
      for (const schedule of schedules) schedule.lastRun = { at: new Date().toISOString(), status };
    });
  run('ERROR');
  const morning = await project.scheduled('Weekday mornings');
  expect(Object.entries(morning.results).map(([name, { status }]) => [name, status])).toEqual([['status', 'success']]);
  expect(project.gitlab.issues).toMatchObject([
    { state: 'opened', title: 'Deliveries of Omni failed, were missed or stopped, or a schedule is gone' },
  ]);
  expect(project.gitlab.issues[0]?.description).toContain('schedules.weekly');
  run('COMPLETE');
  await project.scheduled('Weekday mornings');
  expect(project.gitlab.issues).toMatchObject([{ iid: 1, state: 'closed' }]);
});
