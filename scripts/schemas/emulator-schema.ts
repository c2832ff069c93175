// The schema of the emulator's data file. People edit that file, so it may hold fields that the emulator does not know;
// the fields that the emulator reads must be there and of the right type.

import type {
  Control,
  Dashboard,
  Delivery,
  EmulatedDocument,
  EmulatedObject,
  EmulatorData,
  JobEvent,
  Member,
  Model,
  Posting,
  StoredJob,
  StoredSchedule,
  UserGroup,
} from '../../src/emulator/store.ts';
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
} from './typed-schema.ts';

const map = schemaOf<EmulatedObject>({ type: 'object' });
const scope = oneOf('restricted', 'organization');

type Attempt = Posting['attempts'][number];

const attempt = openRecord<Attempt>({ at: text, status: orNull(number), 'error?': text });

const dashboard = openRecord<Dashboard>({
  filters: mapOf(map),
  controls: listOf(schemaOf<Control>(openRecord<{ id: string }>({ id: text }))),
  filterOrder: listOf(text),
  queryKeys: listOf(text),
  draft: orNull(openRecord<NonNullable<Dashboard['draft']>>({ memberId: text, createdAt: text })),
});

const document = openRecord<EmulatedDocument>({
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

const schedule = openRecord<StoredSchedule>({
  id: text,
  ownerId: orNull(text),
  createdAt: text,
  updatedAt: text,
  hasPassword: flag,
  fields: map,
  'userGroupIds?': listOf(text),
  'disabledAt?': text,
  'systemDisabled?': openRecord<NonNullable<StoredSchedule['systemDisabled']>>({
    at: text,
    reason: oneOf('missingQuery', 'noAccess', 'orphanedFilterConfigKeys'),
  }),
  'lastRun?': openRecord<NonNullable<StoredSchedule['lastRun']>>({
    at: text,
    status: runStatus,
  }),
  'run?': openRecord<NonNullable<StoredSchedule['run']>>({ until: text, status: runStatus }),
});

const delivery = openRecord<Delivery>({
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

const job = openRecord<StoredJob>({
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
  'progress?': openRecord<NonNullable<StoredJob['progress']>>({ iteration: number, message: text, updatedAt: text }),
  'error?': openRecord<NonNullable<StoredJob['error']>>({ code: text, message: text, detail: text }),
  'resultSummary?': text,
  'executionStartedAt?': text,
  'completedAt?': text,
  'cancelledAt?': text,
  'cancelledBy?': text,
});

const event = openRecord<JobEvent>({
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

type Token = EmulatorData['tokens'][number];

/** A personal one names its member. */
const token: Schema<Token> = schemaOf({
  ...openRecord<Pick<Token, 'kind' | 'token'>>({ kind: oneOf('organization', 'personal'), token: text }),
  if: { properties: { kind: { const: 'personal' } } },
  then: { properties: { memberId: text }, required: ['memberId'] },
});

export const emulatorSchema = openRecord<EmulatorData>({
  organization: openRecord<EmulatorData['organization']>({
    id: text,
    url: text,
    delivererRoleArn: text,
    slackConnected: flag,
  }),
  tokens: listOf(token),
  members: listOf(openRecord<Member>({ id: text, name: text, email: text, 'active?': flag })),
  'userGroups?': listOf(openRecord<UserGroup>({ id: text, name: text, memberIds: listOf(text) })),
  folders: listOf(openRecord<EmulatorData['folders'][number]>({ id: text, name: text, path: text, scope })),
  documents: listOf(document),
  models: listOf(
    openRecord<Model>({
      id: text,
      name: text,
      branches: listOf(openRecord<Model['branches'][number]>({ id: text, name: text })),
      topics: listOf(text),
    }),
  ),
  schedules: listOf(schedule),
  deliveries: listOf(delivery),
  jobs: listOf(job),
  'events?': listOf(event),
});
