// Old schedules that a replacement did not get to delete, because an apply ended between its requests. The next plan shows
// and deletes them; operations core cannot delete, so there they stay listed as orphans.

import type { Change } from '../model/plan/plan.ts';
import type { Orphan, State } from '../model/plan/state.ts';
import type { Address } from '../model/values/address.ts';
import type { Operations } from '../model/workspace/config.ts';

/** `adopted`: ids that `adopt` entries of untracked addresses name, so they are kept. */
export function leftoverDeletes(
  state: State | undefined,
  operations: Operations,
  targets: ReadonlySet<Address> | undefined,
  adopted: ReadonlySet<string>,
): readonly Change[] {
  if (operations !== 'full' || state === undefined) return [];
  const tracked = new Set(Object.values(state.resources).map(({ id }) => id));
  return state.orphans
    .filter(
      ({ id, address, replaced }) =>
        replaced && (targets?.has(address) ?? true) && !tracked.has(id) && !adopted.has(id),
    )
    .map(deleteOf);
}

function deleteOf({ id, address, identifier, name }: Orphan): Change {
  return {
    address,
    kind: 'schedule',
    action: 'delete',
    reason: 'replaced',
    id,
    before: { identifier, name },
    after: null,
    diff: [],
    requests: 1,
  };
}
