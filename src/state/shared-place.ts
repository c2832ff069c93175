// What only a place that many share can do: its history, one state of it, and whether the place is fit.

import type { StateCheckDocument, StateHistoryDocument, StateVersion } from '../model/documents.ts';
import type { State } from '../model/plan/state.ts';
import { Failure } from '../model/workspace/failure.ts';
import { currentState } from './current-state.ts';
import type { SharedStore, StateStore } from './state-store.ts';

/** Newest first, at most `limit`. Throws Failure refused for a file. */
export async function stateHistory(store: StateStore, limit: number): Promise<StateHistoryDocument> {
  const versions: StateVersion[] = [];
  for await (const version of sharedOf(store).history()) {
    if (versions.length === limit) return { formatVersion: 1, state: store.name, versions, more: true };
    versions.push(version);
  }
  return { formatVersion: 1, state: store.name, versions, more: false };
}

/** The state with that serial. Throws Failure refused for a file, and where no such state was kept. */
export function earlierState(store: StateStore, serial: number): Promise<State> {
  return sharedOf(store).version(serial);
}

/** Throws Failure state-backend-unfit, or the permission that lacks. Writes nothing into the state. */
export async function checkPlace(store: StateStore, signal: AbortSignal): Promise<StateCheckDocument> {
  await store.shared?.check(signal);
  const state = currentState(await store.read(), store.name);
  const lock = await store.lockHolder();
  return {
    formatVersion: 1,
    state: store.name,
    shared: store.shared !== undefined,
    held:
      state === undefined
        ? null
        : { lineage: state.lineage, serial: state.serial, resources: Object.keys(state.resources).length },
    lock: {
      held: lock !== undefined && !lock.isDead,
      by: lock?.holder,
      expiresIn: lock?.expiresIn && Math.ceil(lock.expiresIn),
    },
  };
}

function sharedOf({ name, shared }: StateStore): SharedStore {
  if (shared !== undefined) return shared;
  throw new Failure('refused', `The state is a file, ${name}, and a file keeps no earlier states.`, {
    hint: `If the file is committed, git has them: \`git log -p -- ${name}\`. A place that many share keeps a history; \`almanac state migrate\` moves the state there.`,
  });
}
