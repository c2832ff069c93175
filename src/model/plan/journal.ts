// The journal of an apply: one JSON object a line, written before and after each effect, so that a run that dies
// anywhere leaves what it did and what it was about to do.

import {
  constant,
  digest,
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
import { namesByIdSchema } from './names.ts';
import { keptVersion, notReadBackSchema, ownerIdsSchema } from './state.ts';
import { groupsSchema } from './user-groups.ts';

/** The kinds of intents, which decide what an outcome means for the state. */
const intentKinds = [
  // A request, or all requests of an update.
  'request',
  // The delete of what was replaced, after its replacement was made.
  'end',
  // A delivery.
  'trigger',
  'move',
  'adopt',
  // The existing resource becomes an orphan.
  'forget',
  // A forget on purpose, or of what is gone: no orphan is left.
  'release',
  // An update of the state alone.
  'record',
  // An update of some fields of the state alone: what an earlier apply left open stays open.
  'refresh',
  // It holds the verdict of a read on filters that were sent, or says that they are to be read.
  'read-back',
] as const;

/** The lines of a journal, without the checksum in which each ends. */
export const journalSchemas = {
  /** The first line: which state the journal belongs to. */
  header: record({
    type: constant('header'),
    version: constant(keptVersion),
    lineage: nonEmptyText,
    // The serial of the state that the apply began with; 0 if there was no state.
    serial,
    // The digest of the state that the apply began with; absent if there was no state.
    'base?': digest,
    baseUrl: nonEmptyText,
    salt: nonEmptyText,
    // The state's own name for the key of the fingerprints in the lines below.
    'secretKey?': keyName,
    toolVersion: nonEmptyText,
    // The ids in the lists where the apply makes something, by the key of the list (model/fields/identity.ts): of schedules
    // the dashboard's identifier. Undefined if nobody looked. What a lost POST has made is not among them.
    'existing?': mapOf(listOf(nonEmptyText)),
    // The state's own fields, if anything in the journal changes it.
    'checkout?': nonEmptyText,
    'names?': namesByIdSchema,
    'owners?': ownerIdsSchema,
    // The ids of dashboards by the ids of schedules, as in the state: what a look has read.
    'entityIds?': mapOf(nonEmptyText),
  }),
  /** About to happen. */
  intent: record({
    type: constant('intent'),
    // Joins an intent with its outcome; rises by one.
    seq: serial,
    kind: oneOf(...intentKinds),
    address: keptAddress,
    // The planned action: a `replace` is recorded as such, although operations core sends only a create for it.
    action: effectSchema,
    // The resource's address in the state before a move.
    'previousAddress?': keptAddress,
    // The attributes to record if it succeeds; none for forget and delete.
    'attributes?': map,
    // If the outcome is lost, these find what was made: what it is on, its name, and whose list it is in.
    'identifier?': text,
    'name?': text,
    'madeBy?': nonEmptyText,
    // The state's own fields, once it succeeds.
    'unread?': listOf(nonEmptyText),
    // The intent of an update names all groups that may receive it; its outcome names those that do.
    'groups?': groupsSchema,
    'throughSink?': constant(true),
    // A request of the step sends the whole content.
    'sendsContent?': constant(true),
    'entityId?': nonEmptyText,
    // The filters that divide rows, of a request that sends them: the state keeps them until they are read back. Empty if it sends none.
    'sentFilters?': map,
    // A `read-back` gives what the state keeps from then on. Without it, the filters are read.
    'notReadBack?': notReadBackSchema,
    // The id of the old schedule, if the replacement deletes it. Until then it is an orphan beside the new one.
    'replaced?': nonEmptyText,
    at: instant,
  }),
  /** The outcome of an intent. */
  outcome: record({
    type: constant('outcome'),
    seq: serial,
    // failed: the service certainly did nothing. unknown: it may have carried the request out, or some of several.
    status: oneOf('applied', 'failed', 'unknown'),
    'id?': nonEmptyText,
    'outputs?': map,
    'groups?': groupsSchema,
    // Another change of its dashboard was read back, which is enough for this one.
    'readBack?': constant(true),
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
