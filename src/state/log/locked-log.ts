// A shared state while this process holds its lock. Entries are written one after the other; lines that come while a write
// is under way share the next one. From the lock to its release, the lease is renewed whenever nothing else was written for a
// third of it. If another run has written the next number, this one was overtaken and never writes again. A write without an
// answer is repeated with the same bytes before anything else is written, so that its entry is there once.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/outside.ts';
import { type Action, actions } from '../../model/plan/action.ts';
import type { Journal, JournalHeader, JournalIntent, JournalLine, JournalOutcome } from '../../model/plan/journal.ts';
import type { State } from '../../model/plan/state.ts';
import { pushAll } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { LockInfo, LockRecord } from '../../model/workspace/lock.ts';
import { type Loss, lockLost } from '../../model/workspace/lock.ts';
import { withNothingChanged } from '../failed-commit.ts';
import { infoOf } from '../file/file-lock.ts';
import { foldJournal } from '../fold-journal.ts';
import { type FoldedLog, foldLog, sha256 } from '../format/fold-log.ts';
import { type CommitEntry, parseLogEntry } from '../format/log-entry.ts';
import { renderJournalLine } from '../format/parse-journal.ts';
import { renderState } from '../format/parse-state.ts';
import type { NewEntry } from '../state-log.ts';
import type { CommitOptions, LockedStore, StoredState } from '../state-store.ts';
import { EntryTooLarge, inaccessible } from './backend.ts';
import type { LogReader, LogStoreOptions } from './log-reader.ts';
import { type Content, changesIn, fillUp, newEntry } from './new-entry.ts';

interface LockedLogOptions extends LogStoreOptions {
  readonly reader: LogReader;
  /** The UUID of the lock. */
  readonly run: string;
  readonly info: LockRecord;
  /** Each write renews it. */
  readonly lease: Lease;
  /** The log up to the entry of the lock. */
  readonly folded: FoldedLog;
  /** The holder whose lock was taken over. */
  readonly over: LockInfo | undefined;
  readonly notes: readonly string[];
}

/** Outcomes without hurry wait for this and the pace of the log, for lines that they can go with. */
const laterMs = 2000;
const maxRetryMs = 5000;
/** No place reads back more in one piece. */
export const maxBytes = 60_000_000;

/** An entry of which it is not known whether it was written. */
interface UnconfirmedEntry {
  readonly entry: NewEntry;
  readonly from: Moment;
  readonly folded: FoldedLog;
  /** The lines that it adds to the journal, or ends. */
  readonly lines: readonly JournalLine[];
}

type Life =
  | { readonly is: 'held' }
  /** No line is written any more; the state is, if it can be. */
  | { readonly is: 'stopped'; readonly failure: Failure }
  | { readonly is: 'released' }
  /** Another run has the lock: nothing is ever written again. */
  | { readonly is: 'overtaken'; readonly failure: Failure };

export class LockedLog implements LockedStore {
  readonly #options: LockedLogOptions;
  /** All that this run has read and written. */
  #folded: FoldedLog;
  #life: Life = { is: 'held' };
  #unsettled: UnconfirmedEntry | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #lost = new AbortController();
  /** Aborts when nothing is to be renewed any more. */
  readonly #ended = new AbortController();
  /** Lines that no write has taken yet. */
  #pending: JournalLine[] = [];
  #hasBegun = false;
  /** What the first write of a journal is filled up to; undefined once it was made. */
  #results: (() => State | undefined) | undefined;
  /** The write that takes them. */
  #flush: Promise<void> | undefined;
  #flushIsTimed = false;
  #over: LockInfo | undefined;

  constructor(options: LockedLogOptions) {
    this.#options = options;
    this.#over = options.over;
    this.#folded = options.folded;
    void this.#beat();
  }

  get notes(): readonly string[] {
    return this.#options.notes;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async read(): Promise<StoredState> {
    return this.#options.reader.stored(this.#folded);
  }

  async begin(header: JournalHeader, coming: () => readonly JournalIntent[] = () => []): Promise<void> {
    const { name } = this.#options;
    const { state, journal } = await this.read();
    if (journal !== undefined) {
      throw new Failure('state-conflict', `${name} holds a journal already: an apply did not finish.`, {
        hint: 'Its results must be folded into the state first.',
      });
    }
    this.#pending.push(header);
    this.#hasBegun = true;
    this.#results = () => {
      const intents = coming();
      return intents.length === 0 ? undefined : foldJournal(state, { header, lines: doneLines(intents) }, name);
    };
  }

  async append(lines: readonly (JournalIntent | JournalOutcome)[]): Promise<void> {
    if (lines.length === 0) return;
    this.#refuseStopped();
    pushAll(this.#pending, lines);
    try {
      await this.#write();
    } catch (error) {
      throw this.#stop(error);
    }
  }

  appendLater(lines: readonly JournalOutcome[]): void {
    const { clock, log } = this.#options;
    pushAll(this.#pending, lines);
    if (this.#flushIsTimed) return;
    this.#flushIsTimed = true;
    void clock.sleep(log.paceMs + laterMs, this.#ended.signal).then(() => {
      this.#flushIsTimed = false;
      if (this.#ended.signal.aborted || this.#pending.length === 0) return;
      this.#write().catch((error: unknown) => this.#stop(error));
    });
  }

  async guard(requestMs: number): Promise<void> {
    const { lease, name } = this.#options;
    // A write that is under way may have begun too early: then a second one renews the lease.
    for (let writes = 0; writes < 2; writes += 1) {
      this.#refuseStopped();
      if (lease.covers(requestMs)) return;
      await this.#write().catch((error: unknown) => {
        throw this.#stop(error instanceof Failure ? lostBy(name, error) : error);
      });
    }
    this.#refuseStopped();
    if (!lease.covers(requestMs)) throw this.#stop(lockLost(name, { how: 'not-renewed' }));
  }

  holds(): boolean {
    return this.#life.is === 'held' && this.#options.lease.holds();
  }

  async commit(state: State | undefined, { release = false }: CommitOptions = {}): Promise<void> {
    const text = state === undefined ? undefined : renderState(state);
    const { commit: before } = this.#folded;
    try {
      await this.#inTurn(() => this.#commit(state, text, release));
    } catch (error) {
      // It tries once more to write the state, or else what the journal lacks.
      if (release) await this.release();
      if (this.#folded.commit !== before) return;
      const failure = this.#stop(error);
      throw failure instanceof Failure ? this.#unwrittenState(failure) : failure;
    }
    if (release) this.#end();
  }

  get journal(): string {
    return `the log of ${this.#options.name}`;
  }

  unwritten(): readonly JournalOutcome[] {
    return outcomesIn([...(this.#unsettled?.lines ?? []), ...this.#pending]);
  }

  #unwrittenState(failure: Failure): Failure {
    if (this.#hasBegun) return failure;
    if (this.#unsettled === undefined) return withNothingChanged(failure);
    const doubt = `Nothing was changed in Omni; \`${command('state history')}\` shows whether the state was written all the same.`;
    return failure.with({ message: `${failure.message} ${doubt}` });
  }

  async #commit(state: State | undefined, text: string | undefined, release: boolean): Promise<void> {
    const { name } = this.#options;
    await this.#settle();
    const { commit: last, journal: written } = this.#folded;
    const next = text ?? last?.state ?? '';
    // The state holds the effects of these lines.
    const lines = this.#takePending();
    if (written.length === 0 && next === (last?.state ?? '')) {
      if (release) await this.#unlock();
      return;
    }
    const { serial, lineage } = state ?? last ?? { serial: 0, lineage: '' };
    const changes = changesIn([...written, ...lines.map(renderJournalLine)], name);
    const content = this.#commitOf({ state: next, serial, lineage, changes }, release);
    await this.#put(content, `${this.#options.info.command}: ${countOf(changes, 'change')} (serial ${serial})`, lines);
    this.#over = undefined;
  }

  #commitOf(made: Pick<CommitEntry, 'state' | 'serial' | 'lineage' | 'changes'>, release: boolean): Content {
    const { info, leaseSeconds } = this.#options;
    return {
      kind: 'commit',
      ...made,
      sha256: sha256(made.state),
      info,
      over: this.#over,
      previous: this.#folded.commit?.n,
      release,
      lease: release ? undefined : leaseSeconds,
    };
  }

  async release(): Promise<void> {
    if (this.#life.is === 'released') return;
    this.#end();
    await this.#inTurn(async () => {
      // Lines remain only if the run ended without a commit: the next one folds them.
      await this.#settle();
      if (this.#pending.length > 0 && this.#isHolder) await this.#putLines();
      await this.#unlock();
    }).catch(() => undefined);
  }

  /** Ends the renewals without a word to the log. */
  close(): void {
    this.#ended.abort();
  }

  #end(): void {
    if (this.#life.is !== 'overtaken') this.#life = { is: 'released' };
    this.#ended.abort();
  }

  /** Writes all lines that came so far; without any, it renews the lease. Calls that come before it begins share it. */
  #write(): Promise<void> {
    this.#flush ??= this.#inTurn(() => {
      this.#flush = undefined;
      return this.#putLines();
    });
    return this.#flush;
  }

  async #putLines(): Promise<void> {
    const { command } = this.#options.info;
    const lines = this.#takePending();
    const what = lines.length === 0 ? 'still running' : `${countOf(lines.length, 'line')} of its journal`;
    const content = { kind: 'lines', lines: lines.map(renderJournalLine) } as const;
    const fill = lines.length === 0 ? undefined : this.#takeFill(content);
    await this.#put({ ...content, fill }, `${command}: ${what}`, lines);
  }

  /** The text that the first write of a journal lacks to take as much room as the results; undefined for any other. */
  #takeFill(content: Content): string | undefined {
    const state = this.#results?.();
    this.#results = undefined;
    if (state === undefined) return undefined;
    const { run, clock, log } = this.#options;
    const { serial, lineage, resources } = state;
    const changes = Object.keys(resources).length;
    const results = this.#commitOf({ state: renderState(state), serial, lineage, changes }, true);
    const [entry, next] = [content, results].map((each) => newEntry(each, '', { n: this.#folded.at + 1, run, clock }));
    return entry && next && fillUp(entry, next, this.#folded.commit?.state ?? '', log.packs === true);
  }

  /** A commit whose answer was lost may have released it already. */
  async #unlock(): Promise<void> {
    await this.#settle();
    if (!this.#isHolder) return;
    await this.#put({ kind: 'unlock' }, `${this.#options.info.command}: unlocked`);
  }

  async #beat(): Promise<void> {
    const { clock, lease, name } = this.#options;
    const { signal } = this.#ended;
    for (let cause: unknown; ; ) {
      const retryMs = Math.min(maxRetryMs, lease.beatMs / 4);
      await clock.sleep(cause === undefined ? Math.max(0, lease.beatMs - lease.elapsed()) : retryMs, signal);
      if (signal.aborted || this.#life.is !== 'held') return;
      if (lease.elapsed() < lease.beatMs) {
        cause = undefined;
        continue;
      }
      try {
        await this.#write();
        cause = undefined;
      } catch (error) {
        cause = error;
        if (signal.aborted) return;
        if (this.#isOvertaken) this.#stop(error);
        else if (lease.isOver()) this.#stop(lockLost(name, { how: 'not-renewed', cause }));
      }
    }
  }

  /** Nothing more is written but, if it can be, the state. */
  #stop(error: unknown): unknown {
    const failure = this.#life.is === 'overtaken' ? this.#life.failure : error;
    if (!(failure instanceof Failure)) return failure;
    if (this.#life.is === 'held') this.#life = { is: 'stopped', failure };
    if (failure.code === 'state-lock-lost') {
      this.#ended.abort();
      this.#lost.abort(failure);
    }
    return failure;
  }

  #refuseStopped(): void {
    if ('failure' in this.#life) throw this.#life.failure;
  }

  get #isOvertaken(): boolean {
    return this.#life.is === 'overtaken';
  }

  /** True if the lock is still this run's, as far as it has read and written. */
  get #isHolder(): boolean {
    return this.#folded.holder?.run === this.#options.run;
  }

  /** Runs after all work that was given before. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #takePending(): readonly JournalLine[] {
    const lines = this.#pending;
    this.#pending = [];
    return lines;
  }

  /** Writes an entry; only in turn. `lines` are those that it adds to the journal, or ends. Throws Failure state-lock-lost, and state-unwritable. */
  async #put(content: Content, title: string, lines: readonly JournalLine[] = []): Promise<void> {
    const { run, clock, name, reader } = this.#options;
    let sent: UnconfirmedEntry;
    try {
      await this.#settle();
      if (!this.#isHolder) throw new Error('a write after the lock was released');
      const n = this.#folded.at + 1;
      const entry = newEntry(content, title, { n, run, clock });
      if (entry.bytes.length > maxBytes) throw tooLarge(name);
      // An entry that nobody could read must not be written.
      const folded = foldLog(this.#folded, [reader.textOf({ n, bytes: entry.bytes })], name);
      sent = { entry, folded, lines, from: momentOf(clock) };
    } catch (error) {
      this.#giveBack(lines);
      throw error;
    }
    await this.#send(sent);
  }

  /** Takes back the outcomes among lines that were surely not written. An intent among them was not sent either. */
  #giveBack(lines: readonly JournalLine[]): void {
    this.#pending = [...outcomesIn(lines), ...this.#pending];
  }

  /** Finishes a write whose answer did not come. */
  async #settle(): Promise<void> {
    if (this.#life.is === 'overtaken') throw this.#life.failure;
    if (this.#unsettled !== undefined) await this.#send(this.#unsettled);
  }

  async #send(sent: UnconfirmedEntry): Promise<void> {
    const { log, lease, name } = this.#options;
    const { entry, folded, from, lines } = sent;
    this.#unsettled = sent;
    const answer = await log.append(folded.at, entry).catch((error: unknown) => {
      if (error instanceof EntryTooLarge) {
        this.#unsettled = undefined;
        this.#giveBack(lines);
      }
      throw error;
    });
    this.#unsettled = undefined;
    if (answer === 'taken') {
      this.#giveBack(lines);
      const failure = lockLost(name, await this.#lossAt(folded.at));
      this.#life = { is: 'overtaken', failure };
      throw failure;
    }
    lease.renew(from);
    this.#folded = folded;
  }

  /** The loss that follows from the entry that took the number. */
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

function outcomesIn(lines: readonly JournalLine[]): readonly JournalOutcome[] {
  return lines.flatMap((line) => (line.type === 'outcome' ? line : []));
}

/** The lines of intents that are all carried out. */
function doneLines(intents: readonly JournalIntent[]): Journal['lines'] {
  return intents.flatMap((intent) => {
    const { seq, action, at } = intent;
    const isNew = action === 'adopt' || actions[action as Action].posts === true;
    return [intent, { type: 'outcome', seq, status: 'applied', id: isNew ? randomUUID() : undefined, at }] as const;
  });
}

function tooLarge(name: string): Failure {
  const why = `the entry would have more than ${maxBytes / 1e6} MB`;
  const hint = `Divide the workspace: each part has a state of its own. \`${command('state rm', 'ADDRESS...')}\` makes room; what it stops tracking stays in Omni.`;
  return inaccessible('write', name, why, hint);
}

function lostBy(name: string, failure: Failure): Failure {
  return failure.code === 'state-lock-lost' ? failure : lockLost(name, { how: 'not-renewed', cause: failure });
}

// The time that a lock surely lasts, counted by its holder. It runs from before the last successful write began, by the clock that
// went further. The monotonic one may stand still while a laptop sleeps, and the other may be set back.
// The setting for its length is in model/workspace/state-place.ts.

/** A moment on both clocks. */
interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

const maxMarginMs = 5000;

export class Lease {
  readonly #clock: Clock;
  readonly #ms: number;
  #from: Moment;
  /** The longest request in milliseconds that the guard was asked about. */
  #requestMs = 0;

  /** `seconds` of a lock whose entry was written after `from`. */
  constructor(clock: Clock, seconds: number, from: Moment) {
    this.#clock = clock;
    this.#ms = seconds * 1000;
    this.#from = from;
  }

  /** It was renewed by a write that began then. */
  renew(from: Moment): void {
    this.#from = from;
  }

  /** True if it is renewed early enough for a request of that length, which may begin a little later. */
  covers(requestMs: number): boolean {
    if (this.elapsed() + requestMs + this.marginMs > this.#ms) return false;
    this.#requestMs = Math.max(this.#requestMs, requestMs);
    return true;
  }

  /** True if a request that begins now ends in time. */
  holds(): boolean {
    return this.elapsed() + this.#requestMs < this.#ms;
  }

  isOver(): boolean {
    return this.elapsed() >= this.#ms;
  }

  elapsed(): number {
    const { wall, monotonic } = this.#from;
    return Math.max(this.#clock.now() - wall, this.#clock.monotonic() - monotonic);
  }

  /** The milliseconds between the question and the moment at which the bytes go out. */
  get marginMs(): number {
    return Math.min(maxMarginMs, this.#ms / 10);
  }

  /** The milliseconds without any other write after which it is time to renew it. */
  get beatMs(): number {
    return this.#ms / 3;
  }
}

export function momentOf(clock: Clock): Moment {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}
