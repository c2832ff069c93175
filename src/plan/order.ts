// The order of a plan: dashboards, then schedules, then AI jobs, and within a kind by address. What is left of an earlier
// schedule at the same address comes after the change of the present one, by id.

import type { Change } from '../model/plan/plan.ts';
import { kindsInOrder } from '../model/values/address.ts';
import { byCodeUnit } from '../model/values/json.ts';

export function inOrder(a: Change, b: Change): number {
  return (
    kindsInOrder.indexOf(a.kind) - kindsInOrder.indexOf(b.kind) ||
    byCodeUnit(a.address, b.address) ||
    Number(a.reason === 'replaced') - Number(b.reason === 'replaced') ||
    byCodeUnit(a.id ?? '', b.id ?? '')
  );
}
