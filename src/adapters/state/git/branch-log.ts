// The entries of a state branch: what is known of its newest commit, how an entry is read from it, and how one is added.

import { Failure } from '../../../model/workspace/failure.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { LogEntry, LogTraits, NewEntry, StateLog } from '../../../ports/state-log.ts';
import { type Access, inaccessible } from '../place-failures.ts';
import { BranchHistory } from './branch-history.ts';
import { messageOf } from './commit-message.ts';
import { checkAdvertised, refuseEmpty, setBack } from './fit-branch.ts';
import { gitFailure, isLasting, type Told } from './git-failure.ts';
import type { GitRun } from './git-process.ts';
import { entryPath, followsFrom, type LogCommit, readLogCommit, stateFile } from './log-tree.ts';
import type { Mask } from './mask-text.ts';
import { type Advertised, fetchedRef, GitFailed, type ObjectFormat, type OwnRepository } from './own-repository.ts';
import { firstPauseMs, patiently, stopIf } from './patiently.ts';

export interface BranchLogOptions {
  readonly name: string;
  /** The full name of the branch. */
  readonly ref: string;
  readonly repository: OwnRepository;
  readonly clock: Clock;
  readonly mask: Mask;
  readonly paceMs: number;
  readonly pace: (signal?: AbortSignal) => Promise<void>;
  readonly pushOptions: readonly string[];
  /** Whether the server makes the first branch of an empty repository its default branch. */
  readonly becomesDefault: boolean;
  /** Of the clone; where the remote is empty, it is the best guess. */
  readonly objectFormat: ObjectFormat;
  readonly close: () => Promise<void>;
}

/** The pauses between tries double. */
const lastPauseMs = 32 * firstPauseMs;

export class BranchLog implements StateLog {
  readonly name: string;
  readonly traits: LogTraits;
  readonly #options: BranchLogOptions;
  readonly #told: Told;
  /** What was last seen or written; undefined before the first look, null if there is no branch. */
  #tip: LogCommit | null | undefined;
  /** Bytes of the tip's entries, by object. */
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #history: BranchHistory;
  #pushOptions: readonly string[];
  /** One thing at a time: each changes the repository. */
  #queue: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: BranchLogOptions) {
    this.#options = options;
    this.name = options.name;
    this.traits = { paceMs: options.paceMs };
    this.#told = { name: options.name, mask: options.mask };
    this.#pushOptions = options.pushOptions;
    const { repository } = options;
    this.#history = new BranchHistory({
      name: options.name,
      objects: (use) => repository.objects(use),
      deepen: (depth, signal) => this.#patiently(() => repository.fetch(depth, signal), signal),
    });
  }

  /** A push that the server answers but does not carry out: rules for branches apply only to real ones. */
  probe(signal?: AbortSignal): Promise<void> {
    return this.#next('read', async () => {
      const { repository } = this.#options;
      await this.#refresh(signal);
      const tip = this.#tip ?? undefined;
      const { id } = await repository.write({
        files: [{ path: entryPath((tip?.high ?? 0) + 1), bytes: new Uint8Array() }],
        message: 'A test that is never sent',
        parents: tip === undefined ? [] : [tip.id],
        fresh: false,
        at: this.#seconds(),
      });
      const run = await repository.push(tip?.id, id, { dryRun: true });
      if (run.code !== 0 && !isOvertaken(run)) throw gitFailure('write', run, this.#told);
    });
  }

  read(after: number, signal?: AbortSignal): Promise<readonly LogEntry[]> {
    return this.#next('read', async () => {
      await this.#refresh(signal);
      const tip = this.#tip;
      if (!tip || after >= tip.high) return [];
      const first = Math.max(after + 1, tip.low);
      const all = await this.#load(tip.blobs.slice(first - tip.low));
      return all.map((bytes, index) => ({ n: first + index, bytes }));
    });
  }

  entry(n: number, signal?: AbortSignal): Promise<LogEntry | undefined> {
    return this.#next('read', async () => {
      if (!this.#tip || n > this.#tip.high) await this.#refresh(signal);
      return this.#entry(n, signal);
    });
  }

  append(n: number, entry: NewEntry, signal?: AbortSignal): Promise<'written' | 'taken'> {
    return this.#next('write', async () => {
      if (this.#tip === undefined || (this.#tip?.high ?? 0) < n - 1) await this.#refresh(signal);
      const tip = this.#tip ?? undefined;
      const newest = tip?.high ?? 0;
      if (newest >= n) return this.#whose(n, entry, signal);
      if (newest < n - 1) {
        const hint = 'If the branch was set back, restore its newest commit.';
        throw inaccessible('write', this.name, `entry ${n} cannot follow entry ${newest}, its newest one`, hint);
      }
      return this.#add(n, entry, tip, signal);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#queue.then(() => this.#options.close()).catch(() => undefined);
    return this.#closing;
  }

  /** Builds the commit once, and pushes it until it is known whose the entry is. */
  async #add(
    n: number,
    entry: NewEntry,
    tip: LogCommit | undefined,
    signal: AbortSignal | undefined,
  ): Promise<'written' | 'taken'> {
    const made = await this.#build(n, entry, tip, signal);
    const { clock, pace } = this.#options;
    for (let pause = firstPauseMs; ; pause *= 2) {
      await pace(signal);
      stopIf(signal);
      const run = await this.#push(tip?.id, made.id);
      const seen = run.code === 0 ? 'ours' : await this.#whereAfter(made.id);
      if (seen === 'ours') {
        this.#moveTo(made, entry);
        return 'written';
      }
      if (seen === 'moved') return this.#whose(n, entry, signal);
      const isOver = pause >= lastPauseMs || signal?.aborted === true || (seen === 'unmoved' && isLasting(run));
      if (isOver) throw new GitFailed(run);
      await clock.sleep(pause, signal);
      if (signal?.aborted) throw new GitFailed(run);
    }
  }

  /** The option that starts no pipeline is left out for good where the server takes none. */
  async #push(older: string | undefined, newer: string): Promise<GitRun> {
    const options = this.#pushOptions;
    const run = await this.#options.repository.push(older, newer, { options });
    if (run.code === 0 || options.length === 0 || !/push options/i.test(run.stderr)) return run;
    this.#pushOptions = [];
    return this.#options.repository.push(older, newer);
  }

  /** Where the branch is after a push that failed. It is asked also after an interruption: the answer counts. */
  async #whereAfter(written: string): Promise<'ours' | 'moved' | 'unmoved' | 'unknown'> {
    try {
      const seen = await this.#options.repository.look();
      if (seen.tip === written) return 'ours';
      if (seen.tip === this.#tip?.id) return 'unmoved';
      await this.#follow(seen, undefined);
      return 'moved';
    } catch (error) {
      if (error instanceof GitFailed) return 'unknown';
      throw error;
    }
  }

  /** An entry that is there already is ours if it has our bytes, which hold an id that no other has. */
  async #whose(n: number, entry: NewEntry, signal: AbortSignal | undefined): Promise<'written' | 'taken'> {
    const there = await this.#entry(n, signal);
    return there !== undefined && Buffer.compare(there.bytes, entry.bytes) === 0 ? 'written' : 'taken';
  }

  async #build(
    n: number,
    entry: NewEntry,
    tip: LogCommit | undefined,
    signal: AbortSignal | undefined,
  ): Promise<LogCommit> {
    const { repository } = this.#options;
    const isStart = entry.kind === 'commit';
    // So `git log --first-parent` shows one commit for each state.
    const start = isStart && tip?.hasState ? (await this.#history.startOf(tip, signal)).id : undefined;
    const parents = tip === undefined ? [] : start === undefined || start === tip.id ? [tip.id] : [start, tip.id];
    const state =
      entry.snapshot === undefined ? [] : [{ path: stateFile, bytes: new TextEncoder().encode(entry.snapshot) }];
    const { id, blobs } = await repository.write({
      files: [{ path: entryPath(n), bytes: entry.bytes }, ...state],
      message: messageOf(entry.title),
      parents,
      fresh: isStart,
      at: this.#seconds(),
    });
    const blob = blobs[0] as string;
    return {
      id,
      parents,
      low: isStart || tip === undefined ? n : tip.low,
      high: n,
      blobs: isStart || tip === undefined ? [blob] : [...tip.blobs, blob],
      hasState: isStart ? entry.snapshot !== undefined : tip?.hasState === true,
    };
  }

  #moveTo(made: LogCommit, entry: NewEntry): void {
    if (made.low === made.high) this.#bytes.clear();
    this.#bytes.set(made.blobs.at(-1) as string, entry.bytes);
    this.#history.remember(made);
    this.#tip = made;
  }

  /** Learns what the newest commit is, and refuses a branch that cannot be or is no longer the one of the state. */
  async #refresh(signal: AbortSignal | undefined): Promise<void> {
    const { repository } = this.#options;
    await this.#follow(await this.#patiently(() => repository.look(signal), signal), signal);
  }

  async #follow(seen: Advertised, signal: AbortSignal | undefined): Promise<void> {
    const { repository, objectFormat, ref, becomesDefault } = this.#options;
    const before = this.#tip;
    checkAdvertised(seen, ref, this.name);
    if (seen.tip === undefined) {
      if (before) throw setBack(this.name);
      const isBare = becomesDefault && seen.head === undefined;
      if (isBare && !(await this.#patiently(() => repository.hasBranches(signal), signal))) refuseEmpty(this.name);
      await repository.create(seen.objectFormat ?? objectFormat);
      this.#tip = null;
      return;
    }
    await repository.create(seen.objectFormat ?? objectFormat);
    if (seen.tip === before?.id) return;
    await this.#patiently(() => repository.fetch(before ? undefined : 1, signal), signal);
    const found = await repository.objects(async (get) => {
      const newest = await readLogCommit(get, fetchedRef, this.name);
      if (newest && before && !(await followsFrom(get, newest, before))) throw setBack(this.name);
      return newest;
    });
    if (found === undefined) throw new Error('git fetched a commit and does not have it.');
    const still = new Set(found.blobs);
    for (const blob of [...this.#bytes.keys()]) if (!still.has(blob)) this.#bytes.delete(blob);
    this.#history.remember(found);
    this.#tip = found;
  }

  async #entry(n: number, signal: AbortSignal | undefined): Promise<LogEntry | undefined> {
    const tip = this.#tip;
    if (!tip || !Number.isInteger(n) || n < 1 || n > tip.high) return undefined;
    const blob = await this.#history.blobOf(n, tip, signal);
    return { n, bytes: (await this.#load([blob]))[0] as Uint8Array };
  }

  /** The bytes of entries. Those of the newest state and what follows it are kept. */
  async #load(blobs: readonly string[]): Promise<readonly Uint8Array[]> {
    const absent = blobs.filter((blob) => !this.#bytes.has(blob));
    const read = new Map<string, Uint8Array>();
    if (absent.length > 0) {
      await this.#options.repository.objects(async (get) => {
        for (const blob of absent) {
          const found = await get(blob);
          if (found?.type !== 'blob') throw new Failure('state-unreadable', `An entry of ${this.name} is missing.`);
          read.set(blob, found.bytes);
        }
      });
    }
    for (const [blob, bytes] of read) if (this.#tip?.blobs.includes(blob)) this.#bytes.set(blob, bytes);
    return blobs.map((blob) => (this.#bytes.get(blob) ?? read.get(blob)) as Uint8Array);
  }

  #patiently<T>(what: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return patiently(what, this.#options.clock, signal);
  }

  #next<T>(access: Access, what: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(new Error(`${this.name} was closed.`));
    const result = this.#queue.then(what).catch((error) => {
      throw error instanceof GitFailed ? gitFailure(access, error.run, this.#told) : error;
    });
    this.#queue = result.catch(() => undefined);
    return result;
  }

  #seconds(): number {
    return Math.max(0, Math.floor(this.#options.clock.now() / 1000));
  }
}

/** Somebody else was first, which says nothing about permissions. */
function isOvertaken({ stderr }: GitRun): boolean {
  return /stale info|fetch first|non-fast-forward|cannot lock ref/i.test(stderr);
}
