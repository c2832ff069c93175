// Parses and checks source files in threads of their own, one less than there are cores.

import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { FileEntry } from '../../model/workspace/file-entry.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import type { OpenParsePool, ParseWorker } from '../../ports/parse-pool.ts';

/** Of the file that Node was started with, beside which the build writes what a thread runs. */
declare const almanacRequire: { readonly main: { readonly filename: string } } | undefined;

/** Each thread compiles the parser for itself and takes its own memory. */
const mostThreads = 3;

type Entries = readonly (FileEntry | undefined)[];

/**
 * For as long as the threads run. Each of them has V8 compile the parser and collect its garbage, which V8 does in threads
 * of its own: in a cold plan of 10,000 schedules on two cores these took 1.5 of 4 seconds of processor time, and so kept
 * the cores from parsing. A function into which no others are copied is compiled in a fraction of the time, and a small
 * heap needs no more than one thread to be collected.
 *
 * V8 prints an error for a flag that it does not know, so this is for the versions of V8 that were tried: those of
 * Node 20 and 22.
 */
const quickStart = {
  versions: /^(?:11\.3|12\.4)\./,
  during: ['--max-inlined-bytecode-size-cumulative=0', '--no-parallel-scavenge'],
  after: ['--max-inlined-bytecode-size-cumulative=920', '--parallel-scavenge'],
} as const;

interface Asked {
  resolve(entries: Entries): void;
  reject(reason: unknown): void;
}

/** Undefined on a single core, and where the program runs from its sources. */
export const openParseThreads: OpenParsePool = async (most, settings) => {
  const count = Math.min(availableParallelism() - 1, mostThreads, most);
  if (typeof almanacRequire === 'undefined' || count < 1) return undefined;
  const file = join(dirname(almanacRequire.main.filename), 'parse-worker.cjs');
  // A thread has no use for the variables of the environment, which hold secrets.
  const options = { workerData: settings, env: {}, argv: [], execArgv: [] };
  const threads = Array.from({ length: count }, () => new Worker(file, options));
  tune(quickStart.during);
  return {
    workers: threads.map(workerOf),
    receive: () => new Promise((resolve) => setImmediate(resolve)),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.terminate()));
      tune(quickStart.after);
    },
  };
};

function tune(flags: readonly string[]): void {
  if (quickStart.versions.test(process.versions.v8)) for (const flag of flags) setFlagsFromString(flag);
}

function workerOf(thread: Worker): ParseWorker {
  const asked: Asked[] = [];
  let over: Error | undefined;
  const end = (reason: Error): void => {
    over ??= reason;
    for (const { reject } of asked.splice(0)) reject(over);
  };
  thread.on('message', (entries: Entries) => asked.shift()?.resolve(entries));
  thread.on('error', end);
  thread.on('exit', () => end(new Error('The thread has ended.')));
  return {
    entriesOf: (files: readonly SourceFile[]) =>
      new Promise((resolve, reject) => {
        if (over !== undefined) return reject(over);
        asked.push({ resolve, reject });
        thread.postMessage(files.map(({ path, text }): SourceFile => ({ path, text })));
      }),
  };
}
