// What only operations `full` can ask.

import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';

/** `what` completes the sentence, as in `cannot ask Omni what exists`; `instead` is a whole one. Throws Failure usage. */
export function requireFullOperations({ api: { operations } }: Config, what: string, instead?: string): void {
  if (operations === 'full') return;
  const hint = ['Set `api: { operations: full }` in almanac.yaml.', ...(instead === undefined ? [] : [instead])];
  throw new Failure('usage', `With operations core, Almanac cannot ask Omni ${what}.`, {
    hint: [...hint, 'Nothing was sent.'].join(' '),
  });
}
