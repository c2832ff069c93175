// Arguments in, exit code out: runs the command line, and turns every failure into words.

import { CommanderError } from '@commander-js/extra-typings';
import type { RunCommand } from './commands/base/define-command.ts';
import { guardLog, type Outside, type World } from './commands/base/world.ts';
import { advisableIn, asksForJson, makeProgram, usageHint } from './commands/program.ts';
import { Failure } from './model/workspace/failure.ts';

const done = 0;
const failed = 1;

/** `argv` without node and script. Never throws. */
export async function main(argv: readonly string[], outside: Outside): Promise<number> {
  const world: World = { ...guardLog(outside), advisable: () => advisableIn(program) };
  let exitCode = done;
  const start: RunCommand = Object.assign(startRun, {
    outside: async (work: (given: World) => Promise<number>) => {
      exitCode = await work(world);
    },
  });
  async function startRun(...[command, work]: Parameters<RunCommand>): Promise<void> {
    const { makeRun } = await import('./commands/base/run.ts');
    const run = makeRun(world, command.optsWithGlobals());
    try {
      exitCode = await work(run);
    } finally {
      await run.close();
    }
  }
  const program = makeProgram(world, start);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return done;
    const { reportFailure } = await import('./commands/base/report-failure.ts');
    const failureOptions = { isJson: asksForJson(argv), ...program.opts() };
    if (!(error instanceof CommanderError)) return await reportFailure(error, failureOptions, world);
    // The parser has printed the help on stderr; a program reads stdout.
    if (!failureOptions.isJson) return failed;
    return await reportFailure(
      new Failure('usage', 'No command is named.', { hint: usageHint }),
      failureOptions,
      world,
    );
  }
}
