// A world in which every effect of an apply is a point where it can be stopped: each write of the journal and the state,
// and each request, before it and after it.

import type { World } from '../../../src/commands/base/world.ts';
import type { Api } from '../../../src/omni/api.ts';
import type { StateLog } from '../../../src/state/state-log.ts';
import type { LockedStore, StateStore } from '../../../src/state/state-store.ts';

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
    setAside: store.setAside && (() => around('set aside', async () => store.setAside?.())),
    release: () => store.release(),
  });
  const api = (service: Api): Api => ({
    updateFilters: (...request) => around('PATCH filters', () => service.updateFilters(...request)),
    createSchedule: (...request) => around('POST schedule', () => service.createSchedule(...request)),
    createAiJob: (...request) => around('POST job', () => service.createAiJob(...request)),
    updateSchedule: (...request) => around('PUT schedule', () => service.updateSchedule(...request)),
    deleteSchedule: (...request) => around('DELETE schedule', () => service.deleteSchedule(...request)),
    pauseSchedule: (...request) => around('PUT pause', () => service.pauseSchedule(...request)),
    resumeSchedule: (...request) => around('PUT resume', () => service.resumeSchedule(...request)),
    triggerSchedule: (...request) => around('POST trigger', () => service.triggerSchedule(...request)),
    transferOwnership: (...request) => around('PUT owner', () => service.transferOwnership(...request)),
    addRecipients: (...request) => around('PUT add', () => service.addRecipients(...request)),
    removeRecipients: (...request) => around('PUT remove', () => service.removeRecipients(...request)),
    createRoutine: (...request) => around('POST routine', () => service.createRoutine(...request)),
    updateRoutine: (...request) => around('PATCH routine', () => service.updateRoutine(...request)),
    deleteRoutine: (...request) => around('DELETE routine', () => service.deleteRoutine(...request)),
    triggerRoutine: (...request) => around('POST trigger of a routine', () => service.triggerRoutine(...request)),
    listRoutines: (...request) => service.listRoutines(...request),
    startDownload: (...request) => service.startDownload(...request),
    getDownload: (...request) => service.getDownload(...request),
    groupsWithAccess: (...request) => service.groupsWithAccess(...request),
    listUsers: (...request) => service.listUsers(...request),
    listEmailOnlyUsers: (...request) => service.listEmailOnlyUsers(...request),
    listSchedules: (...request) => service.listSchedules(...request),
    getSchedule: (...request) => service.getSchedule(...request),
    getRecipients: (...request) => service.getRecipients(...request),
    getFilters: (...request) => service.getFilters(...request),
    getAiJob: (...request) => service.getAiJob(...request),
    getAiJobResult: (...request) => service.getAiJobResult(...request),
    cancelAiJob: (...request) => service.cancelAiJob(...request),
    listDocuments: (...request) => service.listDocuments(...request),
    listQueries: (...request) => service.listQueries(...request),
    clockDifference: () => service.clockDifference(),
    close: () => service.close(),
  });
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
