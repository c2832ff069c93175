#!/usr/bin/env node

// Starts the program, or prints its version without loading it. The build puts the program beside this file, or into it
// for the executable. A program beside is loaded as an earlier run compiled it, where nobody else could put that.

import { join } from 'node:path';
import { standardOutput } from './files/system.ts';
import { loadKept } from './kept-code.ts';
import { printedVersion, version } from './version.ts';

/** A digest of all that the program was built from. */
declare const almanacBuild: string;

/** True if the program is in this file. The bundle lacks the code for the other case. */
declare const almanacIsExecutable: boolean;

/** Node's exit code for a module that waits for something that never comes. */
const unfinished = 13;

/** The minimum in package.json. */
const oldestNode = 20;

const argv = process.argv.slice(2);
if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  standardOutput('stderr').write(`error: Almanac needs Node ${oldestNode} or later, and this is ${process.version}.\n`);
  process.exitCode = 1;
} else if (argv.length === 1 && argv[0] === '--version') {
  standardOutput('stdout').write(`${printedVersion({ version, node: process.versions.node })}\n`);
} else {
  // Stays until the end is reached: a process that has nothing left to wait for is over.
  process.exitCode = unfinished;
  void run().then((exitCode) => {
    process.exitCode = exitCode;
  });
}

async function run(): Promise<number> {
  const { runProcess } = almanacIsExecutable ? await import('./process.ts') : loadBeside();
  return runProcess(argv);
}

function loadBeside(): typeof import('./process.ts') {
  return loadKept(join(__dirname, 'program.cjs'), almanacBuild, require) as typeof import('./process.ts');
}
