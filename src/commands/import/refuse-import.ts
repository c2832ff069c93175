// When an import is refused before it asks the service for anything.

import type { Loaded } from '../../declare/load/load.ts';
import { refuseErrors } from '../../declare/load/refuse-errors.ts';
import type { Reporter } from '../../model/outside.ts';
import { actions } from '../../model/plan/action.ts';
import { openChanges } from '../../model/plan/open-change.ts';
import type { State } from '../../model/plan/state.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { checkSameOrganization, stateForShow } from '../../state/current-state.ts';
import type { StateStore } from '../../state/state-store.ts';

/** Throws Failure usage with operations core, which cannot read schedules. */
export function usableConfig(loaded: Loaded): Config {
  const { config } = loaded;
  if (config !== undefined && config.api.operations !== 'full') {
    throw new Failure('usage', 'An import reads schedules, and operations core cannot read them.', {
      hint: 'Set `api: { operations: full }` in almanac.yaml. Nothing was sent.',
    });
  }
  refuseErrors(loaded, 'nothing was imported');
  return loaded.config;
}

/**
 * The state, if there is one. Throws Failure refused where the creation of a schedule is unresolved, which would be declared
 * a second time, and where the state belongs to another organization.
 */
export async function usableState(store: StateStore, { api }: Config, reporter: Reporter): Promise<State | undefined> {
  const { state, message } = await stateForShow(store);
  if (message !== undefined) reporter.emit({ type: 'note', message });
  checkSameOrganization(state, api.baseUrl, store.name);
  const open = openChanges(state).filter(({ action }) => actions[action].findable);
  if (open.length === 0) return state;
  throw new Failure(
    'refused',
    `The outcome of an earlier apply is not known yet: ${open.map(({ address }) => address).join(', ')}.`,
    { hint: 'Run almanac apply first: it finds out what was created. Nothing was sent.' },
  );
}
