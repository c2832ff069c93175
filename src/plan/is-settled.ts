// Most resources of most plans: declared as they were applied, with nothing else to know about them. The decision table
// would say `no-op` without a finding, so they are recognised in one comparison and take no part in it.

import type { Address } from '../model/values/address.ts';
import { equalJson } from '../model/values/json.ts';
import type { Match } from './match.ts';

/**
 * For a match that was not observed, and that no earlier apply left open. False where only the table can tell: a test
 * delivery that must not recur, a sink that was never sent, and whatever moves, is adopted or is replaced.
 */
export function isSettled({ address, desired, prior, moved, adopt }: Match, replace: ReadonlySet<Address>): boolean {
  if (desired === undefined || prior === undefined || moved !== undefined || adopt !== undefined) return false;
  const { kind, attributes, sink } = desired;
  // A test delivery that ran has no id in the state.
  const hasRun = kind === 'schedule' && prior.id === undefined;
  const isTest = kind === 'schedule' && attributes['testNow'] === true;
  if (sink !== undefined || hasRun !== isTest || replace.has(address)) return false;
  return equalJson(prior.attributes, attributes);
}
