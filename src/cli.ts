#!/usr/bin/env node

// How the program starts: with as little code as possible, because every run pays for it. What is known already is
// printed; otherwise the program is loaded.

import { dirname } from 'node:path';
import type { Require } from './adapters/compiled/kept-code.ts';
import { cacheFolder } from './adapters/files/cache-folder.ts';
import { knownAnswer } from './adapters/files/known-answer.ts';
import { standardOutput } from './adapters/system/standard-output.ts';

/** A digest of all that the program was built from; undefined where it runs from its sources, as what follows is. */
declare const almanacBuild: string | undefined;
/** Of the file that Node was started with. */
declare const almanacRequire: Require;

/** As Node ends a module that waits for something that never comes. */
const unfinished = 13;

// Until the end is reached: a process that has nothing left to wait for is over.
process.exitCode = unfinished;
void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});

async function run(argv: readonly string[]): Promise<number> {
  const { env: environment } = process;
  const stdout = standardOutput('stdout');
  const cache = cacheFolder(environment);
  const build = typeof almanacBuild === 'undefined' ? undefined : almanacBuild;
  if (build !== undefined) {
    // A terminal may be wider.
    const answer = process.stdout.isTTY ? undefined : knownAnswer(dirname(almanacRequire.main.filename), argv);
    if (answer !== undefined) {
      stdout.write(answer);
      return 0;
    }
    const { keepCompiled } = await import('./adapters/compiled/keep-compiled.ts');
    keepCompiled({ cache, environment, build, require: almanacRequire });
  }
  const { runProcess } = await import('./process.ts');
  return runProcess(argv, { stdout, stderr: standardOutput('stderr') });
}
