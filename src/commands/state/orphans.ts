// `almanac state orphans`: lists the schedules that keep running but are no longer tracked, and removes one from the list.

import { clearOrphan, repairState } from '../../engine/state/repair-state.ts';
import { orphanLines } from '../../render/plan/orphan-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { pageOf } from '../base/page.ts';
import { readState } from '../base/read-state.ts';
import { openStateAlone } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { StateOrphansOptions } from './command.ts';

export async function stateOrphans(world: World, options: StateOrphansOptions): Promise<number> {
  if (options.clear !== undefined) return clear(world, options, options.clear);
  const { state } = await readState(world, options);
  const orphans = state?.orphans ?? [];
  if (options.format === 'json') world.stdout.data(renderJson({ formatVersion: 1, orphans }));
  else if (orphans.length === 0) world.stdout.write('No orphans.\n');
  else world.stdout.write(`${orphanLines(pageOf(world.stdout, world, options), orphans).join('\n')}\n`);
  return 0;
}

async function clear(world: World, options: StateOrphansOptions, id: string): Promise<number> {
  const { store } = await openStateAlone(world, options, 'changes');
  const { orphans } = await repairState(store, 'state orphans', clearOrphan(id));
  if (options.format === 'json') world.stdout.data(renderJson({ formatVersion: 1, orphans }));
  else world.stdout.write(`The schedule ${safeText(id)} is no longer listed as an orphan.\n`);
  return 0;
}
