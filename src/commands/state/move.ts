// `almanac state mv FROM TO`: another address for a tracked resource.

import { moveResource, repairState } from '../../engine/state/repair-state.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { GlobalOptions } from '../base/command.ts';
import { openStateAlone } from '../base/session.ts';
import type { World } from '../base/world.ts';

export async function stateMove(world: World, options: GlobalOptions, from: string, to: string): Promise<number> {
  const { store } = await openStateAlone(world, options, 'changes');
  await repairState(store, 'state mv', moveResource(from, to));
  world.stdout.write(`${safeText(from)} is now ${safeText(to)}.\n`);
  return 0;
}
