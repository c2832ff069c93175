// The state in a file while this run holds its lock: what may change it, and its journal.

import { dirname } from 'node:path';
import { ownerOnly, setMode, syncFolder, writeAtomically } from '../../files/atomic-write.ts';
import { readIfThere, unlinkIfThere, whyOf } from '../../files/file-system.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { State } from '../../model/plan/state.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderState } from '../format/render-state.ts';
import type { CommitOptions, LockedStore, StoredState } from '../state-store.ts';
import { type FileLock, takeLock } from './file-lock.ts';
import { JournalFile } from './journal-file.ts';
import { keepConflicting, keepUnwritten } from './keep-aside.ts';
import { digestOf, readStateFiles, type StateFiles } from './state-files.ts';

/** Throws Failure state-locked if it is held, and state-unwritable if no lock can be created. */
export async function lockFileState(files: StateFiles, command: string): Promise<LockedStore> {
  const { name, host, lock } = files;
  return new LockedFileState(files, await takeLock({ path: lock, name, command, host }));
}

class LockedFileState implements LockedStore {
  /** Nothing takes the lock of a process that runs. */
  readonly lost = new AbortController().signal;
  readonly #files: StateFiles;
  readonly #lock: FileLock;
  #journal: JournalFile | undefined;
  /** The digest of the state file as read; null if there was no file, undefined before the first read. */
  #asRead: string | null | undefined;

  constructor(files: StateFiles, lock: FileLock) {
    this.#files = files;
    this.#lock = lock;
  }

  get notes(): readonly string[] {
    return this.#lock.notes;
  }

  async read(): Promise<StoredState> {
    const { stored, digest } = await readStateFiles(this.#files);
    this.#asRead = digest();
    return stored;
  }

  async begin(header: JournalHeader): Promise<void> {
    const { host, journal, name } = this.#files;
    this.#journal = await JournalFile.begin(host.fs, journal, `${name}.journal`, header);
  }

  async append(lines: readonly (JournalIntent | JournalOutcome)[]): Promise<void> {
    if (this.#journal === undefined) throw new Error('append without begin');
    await this.#journal.append(lines);
  }

  /** One that cannot be written fails the next append, or the commit's fold finds it in memory. */
  appendLater(lines: readonly JournalOutcome[]): void {
    this.append(lines).catch(() => undefined);
  }

  windowFor(): number {
    return 1;
  }

  guard(): Promise<void> {
    return Promise.resolve();
  }

  holds(): boolean {
    return true;
  }

  async commit(state: State | undefined, { release = false }: CommitOptions = {}): Promise<void> {
    await this.#journal?.finishAppends();
    if (state !== undefined) await this.#write(state);
    await this.#dropJournal();
    if (release) await this.release();
  }

  async setAside(): Promise<void> {
    const { host, name, state, aside } = this.#files;
    if ((await this.#digest()) !== this.#asRead) {
      throw new Failure('state-conflict', `${name} was changed by something else while this run held its lock.`, {
        hint: 'It was left as it is. Run the command again.',
      });
    }
    if ((await readIfThere(host.fs, aside)) !== undefined) {
      throw new Failure(
        'state-conflict',
        `${name}.moved is what is left of another state, so ${name} was left as it is.`,
        {
          hint: `Move ${name}.moved elsewhere, then run the command again: the state itself was moved.`,
        },
      );
    }
    try {
      const file = await host.fs.open(state, 'r');
      await setMode(file, ownerOnly).finally(() => file.close());
      await host.fs.rename(state, aside);
      await syncFolder(host.fs, dirname(state));
    } catch (error) {
      throw new Failure('state-unwritable', `${name} cannot be renamed to ${name}.moved: ${whyOf(error)}.`, {
        hint: 'Fix the permissions of its folder, then run the command again: the state itself was moved.',
        cause: error,
      });
    }
  }

  async #digest(): Promise<string | null> {
    return digestOf(await readIfThere(this.#files.host.fs, this.#files.state));
  }

  async #write(state: State): Promise<void> {
    const { host } = this.#files;
    if (this.#asRead === undefined) await this.read();
    const text = renderState(state);
    const digest = digestOf(new TextEncoder().encode(text));
    try {
      const current = await this.#digest();
      if (current !== this.#asRead) throw await keepConflicting(this.#files, text);
      if (current !== digest) await writeAtomically(host.fs, this.#files.state, text, { isPrivate: true });
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw await keepUnwritten(this.#files, text, error);
    }
    this.#asRead = digest;
  }

  async #dropJournal(): Promise<void> {
    const { host, name } = this.#files;
    await this.#journal?.close();
    this.#journal = undefined;
    try {
      await unlinkIfThere(host.fs, this.#files.journal);
    } catch (error) {
      throw new Failure(
        'state-unwritable',
        `${name} was written, but its journal cannot be removed: ${whyOf(error)}.`,
        {
          hint: `Nothing is lost: ${name} holds the whole journal. Remove ${this.#files.journal}.`,
          cause: error,
        },
      );
    }
  }

  async release(): Promise<void> {
    await this.#journal?.close();
    this.#journal = undefined;
    await this.#lock.release();
  }
}
