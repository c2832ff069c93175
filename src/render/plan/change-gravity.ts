// How grave a change is, for the order of a report's rows.

import { actions } from '../../model/plan/action.ts';
import type { Change } from '../../model/plan/plan.ts';

/** A lower number comes first. */
export function gravityOf({ action, blocked }: Change): number {
  return blocked === undefined ? actions[action].gravity : 0;
}
