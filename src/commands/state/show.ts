// `almanac state show [ADDRESS...]`: resources of the state, or all of it.

import { requireState } from '../../engine/state/current-state.ts';
import { maskState, renderStateSummary, renderTracked, renderWholeState } from '../../render/state/state-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import type { Run } from '../base/run.ts';
import type { StateShowOptions } from './command.ts';
import { chosenOf, isSelecting } from './tracked-filter.ts';

/** A state of more resources is summarised at a terminal: nobody reads thousands of lines. */
const mostShown = 10;

type ShowOptions = Omit<StateShowOptions, 'kind' | 'dashboard' | 'recipient' | 'destination'> &
  Partial<StateShowOptions>;

export async function stateShow(run: Run, options: ShowOptions, addresses: readonly string[]): Promise<number> {
  const { stdout } = run;
  const store = await run.storeAlone();
  const state = requireState(await run.recorded(store), store.name);
  const chosen = isSelecting(options, addresses) ? chosenOf(state, options, addresses) : undefined;
  const page = run.page();
  if (options.format === 'json') {
    const shown = maskState(chosen === undefined ? state : { ...state, resources: Object.fromEntries(chosen) });
    const one = isOne(addresses) && chosen?.length === 1 ? shown.resources[addresses[0]] : undefined;
    stdout.data(renderJson(one ?? shown));
  } else if (chosen !== undefined) stdout.write(renderTracked(chosen, page));
  else if (stdout.isTerminal && !page.showsAll && Object.keys(state.resources).length > mostShown)
    stdout.write(renderStateSummary(state, page));
  else stdout.write(renderWholeState(state, page));
  return 0;
}

/** One address, which names one resource: a program gets that alone. */
function isOne(addresses: readonly string[]): addresses is readonly [string] {
  return addresses.length === 1 && !addresses[0]?.includes('*');
}
