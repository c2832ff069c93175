// From the merge to the pushed state: the plan with the secrets, the approval, the check before the apply, and the push.
// The first test starts the built program as a process; in the others it runs in the process of the test.

import { describe, expect, test } from 'vitest';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { jobToken, noteToken, pushToken } from '../support/gitlab/fake-gitlab.ts';
import { type GitlabProject, openProject } from '../support/gitlab/open-project.ts';

const state = 'almanac.state.json';
const sftp = {
  identifier: '3f9c2b71',
  name: 'Revenue',
  schedule: '0 6 * * ? *',
  timezone: 'UTC',
  format: 'csv',
  destinationType: 'sftp',
  address: 'sftp.example.com',
  port: 22,
  username: 'almanac',
  path: '/in',
  passwordUnencrypted: '${env.SFTP_PASSWORD}',
};
const workspace = (schedules: object) => ({
  'almanac.yaml': { api: { operations: 'full' } },
  'schedules/all.yaml': { schedules },
});
const statuses = (results: object) =>
  Object.fromEntries(Object.entries(results).map(([name, { status }]) => [name, status]));
const applied = { ready: 'success', apply: 'success', 'push-state': 'success' };
const written = ({ emulator }: GitlabProject) => emulator.requests().filter(({ method }) => method !== 'GET');

test('a merge is planned, approved and applied, and its state is pushed: the next pipeline has nothing to do', async () => {
  const project = await openProject(workspace({}), {}, { program: 'dist/cli.cjs' });
  const pipeline = await project.push(workspace({ weekly, hook }));
  expect(statuses(pipeline.results)).toEqual({ validate: 'success', plan: 'success', apply: 'manual' });
  expect(written(project)).toEqual([]);
  expect(statuses((await pipeline.play('apply')).results)).toEqual(applied);
  expect(Object.keys(JSON.parse(project.read(state)).resources)).toEqual(['schedules.hook', 'schedules.weekly']);
  expect(project.subjects()[0]).toMatch(/^Almanac state after [0-9a-f]{9} \[skip ci\]$/);
  const next = await project.push({ 'README.md': 'Reports' });
  expect(next.result('plan').log).toContain('No changes.');
  const subjects = project.subjects();
  expect((await next.play('apply')).result('push-state').log).toContain('The state has not changed.');
  expect(project.subjects()).toEqual(subjects);
  expect(project.calls()).toContain('push --dry-run http');
  expect(project.calls()).toMatch(/run_command: .*printf .*STATE_PUSH_TOKEN/);
  const everything = `${project.calls()}${project.logs()}`;
  for (const token of [noteToken, pushToken, project.organizationKey]) expect(everything).not.toContain(token);
  expect(project.logs()).not.toContain(jobToken);
});

test('each job sees the credential of its own task and no other', async () => {
  const project = await openProject(workspace({}));
  const review = (await project.mergeRequest(workspace({ weekly }))).result('review');
  const pipeline = await project.push(workspace({ weekly }));
  const child = await pipeline.play('apply');
  const tokens = ['OMNI_API_TOKEN', 'STATE_PUSH_TOKEN'];
  const seen = (saw: readonly string[]) => tokens.filter((token) => saw.includes(token));
  expect(seen(review.saw)).toEqual([]);
  expect(seen(pipeline.result('validate').saw)).toEqual([]);
  expect(seen(pipeline.result('plan').saw)).toEqual(['OMNI_API_TOKEN']);
  expect(seen(child.result('ready').saw)).toEqual(['STATE_PUSH_TOKEN']);
  expect(seen(child.result('apply').saw)).toEqual(['OMNI_API_TOKEN']);
  expect(seen(child.result('push-state').saw)).toEqual(['STATE_PUSH_TOKEN']);
});

describe('a rotated password', () => {
  const password = (value: string) => ({ key: 'SFTP_PASSWORD', value, isProtected: true, environment: 'production' });
  const withPassword = async () => {
    const project = await openProject(workspace({}));
    project.set(password('first-password'));
    expect(statuses((await (await project.push(workspace({ sftp }))).play('apply')).results)).toEqual(applied);
    return project;
  };

  test('is in the plan of the next pipeline, and is applied', async () => {
    const project = await withPassword();
    project.set(password('second-password'));
    const pipeline = await project.again();
    expect(pipeline.result('plan').log).toContain('1 to update');
    expect(pipeline.result('plan').log).not.toContain('second-password');
    expect(statuses((await pipeline.play('apply')).results)).toEqual(applied);
    expect(written(project).at(-1)?.body).toMatchObject({ passwordUnencrypted: 'second-password' });
    expect((await project.again()).result('plan').log).toContain('No changes.');
  });

  test('is refused with its name when the plan without changes was made before', async () => {
    const project = await withPassword();
    const sent = written(project).length;
    const pipeline = await project.again();
    expect(pipeline.result('plan').log).toContain('No changes.');
    project.set(password('second-password'));
    const child = await pipeline.play('apply');
    expect(statuses(child.results)).toEqual({ ...applied, apply: 'failed' });
    expect(child.result('apply').log).toMatch(/SFTP_PASSWORD has\s+changed/);
    expect(child.result('apply').log).toContain('Run a new pipeline on the');
    expect(written(project)).toHaveLength(sent);
  });
});

test('of two quick merges the first is refused, and the plan of the second contains both', async () => {
  const project = await openProject(workspace({}));
  const first = await project.push(workspace({ weekly }));
  const second = await project.push(workspace({ weekly, hook }));
  const late = await first.play('apply');
  expect(statuses(late.results)).toEqual({ ...applied, apply: 'failed' });
  expect(late.result('apply').log).toContain('error[plan-stale]');
  expect(late.result('apply').log).toContain('so nothing was sent. Run a new pipeline on the');
  expect(written(project)).toEqual([]);
  expect(statuses((await second.play('apply')).results)).toEqual(applied);
  expect((await project.again()).result('plan').log).toContain('No changes.');
});

test('an apply that fails in the middle pushes the state of what was done', async () => {
  const project = await openProject(workspace({}));
  const pipeline = await project.push(workspace({ weekly, missing: { ...hook, identifier: 'ffffffff' } }));
  const child = await pipeline.play('apply');
  expect(statuses(child.results)).toEqual({ ...applied, apply: 'failed' });
  expect(Object.keys(JSON.parse(project.read(state)).resources)).toEqual(['schedules.weekly']);
});

describe('the push of the state', () => {
  test('goes on top of commits that came in during the apply', async () => {
    const project = await openProject(workspace({}));
    const pipeline = await project.push(workspace({ weekly }));
    project.before('push-state', () => project.commit({ 'README.md': 'meanwhile' }));
    expect(statuses((await pipeline.play('apply')).results)).toEqual(applied);
    expect(project.read('README.md')).toBe('meanwhile');
    expect(project.read(state)).toContain('schedules.weekly');
  });

  test('never replaces another state: that one stays, and this one is among the artifacts', async () => {
    const project = await openProject(workspace({}));
    const pipeline = await project.push(workspace({ weekly }));
    project.before('push-state', () => project.commit({ [state]: '{"another": true}\n' }));
    const child = await pipeline.play('apply');
    expect(statuses(child.results)).toEqual({ ...applied, 'push-state': 'failed' });
    expect(child.result('push-state').log).toContain('Another state was pushed during this apply');
    expect(project.read(state)).toBe('{"another": true}');
    expect(child.result('apply').artifact('almanac-state/state.json')).toContain('schedules.weekly');
  });

  test('does not pass for done where the apply left no state', async () => {
    const project = await openProject(workspace({}));
    const pipeline = await project.push(workspace({ weekly }));
    project.loseArtifacts('apply');
    const pushed = (await pipeline.play('apply')).result('push-state');
    expect(pushed.status).toBe('failed');
    expect(pushed.log).toContain('The job apply left no state.');
  });

  test('is tried before anything is sent, so an expired token stops the apply', async () => {
    const project = await openProject(workspace({}));
    const pipeline = await project.push(workspace({ weekly }));
    project.gitlab.writers.delete(pushToken);
    const child = await pipeline.play('apply');
    expect(statuses(child.results)).toEqual({ ready: 'failed', apply: 'skipped', 'push-state': 'failed' });
    expect(child.result('ready').log).toContain('STATE_PUSH_TOKEN may be expired');
    expect(child.result('push-state').log).toContain('If it did not run, there is nothing to push.');
    expect(project.emulator.requests()).toEqual([]);
  });

  test('names the variable that is missing', async () => {
    const project = await openProject(workspace({}));
    project.unset('STATE_PUSH_TOKEN');
    const child = await (await project.push(workspace({ weekly }))).play('apply');
    expect(child.result('ready').log).toContain('STATE_PUSH_TOKEN is not set.');
    expect(child.result('apply').status).toBe('skipped');
  });

  test('says that a protected branch refused it, which no dry run can know, and keeps the state', async () => {
    const project = await openProject(workspace({}));
    const pipeline = await project.push(workspace({ weekly }));
    project.protectBranch();
    const child = await pipeline.play('apply');
    expect(child.result('ready').log).toContain('Whether a protected branch accepts its pushes to main shows only');
    expect(child.result('push-state').status).toBe('failed');
    expect(child.result('push-state').log).toContain('not allowed to push code to protected branches');
    expect(child.result('push-state').log).not.toContain(pushToken);
    expect(child.result('apply').artifact('almanac-state/state.json')).toContain('schedules.weekly');
  });
});

test('an apply refuses to send the token where no variable of the project pins the base URL', async () => {
  const project = await openProject({
    ...workspace({}),
    'almanac.yaml': { api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' } },
  });
  project.unset('OMNI_BASE_URL');
  const child = await (await project.push({ 'schedules/all.yaml': { schedules: { weekly } } })).play('apply');
  expect(child.result('apply').status).toBe('failed');
  expect(child.result('apply').log).toContain('OMNI_BASE_URL is not set.');
});
