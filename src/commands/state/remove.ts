// `almanac state rm ADDRESS...`: stops tracking resources; what exists in Omni stays.

import { dropResources, repairState } from '../../engine/state/repair-state.ts';
import { type State, trackedAt } from '../../model/plan/state.ts';
import { withInstances } from '../../model/values/address.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { Run } from '../base/run.ts';

export async function stateRemove(run: Run, addresses: readonly string[]): Promise<number> {
  const store = await run.storeAlone('changes');
  let before: State | undefined;
  await repairState(store, 'state rm', (state) => {
    before = state;
    return dropResources(addresses)(state);
  });
  for (const address of withInstances(addresses, Object.keys(before?.resources ?? {}))) {
    const id = trackedAt(before, address)?.id;
    const stays = id === undefined ? '' : `; it stays in Omni, with the id ${safeText(id)}`;
    run.stdout.write(`${safeText(address)} is no longer tracked${stays}.\n`);
  }
  return 0;
}
