// Writes the entries of the run that holds the lock, one after the other. If another run has written the next number, this
// one was overtaken, and never writes again. A write without an answer is repeated with the same bytes before anything
// else is written, so that its entry is there once.

import { Failure } from '../../../model/workspace/failure.ts';
import { type FoldedLog, foldLog } from '../../../parse/state/fold-log.ts';
import { parseLogEntry } from '../../../parse/state/parse-log-entry.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { NewEntry, StateLog } from '../../../ports/state-log.ts';
import { infoOf } from '../lock-record.ts';
import { type Lease, type Moment, momentOf } from './lease.ts';
import { type Loss, lockLost } from './lock-failures.ts';
import type { LogReader } from './log-reader.ts';
import { type Content, newEntry } from './new-entry.ts';

/** No place reads back more in one piece. */
const mostBytes = 60_000_000;

export interface WriterOptions {
  readonly log: StateLog;
  readonly name: string;
  readonly reader: LogReader;
  readonly clock: Clock;
  /** The UUID of the lock. */
  readonly run: string;
  /** Each write renews it. */
  readonly lease: Lease;
  /** Up to the entry of the lock. */
  readonly folded: FoldedLog;
}

interface Sent {
  readonly entry: NewEntry;
  readonly from: Moment;
}

export class LogWriter {
  readonly #options: WriterOptions;
  #folded: FoldedLog;
  /** Of which it is not known whether it was written. */
  #unsettled: Sent | undefined;
  #overtaken: Failure | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#folded = options.folded;
  }

  /** All that this run has read and written. */
  get folded(): FoldedLog {
    return this.#folded;
  }

  /** Whether the lock is still this run's, as far as it has read and written. */
  get isHolder(): boolean {
    return this.#folded.holder?.run === this.#options.run;
  }

  /** Another run has the lock. */
  get overtaken(): Failure | undefined {
    return this.#overtaken;
  }

  /** Runs after all work that was given before. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Only in turn. Throws Failure state-lock-lost, and state-unwritable. */
  async put(content: Content, title: string): Promise<void> {
    const { run, clock } = this.#options;
    await this.settle();
    if (!this.isHolder) throw new Error('a write after the lock was released');
    const entry = newEntry(content, title, { n: this.#folded.at + 1, run, clock });
    if (entry.bytes.length > mostBytes) throw tooLarge(this.#options.name);
    await this.#write({ entry, from: momentOf(clock) });
  }

  /** Finishes a write whose answer did not come. */
  async settle(): Promise<void> {
    if (this.#overtaken !== undefined) throw this.#overtaken;
    if (this.#unsettled !== undefined) await this.#write(this.#unsettled);
  }

  async #write(sent: Sent): Promise<void> {
    const { log, reader, lease } = this.#options;
    const n = this.#folded.at + 1;
    // First: what nobody could read must not be written.
    const folded = foldLog(this.#folded, [reader.textOf({ n, bytes: sent.entry.bytes })], reader.fold);
    this.#unsettled = sent;
    const answer = await log.append(n, sent.entry);
    this.#unsettled = undefined;
    if (answer === 'taken') {
      this.#overtaken = lockLost(this.#options.name, await this.#lossAt(n));
      throw this.#overtaken;
    }
    lease.renew(sent.from);
    this.#folded = folded;
  }

  /** What the entry says that is there instead. */
  async #lossAt(n: number): Promise<Loss> {
    const { log, reader, name } = this.#options;
    try {
      const there = await log.entry(n);
      const entry = there && parseLogEntry(reader.textOf(there).text, n, name);
      if (entry?.kind === 'lock') return { how: 'taken-over', by: infoOf(entry.info) };
      if (entry?.kind === 'unlock') return { how: 'removed', by: entry.by && infoOf(entry.by) };
    } catch {}
    return { how: 'taken-over' };
  }
}

function tooLarge(name: string): Failure {
  return new Failure(
    'state-unwritable',
    `${name} cannot be written: the entry would have more than ${mostBytes / 1_000_000} MB.`,
    { hint: 'Divide the workspace: each part has a state of its own.' },
  );
}
