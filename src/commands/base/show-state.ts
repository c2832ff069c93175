// Resources of the state, or all of it: for `almanac state show`, and for `almanac show` without a plan.

import { chooseTracked, type Tracked, type TrackedFilter } from '../../apply/choose/select.ts';
import type { State } from '../../model/plan/state.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { requireState } from '../../state/current-state.ts';
import type { Run } from './run.ts';
import { maskState, renderStateSummary, renderTracked, renderWholeState } from './state-text.ts';

/** A state of more resources is summarised at a terminal: nobody reads thousands of lines. */
const mostShown = 10;

type Selecting = { readonly [Name in 'kind' | 'dashboard' | 'recipient' | 'destination']?: readonly string[] };

/** `almanac state show [ADDRESS...]`: resources of the state, or all of it. */
export async function stateShow(
  run: Run,
  options: Selecting & { readonly format?: string },
  addresses: readonly string[],
): Promise<number> {
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

/** Throws Failure usage for a value that nothing in the state has. */
export function chosenOf(state: State, selecting: Selecting, addresses: readonly string[]): readonly Tracked[] {
  return chooseTracked(state, filterOf(selecting, addresses));
}

function isSelecting(selecting: Selecting, addresses: readonly string[]): boolean {
  return Object.values(filterOf(selecting, addresses)).some(({ length }) => length > 0);
}

function filterOf(selecting: Selecting, addresses: readonly string[]): TrackedFilter {
  const { kind = [], dashboard = [], recipient = [], destination = [] } = selecting;
  return { addresses, kinds: kind, dashboards: dashboard, recipients: recipient, destinations: destination };
}
