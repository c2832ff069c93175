// `almanac state init`: makes what must be there before the first state, and tries the place. Writes no state.

import { Failure } from '../../model/workspace/failure.ts';
import { printSql } from '../../render/state/postgres-sql.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { openConfig, openStateAlone } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { StateInitOptions } from './command.ts';

export async function stateInit(world: World, options: StateInitOptions): Promise<number> {
  if (options.printSql) return printTable(world, options);
  const { store } = await openStateAlone(world, options, 'changes');
  const { shared, name } = store;
  const place = safeText(name);
  if (shared === undefined) {
    world.stdout.write(`${place} is a file: there is nothing to prepare.\n`);
    return 0;
  }
  await shared.prepare(world.signal);
  await shared.check(world.signal);
  world.stdout.write(`${place} is ready.\n`);
  if (!options.quiet && (await shared.isEmpty())) {
    world.stderr.write(
      'It has no state yet. If there is one elsewhere, almanac state migrate moves it; otherwise the first almanac apply creates it.\n',
    );
  }
  return 0;
}

/** For an administrator, so that the role of Almanac needs no right to create tables. Connects to nothing. */
async function printTable(world: World, options: StateInitOptions): Promise<number> {
  const { state } = await openConfig(world, options);
  if (state.backend !== 'postgres') {
    throw new Failure('usage', `--print-sql is about a state in PostgreSQL, and the backend is ${state.backend}.`, {
      hint: 'Run almanac state init without it.',
    });
  }
  world.stdout.data(printSql(state));
  return 0;
}
