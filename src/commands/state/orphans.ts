// `almanac state orphans`: lists the schedules that keep running but are no longer tracked, and removes one from the list.

import { clearOrphan, repairState } from '../../engine/state/repair-state.ts';
import { orphanLines } from '../../render/plan/orphan-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { Run } from '../base/run.ts';
import type { StateOrphansOptions } from './command.ts';

export async function stateOrphans(run: Run, options: StateOrphansOptions): Promise<number> {
  if (options.clear !== undefined) return clear(run, options, options.clear);
  const state = await run.recorded(await run.storeAlone());
  const orphans = state?.orphans ?? [];
  if (options.format === 'json') run.stdout.data(renderJson({ formatVersion: 1, orphans }));
  else if (orphans.length === 0) run.stdout.write('No orphans.\n');
  else run.stdout.write(`${orphanLines(run.page(), orphans).join('\n')}\n`);
  return 0;
}

async function clear(run: Run, options: StateOrphansOptions, id: string): Promise<number> {
  const store = await run.storeAlone('changes');
  const { orphans } = await repairState(store, 'state orphans', clearOrphan(id));
  if (options.format === 'json') run.stdout.data(renderJson({ formatVersion: 1, orphans }));
  else run.stdout.write(`The schedule ${safeText(id)} is no longer listed as an orphan.\n`);
  return 0;
}
