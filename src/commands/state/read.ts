// The commands of `almanac state` that only read: `list`, `pull`, `history` and `check`.

import type { State, StateVersion } from '../../model/plan/state.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { readState, requireState } from '../../state/current-state.ts';
import { renderState } from '../../state/format/parse-state.ts';
import type { SharedStore, StateStore } from '../../state/state-store.ts';
import type { Run } from '../base/run.ts';
import { chosenOf, renderStateTable, stateListDocument } from '../base/show-state.ts';
import { renderCheck, renderHistory } from './read-text.ts';
import type { StateCheckOptions, StateHistoryOptions, StateListOptions, StatePullOptions } from './state-command.ts';
import type { StateCheckDocument, StateHistoryDocument } from './state-document.ts';

/** `almanac state list [SELECTOR...]`: what the state tracks, a line for each resource. */
export async function stateList(run: Run, options: StateListOptions, selectors: readonly string[]): Promise<number> {
  const state = await run.readState(await run.storeAlone());
  const tracked = state === undefined ? [] : chosenOf(state, selectors).tracked;
  const all = Object.keys(state?.resources ?? {}).length;
  run.print(options.format, stateListDocument(tracked), (page) => renderStateTable(page, tracked, all));
  return 0;
}

/**
 * `almanac state pull`: prints the state file, including what an interrupted apply left in its journal, or an earlier
 * state of a shared place.
 */
export async function statePull(run: Run, options: StatePullOptions): Promise<number> {
  run.stdout.data(renderState(await pulled(run, options)));
  return 0;
}

async function pulled(run: Run, options: StatePullOptions): Promise<State> {
  const { serial } = options;
  const store = await run.storeAlone();
  if (serial !== undefined) return sharedOf(store).version(serial);
  return requireState(await run.readState(store), store.name);
}

/** `almanac state history`: the states that a shared place keeps, and who wrote them. */
export async function stateHistoryCommand(run: Run, options: StateHistoryOptions): Promise<number> {
  const store = await run.storeAlone();
  const document = await historyOf(store, options.limit);
  run.print(options.format, document, (page) => renderHistory(document, page));
  return 0;
}

async function historyOf(store: StateStore, limit: number): Promise<StateHistoryDocument> {
  const versions: StateVersion[] = [];
  for await (const version of sharedOf(store).history()) {
    if (versions.length === limit) return { formatVersion: 1, state: store.name, versions, more: true };
    versions.push(version);
  }
  return { formatVersion: 1, state: store.name, versions, more: false };
}

/** Throws Failure refused for a file. */
function sharedOf({ name, shared }: StateStore): SharedStore {
  if (shared !== undefined) return shared;
  throw new Failure('refused', `The state is a file, ${name}, and a file keeps no earlier states.`, {
    hint: `If the file is committed, git has them: \`git log -p -- ${name}\`. A place that many share keeps a history; \`${command('state migrate')}\` moves the state there.`,
  });
}

/** `almanac state check`: whether the place of the state is fit, and what is there. Leaves the state as it is. */
export async function stateCheck(run: Run, options: StateCheckOptions): Promise<number> {
  const store = await run.storeAlone();
  await store.shared?.check(run.signal);
  const { state, stored, running } = await readState(store);
  const document: StateCheckDocument = {
    formatVersion: 1,
    state: store.name,
    shared: store.shared !== undefined,
    held:
      state === undefined
        ? null
        : { lineage: state.lineage, serial: state.serial, resources: Object.keys(state.resources).length },
    lock: {
      held: running !== undefined,
      by: stored.lockHolder?.holder,
      expiresIn: stored.lockHolder?.expiresIn && Math.ceil(stored.lockHolder.expiresIn),
    },
  };
  run.print(options.format, document, (page) => renderCheck(document, page));
  return 0;
}
