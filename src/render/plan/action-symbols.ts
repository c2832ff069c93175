// The symbol of each action, as in Terraform where it has one, and what the legend says of it.

import type { Action } from '../../model/plan/action.ts';

const actionSymbols: Readonly<Record<Action, string>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
  forget: '.',
  move: '->',
  adopt: '=',
  run: '>',
};

export const symbolWords: Readonly<Record<Action, string>> = {
  create: 'create',
  update: 'update in place',
  replace: 'replace: create a new one for the old',
  delete: 'delete',
  forget: 'forget: Almanac no longer tracks it',
  move: 'move to another address, in the state only',
  adopt: 'adopt what exists, in the state only',
  run: 'run once',
};

/** Symbols end in one column, so that what follows them is aligned. */
export const symbolWidth = 3;

export function symbolOf(action: Action): string {
  return actionSymbols[action].padStart(symbolWidth);
}
