// The text of the emulator's data file -> its data. The emulator trusts what it is given, so the file is checked before
// the server starts.

import type { Control, EmulatedObject, EmulatorData, Token } from '../../emulator/store.ts';
import { parseJson } from '../../model/values/json.ts';
import {
  count,
  flag,
  listOf,
  mapOf,
  number,
  oneOf,
  openRecord,
  orNull,
  type Schema,
  schemaOf,
  text,
} from '../../model/values/schema.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';

/** The emulator changes its data in place. */
type Frozen<T> = T extends EmulatedObject ? T : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

const map = schemaOf<EmulatedObject>({ type: 'object' });
const scope = oneOf('restricted', 'organization');

const attempt = openRecord({ at: text, status: orNull(number), 'error?': text });

const dashboard = openRecord({
  filters: mapOf(map),
  controls: listOf(schemaOf<Control>(openRecord({ id: text }))),
  filterOrder: listOf(text),
  queryKeys: listOf(text),
  draft: orNull(openRecord({ memberId: text, createdAt: text })),
});

const document = openRecord({
  identifier: text,
  name: text,
  description: orNull(text),
  connectionId: text,
  folderId: orNull(text),
  ownerId: text,
  scope,
  labels: listOf(text),
  deleted: flag,
  updatedAt: text,
  views: number,
  favoriteOf: listOf(text),
  sharedWith: listOf(text),
  dashboard: orNull(dashboard),
});

const runStatus = oneOf('COMPLETE', 'ERROR', 'ERROR_DELIVERED', 'KILLED', 'CONDITION_UNMET');

const schedule = openRecord({
  id: text,
  ownerId: orNull(text),
  createdAt: text,
  updatedAt: text,
  hasPassword: flag,
  fields: map,
  'userGroupIds?': listOf(text),
  'disabledAt?': text,
  'systemDisabled?': openRecord({
    at: text,
    reason: oneOf('missingQuery', 'noAccess', 'orphanedFilterConfigKeys'),
  }),
  'lastRun?': openRecord({
    at: text,
    status: runStatus,
  }),
  'run?': openRecord({ until: text, status: runStatus }),
});

const delivery = openRecord({
  id: text,
  at: text,
  ownerId: orNull(text),
  identifier: text,
  name: text,
  format: text,
  destinationType: text,
  'url?': text,
  'attempts?': listOf(attempt),
  'dueAt?': text,
  'withheld?': text,
});

const job = openRecord({
  id: text,
  conversationId: text,
  status: oneOf('QUEUED', 'EXECUTING', 'DELIVERING', 'COMPLETE', 'FAILED', 'CANCELLED'),
  ownerId: orNull(text),
  createdAt: text,
  hasSigningSecret: flag,
  fields: map,
  'step?': count,
  'updatedAt?': text,
  'cancelRequested?': flag,
  'progress?': openRecord({ iteration: number, message: text, updatedAt: text }),
  'error?': openRecord({ code: text, message: text, detail: text }),
  'resultSummary?': text,
  'executionStartedAt?': text,
  'completedAt?': text,
  'cancelledAt?': text,
  'cancelledBy?': text,
});

const event = openRecord({
  id: text,
  jobId: text,
  kind: oneOf('progress', 'job.complete', 'job.failed'),
  at: text,
  body: text,
  url: text,
  attempts: listOf(attempt),
  'dueAt?': text,
  'withheld?': text,
});

/** A personal one names its member. */
const token = schemaOf<Token>({
  ...openRecord({ kind: oneOf('organization', 'personal'), token: text }),
  if: { properties: { kind: { const: 'personal' } } },
  then: { properties: { memberId: text }, required: ['memberId'] },
});

/** People edit the file, so it may hold fields that the emulator does not know. What it reads must be there and fit. */
const emulatorSchema: Schema<Frozen<EmulatorData>> = openRecord({
  organization: openRecord({
    id: text,
    url: text,
    delivererRoleArn: text,
    slackConnected: flag,
  }),
  tokens: listOf(token),
  members: listOf(openRecord({ id: text, name: text, email: text, 'active?': flag })),
  'userGroups?': listOf(openRecord({ id: text, name: text, memberIds: listOf(text) })),
  folders: listOf(openRecord({ id: text, name: text, path: text, scope })),
  documents: listOf(document),
  models: listOf(
    openRecord({
      id: text,
      name: text,
      branches: listOf(openRecord({ id: text, name: text })),
      topics: listOf(text),
    }),
  ),
  schedules: listOf(schedule),
  deliveries: listOf(delivery),
  jobs: listOf(job),
  'events?': listOf(event),
});

/** Throws Failure usage. `name` is how users call the file. */
export function parseEmulatorData(json: string, name: string): EmulatorData {
  const unreadable = (why: string) =>
    new Failure('usage', `${name} is not what the emulator keeps: ${why}.`, {
      hint: 'Fix the file, or delete it to start with the demo organization.',
    });
  const value = parseJson(json);
  if (value === undefined) throw unreadable('it is not valid JSON');
  return checkedDocument(emulatorSchema, value, unreadable) as EmulatorData;
}
