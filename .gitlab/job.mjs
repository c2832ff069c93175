// What a job of GitLab knows: where the workspace is, which environment it is for, and the program that came with these
// scripts. No text of a branch, a title or a file becomes part of a command line.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAlmanac } from '../.github/actions/almanac/runner/almanac.mjs';
import { Refusal, readEnvironment, readFolder } from '../.github/actions/almanac/runner/inputs.mjs';
import { runAlmanac } from '../.github/actions/almanac/runner/output.mjs';
import { redactor, secretValues } from '../.github/actions/almanac/runner/secrets.mjs';
import { ofThisProcess } from '../.github/actions/almanac/runner/step.mjs';

/** Tokens of a job that Almanac does not need. */
const withheld = (name) => ['ALMANAC_NOTE_TOKEN', 'STATE_PUSH_TOKEN', 'CI_JOB_TOKEN'].includes(name);

/** A script begins in the checkout. */
export function inCheckout(job) {
  return { ...job, env: { ...job.env, GITHUB_WORKSPACE: job.cwd } };
}

/**
 * The folder of the workspace, as its path and as its name from there; the environment, or
 * ''; and what runs almanac there.
 */
export function readPlace(job) {
  const folder = readFolder(inCheckout(job));
  const environment = readEnvironment(job);
  const always = environment === '' ? [] : [`--env=${environment}`];
  const almanac = (args, options) =>
    runAlmanac(job, [...always, ...args], { cwd: folder.path, withheld, redact: job.redact, ...options });
  return { folder, environment, almanac };
}

/** The address of this job's log; '' outside GitLab. */
export function jobLink({ env }) {
  return /^https?:\/\//.test(env.CI_JOB_URL ?? '') ? env.CI_JOB_URL : '';
}

/** Without it, files that anyone can propose decide where the token goes. */
export function requirePinnedUrl({ env }) {
  if (!env.OMNI_BASE_URL)
    throw new Refusal(
      'OMNI_BASE_URL is not set. Set it as a variable of the project: no file can then send the token elsewhere.',
    );
}

/** Resolves to what `work` makes of a temporary folder, which is then removed: a runner may be one machine for many jobs. */
export async function inTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the script of a job, which is a step with the program. What stops it is said in one line; a bug keeps its stack. */
export async function runJob(main) {
  const step = ofThisProcess({ almanac: startAlmanac });
  const redact = redactor(secretValues(step));
  try {
    process.exitCode = await main({ ...step, redact });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${redact(error.message)}\n`);
    process.exitCode = 1;
  }
}
