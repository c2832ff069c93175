// A shared state while this process holds its lock. Lines that come while a write is under way share the next one. From
// the lock to its release, the lease is renewed whenever nothing else was written for a third of it.

import type { JournalHeader, JournalIntent, JournalLine, JournalOutcome } from '../../../model/plan/journal.ts';
import type { MovedState, State } from '../../../model/plan/state.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { LockInfo, LockRecord } from '../../../model/workspace/lock-info.ts';
import type { CommitOptions, LockedStore, Recoverable, StoredState } from '../../../ports/state-store.ts';
import { renderJournalLine, renderMovedState, renderState } from '../../../render/state/render-state.ts';
import { countOf } from '../../../render/text/count-words.ts';
import type { Host } from '../host.ts';
import { pushCommand, writeAside } from '../keep-aside.ts';
import { commitContent } from './commit-content.ts';
import { lockLost, unwritten } from './lock-failures.ts';
import { LogWriter, type WriterOptions } from './log-writer.ts';
import { lastSerialFailure } from './succession.ts';

export interface LockedLogOptions extends WriterOptions {
  readonly host: Host;
  readonly root: string;
  readonly info: LockRecord;
  /** Seconds. */
  readonly seconds: number;
  /** Whose lock was taken over. */
  readonly over: LockInfo | undefined;
  readonly notes: readonly string[];
}

type Windows = Readonly<Record<Recoverable, number>>;

/** A log with a pace is one whose writes take a second or more, so intents are announced ahead; more where few may follow. */
const slowMs = 5000;
const slowWindows: Windows = { repeatable: 60, found: 20, neither: 1 };
const windows: Windows = { repeatable: 60, found: 8, neither: 1 };
/** Outcomes without hurry wait for this and the pace of the log, for lines that they can go with. */
const noteMs = 2000;
const mostRetryMs = 5000;

export class LockedLog implements LockedStore {
  readonly #options: LockedLogOptions;
  readonly #writer: LogWriter;
  readonly #lost = new AbortController();
  /** Aborts when nothing is to be renewed any more. */
  readonly #ended = new AbortController();
  /** Lines that no write has taken yet. */
  #pending: string[] = [];
  /** The write that takes them. */
  #flush: Promise<void> | undefined;
  #noteIsTimed = false;
  /** After it, no line is written. */
  #failure: Failure | undefined;
  #over: LockInfo | undefined;
  #isReleased = false;

  constructor(options: LockedLogOptions) {
    this.#options = options;
    this.#over = options.over;
    this.#writer = new LogWriter(options);
    void this.#beat();
  }

  get notes(): readonly string[] {
    return this.#options.notes;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async read(): Promise<StoredState> {
    return this.#options.reader.stored(this.#writer.folded);
  }

  async begin(header: JournalHeader): Promise<void> {
    const { name } = this.#options;
    if ((await this.read()).journal !== undefined) {
      throw new Failure('state-conflict', `${name} holds a journal already: an apply did not finish.`, {
        hint: 'Its results must be folded into the state first.',
      });
    }
    this.#pending.push(renderJournalLine(header));
  }

  async append(lines: readonly (JournalIntent | JournalOutcome)[]): Promise<void> {
    if (lines.length === 0) return;
    if (this.#failure !== undefined) throw this.#failure;
    this.#add(lines);
    try {
      await this.#write();
    } catch (error) {
      throw this.#stop(error);
    }
  }

  note(lines: readonly JournalOutcome[]): void {
    const { clock, log } = this.#options;
    this.#add(lines);
    if (this.#noteIsTimed) return;
    this.#noteIsTimed = true;
    void clock.sleep(log.traits.paceMs + noteMs, this.#ended.signal).then(() => {
      this.#noteIsTimed = false;
      if (this.#ended.signal.aborted || this.#pending.length === 0) return;
      this.#write().catch((error: unknown) => this.#stop(error));
    });
  }

  windowFor(kind: Recoverable): number {
    const { paceMs } = this.#options.log.traits;
    return paceMs === 0 ? 1 : (paceMs >= slowMs ? slowWindows : windows)[kind];
  }

  async guard(requestMs: number): Promise<void> {
    const { lease, name } = this.#options;
    // A write that is under way may have begun too early: then a second one renews the lease.
    for (let writes = 0; writes < 2; writes += 1) {
      if (this.#failure !== undefined) throw this.#failure;
      if (lease.covers(requestMs)) return;
      await this.#write().catch((error: unknown) => {
        throw this.#stop(error instanceof Failure ? lostBy(name, error) : error);
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
    if (!lease.covers(requestMs)) throw this.#stop(lockLost(name, { how: 'not-renewed' }));
  }

  holds(): boolean {
    return this.#failure === undefined && !this.#isReleased && this.#options.lease.holds();
  }

  async commit(state: State | undefined, { release = false }: CommitOptions = {}): Promise<void> {
    const text = state === undefined ? undefined : renderState(state);
    const { folded } = this.#writer;
    if (state !== undefined) {
      const refusal = lastSerialFailure(this.#options.name, folded.commit, state);
      if (refusal !== undefined) throw refusal;
    }
    try {
      await this.#writer.inTurn(() => this.#commit(state, text, { release }));
    } catch (error) {
      const failure = this.#stop(error);
      if (!(failure instanceof Failure) || text === undefined || text === folded.commit?.state) throw failure;
      throw await this.#keep(failure, text);
    }
    if (release) this.#end();
    await this.#options.reader.remember(this.#writer.folded);
  }

  async leave(moved: MovedState): Promise<void> {
    const { name, reader } = this.#options;
    const refusal = lastSerialFailure(name, this.#writer.folded.commit, moved);
    if (refusal !== undefined) throw refusal;
    const title = moved.arriving === undefined ? `moved to ${moved.movedTo}` : `arriving from ${moved.movedTo}`;
    try {
      await this.#writer.inTurn(() => this.#commit(moved, renderMovedState(moved), { release: false, title }));
    } catch (error) {
      throw this.#stop(error);
    }
    await reader.remember(this.#writer.folded);
  }

  async #commit(
    state: Pick<State, 'serial' | 'lineage'> | undefined,
    text: string | undefined,
    { release, title }: { readonly release: boolean; readonly title?: string },
  ): Promise<void> {
    const { name, info, seconds } = this.#options;
    await this.#writer.settle();
    const { commit: last, journal: written } = this.#writer.folded;
    const next = text ?? last?.state ?? '';
    // The state holds what these lines say.
    const lines = [...written, ...this.#pending.splice(0)];
    if (written.length === 0 && next === (last?.state ?? '')) {
      if (release) await this.#unlock();
      return;
    }
    const { serial, lineage } = state ?? last ?? { serial: 0, lineage: '' };
    const content = commitContent({
      name,
      state: { state: next, serial, lineage },
      last,
      lines,
      info,
      over: this.#over,
      lease: release ? undefined : seconds,
    });
    const what = title ?? countOf(content.changes, 'change');
    await this.#writer.put(content, `${info.command}: ${what} (serial ${serial})`);
    this.#over = undefined;
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#end();
    await this.#writer
      .inTurn(async () => {
        // Only where the run ended without a commit: the next one folds them.
        await this.#writer.settle();
        if (this.#pending.length > 0 && this.#writer.isHolder) await this.#putLines();
        await this.#unlock();
      })
      .then(() => this.#options.reader.remember(this.#writer.folded))
      .catch(() => undefined);
  }

  /** Ends the renewals without a word to the log. */
  stop(): void {
    this.#ended.abort();
  }

  #end(): void {
    this.#isReleased = true;
    this.#ended.abort();
  }

  #add(lines: readonly JournalLine[]): void {
    this.#pending.push(...lines.map(renderJournalLine));
  }

  /** Writes all lines that came so far; without any, it renews the lease. Calls that come before it begins share it. */
  #write(): Promise<void> {
    this.#flush ??= this.#writer.inTurn(() => {
      this.#flush = undefined;
      return this.#putLines();
    });
    return this.#flush;
  }

  async #putLines(): Promise<void> {
    const { command } = this.#options.info;
    const lines = this.#pending;
    this.#pending = [];
    const what = lines.length === 0 ? 'still running' : `${countOf(lines.length, 'line')} of its journal`;
    await this.#writer.put({ kind: 'lines', lines }, `${command}: ${what}`);
  }

  /** A commit whose answer was lost may have released it already. */
  async #unlock(): Promise<void> {
    await this.#writer.settle();
    if (!this.#writer.isHolder) return;
    await this.#writer.put({ kind: 'unlock' }, `${this.#options.info.command}: unlocked`);
  }

  async #beat(): Promise<void> {
    const { clock, lease, name } = this.#options;
    const { signal } = this.#ended;
    for (let cause: unknown; ; ) {
      const retryMs = Math.min(mostRetryMs, lease.beatMs / 4);
      await clock.sleep(cause === undefined ? Math.max(0, lease.beatMs - lease.elapsed()) : retryMs, signal);
      if (signal.aborted || this.#failure !== undefined) return;
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
        if (this.#writer.overtaken !== undefined) this.#stop(error);
        else if (lease.isOver()) this.#stop(lockLost(name, { how: 'not-renewed', cause }));
      }
    }
  }

  /** Nothing more is written but, if it can be, the state. */
  #stop(error: unknown): unknown {
    const failure = this.#writer.overtaken ?? error;
    if (!(failure instanceof Failure)) return failure;
    this.#failure ??= failure;
    if (failure.code === 'state-lock-lost') {
      this.#ended.abort();
      this.#lost.abort(failure);
    }
    return failure;
  }

  async #keep(failure: Failure, text: string): Promise<Failure> {
    const { host, root, name } = this.#options;
    const aside = await writeAside(host, root, text);
    return unwritten(name, failure, aside, aside === undefined ? '' : pushCommand(aside));
  }
}

function lostBy(name: string, failure: Failure): Failure {
  return failure.code === 'state-lock-lost' ? failure : lockLost(name, { how: 'not-renewed', cause: failure });
}
