// The order of a plan: dashboards, then schedules, then AI jobs, and within a kind by address.

import { kindsInOrder } from '../model/address.ts';
import { byCodeUnit } from '../model/json.ts';
import type { Change } from '../model/plan.ts';

export function inOrder(a: Change, b: Change): number {
  return kindsInOrder.indexOf(a.kind) - kindsInOrder.indexOf(b.kind) || byCodeUnit(a.address, b.address);
}
