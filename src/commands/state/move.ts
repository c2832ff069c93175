// `almanac state mv FROM TO`: another address for a tracked resource.

import { moveResource, repairState } from '../../engine/state/repair-state.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { Run } from '../base/run.ts';

export async function stateMove(run: Run, from: string, to: string): Promise<number> {
  const store = await run.storeAlone('changes');
  await repairState(store, 'state mv', moveResource(from, to));
  run.stdout.write(`${safeText(from)} is now ${safeText(to)}.\n`);
  return 0;
}
