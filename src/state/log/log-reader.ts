// A log as one machine knows it: what was read so far, folded, and when its newest entry was first seen.

import { decodeUtf8 } from '../../files/read-source.ts';
import type { Clock } from '../../model/outside.ts';
import type { State } from '../../model/plan/state.ts';
import { command } from '../../model/values/command.ts';
import type { Host } from '../file/file-lock.ts';
import { emptyLog, type FoldedLog, foldLog, type NumberedText } from '../format/fold-log.ts';
import { damaged } from '../format/log-entry.ts';
import { parseJournal } from '../format/parse-journal.ts';
import { parseState } from '../format/parse-state.ts';
import type { LogEntry, StateLog } from '../state-log.ts';
import type { StoredState } from '../state-store.ts';

export interface LogStoreOptions {
  readonly log: StateLog;
  /** The name that users see for the place. */
  readonly name: string;
  /** The seconds that a lock lasts. */
  readonly leaseSeconds: number;
  readonly clock: Clock;
  readonly host: Host;
  /** Ends what the store reads without the lock. */
  readonly signal?: AbortSignal | undefined;
}

export class LogReader {
  readonly #options: LogStoreOptions;
  #folded = emptyLog;
  /** The time when the newest entry was first seen, by the clock that nobody sets. */
  #seenAt: number;
  #parsed: { readonly text: string; readonly state: State | undefined } | undefined;

  constructor(options: LogStoreOptions) {
    this.#options = options;
    this.#seenAt = options.clock.monotonic();
  }

  get folded(): FoldedLog {
    return this.#folded;
  }

  /** The milliseconds for which nothing was written, as far as this machine knows. */
  quietFor(): number {
    return this.#options.clock.monotonic() - this.#seenAt;
  }

  /** Reads the new entries. Throws Failure state-unreadable. */
  async refresh(signal?: AbortSignal): Promise<FoldedLog> {
    const { log, name, clock } = this.#options;
    const entries = (await log.read(this.#folded.at, signal)).filter(({ n }) => n > this.#folded.at);
    const texts = entries.map((entry) => this.textOf(entry));
    const folded = foldLog(this.#folded, texts, name);
    if (folded.at > this.#folded.at) {
      this.#seenAt = clock.monotonic();
      this.#folded = folded;
    }
    return folded;
  }

  textOf({ n, bytes }: LogEntry): NumberedText {
    const decoded = decodeUtf8(bytes);
    if ('text' in decoded) return { n, text: decoded.text };
    throw damaged(this.#options.name, `entry ${n} of its log is corrupt: ${decoded.problem}`);
  }

  /** The state and the journal of a folded log. Throws Failure state-unreadable. */
  stored({ commit, journal }: FoldedLog): StoredState {
    const { name } = this.#options;
    const text = commit?.state ?? '';
    if (this.#parsed?.text !== text) {
      const wayOut = `It is in entry ${commit?.n} of the log. \`${command('state history')}\` lists the states before it.`;
      this.#parsed = { text, state: text === '' ? undefined : parseState(text, name, wayOut) };
    }
    const { state } = this.#parsed;
    // The next run compares with what the entry says, and plans with what the state says.
    if (state !== undefined && (state.serial !== commit?.serial || state.lineage !== commit.lineage))
      throw damaged(name, `entry ${commit?.n} of its log names another serial or lineage than its state`);
    const lines = journal.join('');
    return {
      state,
      journal: lines === '' ? undefined : parseJournal(lines, `the journal of ${name}`),
    };
  }
}
