// From the merge to the apply: the plan with the secrets, the approval, and the branch that keeps the state.
// The first test starts the built program as a process; in the others it runs in the process of the test.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../support/action/repository.ts';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { jobToken, noteToken, pushToken } from '../support/gitlab/fake-gitlab.ts';
import { type GitlabProject, openProject } from '../support/gitlab/open-project.ts';
import { runProgram } from '../support/program.ts';
import { sftp } from '../support/vocabulary.ts';

const workspace = (schedules: object) => ({
  'almanac.yaml': { api: { operations: 'full' }, state: { backend: 'git' } },
  'schedules/all.yaml': { schedules },
});
const statuses = (results: object) =>
  Object.fromEntries(Object.entries(results).map(([name, { status }]) => [name, status]));
const applied = { apply: 'success' };
/** The pipeline without the place of the state, as one that was written for a committed state. */
const unpinned = (text: string) => text.replaceAll(/ {2}variables:\n {4}ALMANAC_STATE_PLACE: .*\n(?: {4}.*\n)*/g, '');
const written = ({ emulator }: GitlabProject) => emulator.requests().filter(({ method }) => method !== 'GET');

test('a merge is planned, approved and applied, and its state is kept: the next pipeline has nothing to do', async () => {
  const project = await openProject(workspace({}), {}, { program: 'dist/cli.cjs' });
  const pipeline = await project.push(workspace({ weekly, hook }));
  expect(statuses(pipeline.results)).toEqual({ validate: 'success', plan: 'success', apply: 'manual' });
  expect(written(project)).toEqual([]);
  expect(statuses((await pipeline.play('apply')).results)).toEqual(applied);
  expect(project.tracked()).toEqual(['schedules.hook', 'schedules.weekly']);
  const subjects = project.subjects();
  const next = await project.again();
  expect(next.result('plan').log).toContain('No changes.');
  expect(statuses((await next.play('apply')).results)).toEqual(applied);
  expect(project.subjects()).toEqual(subjects);
  const everything = `${project.calls()}${project.logs()}`;
  for (const token of [noteToken, pushToken, project.organizationKey]) expect(everything).not.toContain(token);
  expect(project.logs()).not.toContain(jobToken);
});

test('no job but the apply sees a credential that can write', async () => {
  const project = await openProject(workspace({}));
  const review = (await project.mergeRequest(workspace({ weekly }))).result('review');
  const pipeline = await project.push(workspace({ weekly }));
  const tokens = ['OMNI_API_TOKEN', 'STATE_PUSH_TOKEN'];
  const seen = (saw: readonly string[]) => tokens.filter((token) => saw.includes(token));
  expect(seen(review.saw)).toEqual([]);
  expect(seen(pipeline.result('validate').saw)).toEqual([]);
  expect(seen((await pipeline.play('apply')).result('apply').saw)).toEqual(tokens);
});

describe('a rotated password', () => {
  const password = (value: string) => ({ key: 'SFTP_PASSWORD', value, isProtected: true, environment: 'production' });
  const withPassword = async () => {
    const project = await openProject(workspace({}));
    project.set(password('first-password'));
    expect(statuses((await (await project.push(workspace({ sftp: sftp() }))).play('apply')).results)).toEqual(applied);
    return project;
  };

  test('a rotated password is in the plan of the next pipeline, and is applied', async () => {
    const project = await withPassword();
    project.set(password('second-password'));
    const pipeline = await project.again();
    expect(pipeline.result('plan').log).toContain('1 to update');
    expect(pipeline.result('plan').log).not.toContain('second-password');
    expect(statuses((await pipeline.play('apply')).results)).toEqual(applied);
    expect(written(project).at(-1)?.body).toMatchObject({ passwordUnencrypted: 'second-password' });
    expect((await project.again()).result('plan').log).toContain('No changes.');
  });

  test('a rotated password is named and not sent when the plan was made before', async () => {
    const project = await withPassword();
    const sent = written(project).length;
    const pipeline = await project.again();
    expect(pipeline.result('plan').log).toContain('No changes.');
    project.set(password('second-password'));
    const child = await pipeline.play('apply');
    expect(statuses(child.results)).toEqual(applied);
    expect(child.result('apply').log).toContain('The saved plan is already applied.');
    expect(child.result('apply').log).toMatch(/The value of SFTP_PASSWORD has\s+changed/);
    expect(written(project)).toHaveLength(sent);
  });
});

test('of two quick merges each apply makes its own changes, and a plan of which a part is done does the rest', async () => {
  const project = await openProject(workspace({}));
  const first = await project.push(workspace({ weekly }));
  const second = await project.push(workspace({ weekly, hook }));
  expect(statuses((await first.play('apply')).results)).toEqual(applied);
  expect(project.tracked()).toEqual(['schedules.weekly']);
  const late = await second.play('apply');
  expect(statuses(late.results)).toEqual(applied);
  expect(late.result('apply').log.replaceAll(/\s+/g, ' ')).toContain(
    '1 change of the saved plan is no longer planned: it is done, or somebody took it back: schedules.weekly.',
  );
  expect(project.tracked()).toEqual(['schedules.hook', 'schedules.weekly']);
  expect((await project.again()).result('plan').log).toContain('No changes.');
});

test('what somebody has applied from a branch that is ahead is not taken back by the jobs', async () => {
  const project = await openProject(workspace({ weekly }));
  expect(statuses((await (await project.again()).play('apply')).results)).toEqual(applied);
  const clone = project.clone();
  git(clone, 'checkout', '-q', '-b', 'ahead');
  writeFileSync(join(clone, 'schedules/all.yaml'), JSON.stringify({ schedules: { weekly, hook } }));
  git(clone, 'commit', '-qam', 'Send to the hook');
  git(clone, 'push', '-q', 'origin', 'ahead');
  const environment = { OMNI_BASE_URL: project.baseUrl, OMNI_API_TOKEN: project.organizationKey };
  expect(await runProgram(['apply', '--auto-approve'], { cwd: clone, environment })).toMatchObject({ code: 0 });
  const sent = written(project).length;
  const pipeline = await project.again();
  expect(pipeline.result('plan').log).toContain(
    '1 change takes back what was applied: this checkout is behind the commit',
  );
  const { status, log } = (await pipeline.play('apply')).result('apply');
  expect([status, written(project).length]).toEqual(['failed', sent]);
  expect(log).toContain('--allow behind');
});

test('of two quick merges the plan of the second contains both', async () => {
  const project = await openProject(workspace({}));
  const first = await project.push(workspace({ weekly }));
  const second = await project.push(workspace({ weekly, hook }));
  expect(statuses((await second.play('apply')).results)).toEqual(applied);
  const late = await first.play('apply');
  expect(statuses(late.results)).toEqual(applied);
  expect(late.result('apply').log).toContain('The saved plan is already applied.');
  expect((await project.again()).result('plan').log).toContain('No changes.');
});

test('an apply that fails in the middle keeps the state of what was done', async () => {
  const project = await openProject(workspace({}));
  const pipeline = await project.push(workspace({ weekly, missing: { ...hook, identifier: 'ffffffff' } }));
  const child = await pipeline.play('apply');
  expect(statuses(child.results)).toEqual({ apply: 'failed' });
  expect(project.tracked()).toEqual(['schedules.weekly']);
});

test('an apply whose state would be lost with the job sends nothing', async () => {
  const project = await openProject({
    'almanac.yaml': { api: { operations: 'full' } },
    'schedules/all.yaml': { schedules: { weekly } },
  });
  const files = ['.gitlab-ci.yml', '.gitlab-ci-apply.yml'].map((path) => [path, unpinned(project.read(path))]);
  const apply = (await (await project.push(Object.fromEntries(files))).play('apply')).result('apply');
  expect(apply.status).toBe('failed');
  expect(apply.log).toContain('The state is a file of this checkout, which is lost when the job ends');
  expect(project.emulator.requests()).toEqual([]);
});

test('an apply refuses to send the token where no variable of the project pins the base URL', async () => {
  const project = await openProject({
    ...workspace({}),
    'almanac.yaml': { api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' }, state: { backend: 'git' } },
  });
  project.unset('OMNI_BASE_URL');
  const child = await (await project.push({ 'schedules/all.yaml': { schedules: { weekly } } })).play('apply');
  expect(child.result('apply').status).toBe('failed');
  expect(child.result('apply').log).toContain('OMNI_BASE_URL is not set.');
});

test.each([
  ['writes the branch where the project allows that', true],
  ['that may not write the branch sends nothing', false],
])(
  'the credential of the job %s',
  async (_, mayWrite) => {
    const project = await openProject(workspace({}));
    project.unset('STATE_PUSH_TOKEN');
    if (mayWrite) project.gitlab.writers.add(jobToken);
    const { status, log } = (await (await project.push(workspace({ weekly }))).play('apply')).result('apply');
    expect(status, log).toBe(mayWrite ? 'success' : 'failed');
    expect(project.tracked()).toEqual(mayWrite ? ['schedules.weekly'] : []);
    expect(written(project)).toHaveLength(mayWrite ? 1 : 0);
    if (!mayWrite) expect(log).toMatch(/cannot be written/);
    expect(project.logs()).not.toContain(jobToken);
  },
  180_000,
);
