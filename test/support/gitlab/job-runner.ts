// What GitLab's runner does for a job: a shallow clone, the artifacts of other jobs, the variables that the job may see,
// its scripts in bash, and the artifacts that it leaves.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { initialize } from '../action/repository.ts';
import { runLogged } from '../program.ts';
import { expanded, type PlannedJob, type Variables } from './pipeline-file.ts';

/** A variable of the project, as its settings list it. */
export interface ProjectVariable {
  readonly key: string;
  readonly value: string;
  /** Only for protected branches. */
  readonly isProtected?: boolean;
  /** Only for jobs of this environment; for all if left out. */
  readonly environment?: string;
}

export interface JobResult {
  readonly status: 'success' | 'failed' | 'skipped' | 'manual';
  readonly log: string;
  /** The names of the variables that it saw. */
  readonly saw: readonly string[];
  /** The text of a file among its artifacts. */
  artifact(path: string): string;
}

export interface JobPlace {
  /** Of this job alone: the checkout and, beside it, its artifacts. */
  readonly path: string;
  readonly repository: string;
  /** The address of the repository, and the same address with the credential of the job. */
  readonly origin: string;
  readonly originWithCredential: string;
  readonly commit: string;
  readonly isProtected: boolean;
  readonly environment: Variables;
  /** The folders of the artifacts that it gets. */
  readonly artifacts: readonly string[];
}

export const notRun = (status: 'skipped' | 'manual'): JobResult => ({ status, log: '', saw: [], artifact: () => '' });

/** What settings and file give to a job: everything that it sees beside GitLab's own variables. */
export function variablesOf(
  { job, variables }: PlannedJob,
  settings: readonly ProjectVariable[],
  given: Variables,
  isProtected: boolean,
): Variables {
  const declared = typeof job.environment === 'string' ? job.environment : (job.environment?.name ?? '');
  const environment = expanded(declared, { ...given, ...variables });
  const visible = settings.filter(
    (each) =>
      (isProtected || !each.isProtected) && (each.environment === undefined || each.environment === environment),
  );
  const own = Object.fromEntries(
    Object.entries(variables).map(([key, value]) => [key, expanded(value, { ...given, ...variables })]),
  );
  return { ...own, ...Object.fromEntries(visible.map(({ key, value }) => [key, value])), ...given };
}

const allBranches = '+refs/heads/*:refs/remotes/origin/*';

export async function runJob({ job }: PlannedJob, place: JobPlace): Promise<JobResult> {
  const checkout = join(place.path, 'checkout');
  const kept = join(place.path, 'artifacts');
  mkdirSync(checkout, { recursive: true });
  const { GIT_DEPTH = '20' } = place.environment;
  // Without a limit, a runner fetches all branches.
  const fetched =
    GIT_DEPTH === '0'
      ? [`file://${place.repository}`, place.commit, allBranches]
      : [`--depth=${GIT_DEPTH}`, `file://${place.repository}`, place.commit];
  initialize(
    checkout,
    `[include]\n\tpath = ${runnerConfig(place)}\n[remote "origin"]\n\turl = ${place.origin}\n\tfetch = ${allBranches}\n`,
  );
  for (const args of [
    ['fetch', '--quiet', ...fetched],
    ['checkout', '--quiet', '--detach', place.commit],
  ])
    spawnSync('git', args, { cwd: checkout });
  for (const folder of place.artifacts) if (existsSync(folder)) cpSync(folder, checkout, { recursive: true });
  const env = { ...place.environment, HOME: place.path, CI_PROJECT_DIR: checkout };
  const run = (lines: readonly string[]) =>
    runLogged(['bash', '-eo', 'pipefail', '-c', lines.join('\n')], { cwd: checkout, env });
  const script = await run([...(job.before_script ?? []), ...(job.script ?? [])]);
  const after = job.after_script === undefined ? { log: '' } : await run(job.after_script);
  const { when, paths = [], reports = {} } = job.artifacts ?? {};
  if (script.code === 0 || when === 'always')
    for (const path of [...paths, ...Object.values(reports)])
      if (existsSync(join(checkout, path))) {
        mkdirSync(dirname(join(kept, path)), { recursive: true });
        cpSync(join(checkout, path), join(kept, path), { recursive: true });
      }
  return {
    status: script.code === 0 ? 'success' : 'failed',
    log: `${script.log}${after.log}`,
    saw: Object.keys(place.environment),
    artifact: (path) => readFileSync(join(kept, path), 'utf8'),
  };
}

/** As GitLab Runner writes it: beside the checkout, so that no credential is in a remote. It also concerns a push. */
function runnerConfig({ path, origin, originWithCredential }: JobPlace): string {
  const file = join(path, 'runner.conf');
  writeFileSync(file, `[url "${originWithCredential}"]\n\tinsteadOf = ${origin}\n`);
  return file;
}
