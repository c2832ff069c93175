// Arguments in, exit code out: runs the command line, and turns every failure into words.

import { CommanderError } from '@commander-js/extra-typings';
import { guardLog } from './commands/base/guard-log.ts';
import { noteOpenedStores } from './commands/base/opened-stores.ts';
import type { Asked } from './commands/base/report-failure.ts';
import type { Outside } from './commands/base/world.ts';
import { makeProgram } from './commands/program.ts';

const done = 0;

/** `argv` without node and script. Never throws. */
export async function main(argv: readonly string[], outside: Outside): Promise<number> {
  const stores = noteOpenedStores(outside);
  const world = guardLog(stores.outside);
  let exitCode = done;
  const finish = (code: number): void => {
    exitCode = code;
  };
  const program = makeProgram({ world, finish });
  try {
    await program.command.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return done;
    const { reportFailure, reportUsage } = await import('./commands/base/report-failure.ts');
    const { color, format, verbose, env } = program.called().optsWithGlobals();
    const asked: Asked = {
      isJson: format === 'json',
      color: color !== false,
      ...(verbose === true ? { verbose } : {}),
      ...(typeof env === 'string' ? { env } : {}),
    };
    return error instanceof CommanderError
      ? await reportUsage(error.message, asked, world)
      : await reportFailure(error, asked, world);
  } finally {
    await stores.close();
  }
}
