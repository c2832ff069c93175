// The built program on a pseudo-terminal, which `script` of util-linux makes.

import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** False where the tool is missing, or is the other one of that name (BSD). */
export const hasTerminal = /util-linux/.test(String(spawnSync('script', ['--version']).stdout ?? ''));

export interface TerminalOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Each is typed when the terminal shows the words before it. */
  readonly typed?: readonly (readonly [shown: string, keys: string])[];
  readonly columns?: number;
}

export interface Shown {
  readonly code: number | null;
  /** As written, control sequences included. */
  readonly raw: string;
  readonly text: string;
}

export function runOnTerminal(
  argv: readonly string[],
  { cwd, environment = {}, typed = [], columns = 80 }: TerminalOptions,
): Promise<Shown> {
  return new Promise((done) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, TERM: 'xterm', SHELL: '/bin/sh', ...environment };
    const words = [process.execPath, resolve('dist/cli.cjs'), ...argv].map((word) => `'${word}'`).join(' ');
    const command = columns === 0 ? words : `stty cols ${columns}; ${words}`;
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    let raw = '';
    const waiting = [...typed];
    child.stdout.on('data', (chunk) => {
      raw += chunk;
      while (waiting[0] !== undefined && raw.includes(waiting[0][0])) child.stdin.write(waiting.shift()?.[1]);
    });
    child.on('close', (code) => done({ code, raw, text: stripVTControlCharacters(raw).replaceAll('\r', '') }));
  });
}
