// Effects on the service, each in the journal: its intent is durable before the request, its outcome follows, and at the
// end the journal is folded into the state. An apply and a trigger send whatever they send through it.

import type { Clock, Reporter } from '../model/outside.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import type { State } from '../model/plan/state.ts';
import type { Created } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { pushAll } from '../model/values/collections.ts';
import { Failure, gotNoAnswer, statusOf } from '../model/workspace/failure.ts';
import { finishWhatIsSent, interruptedWords } from '../observe/sending.ts';
import type { Service } from '../observe/service.ts';
import type { CallOptions } from '../omni/api.ts';
import { withNothingChanged, withResults } from '../state/failed-commit.ts';
import { foldJournal } from '../state/fold-journal.ts';
import type { LockedStore } from '../state/state-store.ts';

/** The reason why nothing more is started. */
export interface Halt {
  readonly code: string;
  /** Part of a sentence. */
  readonly why: string;
  /** True if even started changes are not finished: the next request would be refused, or somebody else may send it. */
  readonly isHard?: true;
}

export const runInterrupted: Halt = { code: 'interrupted', why: 'the run was interrupted' };
const lockLost: Halt = { code: 'state-lock-lost', why: 'the lock of the state was lost', isHard: true };
const unwritable: Halt = { code: 'state-unwritable', why: 'the journal cannot be written' };
const notAccepted: Halt = { code: 'api-unauthorized', why: 'the service does not accept the token', isHard: true };
const noAnswers: Halt = { code: 'api-unreachable', why: 'Omni no longer answers' };
const bug: Halt = { code: 'bug', why: 'an earlier change ended in a bug of almanac', isHard: true };

export type RequestResult = Unsent | { readonly status: 'applied'; readonly created: Created | undefined };

type Unsent =
  | { readonly status: 'failed'; readonly error: Failure }
  /** The error is missing after a bug. */
  | { readonly status: 'unknown'; readonly error: Failure | undefined }
  | { readonly status: 'skipped'; readonly halt: Halt };

export interface EffectsPorts {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly reporter: Reporter;
  /** The name of the state. */
  readonly store: { readonly name: string };
  readonly service: Pick<Service, 'concurrency'>;
}

export class Effects {
  readonly #header: JournalHeader;
  readonly #locked: LockedStore;
  readonly #ports: EffectsPorts;
  readonly #lines: (JournalIntent | JournalOutcome)[] = [];
  #seq = 0;
  #stop: Halt | undefined;
  /** Aborts when nothing more is started. */
  readonly #halted = new AbortController();
  /** Aborts when not even started changes are finished. */
  readonly #ended = new AbortController();
  /** The changes that have started, in words. */
  readonly #underWay = new Set<string>();
  #broken: { readonly error: unknown } | undefined;
  /** Requests in a row that got no answer. */
  #unanswered = 0;
  readonly #what: string;
  readonly #listening = new AbortController();

  private constructor(header: JournalHeader, locked: LockedStore, ports: EffectsPorts, what: string) {
    this.#header = header;
    this.#locked = locked;
    this.#ports = ports;
    this.#what = what;
    this.#on(ports.signal, () => this.#interrupt());
    this.#on(locked.lost, () => this.halt(lockLost));
  }

  /**
   * `what` is started, in the plural: changes, deliveries. `coming` are the intents whose results the state has to hold. Throws
   * what the store throws.
   */
  static async begin(
    header: JournalHeader,
    locked: LockedStore,
    ports: EffectsPorts,
    what: string,
    coming?: () => readonly JournalIntent[],
  ): Promise<Effects> {
    await locked.begin(header, coming);
    return new Effects(header, locked, ports, what);
  }

  /** The reason why nothing more is started; undefined while all is well. */
  get stop(): Halt | undefined {
    return this.#stop;
  }

  /** True if the run ends with an error that is not a failed change: one of the store, or a bug. */
  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  /** Keeps only the first reason. */
  halt(reason: Halt): void {
    this.#stop ??= reason;
    this.#halted.abort();
    if (reason.isHard) this.#ended.abort();
  }

  intent(intended: Omit<JournalIntent, 'type' | 'seq' | 'at'>): JournalIntent {
    this.#seq += 1;
    return { type: 'intent', seq: this.#seq, ...intended, at: this.#instant() };
  }

  outcome(of: JournalIntent, outcome: Omit<JournalOutcome, 'type' | 'seq' | 'at'>): JournalOutcome {
    return { type: 'outcome', seq: of.seq, ...outcome, at: this.#instant() };
  }

  /** Returns once the lines are durable: false if the store refused, and then nothing more is started. */
  async append(lines: readonly (JournalIntent | JournalOutcome)[]): Promise<boolean> {
    try {
      await this.#locked.append(lines);
      pushAll(this.#lines, lines);
      return true;
    } catch (error) {
      this.#breakOff(error);
      return false;
    }
  }

  /** Writes an intent durably; returns undefined if the store refused. */
  async open(intended: Parameters<Effects['intent']>[0]): Promise<JournalIntent | undefined> {
    const intent = this.intent(intended);
    return (await this.append([intent])) ? intent : undefined;
  }

  /** Notes that an announced request was certainly not sent. Only in memory, as nothing is lost with it. */
  notSent(intent: JournalIntent): void {
    this.#lines.push(this.outcome(intent, { status: 'failed' }));
  }

  /**
   * Sends all requests of one change, by `work` with the options that it gets: while only questions were asked it can
   * be interrupted; once something was sent, it is finished.
   */
  async whole<T>(words: string, call: CallOptions, work: (options: CallOptions) => Promise<T>): Promise<T> {
    const onRequest: CallOptions['onRequest'] = (method) => {
      if (method !== 'GET') this.#underWay.add(words);
      call.onRequest?.(method);
    };
    const options = { ...call, signal: this.#halted.signal, onRequest };
    try {
      return await finishWhatIsSent({ call: options, ended: this.#ended.signal }, work);
    } finally {
      this.#underWay.delete(words);
    }
  }

  /** Sends the only request of an intent that is durable. Never throws. */
  async send(intent: JournalIntent, request: () => Promise<Created | undefined>): Promise<RequestResult> {
    const sent = await this.ask(request);
    this.close(intent, sent);
    return sent;
  }

  close(intent: JournalIntent, ended: RequestResult, more: Pick<JournalOutcome, 'groups' | 'readBack'> = {}): void {
    const created = ended.status === 'applied' ? ended.created : undefined;
    const outputs = Object.keys(created?.outputs ?? {}).length > 0 ? created?.outputs : undefined;
    const status = ended.status === 'skipped' ? 'failed' : ended.status;
    const outcome = this.outcome(intent, { status, id: created?.id, outputs, ...more });
    // Kept in memory as well, so that the state can be written from it even if the journal cannot.
    this.#lines.push(outcome);
    this.#locked.appendLater([outcome]);
  }

  /** Notes what a read says. Only in memory: if it is lost, the next run reads again. */
  noteRead(address: Address, notReadBack: JournalIntent['notReadBack']): void {
    pushAll(this.#lines, this.#ofReading(address, notReadBack));
  }

  /** Writes durably that these are to be read, before what makes it necessary is sent. */
  markUnread(marks: ReadonlyMap<Address, JournalIntent['notReadBack']>): Promise<boolean> {
    return this.append([...marks].flatMap(([address, mark]) => this.#ofReading(address, mark)));
  }

  #ofReading(address: Address, notReadBack: JournalIntent['notReadBack']): readonly [JournalIntent, JournalOutcome] {
    const intent = this.intent({ kind: 'read-back', address, action: 'update', notReadBack });
    return [intent, this.outcome(intent, { status: 'applied' })];
  }

  /** Asks a question, or sends one of several requests of a durable intent. Never throws. */
  async ask<T>(question: () => Promise<T>): Promise<Unsent | { readonly status: 'applied'; readonly created: T }> {
    try {
      const created = await question();
      this.#unanswered = 0;
      return { status: 'applied', created };
    } catch (error) {
      if (!(error instanceof Failure)) {
        this.#broken ??= { error };
        this.halt(bug);
        return { status: 'unknown', error: undefined };
      }
      // The guard of the store refused the request.
      const isStore = error.code === 'state-lock-lost' || error.code === 'state-unwritable';
      if (isStore) this.#breakOff(error);
      // It was interrupted while it waited for its turn.
      if (isStore || error.code === 'interrupted') return { status: 'skipped', halt: this.#stop ?? runInterrupted };
      if (statusOf(error) === 401) this.halt(notAccepted);
      this.#unanswered = gotNoAnswer(error) ? this.#unanswered + 1 : 0;
      // There are more than are sent at the same time: a short failure breaks all of those.
      if (this.#unanswered > this.#ports.service.concurrency) this.halt(noAnswers);
      return { status: error.code === 'api-answer-lost' ? 'unknown' : 'failed', error };
    }
  }

  /** The state with everything done so far. */
  folded(state: State | undefined): State | undefined {
    return foldJournal(state, { header: this.#header, lines: this.#lines }, this.#ports.store.name);
  }

  /** Writes the state and releases the lock, then throws the error that ended the run early. */
  async end(state: State | undefined): Promise<void> {
    this.#listening.abort();
    try {
      await this.#locked.commit(state, { release: true });
    } catch (error) {
      throw error instanceof Failure ? withResults(error, this.#lines, this.#locked) : error;
    }
    if (this.#broken === undefined) return;
    const { error } = this.#broken;
    throw error instanceof Failure && this.#lines.length === 0 ? withNothingChanged(error) : error;
  }

  /** Stops the run after the store failed, as nothing more can be recorded. */
  #breakOff(error: unknown): void {
    this.#broken ??= { error };
    this.halt(error instanceof Failure && error.code === 'state-lock-lost' ? lockLost : unwritable);
  }

  #interrupt(): void {
    this.halt(runInterrupted);
    const message = interruptedWords(this.#what, [...this.#underWay]);
    this.#ports.reporter.emit({ type: 'note', message });
  }

  #on(signal: AbortSignal | undefined, listener: () => void): void {
    signal?.addEventListener('abort', listener, { signal: this.#listening.signal });
    if (signal?.aborted) listener();
  }

  #instant(): string {
    return new Date(this.#ports.clock.now()).toISOString();
  }
}
