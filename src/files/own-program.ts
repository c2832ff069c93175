// Starts this program once more, as a process of its own. A signal for this process goes on to it: an apply that is interrupted
// finishes its request and writes the state first.

import { spawn } from 'node:child_process';
import type { StartProgram } from '../model/outside.ts';
import { Failure } from '../model/workspace/failure.ts';
import { isExecutable } from '../version.ts';

/** A signal came: nothing more is started. */
let isStopped = false;

/** The file that this process was started with: a job names it by its path, so no other almanac is run. An executable is it. */
const program = isExecutable ? [] : [process.argv[1] ?? ''];

export const startOwnProgram: StartProgram = (args, { cwd, env, onStdout, onStderr }) => {
  if (isStopped) throw new Failure('interrupted', 'The job was stopped, so nothing more was started.');
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [...program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', onStdout);
    child.stderr.setEncoding('utf8').on('data', onStderr);
    const forward = (signal: NodeJS.Signals) => {
      isStopped = true;
      child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward);
    child.once('error', (error: NodeJS.ErrnoException) =>
      fail(new Failure('usage', `The program could not be started: ${error.code}.`)),
    );
    child.once('close', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, forward);
      done(code ?? 1);
    });
  });
};
