// The state in a file of the workspace: STATE, with STATE.lock and STATE.journal next to it. If STATE is a symlink, all
// three are at its target, so that everyone who shares a state also shares its lock.

import { dirname } from 'node:path';
import {
  type FileSystem,
  largestFile,
  type OpenFile,
  readIfThere,
  unlinkIfThere,
  whyOf,
} from '../../files/file-system.ts';
import { ownerOnly, setMode, syncFolder, writeAtomically } from '../../files/write-atomically.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import type { State } from '../../model/plan/state.ts';
import { pushAll } from '../../model/values/collections.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { withNothingChanged } from '../failed-commit.ts';
import { parseJournal, renderJournalLine } from '../format/parse-journal.ts';
import { renderState } from '../format/parse-state.ts';
import type { CommitOptions, LockedStore, StateStore, StoredState } from '../state-store.ts';
import {
  type FileLock,
  type Host,
  lockHolder,
  refuseTrackedLock,
  removeLock,
  takeLock,
  thisHost,
} from './file-lock.ts';
import { checkRegular, digestOf, locateState, readStateFiles, type StateFiles } from './state-files.ts';

export interface FileStateOptions {
  /** Absolute. */
  readonly path: string;
  /** The name of the file in messages; defaults to the path. */
  readonly name?: string;
  /** The folder of the workspace; undefined if the state may be anywhere. */
  readonly within?: string | undefined;
  readonly host?: Partial<Host>;
  /** Ends questions to git while the files are read; never ends a write. */
  readonly signal?: AbortSignal | undefined;
}

export function openFileState({ path, name = path, within, host: seams = {}, signal }: FileStateOptions): StateStore {
  const host: Host = { ...thisHost, ...seams, signal };
  const files = () => locateState({ path, name, within, host });
  return {
    name,
    mostBytes: largestFile,
    read: async () => {
      const located = await files();
      await refuseTrackedLock({ path: located.lock, name, host });
      return readWithHolder(located);
    },
    lock: async (command) => {
      await checkRegular(await files());
      await host.fs.mkdir(dirname(path)).catch(() => undefined); // if it is still missing, taking the lock reports it
      return lockFileState(await files(), command);
    },
    lockHolder: async () => lockHolder((await files()).lock, host),
    unlock: async () => removeLock((await files()).lock, host),
    close: async () => undefined,
  };
}

/** The lock is looked at before and after, so that no run begins or ends unseen. */
async function readWithHolder(files: StateFiles): Promise<StoredState> {
  const { lock, host } = files;
  const before = await lockHolder(lock, host);
  const { stored } = await readStateFiles(files);
  if (before !== undefined || stored.journal === undefined) return { ...stored, lockHolder: before };
  const held = await lockHolder(lock, host);
  // A run that has ended in between has folded its journal.
  return held === undefined ? (await readStateFiles(files)).stored : { ...stored, lockHolder: held };
}

/** Throws Failure state-locked if it is held, and state-unwritable if no lock can be created. */
async function lockFileState(files: StateFiles, command: string): Promise<LockedStore> {
  const { name, host, lock } = files;
  return new LockedFileState(files, await takeLock({ path: lock, name, command, host }));
}

/** The state and its journal while this run holds the lock, with all that may change them. */
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

  get journal(): string {
    return `${this.#files.name}.journal`;
  }

  unwritten(): readonly JournalOutcome[] | undefined {
    return this.#journal?.unwritten;
  }

  async read(): Promise<StoredState> {
    const { stored, digest } = await readStateFiles(this.#files);
    this.#asRead = digest();
    return stored;
  }

  async begin(header: JournalHeader): Promise<void> {
    const { host, journal } = this.#files;
    await this.#refuseChanged();
    this.#journal = await JournalFile.begin(host.fs, journal, this.journal, header);
  }

  async append(lines: readonly Line[]): Promise<void> {
    if (this.#journal === undefined) throw new Error('append without begin');
    await this.#journal.append(lines);
  }

  /** An outcome that cannot be written fails the next request, or the commit's fold finds it in memory. */
  appendLater(lines: readonly JournalOutcome[]): void {
    this.append(lines).catch(() => undefined);
  }

  async guard(): Promise<void> {
    const failure = this.#journal?.failure;
    if (failure !== undefined) throw failure;
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
    await this.#refuseChanged();
    if ((await readIfThere(host.fs, aside)) !== undefined) {
      throw new Failure('state-conflict', `${name}.moved belongs to a different state, so ${name} was not renamed.`, {
        hint: `Move ${name}.moved elsewhere, then run the command again: the state itself was moved.`,
      });
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

  /** Throws Failure state-conflict. */
  async #refuseChanged(): Promise<void> {
    if (this.#asRead === undefined || (await this.#digest()) === this.#asRead) return;
    throw new Failure(
      'state-conflict',
      `${this.#files.name} was changed by something else while this run held its lock.`,
      {
        hint: 'The file was not overwritten. Run the command again.',
      },
    );
  }

  async #digest(): Promise<string | null> {
    return digestOf(await readIfThere(this.#files.host.fs, this.#files.state));
  }

  async #write(state: State): Promise<void> {
    const { host, name } = this.#files;
    if (this.#asRead === undefined) await this.read();
    const text = renderState(state);
    const digest = digestOf(new TextEncoder().encode(text));
    try {
      await this.#refuseChanged();
      if (this.#asRead !== digest) await writeAtomically(host.fs, this.#files.state, text, { isPrivate: true });
    } catch (error) {
      const failure = error instanceof Failure ? error : unwritable(name, error, 'run the command again');
      throw this.#journal === undefined ? withNothingChanged(failure) : failure;
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

type Line = JournalIntent | JournalOutcome;

/**
 * The journal as an append-only file. Overlapping appends are batched: one write and one fsync for all lines that
 * arrived during the previous fsync.
 */
class JournalFile {
  readonly #file: OpenFile;
  readonly #name: string;
  #length: number;
  /** The lines that no write has taken yet, and the write that takes them. */
  #pending: Line[] = [];
  #flush: Promise<void> | undefined;
  /** Resolves when the newest write has ended, in either way. */
  #last: Promise<void> = Promise.resolve();
  /** After a failed write or fsync the content of the disk is unknown, so nothing more is appended. */
  #failure: Failure | undefined;
  /** The lines of the failed write, and those that came after it. */
  readonly #unwritten: Line[] = [];

  private constructor(file: OpenFile, name: string, length: number) {
    this.#file = file;
    this.#name = name;
    this.#length = length;
  }

  /** Creates the journal with its first line, durable on return. Throws Failure state-conflict if one exists. */
  static async begin(fs: FileSystem, path: string, name: string, header: JournalHeader): Promise<JournalFile> {
    await refuseExisting(fs, path, name);
    const text = renderJournalLine(header);
    let file: OpenFile | undefined;
    try {
      file = await fs.open(path, 'wx');
      await setMode(file, ownerOnly);
      await file.writeFile(text);
      await file.sync();
      await syncFolder(fs, dirname(path));
      return new JournalFile(file, name, Buffer.byteLength(text));
    } catch (error) {
      if (file !== undefined) {
        await file.close().catch(() => undefined);
        await fs.unlink(path).catch(() => undefined);
      }
      throw withNothingChanged(unwritable(name, error, unsent));
    }
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  get unwritten(): readonly JournalOutcome[] {
    return this.#unwritten.flatMap((line) => (line.type === 'outcome' ? line : []));
  }

  append(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return Promise.resolve();
    pushAll(this.#pending, lines);
    this.#flush ??= this.#last.then(() => {
      const taken = this.#pending;
      this.#pending = [];
      this.#flush = undefined;
      return this.#write(taken);
    });
    this.#last = this.#flush.catch(() => undefined);
    return this.#flush;
  }

  /** Resolves when all appends have succeeded or failed. */
  async finishAppends(): Promise<void> {
    await this.#last;
  }

  async close(): Promise<void> {
    await this.finishAppends();
    await this.#file.close().catch(() => undefined);
  }

  async #write(lines: readonly Line[]): Promise<void> {
    const text = lines.map(renderJournalLine).join('');
    try {
      if (this.#failure !== undefined) throw this.#failure;
      await this.#file.writeFile(text);
      await this.#file.sync();
      this.#length += Buffer.byteLength(text);
    } catch (error) {
      pushAll(this.#unwritten, lines);
      if (this.#failure !== undefined) throw this.#failure;
      this.#failure = unwritable(this.#name, error, unsent);
      await this.#file.truncate(this.#length).catch(() => undefined); // the next run should not find half a line
      throw this.#failure;
    }
  }
}

async function refuseExisting(fs: FileSystem, path: string, name: string): Promise<void> {
  const bytes = await readIfThere(fs, path);
  if (bytes === undefined) return;
  if (parseJournal(new TextDecoder().decode(bytes), name) === undefined) return unlinkIfThere(fs, path);
  throw new Failure('state-conflict', `${name} exists already: an apply did not finish.`, {
    hint: 'Its results must be folded into the state first.',
  });
}

const unsent = 'apply again: Almanac sends nothing before it is in the journal';

/** `then` is the command to run after that. */
function unwritable(name: string, cause: unknown, then: string): Failure {
  return new Failure('state-unwritable', `${name} cannot be written: ${whyOf(cause)}.`, {
    hint: `Free disk space or fix the permissions, then ${then}.`,
    cause,
  });
}
