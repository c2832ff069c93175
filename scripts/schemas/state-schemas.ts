// The schemas of what an apply keeps: the state file, whose schema is published, and the lines of the journal, which no
// other program reads.

import { actionNames, actions } from '../../src/model/plan/action.ts';
import type { JournalHeader, JournalIntent, JournalOutcome } from '../../src/model/plan/journal.ts';
import type { Orphan, State, StateResource, Unresolved } from '../../src/model/plan/state.ts';
import { addressForm, instantForm, keyNameForm } from '../../src/yaml/text-forms.ts';
import {
  constant,
  count,
  described,
  keyOf,
  listOf,
  map,
  mapOf,
  nonEmptyText,
  oneOf,
  record,
  type Schema,
  schemaOf,
  text,
} from './typed-schema.ts';

export const instant = schemaOf<string>({ type: 'string', format: 'date-time', pattern: instantForm.pattern });
export const action = keyOf(actions);
const effect = oneOf(...actionNames, 'trigger');

const address = schemaOf<string>({ type: 'string', pattern: addressForm.pattern });
const serial = schemaOf<number>({ ...count, maximum: Number.MAX_SAFE_INTEGER });

export function documentSchema<T>(title: string, schema: Schema<T>): Schema<T> {
  return schemaOf({ $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema });
}

export const orphan = record<Orphan>({
  id: nonEmptyText,
  address,
  identifier: text,
  name: text,
  since: instant,
  'replaced?': described(constant(true), 'Its replacement exists: the next apply with operations full deletes it.'),
});

const attributes = described(
  map,
  'The declaration as applied. A secret is an object of its fingerprint, `$secret`, and its text with the names of its variables, `text`.',
);

const resource = record<StateResource>({
  'id?': nonEmptyText,
  attributes,
  'outputs?': map,
  'unread?': described(
    listOf(nonEmptyText),
    'The fields that Omni did not return when the schedule was adopted and that were not sent since.',
  ),
  'throughSink?': described(
    constant(true),
    'The recipients were sent, to the sink of an environment. Without it they are only what the declaration said.',
  ),
  createdAt: instant,
  updatedAt: instant,
});

const unresolved = record<Unresolved>({
  address,
  action: described(effect, 'A trigger concerns only the next trigger of the address; anything else is a change.'),
  'identifier?': text,
  'name?': text,
  since: instant,
  'existing?': described(
    listOf(nonEmptyText),
    'The ids of the schedules that were on the dashboard before this one was sent.',
  ),
  'attributes?': map,
  'replaced?': described(nonEmptyText, 'The id of the old schedule, for a replacement that deletes it.'),
});

const state = record<State>({
  version: constant(2),
  lineage: nonEmptyText,
  serial,
  toolVersion: nonEmptyText,
  baseUrl: nonEmptyText,
  salt: nonEmptyText,
  'secretKey?': described(
    schemaOf({ type: 'string', pattern: keyNameForm.pattern }),
    'The first 16 hex digits of the SHA-256 of the key of the fingerprints.',
  ),
  'commit?': described(nonEmptyText, 'The last commit whose declarations were all applied.'),
  resources: mapOf(resource, { propertyNames: { pattern: addressForm.pattern } }),
  orphans: listOf(orphan),
  unresolved: listOf(unresolved),
});

export const stateSchema = documentSchema('The state file', state);

/** The lines of a journal, without the checksum of each. */
export const journalHeaderSchema = record<JournalHeader>({
  type: constant('header'),
  version: constant(2),
  lineage: nonEmptyText,
  serial,
  baseUrl: nonEmptyText,
  salt: nonEmptyText,
  'secretKey?': schemaOf({ type: 'string', pattern: keyNameForm.pattern }),
  toolVersion: nonEmptyText,
  'existing?': mapOf<readonly string[]>(listOf(nonEmptyText)),
});

export const journalIntentSchema = record<JournalIntent>({
  type: constant('intent'),
  seq: serial,
  address,
  action: effect,
  'previousAddress?': address,
  'attributes?': map,
  'identifier?': text,
  'name?': text,
  'unread?': listOf(nonEmptyText),
  'throughSink?': constant(true),
  'release?': constant(true),
  'replaced?': nonEmptyText,
  'ahead?': constant(true),
  'stateOnly?': constant(true),
  at: instant,
});

export const journalOutcomeSchema = record<JournalOutcome>({
  type: constant('outcome'),
  seq: serial,
  status: oneOf('applied', 'failed', 'unknown'),
  'id?': nonEmptyText,
  'outputs?': map,
  at: instant,
});
