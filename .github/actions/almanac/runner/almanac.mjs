// Starts almanac as a process. A signal for this process goes on to it: an apply that is interrupted finishes its request
// and writes the state first. Only the step that runs Almanac loads this file.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Refusal } from './inputs.mjs';

/** A signal came: nothing more is started. */
let isStopped = false;

/** Of the package that holds this action: both have one version, and no file of a checkout is run. */
const program = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url));

/**
 * Starts almanac with exactly these variables, and hands on what it writes. Resolves to its exit code. A step has this as
 * `almanac`.
 */
export function startAlmanac(args, { cwd, env, onStdout, onStderr }) {
  if (!existsSync(program))
    throw new Refusal(
      'The action came without its program. Take it from the package: the documentation (ci-github) shows how.',
    );
  if (isStopped) throw new Refusal('The job was stopped, so nothing more was started.');
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', onStdout);
    child.stderr.setEncoding('utf8').on('data', onStderr);
    const forward = (signal) => {
      isStopped = true;
      child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
    child.once('error', (error) => fail(new Refusal(`almanac could not be started: ${error.code}.`)));
    child.once('close', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
      done(code ?? 1);
    });
  });
}
