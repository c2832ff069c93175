// `almanac state rm ADDRESS...`: stops tracking resources; what exists in Omni stays.

import { dropResources, repairState } from '../../engine/state/repair-state.ts';
import { type State, trackedAt } from '../../model/plan/state.ts';
import { withInstances } from '../../model/values/address.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { GlobalOptions } from '../base/command.ts';
import { openStateAlone } from '../base/session.ts';
import type { World } from '../base/world.ts';

export async function stateRemove(world: World, options: GlobalOptions, addresses: readonly string[]): Promise<number> {
  const { store } = await openStateAlone(world, options, 'changes');
  let before: State | undefined;
  await repairState(store, 'state rm', (state) => {
    before = state;
    return dropResources(addresses)(state);
  });
  for (const address of withInstances(addresses, Object.keys(before?.resources ?? {}))) {
    const id = trackedAt(before, address)?.id;
    const stays = id === undefined ? '' : `; it stays in Omni, with the id ${safeText(id)}`;
    world.stdout.write(`${safeText(address)} is no longer tracked${stays}.\n`);
  }
  return 0;
}
