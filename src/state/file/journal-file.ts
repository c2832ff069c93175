// The journal as an append-only file. Overlapping appends are batched: one write and one fsync for all lines that
// arrived during the previous fsync.

import { dirname } from 'node:path';
import { ownerOnly, setMode, syncFolder } from '../../files/atomic-write.ts';
import { type FileSystem, type OpenFile, readIfThere, unlinkIfThere, whyOf } from '../../files/file-system.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../../model/plan/journal.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { parseJournal } from '../format/parse-journal.ts';
import { renderJournalLine } from '../format/render-state.ts';

interface Waiting {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (failure: Failure) => void;
}

export class JournalFile {
  readonly #file: OpenFile;
  readonly #name: string;
  #length: number;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  /** After a failed write or fsync the content of the disk is unknown, so nothing more is appended. */
  #failure: Failure | undefined;

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
      throw unwritable(name, error);
    }
  }

  append(lines: readonly (JournalIntent | JournalOutcome)[]): Promise<void> {
    if (lines.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text: lines.map(renderJournalLine).join(''), resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when all appends have succeeded or failed. */
  async finishAppends(): Promise<void> {
    await this.#draining;
  }

  async close(): Promise<void> {
    await this.finishAppends();
    await this.#file.close().catch(() => undefined);
  }

  async #drain(): Promise<void> {
    await Promise.resolve(); // lets the calls of this tick join the batch
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#write(batch.map(({ text }) => text).join(''));
      const failure = this.#failure;
      for (const { resolve, reject } of batch) failure === undefined ? resolve() : reject(failure);
    }
    this.#draining = undefined;
  }

  async #write(text: string): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.#file.writeFile(text);
      await this.#file.sync();
      this.#length += Buffer.byteLength(text);
    } catch (error) {
      this.#failure = unwritable(this.#name, error);
      await this.#file.truncate(this.#length).catch(() => undefined); // the next run should not find half a line
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

function unwritable(name: string, error: unknown): Failure {
  return new Failure('state-unwritable', `${name} cannot be written: ${whyOf(error)}.`, {
    hint: 'Almanac sends nothing before it is in the journal. Free disk space or fix the permissions, then apply again.',
    cause: error,
  });
}
