// The state in a file of the workspace: STATE, with STATE.lock and STATE.journal next to it. If STATE is a symlink, all
// three are at its target, so that everyone who shares a state also shares its lock. Most runs only read it: what takes a
// lock is loaded by those that do.

import { dirname } from 'node:path';
import type { StateStore } from '../../ports/state-store.ts';
import { type Host, thisHost } from './host.ts';
import { checkRegular, locateState, readMoved, readStateFiles } from './state-files.ts';
import { isLocked, refuseTrackedLock } from './tracked-lock.ts';

export interface FileStateOptions {
  /** Absolute. */
  readonly path: string;
  /** The name of the file in messages; defaults to the path. */
  readonly name?: string;
  /** The folder of the workspace; undefined if the state may be anywhere. */
  readonly within?: string | undefined;
  readonly host?: Partial<Host>;
}

export function openFileState({ path, name = path, within, host: seams = {} }: FileStateOptions): StateStore {
  const host: Host = { ...thisHost, ...seams };
  const files = () => locateState({ path, name, within, host });
  return {
    name,
    read: async () => {
      const located = await files();
      await refuseTrackedLock({ path: located.lock, name, host });
      return (await readStateFiles(located)).stored;
    },
    moved: async () => (await readMoved(await files()))?.moved,
    lock: async (command) => {
      await checkRegular(await files());
      await host.fs.mkdir(dirname(path)).catch(() => undefined); // if it is still missing, taking the lock reports it
      const { lockFileState } = await import('./locked-file-state.ts');
      return lockFileState(await files(), command);
    },
    lockHolder: async () => {
      const { lock } = await files();
      if (!(await isLocked({ path: lock, host }))) return undefined;
      const { lockHolder } = await import('./file-lock.ts');
      return lockHolder(lock, host);
    },
    unlock: async () => {
      const { removeLock } = await import('./file-lock.ts');
      return removeLock((await files()).lock, host);
    },
    close: async () => undefined,
  };
}
