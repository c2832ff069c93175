// The built program as a process with a clean environment: nothing of the test's own reaches it.

import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { RunCommand } from '../../src/commands/base/define-command.ts';

/** For a program that is only looked at: no command of it does anything. */
export const startNothing: RunCommand = Object.assign(async () => {}, { outside: async () => {} });

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Otherwise the one that was built. */
  readonly program?: string;
  /** A program that holds Node, in its place. */
  readonly executable?: string;
  /** Called with the process while it runs. */
  readonly during?: (child: ChildProcess) => void;
}

const built = resolve('dist/cli.cjs');

export function runProgram(
  argv: readonly string[],
  { cwd, environment = {}, during, program = built, executable }: RunOptions,
): Promise<Finished> {
  return new Promise((done) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, ...environment };
    const [command, args] = executable === undefined ? [process.execPath, [program, ...argv]] : [executable, argv];
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const text = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      text.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      text.stderr += chunk;
    });
    child.on('close', (code, signal) => done({ code, signal, ...text }));
    during?.(child);
  });
}

/** A program with exactly this environment; `log` has what it wrote to both of its streams. */
export function runLogged(
  [command = '', ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly code: number | null; readonly log: string }> {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
    child.on('close', (code) => done({ code, log }));
  });
}
