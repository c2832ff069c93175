// A thread that parses and checks source files for the program: files in, for each its entry out.

import { parentPort, workerData } from 'node:worker_threads';
import type { EntrySettings } from './model/workspace/file-entry.ts';
import type { SourceFile } from './model/workspace/source-file.ts';
import { entryMaker } from './validate/entry-maker.ts';

const { withEntry } = entryMaker(workerData as EntrySettings);

parentPort?.on('message', (files: readonly SourceFile[]) => {
  parentPort?.postMessage(files.map((file) => withEntry(file).entry));
});
