// A world in which an apply can be stopped at each of its effects. Effects are each write of the journal and the state,
// and each request, before it and after it.

import type { World } from '../../../src/commands/base/world.ts';
import type { Api } from '../../../src/omni/api.ts';
import type { StateLog } from '../../../src/state/state-log.ts';
import type { LockedStore, StateStore } from '../../../src/state/state-store.ts';
import { watchedApi } from '../emulator/watched-api.ts';

/** Called at every point with what comes, or came, there. May throw, or not return. */
export type Reach = (point: string) => void;

export function withFaultPoints(
  world: Pick<World, 'openState' | 'openSharedState' | 'connect'>,
  reach: Reach,
): Pick<World, 'openState' | 'openSharedState' | 'connect'> {
  const around = async <T>(name: string, effect: () => Promise<T>): Promise<T> => {
    reach(`before ${name}`);
    const value = await effect();
    reach(`after ${name}`);
    return value;
  };
  const locked = (store: LockedStore, isShared: boolean): LockedStore => ({
    notes: store.notes,
    journal: store.journal,
    lost: store.lost,
    appendLater: (lines) => {
      reach('before append later');
      store.appendLater(lines);
      reach('after append later');
    },
    // A request goes out directly after it.
    guard: (requestMs) => (isShared ? around('guard', () => store.guard(requestMs)) : store.guard(requestMs)),
    holds: () => store.holds(),
    read: () => store.read(),
    begin: (header) => around('begin', () => store.begin(header)),
    append: (lines) => around(`append ${lines.map(({ type }) => type).join()}`, () => store.append(lines)),
    commit: (state, options) => around('commit', () => store.commit(state, options)),
    unwritten: () => store.unwritten(),
    setAside: store.setAside && (() => around('set aside', async () => store.setAside?.())),
    release: () => store.release(),
  });
  const api = (service: Api): Api => watchedApi(service, (when, { kind }) => reach(`${when} ${kind}`));
  const store = (opened: StateStore): StateStore => ({
    name: opened.name,
    read: () => opened.read(),
    lock: async (...request) => locked(await opened.lock(...request), opened.shared !== undefined),
    lockHolder: () => opened.lockHolder(),
    unlock: () => opened.unlock(),
    shared: opened.shared,
    close: () => opened.close(),
  });
  return {
    openState: async (options) => store(await world.openState(options)),
    openSharedState: async (options) => store(await world.openSharedState(options)),
    connect: async (settings) => api(await world.connect(settings)),
  };
}

/** The same for the log of a shared state: each read and each entry is an effect. */
export function logWithFaultPoints(log: StateLog, reach: Reach): StateLog {
  const around = async <T>(name: string, effect: () => Promise<T>): Promise<T> => {
    reach(`before ${name}`);
    const value = await effect();
    reach(`after ${name}`);
    return value;
  };
  return {
    name: log.name,
    paceMs: log.paceMs,
    probe: (signal) => log.probe(signal),
    read: (after, signal) => around('read', () => log.read(after, signal)),
    entry: (n, signal) => log.entry(n, signal),
    append: (n, entry, signal) => around(`append ${entry.kind}`, () => log.append(n, entry, signal)),
    close: () => log.close(),
  };
}
