// The state in a file of the workspace: STATE, with STATE.lock and STATE.journal next to it. If STATE is a symlink, all
// three are at its target, so that everyone who shares a state also shares its lock. Most runs only read it: what takes a
// lock is loaded by those that do.

import { dirname } from 'node:path';
import type { HeldLock, StateStore, StoredState } from '../state-store.ts';
import { isLocked, refuseTrackedLock } from './file-lock.ts';
import { type Host, thisHost } from './host.ts';
import { checkRegular, locateState, readStateFiles, type StateFiles } from './state-files.ts';

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
      return readWithHolder(located);
    },
    lock: async (command) => {
      await checkRegular(await files());
      await host.fs.mkdir(dirname(path)).catch(() => undefined); // if it is still missing, taking the lock reports it
      const { lockFileState } = await import('./locked-file-state.ts');
      return lockFileState(await files(), command);
    },
    lockHolder: async () => holderIn(await files()),
    unlock: async () => {
      const { removeLock } = await import('./file-lock.ts');
      return removeLock((await files()).lock, host);
    },
    close: async () => undefined,
  };
}

/** The lock is looked at before and after, so that no run begins or ends unseen. */
async function readWithHolder(files: StateFiles): Promise<StoredState> {
  const before = await holderIn(files);
  const { stored } = await readStateFiles(files);
  if (before !== undefined || stored.journal === undefined) return { ...stored, held: before };
  const held = await holderIn(files);
  // A run that has ended in between has folded its journal.
  return held === undefined ? (await readStateFiles(files)).stored : { ...stored, held };
}

async function holderIn({ lock, host }: StateFiles): Promise<HeldLock | undefined> {
  if (!(await isLocked({ path: lock, host }))) return undefined;
  const { lockHolder } = await import('./file-lock.ts');
  return lockHolder(lock, host);
}
