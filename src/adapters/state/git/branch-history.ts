// The older commits of a state branch. The way to an old entry leads from state to state by first parents, and then into
// the journal between two states. What is not here yet is fetched, four times as deep each time.

import { Failure } from '../../../model/workspace/failure.ts';
import { type LogCommit, readLogCommit } from './log-tree.ts';
import type { GetObject } from './object-reader.ts';

export interface HistoryOptions {
  readonly name: string;
  readonly objects: <T>(use: (get: GetObject) => Promise<T>) => Promise<T>;
  /** Fetches that many commits below the tip. */
  readonly deepen: (depth: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

const firstDepth = 64;

export class BranchHistory {
  readonly #options: HistoryOptions;
  readonly #commits = new Map<string, LogCommit>();
  #depth = 1;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  remember(commit: LogCommit): void {
    this.#commits.set(commit.id, commit);
  }

  /** The object that holds an entry at or below a commit's newest. */
  async blobOf(n: number, tip: LogCommit, signal: AbortSignal | undefined): Promise<string> {
    let at = tip;
    while (n < at.low) {
      const [older = '', newer = older] = (await this.startOf(at, signal)).parents;
      const before = await this.#commit(older, signal);
      at = n <= before.high ? before : await this.#commit(newer, signal);
    }
    return at.blobs[n - at.low] as string;
  }

  /** The commit that wrote the entry at which a commit's log begins. */
  async startOf(commit: LogCommit, signal: AbortSignal | undefined): Promise<LogCommit> {
    let at = commit;
    while (at.high > commit.low) at = await this.#commit(at.parents[0] ?? '', signal);
    return at;
  }

  async #commit(id: string, signal: AbortSignal | undefined): Promise<LogCommit> {
    const { name, objects, deepen } = this.#options;
    for (let last = false; ; ) {
      const known = this.#commits.get(id) ?? (await objects((get) => this.#walk(get, id)));
      if (known !== undefined) return known;
      if (last)
        throw new Failure('state-unreadable', `The history of ${name} is incomplete: ${id.slice(0, 12)} is missing.`);
      last = this.#depth > 1_000_000;
      this.#depth = Math.max(firstDepth, this.#depth * 4);
      await deepen(this.#depth, signal);
    }
  }

  /** Reads a commit, and those that will probably be asked for next. */
  async #walk(get: GetObject, id: string): Promise<LogCommit | undefined> {
    const { name } = this.#options;
    const first = await readLogCommit(get, id, name);
    for (let at = first, left = firstDepth; at !== undefined && left > 0; left -= 1) {
      this.remember(at);
      const next = at.parents[0];
      at = next === undefined || this.#commits.has(next) ? undefined : await readLogCommit(get, next, name);
    }
    return first;
  }
}
