// The built program as a process with a clean environment: nothing of the test's own reaches it.

import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with the process while it runs. */
  readonly during?: (child: ChildProcess) => void;
}

const program = resolve('dist/cli.js');

export function runProgram(argv: readonly string[], { cwd, environment = {}, during }: RunOptions): Promise<Finished> {
  return new Promise((done) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, ...environment };
    const child = spawn(process.execPath, [program, ...argv], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
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
