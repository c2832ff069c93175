// Runs a workflow that `almanac init` writes as GitHub does: its jobs in order, each on a machine of its own, with real
// git and the action's own steps. What a job installs is there already; an artifact is a folder.

import { join } from 'node:path';
import { type ActionRun, evaluate, isTrue, useAction } from './composite.ts';
import type { FakeGithub } from './fake-github.ts';
import { githubToken, openRunner, type Programs } from './fake-runner.ts';
import type { Repository } from './repository.ts';
import { type Job, ownAction, type Workflow, type WorkflowStep } from './workflow-files.ts';

export interface Setting {
  readonly repository: Repository;
  readonly github: FakeGithub;
  /** What the steps start: see `openRunner`. */
  readonly programs: Programs | string;
  readonly vars: Readonly<Record<string, string>>;
  /** By environment of the repository: a job reads only those of its own. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The payload of the run. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Whether `almanac fmt --check` passes in a folder; it does if left out. */
  readonly formatted?: (path: string) => Promise<boolean>;
  /** What the runner checks out where a workflow does not say. */
  readonly ref?: string;
}

export interface WorkflowRun {
  /** By job; of a matrix, by job and environment. A job that was skipped is not there. */
  readonly jobs: Readonly<Record<string, JobRun>>;
}

export interface JobRun {
  readonly result: 'success' | 'failure';
  /** What each step of the action did, by command. */
  readonly actions: Readonly<Record<string, ActionRun>>;
}

type Known = Record<string, string>;

export async function runWorkflow(workflow: Workflow, setting: Setting): Promise<WorkflowRun> {
  const jobs: Record<string, JobRun> = {};
  for (const [id, job] of Object.entries(workflow.jobs)) {
    for (const entry of job.strategy?.matrix.include ?? [{}]) {
      const known = contexts(setting, entry, job);
      if (!isTrue(evaluate(job.if ?? '${{ always() }}', known))) continue;
      const name = entry['environment'] === undefined ? id : `${id} ${entry['environment']}`;
      jobs[name] = await runJob(job, known, setting);
    }
  }
  return { jobs };
}

function contexts(
  { vars, secrets, event, inputs = {} }: Setting,
  entry: Readonly<Record<string, string>>,
  job: Job,
): Known {
  const known: Known = {
    'github.ref_name': 'main',
    'github.repository': 'acme/reports',
    'github.event.repository.default_branch': 'main',
    ...flat('github.event', event),
    ...flat('vars', vars),
    ...flat('inputs', inputs),
  };
  for (const [name, value] of Object.entries(entry)) known[`matrix.${name}`] = evaluate(value, known);
  const environment = evaluate(String(job.environment ?? ''), known);
  Object.assign(known, flat('secrets', secrets[environment] ?? {}));
  return known;
}

async function runJob(
  job: Job,
  known: Known,
  { repository, github, programs, event, ref, formatted }: Setting,
): Promise<JobRun> {
  const runner = openRunner({}, programs);
  runner.happens(event);
  const ofJob = evaluated(job.env, known);
  const actions: Record<string, ActionRun> = {};
  let failed = false;
  for (const step of job.steps) {
    if (failed && !/!cancelled\(\)/.test(step.if ?? '')) continue;
    const given = evaluated(step.with, known);
    const kind = ownAction(step.uses ?? '').replace(/@.*/, '');
    if (kind === 'actions/checkout') {
      repository.checkOut(runner, {
        ref: given['ref'] === undefined ? ref : `refs/heads/${given['ref']}`,
        depth: given['fetch-depth'] === '0' ? undefined : 1,
      });
    } else if (kind === './.github/actions/almanac') {
      const env = { ...github.env, GITHUB_TOKEN: '', OMNI_API_TOKEN: '', ...ofJob, ...evaluated(step.env, known) };
      const run = await useAction(runner, given, {
        env,
        token: githubToken,
        status: failed ? 'failure' : 'success',
      });
      actions[given['command'] ?? ''] = run;
      failed ||= run.code !== 0;
    } else if (step.run?.startsWith('npx --no -- almanac fmt ')) {
      failed ||= formatted !== undefined && !(await formatted(join(runner.path, step['working-directory'] ?? '')));
    } else if (!isInstalled(step)) throw new Error(`not understood: ${JSON.stringify(step)}`);
  }
  return { result: failed ? 'failure' : 'success', actions };
}

function isInstalled({ uses = '', run = '' }: WorkflowStep): boolean {
  return uses.startsWith('actions/setup-node@') || run.startsWith('npm ci ');
}

function evaluated(values: Readonly<Record<string, unknown>> = {}, known: Known): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, evaluate(String(value), known)]));
}

/** The values of a context by their dotted names. */
function flat(name: string, value: unknown): Known {
  if (typeof value !== 'object' || value === null) return { [name]: String(value ?? '') };
  return Object.assign({}, ...Object.entries(value).map(([key, part]) => flat(`${name}.${key}`, part)));
}
