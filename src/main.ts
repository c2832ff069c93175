// Arguments in, exit code out: runs the command line, and turns every failure into words.

import { CommanderError } from 'commander';
import { makeProgram } from './command-line/program.ts';
import { guardLog } from './commands/base/guard-log.ts';
import type { Outside } from './commands/base/world.ts';

const done = 0;

/** `argv` without node and script. Never throws. */
export async function main(argv: readonly string[], outside: Outside): Promise<number> {
  const world = guardLog(outside);
  let exitCode = done;
  const finish = (code: number): void => {
    exitCode = code;
  };
  try {
    await makeProgram({ world, finish }).parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return done;
    const { reportFailure, reportUsage } = await import('./commands/base/report-failure.ts');
    return error instanceof CommanderError
      ? reportUsage(error.message, argv, world)
      : reportFailure(error, argv, world);
  }
}
