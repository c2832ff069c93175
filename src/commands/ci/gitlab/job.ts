// The facts of a GitLab job: the workspace, its environment, and the program with these scripts. No text of a branch, a
// title or a file becomes part of a command line.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../model/workspace/failure.ts';
import { type Folder, readEnvironment, readFolder } from '../runner/inputs.ts';
import { type Almanac, runAlmanac } from '../runner/output.ts';
import { type Redact, redactor, secretValues } from '../runner/secrets.ts';
import type { RunningStep, Step } from '../step.ts';

/** Tokens of a job that Almanac does not need. */
const withheld = (name: string): boolean => ['ALMANAC_NOTE_TOKEN', 'STATE_PUSH_TOKEN', 'CI_JOB_TOKEN'].includes(name);

export interface Job extends RunningStep {
  readonly redact: Redact;
}

export interface Place {
  readonly folder: Folder;
  readonly environment: string;
  readonly almanac: Almanac;
}

/** A script begins in the checkout. */
export function inCheckout(job: Job): Job {
  return { ...job, env: { ...job.env, GITHUB_WORKSPACE: job.cwd } };
}

/**
 * The workspace's folder, as its path and as its name in the checkout; the environment, or ''; and a runner for almanac
 * there.
 */
export function readPlace(job: Job): Place {
  const folder = readFolder(inCheckout(job));
  const environment = readEnvironment(job);
  const always = environment === '' ? [] : [`--env=${environment}`];
  const almanac: Almanac = (args, options) =>
    runAlmanac(job, [...always, ...args], { cwd: folder.path, withheld, redact: job.redact, ...options });
  return { folder, environment, almanac };
}

/** '' outside GitLab. */
export function jobLink({ env: { CI_JOB_URL: url = '' } }: Pick<Step, 'env'>): string {
  return /^https?:\/\//.test(url) ? url : '';
}

/** Without the pinned URL, files that anyone can propose decide where the token goes. */
export function requirePinnedUrl({ env }: Pick<Step, 'env'>): void {
  if (!env['OMNI_BASE_URL'])
    throw new Failure(
      'usage',
      'OMNI_BASE_URL is not set. Set it as a variable of the project: no file can then send the token elsewhere.',
    );
}

/** Resolves to the result of `work` with a temporary folder, which is then removed: one machine may run many jobs. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Does the work of a job, and resolves to its exit code. A failure prints one line; a bug keeps its stack. */
export async function runJob(step: RunningStep, work: (job: Job) => Promise<number>): Promise<number> {
  const redact = redactor(secretValues(step));
  try {
    return await work({ ...step, redact });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    step.say(`${redact(error.message)}\n`);
    return 1;
  }
}
