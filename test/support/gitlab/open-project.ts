// A project of GitLab with a workspace, its pipelines, and an emulator. A person pushes, opens merge requests and
// starts manual jobs. The program runs in the process of the test if none is given.

import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { gitlabFiles } from '../../../src/commands/init/scaffold/ci-files.ts';
import type { CiShape } from '../../../src/commands/init/scaffold/ci-shape.ts';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { openRepository } from '../action/repository.ts';
import { warmProgram } from '../warm-program.ts';
import { makeFolder } from '../workspace.ts';
import { type FakeGitlab, jobToken, noteToken, openGitlab, projectPath, pushToken } from './fake-gitlab.ts';
import { writePrograms } from './job-programs.ts';
import { type JobResult, notRun, type ProjectVariable, runJob, variablesOf } from './job-runner.ts';
import { type PlannedJob, readPipelineFile, selectJobs, type Variables } from './pipeline-file.ts';

type Files = Readonly<Record<string, unknown>>;

export interface Pipeline {
  readonly id: number;
  readonly results: Readonly<Record<string, JobResult>>;
  result(job: string): JobResult;
  /** Starts a manual job. Resolves to the pipeline that it triggered, when that one has ended. */
  play(job: string): Promise<Pipeline>;
}

interface MergeRequest {
  readonly isFork?: boolean;
  /** The commit at which it left the target branch; otherwise the one that git finds. */
  readonly base?: string;
  readonly given?: Variables;
  readonly merged?: 'merge' | 'squash' | 'fast-forward';
}

export interface GitlabProject {
  readonly gitlab: FakeGitlab;
  readonly emulator: Emulator;
  readonly baseUrl: string;
  readonly organizationKey: string;
  /** Sets a variable of the project for its environment, or replaces it. */
  set(variable: ProjectVariable): void;
  unset(key: string): void;
  /** The path of a clone in which somebody works. */
  clone(): string;
  push(files: Files): Promise<Pipeline>;
  /**
   * Pushes to the branch of the one merge request, and plans that branch; `isFork` leaves out the variables of the project.
   * `given` are variables of GitLab that differ: `CI_MERGE_REQUEST_DIFF_BASE_SHA` is the commit at which the branch left the
   * default branch. `merged` plans the result of the merge instead, in which way GitLab made it.
   */
  mergeRequest(files: Files, options?: MergeRequest): Promise<Pipeline>;
  /** A new pipeline for the tip of the default branch, which a person starts. */
  again(): Promise<Pipeline>;
  /** A pipeline schedule with that description, of which only these jobs run. */
  scheduled(description: string, ...only: readonly string[]): Promise<Pipeline>;
  /** A file on the default branch. */
  read(path: string): string;
  /** The resources in the state that a branch of the server keeps. */
  tracked(branch?: string): readonly string[];
  subjects(): readonly string[];
  /** The commit at the end of a branch of the server. */
  tip(branch: string): string;
  /** Every command line of every job, and everything that they printed. */
  calls(): string;
  logs(): string;
}

export const packageName = '@acme/almanac';

export async function openProject(
  files: Files,
  shape: Partial<CiShape> = {},
  { rootFile, program = warmProgram() }: { readonly rootFile?: string; readonly program?: string } = {},
): Promise<GitlabProject> {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const folder = makeFolder();
  const gitlab = await openGitlab(folder.path);
  const programs = writePrograms(folder, packageName, program);
  const pipelineFiles = gitlabFiles({ packageName, environments: [], folder: '', packageFolder: '', ...shape });
  const packageFile = [shape.packageFolder ?? '', 'package.json'].filter(Boolean).join('/');
  const server = openRepository(
    textsOf({
      ...pipelineFiles,
      ...(rootFile === undefined ? {} : { '.gitlab-ci.yml': rootFile }),
      [packageFile]: { private: true },
      '.gitignore': 'node_modules/\n*.plan.json\n',
      ...files,
    }),
  );
  const repository = fileURLToPath(server.url);
  git(repository, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const served = join(folder.path, `${projectPath}.git`);
  mkdirSync(dirname(served));
  symlinkSync(repository, served);
  const commitTo = (branch: string, given: Files) => server.commit(textsOf(given), { branch });

  const variables: ProjectVariable[] = [
    { key: 'OMNI_BASE_URL', value: baseUrl },
    { key: 'OMNI_API_TOKEN', value: organizationKey, isProtected: true, environment: 'production' },
    { key: 'STATE_PUSH_TOKEN', value: pushToken, isProtected: true, environment: 'production' },
    { key: 'ALMANAC_NOTE_TOKEN', value: noteToken },
  ];
  const artifacts = new Map<string, string>();
  let [logs, count, jobs] = ['', 100, 0];

  const start = async (
    file: string,
    commit: string,
    source: Variables,
    settings = variables,
    only: readonly string[] = [],
  ): Promise<Pipeline> => {
    count += 1;
    const id = count;
    const isProtected = source['CI_COMMIT_BRANCH'] === 'main';
    const given: Variables = {
      ...programs.environment,
      CI: 'true',
      GITLAB_CI: 'true',
      CI_DEFAULT_BRANCH: 'main',
      CI_COMMIT_SHA: commit,
      CI_PIPELINE_ID: String(id),
      CI_PROJECT_ID: '4711',
      CI_PROJECT_PATH: projectPath,
      CI_PROJECT_URL: `${gitlab.url}/${projectPath}`,
      CI_SERVER_HOST: '127.0.0.1',
      CI_API_V4_URL: `${gitlab.url}/api/v4`,
      CI_JOB_TOKEN: jobToken,
      ALMANAC_PAUSE_MS: '1',
      ...source,
    };
    const changed = git(repository, 'show', '--name-only', '--format=', commit).split('\n');
    const read = (path: string) => git(repository, 'show', `${commit}:${path}`);
    const planned = filesOf(read, file).flatMap((text) => selectJobs(readPipelineFile(text), given, changed));
    const names = planned.map(({ name }) => name);
    // GitLab would merge them into one job.
    if (new Set(names).size < names.length) throw new Error(`several jobs have one name: ${names.join(', ')}`);
    const results: Record<string, JobResult> = {};
    const run = async (each: PlannedJob): Promise<JobResult> => {
      jobs += 1;
      const path = join(folder.path, `job-${jobs}`);
      const result = await runJob(each, {
        path,
        repository,
        origin: `${gitlab.url}/${projectPath}.git`,
        originWithCredential: `${gitlab.url.replace('//', `//gitlab-ci-token:${jobToken}@`)}/${projectPath}.git`,
        commit,
        isProtected,
        environment: {
          ...variablesOf(each, settings, given, isProtected),
          CI_JOB_NAME: each.name,
          CI_JOB_URL: `${gitlab.url}/${projectPath}/-/jobs/${jobs}`,
        },
        artifacts: each.from.flatMap(({ pipeline = String(id), job }) => artifacts.get(`${pipeline} ${job}`) ?? []),
      });
      artifacts.set(`${id} ${each.name}`, join(path, 'artifacts'));
      logs += `== ${each.name}\n${result.log}`;
      return result;
    };
    for (const each of planned) {
      if (only.length > 0 && !only.includes(each.name)) continue;
      const before = each.after.map((name) => results[name]?.status);
      const isFree = before.every((status) => status === 'success');
      results[each.name] =
        each.when === 'manual'
          ? notRun('manual')
          : isFree || each.when === 'always'
            ? await run(each)
            : notRun('skipped');
    }
    return {
      id,
      results,
      result: (name) => results[name] ?? notFound(name, results),
      play: async (name) => {
        const each = planned.find((other) => other.name === name);
        if (each?.when !== 'manual' || each.job.trigger === undefined) throw new Error(`${name} cannot be started`);
        if (each.after.some((other) => results[other]?.status !== 'success'))
          throw new Error(`${name} waits for a job that failed\n${logs}`);
        const passed = Object.fromEntries(
          Object.entries(each.job.variables ?? {}).map(([key, value]) => [
            key,
            value.replace('$CI_PIPELINE_ID', String(id)),
          ]),
        );
        return start(each.job.trigger.include, commit, {
          CI_PIPELINE_SOURCE: 'parent_pipeline',
          CI_COMMIT_BRANCH: 'main',
          ...passed,
        });
      },
    };
  };

  const onBranch = (source: string) => ({ CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: 'main' });
  const remove = (isMeant: (each: ProjectVariable) => boolean) => {
    for (let index = variables.length - 1; index >= 0; index -= 1) {
      const each = variables[index];
      if (each !== undefined && isMeant(each)) variables.splice(index, 1);
    }
  };
  return {
    gitlab,
    emulator,
    baseUrl,
    organizationKey,
    set: (variable) => {
      remove(({ key, environment }) => key === variable.key && environment === variable.environment);
      variables.push(variable);
    },
    unset: (key) => remove((each) => each.key === key),
    clone: () => {
      git(folder.path, 'clone', '--quiet', `file://${repository}`, 'clone');
      return join(folder.path, 'clone');
    },
    push: (given) => start('.gitlab-ci.yml', commitTo('main', given), onBranch('push')),
    mergeRequest: (files, { isFork = false, given = {}, merged, base } = {}) => {
      const head = commitTo('change', files);
      gitlab.head = head;
      const target = git(repository, 'rev-parse', 'refs/heads/main');
      const ofMerge = { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: target };
      return start(
        '.gitlab-ci.yml',
        merged === undefined ? head : mergedResult(repository, head, target, merged),
        {
          CI_PIPELINE_SOURCE: 'merge_request_event',
          CI_MERGE_REQUEST_IID: '7',
          CI_MERGE_REQUEST_EVENT_TYPE: merged === undefined ? 'detached' : 'merged_result',
          CI_MERGE_REQUEST_DIFF_BASE_SHA: base ?? git(repository, 'merge-base', 'main', 'change'),
          CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
          CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
          ...(merged === undefined ? {} : ofMerge),
          ...given,
        },
        isFork ? [] : variables,
      );
    },
    again: () => start('.gitlab-ci.yml', git(repository, 'rev-parse', 'refs/heads/main'), onBranch('web')),
    scheduled: (description, ...only) => {
      const source = { ...onBranch('schedule'), CI_PIPELINE_SCHEDULE_DESCRIPTION: description };
      return start('.gitlab-ci.yml', git(repository, 'rev-parse', 'refs/heads/main'), source, variables, only);
    },
    read: server.has,
    tracked: (branch = 'almanac-state') =>
      Object.keys(JSON.parse(git(repository, 'show', `${branch}:almanac.state.json`) || '{}').resources ?? {}),
    subjects: server.log,
    tip: (branch) => git(repository, 'rev-parse', `refs/heads/${branch}`),
    calls: () => programs.calls(),
    logs: () => logs,
  };
}

/** The commit that GitLab would plan: both branches in one tree, which each way of merging records with other parents. */
function mergedResult(repository: string, head: string, target: string, how: string): string {
  const tree = git(repository, 'merge-tree', '--write-tree', target, head);
  const parents = { merge: [target, head], squash: [target], 'fast-forward': [head] }[how] ?? [];
  const identity = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com'];
  return git(
    repository,
    ...identity,
    'commit-tree',
    tree,
    ...parents.flatMap((parent) => ['-p', parent]),
    '-m',
    'Merged result',
  );
}

/** YAML as `almanac fmt` leaves it, and JSON. */
function textsOf(files: Files): Readonly<Record<string, string>> {
  const written = (path: string, content: unknown) =>
    path.endsWith('.yaml') ? stringify(content) : JSON.stringify(content);
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : written(path, content),
    ]),
  );
}

/** The file, and those that it includes. */
function filesOf(read: (path: string) => string, path: string): readonly string[] {
  const text = read(path);
  const included = [...text.matchAll(/^ {2}- local: (\S+)$/gm)].map(([, name = '']) => read(name));
  return [text, ...included];
}

function notFound(name: string, results: object): never {
  throw new Error(`there is no job ${name}, only ${Object.keys(results).join(', ')}`);
}

/** '' where it fails, as for a branch that is not there. */
function git(cwd: string, ...args: readonly string[]): string {
  return spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout.trim();
}
