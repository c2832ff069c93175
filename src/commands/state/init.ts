// `almanac state init`: makes what must be there before the first state, and tries the place. Writes no state.

import { Failure } from '../../model/workspace/failure.ts';
import { printSql } from '../../render/state/postgres-sql.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { Run } from '../base/run.ts';
import type { StateInitOptions } from './command.ts';

export async function stateInit(run: Run, options: StateInitOptions): Promise<number> {
  if (options.printSql) return printTable(run);
  const store = await run.storeAlone('changes');
  const { shared, name } = store;
  const place = safeText(name);
  if (shared === undefined) {
    run.stdout.write(`${place} is a file: there is nothing to prepare.\n`);
    return 0;
  }
  await shared.prepare(run.signal);
  await shared.check(run.signal);
  run.stdout.write(`${place} is ready.\n`);
  if (!options.quiet && (await shared.isEmpty())) {
    run.stderr.write(
      'It has no state yet. If there is one elsewhere, almanac state migrate moves it; otherwise the first almanac apply creates it.\n',
    );
  }
  return 0;
}

/** For an administrator, so that the role of Almanac needs no right to create tables. Connects to nothing. */
async function printTable(run: Run): Promise<number> {
  const { state } = await run.config();
  if (state.backend !== 'postgres') {
    throw new Failure('usage', `--print-sql is about a state in PostgreSQL, and the backend is ${state.backend}.`, {
      hint: 'Run almanac state init without it.',
    });
  }
  run.stdout.data(printSql(state));
  return 0;
}
