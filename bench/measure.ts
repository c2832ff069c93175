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
  /** Text that it must print, each where there are several: a program that fails would be measured as a fast one. */
  readonly mustPrint: string | readonly string[];
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
  if (exitCode === 0 && [mustPrint].flat().every((text) => output.includes(text))) return milliseconds;
  throw new Error(`${command.join(' ')} ended with ${exitCode} and printed: ${output.slice(-500)}`);
}

export interface Usage {
  readonly milliseconds: number;
  /** Of all its threads. */
  readonly processorMilliseconds: number;
  /** The largest resident set. */
  readonly megabytes: number;
}

/** What one run of a program of Node takes. Watching it takes time, so it has runs of its own. */
export async function usageOf(program: Program): Promise<Usage> {
  const [node, ...args] = program.command;
  const usageFile = join(program.home, 'usage.json');
  const milliseconds = await timeOf({
    ...program,
    command: [node, '--require', resolve('bench/record-usage.cjs'), ...args],
    env: { ...program.env, USAGE_FILE: usageFile },
  });
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as Omit<Usage, 'milliseconds'>;
  return { milliseconds, ...usage };
}

export async function peakOf(program: Program, runs = 3): Promise<number> {
  const peaks: number[] = [];
  for (let run = 0; run < runs; run += 1) peaks.push((await usageOf(program)).megabytes);
  return median(peaks);
}

/**
 * The median of the differences of two programs that took turns. Undefined where more than a quarter of the differences
 * are not above zero: then the noise is as large as what is measured.
 */
export function medianDifference(differences: readonly number[]): number | undefined {
  const sorted = [...differences].sort((a, b) => a - b);
  const lowQuarter = sorted[Math.floor(sorted.length / 4)] ?? 0;
  return lowQuarter > 0 ? median(sorted) : undefined;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)], sorted[middle]];
  return (low + high) / 2;
}
