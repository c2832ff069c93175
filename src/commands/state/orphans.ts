// `almanac state orphans`: lists the schedules that keep running but are no longer tracked, and removes one from the list.

import { clearOrphan, repairState } from '../../engine/state/repair-state.ts';
import { orphanLines } from '../../render/plan/orphan-text.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import type { Run } from '../base/run.ts';
import type { StateOrphansOptions } from './command.ts';

export async function stateOrphans(run: Run, options: StateOrphansOptions): Promise<number> {
  if (options.clear !== undefined) return clear(run, options, options.clear);
  const state = await run.recorded(await run.storeAlone());
  const orphans = state?.orphans ?? [];
  run.print(options.format, { formatVersion: 1, orphans }, (page) =>
    orphans.length === 0 ? 'No orphans.\n' : `${orphanLines(page, orphans).join('\n')}\n`,
  );
  return 0;
}

async function clear(run: Run, options: StateOrphansOptions, id: string): Promise<number> {
  const store = await run.storeAlone('changes');
  const { orphans } = await repairState(store, 'state orphans', clearOrphan(id));
  const words = `The schedule ${safeText(id)} is no longer listed as an orphan.\n`;
  run.print(options.format, { formatVersion: 1, orphans }, () => words);
  return 0;
}
