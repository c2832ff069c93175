// The journal of an apply: one JSON object a line, written before and after each effect, so that a run that dies
// anywhere leaves what it did and what it was about to do.

import type { Address } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';
import type { Action } from './action.ts';

/** The first line: which state the journal belongs to. */
export interface JournalHeader {
  readonly type: 'header';
  readonly version: 1;
  readonly lineage: string;
  /** The serial of the state that the apply began with; 0 where there was none. */
  readonly serial: number;
  readonly baseUrl: string;
  readonly salt: string;
  readonly toolVersion: string;
}

/** About to happen. */
export interface JournalIntent {
  readonly type: 'intent';
  /** Joins an intent with its outcome; rises by one. */
  readonly seq: number;
  readonly address: Address;
  /** As planned, `replace` included, though what is sent for one may be a create beside an orphan. */
  readonly action: Action;
  /** Where the resource stood in the state before a move. */
  readonly previousAddress?: Address;
  /** What is recorded if it succeeds; none for forget and delete. */
  readonly attributes?: JsonObject;
  /** To find the schedule by, should the outcome be lost. */
  readonly identifier?: string;
  readonly name?: string;
  /** For a forget that releases the object on purpose: it becomes no orphan. */
  readonly release?: true;
  /** In a replacement that deletes the old schedule: its id. It is an orphan once the new one is there, until it is deleted. */
  readonly replaced?: string;
  /** What an earlier apply left open about the resource stays open: more requests of an update follow, or none is sent. */
  readonly ahead?: true;
  /** For an update that sends nothing: without an outcome it was not done. */
  readonly stateOnly?: true;
  readonly at: string;
}

/** What came of it. */
export interface JournalOutcome {
  readonly type: 'outcome';
  readonly seq: number;
  /** failed: the service surely did nothing. unknown: it may have. */
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
