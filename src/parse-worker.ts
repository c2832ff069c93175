// A thread that parses source files for the program: files in, for each the text of what it was parsed to out.

import { parentPort } from 'node:worker_threads';
import type { SourceFile } from './model/workspace/source-file.ts';
import { parseSource } from './parse/parse-source.ts';
import { textOfParsed } from './parse/parsed-text.ts';

parentPort?.on('message', (files: readonly SourceFile[]) => {
  parentPort?.postMessage(files.map((file) => textOfParsed(parseSource(file), file)));
});
