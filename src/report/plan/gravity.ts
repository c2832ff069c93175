// How grave a change is, for the order of a report's rows.

import { actions } from '../../model/plan/action.ts';
import type { Change } from '../../model/plan/plan.ts';

/** Blocked, or a delete, a replacement or a forget: a report shows it in bold and unfolded. */
export function isGrave(change: Change): boolean {
  return gravityOf(change) <= 3;
}

/** A lower number comes first. */
export function gravityOf({ action, blocked }: Change): number {
  return blocked === undefined ? actions[action].gravity : 0;
}
