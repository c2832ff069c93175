// Parses and checks source files in threads of their own, one less than there are cores.

import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FileEntry } from '../../model/workspace/file-entry.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import type { OpenParsePool, ParseWorker } from '../../ports/parse-pool.ts';

/** The module that Node was started with, beside which the build writes what a thread runs. */
declare const almanacMain: { readonly filename: string } | undefined;
/** Each thread compiles the parser for itself and takes its own memory. */
const mostThreads = 3;

type Entries = readonly (FileEntry | undefined)[];

interface Asked {
  resolve(entries: Entries): void;
  reject(reason: unknown): void;
}

/** Undefined on a single core, and where the program runs from its sources. */
export const openParseThreads: OpenParsePool = async (most, settings) => {
  const count = Math.min(availableParallelism() - 1, mostThreads, most);
  const main = typeof almanacMain === 'undefined' ? undefined : almanacMain;
  if (main === undefined || count < 1) return undefined;
  const file = join(dirname(main.filename), 'parse-worker.cjs');
  // A thread has no use for the variables of the environment, which hold secrets.
  const options = { workerData: settings, env: {}, argv: [], execArgv: [] };
  const threads = Array.from({ length: count }, () => new Worker(file, options));
  return {
    workers: threads.map(workerOf),
    receive: () => new Promise((resolve) => setImmediate(resolve)),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
};

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
