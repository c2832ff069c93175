// The journal of an apply: one JSON object a line, written before and after each effect, so that a run that dies
// anywhere leaves what it did and what it was about to do.

import type { Address } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';
import type { Effect } from './action.ts';

/** The one version that is written and read: each line ends in a checksum. */
export const journalVersion = 2;

/** The first line: which state the journal belongs to. */
export interface JournalHeader {
  readonly type: 'header';
  readonly version: typeof journalVersion;
  readonly lineage: string;
  /** The serial of the state that the apply began with; 0 where there was none. */
  readonly serial: number;
  readonly baseUrl: string;
  readonly salt: string;
  /** As in the state: the name of the key of the fingerprints in the lines below. */
  readonly secretKey?: string;
  readonly toolVersion: string;
  /**
   * The ids that were on the dashboards where the apply makes schedules, by the dashboard's identifier; undefined if
   * nobody looked. What a lost POST has made is not among them.
   */
  readonly existing?: Readonly<Record<string, readonly string[]>>;
}

/** About to happen. */
export interface JournalIntent {
  readonly type: 'intent';
  /** Joins an intent with its outcome; rises by one. */
  readonly seq: number;
  readonly address: Address;
  /** As planned: a `replace` is recorded as such, although operations core sends only a create for it. */
  readonly action: Effect;
  /** The resource's address in the state before a move. */
  readonly previousAddress?: Address;
  /** What is recorded if it succeeds; none for forget and delete. */
  readonly attributes?: JsonObject;
  /** To find the schedule if the outcome is lost. */
  readonly identifier?: string;
  readonly name?: string;
  /** The fields that the service does not return and that will not have been sent once it succeeds. */
  readonly unread?: readonly string[];
  /** As in the state, once it succeeds. */
  readonly throughSink?: true;
  /** For a forget that releases the object on purpose: it becomes no orphan. */
  readonly release?: true;
  /** The id of the old schedule, if the replacement deletes it. Until then it is an orphan beside the new one. */
  readonly replaced?: string;
  /** The update is not done with it: more requests follow. With `stateOnly`, what an earlier apply left open stays open. */
  readonly ahead?: true;
  /** For an update that sends nothing: without an outcome it was not carried out. */
  readonly stateOnly?: true;
  readonly at: string;
}

/** The outcome of an intent. */
export interface JournalOutcome {
  readonly type: 'outcome';
  readonly seq: number;
  /** failed: the service certainly did nothing. unknown: it may have carried the request out. */
  readonly status: 'applied' | 'failed' | 'unknown';
  readonly id?: string;
  readonly outputs?: JsonObject;
  readonly at: string;
}

export type JournalLine = JournalHeader | JournalIntent | JournalOutcome;

export interface Journal {
  readonly header: JournalHeader;
  readonly lines: readonly (JournalIntent | JournalOutcome)[];
}
