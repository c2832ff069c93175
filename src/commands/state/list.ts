// `almanac state list [ADDRESS...]`: what the state tracks, a line for each resource.

import {
  renderStateRows,
  renderStateTable,
  stateListCounts,
  stateListDocument,
} from '../../render/state/state-list.ts';
import { renderJson } from '../../render/text/render-json.ts';
import type { Run } from '../base/run.ts';
import type { StateListOptions } from './command.ts';
import { chosenOf } from './tracked-filter.ts';

/** The counts are for people, so they go to stderr, and only where the table goes to a terminal. */
export async function stateList(run: Run, options: StateListOptions, addresses: readonly string[]): Promise<number> {
  const { stdout, stderr } = run;
  const state = await run.recorded(await run.storeAlone());
  const tracked = state === undefined ? [] : chosenOf(state, options, addresses);
  if (options.format === 'json') stdout.data(renderJson(stateListDocument(tracked)));
  else if (!stdout.isTerminal) stdout.write(renderStateRows(tracked));
  else {
    stdout.write(renderStateTable(run.page(), tracked));
    const all = Object.keys(state?.resources ?? {}).length;
    if (!options.quiet) stderr.write(`${stateListCounts(tracked, all)}\n`);
  }
  return 0;
}
