// Runs a program several times and returns the medians of its time and its memory.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

export interface Program {
  /** Arguments for node. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Text that stdout must contain: a program that fails would be measured as a fast one. */
  readonly mustPrint?: string;
  /** Measures only time: watching the memory takes a few milliseconds itself. */
  readonly timeOnly?: true;
}

export interface Measured {
  readonly milliseconds: number;
  /** The largest resident set. */
  readonly megabytes: number;
}

/** Outside of the workspaces, because nothing is kept inside of one. */
const home = mkdtempSync(join(tmpdir(), 'almanac-bench-home-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

/** The programs take turns, so that a slow minute of the machine affects all of them. */
export async function measure(runs: number, programs: readonly Program[]): Promise<readonly Measured[]> {
  const taken = programs.map((): Measured[] => []);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, program] of programs.entries()) taken[index]?.push(await runOnce(program));
  }
  return taken.map((each) => ({
    milliseconds: median(each.map(({ milliseconds }) => milliseconds)),
    megabytes: median(each.map(({ megabytes }) => megabytes)),
  }));
}

export async function runOnce({ args, cwd, env = {}, mustPrint = '', timeOnly }: Program): Promise<Measured> {
  const peakFile = join(cwd, 'peak-memory.txt');
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [...(timeOnly ? [] : ['--require', resolve('bench/peak-memory.cjs')]), ...args],
    {
      cwd,
      env: { PATH: process.env['PATH'], HOME: home, PEAK_MEMORY_FILE: peakFile, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const [exitCode] = await once(child, 'close');
  const milliseconds = performance.now() - began;
  if (exitCode !== 0 || !output.includes(mustPrint)) {
    throw new Error(`node ${args.join(' ')} ended with ${exitCode} and printed: ${output.slice(-500)}`);
  }
  return { milliseconds, megabytes: timeOnly ? 0 : Number(readFileSync(peakFile, 'utf8')) / 1024 };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)], sorted[middle]];
  return (low + high) / 2;
}
