// The symbol of an action as reports print it.

import { type Action, actions } from '../../model/plan/action.ts';

/** Symbols end in one column, so that what follows them is aligned. */
export const symbolWidth = 3;

export function symbolOf(action: Action): string {
  return actions[action].symbol.padStart(symbolWidth);
}
