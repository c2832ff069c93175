// Several environments, several workspaces, and jobs beside an existing pipeline.

import { expect, test } from 'vitest';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { startFull } from '../support/emulator/start-emulator.ts';
import { pushToken } from '../support/gitlab/fake-gitlab.ts';
import { openProject } from '../support/gitlab/open-project.ts';

const statuses = (results: object) =>
  Object.fromEntries(Object.entries(results).map(([name, { status }]) => [name, status]));

test('each environment has a plan, an approval, a state and a note of its own', async () => {
  const project = await openProject(
    { 'README.md': 'Reports', 'almanac.yaml': { api: { operations: 'full' }, state: { backend: 'git' } } },
    { environments: ['dev', 'prod'] },
  );
  const dev = await startFull();
  project.unset('OMNI_BASE_URL');
  project.unset('OMNI_API_TOKEN');
  const organizations = [
    ['dev', dev.baseUrl, 'omni_osk_demo_second_key'],
    ['prod', project.baseUrl, project.organizationKey],
  ] as const;
  for (const [environment, url, key] of organizations) {
    project.set({ key: 'OMNI_BASE_URL', value: url, environment });
    project.set({ key: 'OMNI_API_TOKEN', value: key, environment, isProtected: true });
    project.set({ key: 'STATE_PUSH_TOKEN', value: pushToken, environment, isProtected: true });
  }
  const files = {
    'almanac.yaml': {
      api: { operations: 'full' },
      state: { backend: 'git' },
      environments: {
        dev: { api: { baseUrl: dev.baseUrl } },
        prod: { api: { baseUrl: project.baseUrl } },
      },
    },
    'schedules/all.yaml': { schedules: { weekly } },
  };
  const review = await project.mergeRequest(files);
  expect(Object.keys(review.results)).toEqual(['validate', 'review: [dev]', 'review: [prod]']);
  expect(project.gitlab.notes.map(({ body }) => /^.+ directory="[^"]*"/.exec(body)?.[0])).toEqual([
    '<!-- almanac:plan environment="dev" directory="."',
    '<!-- almanac:plan environment="prod" directory="."',
  ]);
  const pipeline = await project.push(files);
  expect(statuses(pipeline.results)).toMatchObject({ 'apply-dev': 'manual', 'apply-prod': 'manual' });
  const applied = await pipeline.play('apply-dev');
  expect(statuses(applied.results)).toEqual({ apply: 'success' });
  expect(project.tracked('almanac-state-dev')).toEqual(['schedules.weekly']);
  expect(project.tracked('almanac-state-prod')).toEqual([]);
  expect(project.emulator.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(statuses((await pipeline.play('apply-prod')).results)).toMatchObject({ apply: 'success' });
  expect(project.tracked('almanac-state-prod')).toEqual(['schedules.weekly']);
});

test('a workspace in a folder has jobs of its own, which a change elsewhere does not start', async () => {
  const folder = 'teams/reports';
  const workspace = (schedules: object) => ({
    [`${folder}/almanac.yaml`]: {
      api: { operations: 'full' },
      state: { backend: 'git', branch: 'almanac-state--teams-reports' },
    },
    [`${folder}/schedules/all.yaml`]: { schedules },
  });
  const project = await openProject(
    workspace({}),
    { folder, packageFolder: folder },
    { rootFile: `include:\n  - local: ${folder}/.gitlab-ci.yml\n` },
  );
  expect((await project.push({ 'elsewhere/README.md': 'Other' })).results).toEqual({});
  const review = await project.mergeRequest(workspace({ weekly }));
  expect(review.result('review-teams-reports').log).toContain('Wrote the plan as a note');
  expect(review.result('review-teams-reports').artifact(`${folder}/plan.html`)).toContain('Weekly sales');
  expect(review.result('validate-teams-reports').artifact(`${folder}/findings.xml`)).toContain('testsuite');
  expect(project.gitlab.notes[0]?.body).toMatch(/^<!-- almanac:plan environment="" directory="teams%2Freports" head="/);
  const pipeline = await project.push(workspace({ weekly, hook }));
  const child = await pipeline.play('apply-teams-reports');
  expect(statuses(child.results)).toEqual({ apply: 'success' });
  expect(project.tracked('almanac-state--teams-reports')).toEqual(['schedules.hook', 'schedules.weekly']);
});

test('the jobs beside a pipeline that is there plan, apply and look, and its own jobs stay what they are', async () => {
  const workspace = (schedules: object) => ({
    'almanac.yaml': { api: { operations: 'full' }, state: { backend: 'git' } },
    'schedules/all.yaml': { schedules },
  });
  const own = `stages: [test, deploy]
plan:
  script: [echo own plan]
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
include:
  - local: .gitlab-ci-almanac.yml
`;
  const project = await openProject(workspace({}), { isBeside: true }, { rootFile: own });
  const review = await project.mergeRequest(workspace({ weekly }));
  expect(Object.keys(review.results)).toEqual(['validate-almanac', 'review-almanac']);
  expect(project.gitlab.notes[0]?.body).toContain('Weekly sales');
  const pipeline = await project.push(workspace({ weekly }));
  expect(pipeline.result('plan').log).toContain('own plan');
  expect(statuses((await pipeline.play('apply-almanac')).results)).toEqual({ apply: 'success' });
  expect(project.tracked()).toEqual(['schedules.weekly']);
  const night = await project.scheduled('Nightly', 'drift-almanac');
  expect(statuses(night.results), project.logs()).toEqual({ 'drift-almanac': 'success' });
});
