// What a job of GitLab knows: where the workspace is, which environment it is for, and the program that came with these
// scripts. No text of a branch, a title or a file becomes part of a command line.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Refusal, readEnvironment, readFolder } from '../.github/actions/almanac/runner/inputs.mjs';
import { redactor, secretValues } from '../.github/actions/almanac/runner/secrets.mjs';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
/** Tokens of a job that Almanac does not need. */
const withheld = /^(?:ALMANAC_NOTE_TOKEN|STATE_PUSH_TOKEN|CI_JOB_TOKEN)$/;
/** Characters of the output that are kept to report a failure. */
const keptOfLog = 200_000;

/** Where the job that applies leaves the state for the one that pushes it, from the root of the checkout. */
export const stateFolder = 'almanac-state';

export const redact = redactor(secretValues());

/** A script begins in the checkout. The folder of the workspace, as its path and as its name from there; the environment, or ''. */
export function readPlace(env = process.env) {
  const folder = readFolder({ ...env, GITHUB_WORKSPACE: process.cwd() });
  return { folder, environment: readEnvironment(env) };
}

/** The address of this job's log; '' outside GitLab. */
export function jobLink(env = process.env) {
  return /^https?:\/\//.test(env.CI_JOB_URL ?? '') ? env.CI_JOB_URL : '';
}

/** Without it, files that anyone can propose decide where the token goes. */
export function requirePinnedUrl(env = process.env) {
  if (!env.OMNI_BASE_URL)
    throw new Refusal(
      'OMNI_BASE_URL is not set. Set it as a variable of the project: no file can then send the token elsewhere.',
    );
}

/**
 * Runs almanac in the folder of the workspace. Its output goes to the log; with `capture`, stdout is returned instead.
 * Resolves to the exit code, stdout and the end of the log.
 */
export function runAlmanac({ folder, environment }, args, { capture = false, cwd = folder.path, env = {} } = {}) {
  const own = Object.entries({ ...process.env, ...env }).filter(([name]) => !withheld.test(name));
  const all = [program, ...(environment === '' ? [] : [`--env=${environment}`]), ...args];
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, all, {
      cwd,
      env: Object.fromEntries(own),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, log] = ['', ''];
    const show = (stream) => (text) => {
      stream.write(text);
      log = (log + text).slice(-keptOfLog);
    };
    const keep = (text) => {
      stdout += text;
    };
    child.stdout.setEncoding('utf8').on('data', capture ? keep : show(process.stdout));
    child.stderr.setEncoding('utf8').on('data', show(process.stderr));
    // An apply that is interrupted finishes its request and writes the state first.
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
    child.once('error', fail);
    child.once('close', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
      done({ code: code ?? 1, stdout, log: redact(log) });
    });
  });
}

/** Runs the script of a job. What stops it is said in one line; a bug keeps its stack. */
export async function runJob(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${redact(error.message)}\n`);
    process.exitCode = 1;
  }
}
