// The pipelines that init writes for GitLab, read as data: GitLab can read them, and no job may do more than it has to.

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ciTable } from '../../src/commands/ci/ci-command.ts';
import { gitlabFiles } from '../../src/commands/init/scaffold/ci-files.ts';
import type { CiShape } from '../../src/commands/init/scaffold/ci-shape.ts';
import { type DeclaredJob, readPipelineFile, selectJobs } from '../support/gitlab/pipeline-file.ts';

const shapes: readonly CiShape[] = [
  { packageName: 'almanac', environments: [], folder: '', packageFolder: '' },
  { packageName: '@acme/almanac', environments: ['dev', 'prod'], folder: '', packageFolder: '' },
  { packageName: 'almanac', environments: [], folder: 'teams/reports', packageFolder: 'teams' },
  { packageName: 'almanac', environments: ['dev', 'prod'], folder: 'reports', packageFolder: 'reports' },
];
const named = shapes.map((shape) => [`${shape.folder || 'root'} ${shape.environments}`, shape] as const);
const jobsOf = (shape: (typeof shapes)[number]) =>
  Object.values(gitlabFiles(shape)).flatMap((text) => Object.entries(readPipelineFile(text).jobs));
const environmentOf = ({ environment }: DeclaredJob) =>
  typeof environment === 'object' ? environment : { name: environment, action: 'start' };

describe.each(named)('the pipelines of a workspace: %s', (_, shape) => {
  test('a pipeline selects its jobs in each event, and every job that another needs is there', () => {
    const [pipeline = '', child = ''] = Object.values(gitlabFiles(shape)).map((text) => text);
    const changed = [`${shape.folder === '' ? '' : `${shape.folder}/`}schedules/all.yaml`];
    const select = (text: string, given: Readonly<Record<string, string>>, paths = changed) =>
      selectJobs(readPipelineFile(text), { CI_DEFAULT_BRANCH: 'main', ...given }, paths);
    const onMain = { CI_COMMIT_BRANCH: 'main' };
    const count = shape.environments.length || 1;
    expect(select(pipeline, { CI_PIPELINE_SOURCE: 'merge_request_event' })).toHaveLength(1 + count);
    expect(select(pipeline, { CI_PIPELINE_SOURCE: 'push', ...onMain })).toHaveLength(1 + 2 * count);
    expect(select(pipeline, { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'other' })).toEqual([]);
    expect(select(pipeline, { CI_PIPELINE_SOURCE: 'web', ...onMain }, ['elsewhere.md'])).toHaveLength(1 + 2 * count);
    const scheduled = { CI_PIPELINE_SOURCE: 'schedule', ...onMain };
    // Before GitLab 17.8, no schedule says what it is called.
    expect(select(pipeline, scheduled)).toHaveLength(2 * count);
    expect(select(pipeline, { ...scheduled, CI_PIPELINE_SCHEDULE_DESCRIPTION: 'Nightly' })).toHaveLength(2 * count);
    const morning = select(pipeline, { ...scheduled, CI_PIPELINE_SCHEDULE_DESCRIPTION: 'Mornings, Mon-Fri' });
    expect(morning.map(({ name }) => name.replace(/\W.*/, ''))).toEqual(Array(count).fill('status'));
    expect(select(pipeline, { CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'other' })).toEqual([]);
    const source = { CI_PIPELINE_SOURCE: 'parent_pipeline', PLAN_PIPELINE: '1', PLAN_JOB: 'plan' };
    expect(select(child, { ...source, ...onMain }).map(({ name }) => name)).toEqual(['apply']);
    expect(select(child, { ...source, CI_COMMIT_BRANCH: 'other' })).toEqual([]);
  });

  test('an apply is started by a person, one at a time, and waits for the pipeline that it starts', () => {
    const started = jobsOf(shape).filter(([, { trigger }]) => trigger !== undefined);
    expect(started).toHaveLength(shape.environments.length || 1);
    const groups = started.map(([, job]) => job.resource_group);
    expect(new Set(groups).size).toBe(started.length);
    for (const [, { rules, trigger }] of started) {
      expect(rules.every(({ when }) => when === 'manual')).toBe(true);
      expect(trigger?.strategy).toBe('depend');
      expect(Object.keys(gitlabFiles(shape))).toContain(trigger?.include);
    }
  });

  test('no job runs scripts of packages, and a job that is running is not stopped by a newer pipeline', () => {
    for (const [name, job] of jobsOf(shape)) {
      const lines = [...(job.before_script ?? []), ...(job.script ?? [])];
      for (const line of lines.filter((each) => each.startsWith('npm')))
        expect(line).toMatch(/^npm ci --ignore-scripts/);
      if (name === 'apply') expect(job.interruptible ?? false).toBe(false);
    }
  });

  test('before a job starts a program, it says how Node reaches GitLab through a proxy and with an authority of its own', () => {
    for (const [name, job] of jobsOf(shape).filter(([, { script }]) => script !== undefined)) {
      const lines = [...(job.before_script ?? []), ...(job.script ?? [])];
      expect(
        lines.find((line) => /^(?:export|npm|npx|node) /.test(line)),
        name,
      ).toBe('export NODE_USE_ENV_PROXY=1 NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-$CI_SERVER_TLS_CA_FILE}"');
    }
  });

  test('the plan that is saved and the apply have the secrets, and neither the review nor the validation has', () => {
    const secret = shape.environments.length === 0 ? 'production' : '$ALMANAC_ENVIRONMENT';
    for (const [name, job] of jobsOf(shape)) {
      const { name: environment, action } = environmentOf(job);
      if (/^(?:plan|drift|status)/.test(name))
        expect({ environment, action }).toEqual({ environment: secret, action: 'prepare' });
      if (/^(?:review|validate)/.test(name)) expect(environment).toBeUndefined();
    }
    const applies = jobsOf(shape).filter(([name, { script }]) => name === 'apply' && script !== undefined);
    expect(applies.map(([, job]) => environmentOf(job))).toEqual([{ name: secret, action: 'start' }]);
  });

  test('the branch of the state is pinned in each job that reads it', () => {
    const places = jobsOf(shape)
      .filter(([name, { trigger }]) => /^(?:review|plan|apply|drift|status)/.test(name) && trigger === undefined)
      .map(([, { variables }]) => variables?.['ALMANAC_STATE_PLACE']);
    expect(places).toHaveLength(5);
    const inEnvironment = shape.environments.length === 0 ? '' : '\\$ALMANAC_ENVIRONMENT';
    const ofFolder = shape.folder === '' ? '' : `--${shape.folder.replace('/', '-')}`;
    const between = inEnvironment === '' ? '' : ofFolder === '' ? '-' : '--';
    for (const place of places)
      expect(place).toMatch(new RegExp(`^git branch almanac-state${ofFolder}${between}${inEnvironment} of origin$`));
  });

  test('a widget gets the file that a command writes, and a plan is only for people who may read it', () => {
    for (const [name, { artifacts }] of jobsOf(shape)) {
      if (artifacts === undefined) continue;
      if (!name.startsWith('validate')) expect(artifacts.access).toBe('developer');
      const paths = [...(artifacts.paths ?? []), ...Object.values(artifacts.reports ?? {})];
      for (const path of paths) expect(path.startsWith(shape.folder)).toBe(true);
    }
  });

  test('every job calls the program of the package that npm installed, by its path, with a command that it has', () => {
    const texts = Object.values(gitlabFiles(shape)).join('\n');
    const called = [...texts.matchAll(/node (\S*)node_modules\/(\S+)\/dist\/cli\.cjs ci (.+)$/gm)];
    expect(called.map(([, , , words]) => words)).toEqual(['review', 'check drift', 'check status', 'apply']);
    for (const [, root, packageName] of called)
      expect([root, packageName]).toEqual([shape.packageFolder && `${shape.packageFolder}/`, shape.packageName]);
    expect(Object.keys(ciTable)).toEqual(expect.arrayContaining(['review', 'check', 'apply']));
  });

  test('no token is written in a pipeline', () => {
    for (const text of Object.values(gitlabFiles(shape))) {
      expect(text).not.toMatch(/TOKEN/);
      expect(() => parse(text, { strict: true, uniqueKeys: true })).not.toThrow();
    }
  });
});
