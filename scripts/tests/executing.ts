// Which tests execute a function: the index that `npm run near` and `npm run mutate` choose tests by. One quick run makes it
// (test/support/runs/executed.ts writes what each test file and each transcript executes), and it is kept for a day.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';

/** Of each test file and transcript, the functions that it executes, as `name@offset` by source file. */
export type Executing = ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;

/** A source file, or one function of it. */
export interface Target {
  readonly file: string;
  readonly name?: string;
}

/** The nearest first, and how many are left out. */
export interface Chosen {
  readonly tests: readonly string[];
  readonly others: number;
}

interface TestRun {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly output: 'inherit' | 'ignore' | 2;
  readonly signal: AbortSignal;
}

const kept = '.cache/executed.json';
const dayInMilliseconds = 86_400_000;
const isTranscript = (test: string): boolean => test.endsWith('.txt');

/** Undefined if it was interrupted. Tests that fail have executed something, too. */
export async function openExecuting(isFresh: boolean, signal: AbortSignal): Promise<Executing | undefined> {
  const isKept = existsSync(kept) && Date.now() - statSync(kept).mtimeMs < dayInMilliseconds;
  if (!isKept || isFresh) {
    process.stderr.write('Running all quick tests once, to see what each executes.\n');
    const folder = mkdtempSync(join(tmpdir(), 'executed-'));
    try {
      const environment = { ALMANAC_EXECUTED: folder, ALMANAC_RUNS: '0.1' };
      await runTests(['--reporter=dot'], { environment, output: 'ignore', signal });
      if (signal.aborted) return undefined;
      const parts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
      if (parts.length === 0) throw new Error('No quick test has run. `npm test` says why.');
      mkdirSync(dirname(kept), { recursive: true });
      writeFileSync(kept, `[${parts.join(',\n')}]\n`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return new Map(JSON.parse(readFileSync(kept, 'utf8')));
}

/**
 * At most so many test files and so many transcripts. They take turns: each adds most functions that none before it
 * executes, until all are executed, and then it begins again. Of equal ones the first executes least of everything else.
 * What the index doesn't know is new, and comes before them.
 */
export function chooseTests(executing: Executing, targets: readonly Target[], most: number): Chosen {
  const known = [...executing].flatMap(([test, files]) => {
    const functions = targets.flatMap(({ file, name }) =>
      (files[file] ?? [])
        .filter((each) => name === undefined || nameOf(each) === name)
        .map((each) => `${file} ${each}`),
    );
    return functions.length === 0 ? [] : [{ test, functions, size: Object.values(files).flat().length }];
  });
  const ordered = inTurns(known.sort((a, b) => a.size - b.size || (a.test < b.test ? -1 : 1)));
  const all = globSync(['test/**/*.test.ts', 'test/transcripts/**/*.txt'], { ignore: '**/*.slow.test.ts' }).sort();
  const near = [...all.filter((test) => !executing.has(test)), ...ordered.filter((test) => all.includes(test))];
  const tests = [false, true].flatMap((of) => near.filter((test) => isTranscript(test) === of).slice(0, most));
  return { tests, others: near.length - tests.length };
}

function inTurns(
  known: readonly { readonly test: string; readonly functions: readonly string[] }[],
): readonly string[] {
  const [left, ordered] = [new Set(known), [] as string[]];
  let covered = new Set<string>();
  while (left.size > 0) {
    const added = [...left].map((each) => ({ each, more: each.functions.filter((name) => !covered.has(name)) }));
    const best = added.reduce((one, other) => (other.more.length > one.more.length ? other : one));
    if (best.more.length === 0) covered = new Set();
    else {
      for (const name of best.more) covered.add(name);
      left.delete(best.each);
      ordered.push(best.each.test);
    }
  }
  return ordered;
}

const nameOf = (executed: string): string => executed.slice(0, executed.lastIndexOf('@'));

/** A file whose functions no test executes once it is loaded, such as a table, is represented by those that import it. */
export function executedFor(executing: Executing, targets: readonly Target[]): readonly Target[] {
  const executed = new Set([...executing.values()].flatMap((files) => Object.keys(files)));
  const seen = new Set<string>();
  const reach = (target: Target): readonly Target[] => {
    if (executed.has(target.file)) return [target];
    if (seen.has(target.file)) return [];
    seen.add(target.file);
    return importers(target.file).flatMap((file) => reach({ file }));
  };
  return targets.flatMap(reach);
}

function importers(imported: string): readonly string[] {
  return globSync('src/**/*.ts').filter((file) => {
    const paths = [...readFileSync(file, 'utf8').matchAll(/(?:from |import |import\()'(\.[^'?]*)/g)];
    return paths.some(([, path = '']) => join(dirname(file), path) === imported);
  });
}

/** Arguments of vitest that run these tests, and of the transcripts these alone. */
export function argumentsFor(tests: readonly string[]): readonly string[] {
  const names = tests.filter(isTranscript).map((path) => path.slice('test/transcripts/'.length, -'.txt'.length));
  const files = tests.filter((test) => !isTranscript(test));
  if (names.length === 0) return files;
  return [...files, 'test/transcripts.test.ts', `-t=^(?!the transcripts? )|^the transcript (?:${names.join('|')}) `];
}

/** Whether they pass. Tests that hang are killed after the signal. */
export async function runTests(args: readonly string[], { cwd = '.', environment, output, signal }: TestRun) {
  const stdio = ['ignore' as const, output, output];
  const command = [resolve('node_modules/vitest/vitest.mjs'), 'run', ...args];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, command, { cwd, env, stdio, detached: true });
  const stop = () => child.exitCode === null && process.kill(-(child.pid ?? 0), 'SIGKILL');
  signal.addEventListener('abort', stop);
  const [code] = await once(child, 'close');
  signal.removeEventListener('abort', stop);
  return code === 0;
}
