// Runs programs, and compares their times: they take turns, each round gives a ratio, and the median of the ratios
// counts, so that a slow minute of the machine affects all of them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

export interface Program {
  readonly command: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  /** Its home, where it keeps what it caches. No variable of the shell reaches it except PATH. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Text that it must print: a program that fails would be measured as a fast one. */
  readonly mustPrint: string;
  /** Makes the beginning the same for every run. Its time does not count. */
  readonly prepare?: () => Promise<unknown>;
}

export interface Compared {
  readonly value: number;
  readonly milliseconds: number;
  readonly toMilliseconds: number;
}

/** Each of ours to one other program. */
export async function compare(rounds: number, to: Program, ours: readonly Program[]): Promise<readonly Compared[]> {
  const taken = await takeTurns(rounds, [to, ...ours]);
  const toMilliseconds = median(taken.map(([theirs = 0]) => theirs));
  return ours.map((_, index) => {
    const pairs = taken.map(([theirs = 0, ...own]) => [theirs, own[index] ?? 0] as const);
    const value = median(pairs.map(([theirs, own]) => own / theirs));
    return { value, milliseconds: median(pairs.map(([, own]) => own)), toMilliseconds };
  });
}

/** The milliseconds of each program, round by round. */
export async function takeTurns(rounds: number, programs: readonly Program[]): Promise<readonly (readonly number[])[]> {
  const taken: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const each: number[] = [];
    for (const program of programs) each.push(await timeOf(program));
    taken.push(each);
  }
  return taken;
}

/** Milliseconds from the start of the process until it has ended. */
export async function timeOf({ command, cwd, home, env = {}, mustPrint, prepare }: Program): Promise<number> {
  await prepare?.();
  const [program, ...args] = command;
  const began = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: join(home, '.cache'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const [exitCode] = await once(child, 'close');
  const milliseconds = performance.now() - began;
  if (exitCode === 0 && output.includes(mustPrint)) return milliseconds;
  throw new Error(`${command.join(' ')} ended with ${exitCode} and printed: ${output.slice(-500)}`);
}

/** The largest resident set of a program of Node. Watching it takes time, so it has runs of its own. */
export async function peakOf(program: Program, runs = 3): Promise<number> {
  const [node, ...args] = program.command;
  const peakFile = join(program.home, 'peak-memory.txt');
  const watched: Program = {
    ...program,
    command: [node, '--require', resolve('bench/peak-memory.cjs'), ...args],
    env: { ...program.env, PEAK_MEMORY_FILE: peakFile },
  };
  const peaks: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await timeOf(watched);
    peaks.push(Number(readFileSync(peakFile, 'utf8')) / 1024);
  }
  return median(peaks);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)], sorted[middle]];
  return (low + high) / 2;
}
