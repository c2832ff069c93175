// The journal of an apply: one JSON object a line, written before and after each effect, so that a run that dies
// anywhere leaves what it did and what it was about to do.

import {
  constant,
  instant,
  keptAddress,
  keyName,
  listOf,
  map,
  mapOf,
  nonEmptyText,
  oneOf,
  record,
  serial,
  type TypeOf,
  text,
} from '../values/schema.ts';
import { effectSchema } from './action.ts';

/** The one version that is written and read: each line ends in a checksum. */
export const journalVersion = 2;

/** The lines of a journal, without the checksum of each. */
export const journalSchemas = {
  /** The first line: which state the journal belongs to. */
  header: record({
    type: constant('header'),
    version: constant(journalVersion),
    lineage: nonEmptyText,
    // Of the state that the apply began with; 0 where there was none.
    serial,
    baseUrl: nonEmptyText,
    salt: nonEmptyText,
    // As in the state: the name of the key of the fingerprints in the lines below.
    'secretKey?': keyName,
    toolVersion: nonEmptyText,
    // The ids that were on the dashboards where the apply makes schedules, by the dashboard's identifier; undefined if
    // nobody looked. What a lost POST has made is not among them.
    'existing?': mapOf(listOf(nonEmptyText)),
  }),
  /** About to happen. */
  intent: record({
    type: constant('intent'),
    // Joins an intent with its outcome; rises by one.
    seq: serial,
    address: keptAddress,
    // As planned: a `replace` is recorded as such, although operations core sends only a create for it.
    action: effectSchema,
    // The resource's address in the state before a move.
    'previousAddress?': keptAddress,
    // What is recorded if it succeeds; none for forget and delete.
    'attributes?': map,
    // To find the schedule if the outcome is lost.
    'identifier?': text,
    'name?': text,
    // The fields that the service does not return and that will not have been sent once it succeeds.
    'unread?': listOf(nonEmptyText),
    // As in the state, once it succeeds.
    'throughSink?': constant(true),
    // For a forget that releases the object on purpose: it becomes no orphan.
    'release?': constant(true),
    // The id of the old schedule, if the replacement deletes it. Until then it is an orphan beside the new one.
    'replaced?': nonEmptyText,
    // The update is not done with it: more requests follow. With `stateOnly`, what an earlier apply left open stays open.
    'ahead?': constant(true),
    // For an update that sends nothing: without an outcome it was not carried out.
    'stateOnly?': constant(true),
    at: instant,
  }),
  /** The outcome of an intent. */
  outcome: record({
    type: constant('outcome'),
    seq: serial,
    // failed: the service certainly did nothing. unknown: it may have carried the request out.
    status: oneOf('applied', 'failed', 'unknown'),
    'id?': nonEmptyText,
    'outputs?': map,
    at: instant,
  }),
};

export type JournalHeader = TypeOf<typeof journalSchemas.header>;
export type JournalIntent = TypeOf<typeof journalSchemas.intent>;
export type JournalOutcome = TypeOf<typeof journalSchemas.outcome>;
export type JournalLine = JournalHeader | JournalIntent | JournalOutcome;

export interface Journal {
  readonly header: JournalHeader;
  readonly lines: readonly (JournalIntent | JournalOutcome)[];
}
