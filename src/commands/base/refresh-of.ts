// What --refresh and --refresh-only ask for together.

import type { Refresh } from '../../model/plan/plan.ts';
import type { PlanShape } from './command.ts';

export function refreshOf({ refresh, refreshOnly }: PlanShape): Refresh | undefined {
  if (refresh === undefined && refreshOnly === undefined) return undefined;
  return { depth: refresh === 'deep' ? 'deep' : 'list', only: refreshOnly === true };
}
