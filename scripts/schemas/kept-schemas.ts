// The schemas of what Almanac keeps for itself: locks, the log of a shared state, and the progress of what asks
// for each schedule.

import type { AnswerLine, ProgressHeader } from '../../src/commands/base/details/answers.ts';
import type { KnownDashboard } from '../../src/commands/base/details/known-dashboards.ts';
import type { CommitEntry, LinesEntry, LockEntry, UnlockEntry } from '../../src/model/plan/log-entry.ts';
import type {
  ListedSchedule,
  RemoteDestination,
  RemoteFilters,
  RemoteGroup,
  RemoteRecipients,
  RemoteSchedule,
} from '../../src/model/service/remote.ts';
import type { LockRecord } from '../../src/model/workspace/lock-info.ts';
import type { SeenDocument, SeenPosition } from '../../src/state/log/log-reader.ts';
import {
  constant,
  count,
  flag,
  listOf,
  map,
  mapOf,
  nonEmptyText,
  number,
  openRecord,
  positive,
  record,
  schemaOf,
  text,
} from './typed-schema.ts';

/** Open: a lock of another version may hold more fields, and its holder must still be named. */
export const lockSchema = openRecord<LockRecord>({
  who: text,
  host: text,
  pid: schemaOf({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  command: text,
  since: text,
  'runUrl?': text,
  'started?': text,
  'pidSpace?': text,
  'boot?': text,
});

const seconds = schemaOf<number>({ type: 'number', exclusiveMinimum: 0 });
const serial = schemaOf<number>({ ...count, maximum: Number.MAX_SAFE_INTEGER });
const sha256 = schemaOf<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' });
const ofEntry = { v: constant(1), id: nonEmptyText, n: positive, run: nonEmptyText, at: text };

/** Open: a later version may add what an earlier one need not know. What it must know has another `v`. */
export const logSchemas = {
  lock: openRecord<LockEntry>({
    ...ofEntry,
    kind: constant('lock'),
    info: lockSchema,
    lease: seconds,
    'over?': openRecord<NonNullable<LockEntry['over']>>({ run: nonEmptyText, info: lockSchema }),
  }),
  lines: openRecord<LinesEntry>({ ...ofEntry, kind: constant('lines'), lines: listOf(text) }),
  commit: openRecord<CommitEntry>({
    ...ofEntry,
    kind: constant('commit'),
    state: text,
    sha256,
    serial,
    lineage: text,
    info: lockSchema,
    changes: count,
    'over?': lockSchema,
    'previous?': positive,
    release: flag,
    'lease?': seconds,
  }),
  unlock: openRecord<UnlockEntry>({ ...ofEntry, kind: constant('unlock'), 'by?': lockSchema }),
};

/** The last positions that were seen, by the name of the place. */
export const seenSchema = record<SeenDocument>({
  version: constant(1),
  places: mapOf(record<SeenPosition>({ serial, lineage: nonEmptyText })),
});

const listedSchedule = openRecord<ListedSchedule>({
  id: text,
  identifier: text,
  name: text,
  schedule: text,
  timezone: text,
  format: text,
  destinationType: text,
  'dashboardName?': text,
  'recipientCount?': number,
  'slackRecipientType?': text,
  'isTile?': flag,
  paused: flag,
  'stopped?': text,
  'conditionType?': text,
  'ownerId?': text,
  'ownerName?': text,
  'lastCompletedAt?': text,
  'lastStatus?': text,
  'runsUntold?': flag,
});

const schedule = openRecord<RemoteSchedule>({
  id: text,
  name: text,
  schedule: text,
  timezone: text,
  paused: flag,
  'stopped?': text,
  createdAt: text,
  updatedAt: text,
  'ownerId?': text,
  'fanOut?': flag,
  'killJobsOnFailure?': flag,
  'conditionType?': text,
  'conditionQueryMapKey?': text,
  'filterConfig?': map,
  metadata: map,
  destinations: listOf(openRecord<RemoteDestination>({ format: text, 'type?': text, metadata: map })),
});

const recipients = openRecord<RemoteRecipients>({
  type: text,
  'emails?': listOf(text),
  'emailOnly?': listOf(text),
  'groups?': listOf(record<RemoteGroup>({ name: text, emails: listOf(text) })),
  'slackRecipientType?': text,
  'slackIds?': listOf(text),
  settings: map,
});

const filters = openRecord<RemoteFilters>({ identifier: text, filters: map, controls: map, filterOrder: listOf(text) });

/** The first line of the progress of an import. */
export const progressHeaderSchema = record<ProgressHeader>({
  type: constant('header'),
  version: constant(1),
  baseUrl: text,
  identifiers: listOf(text),
});

/** The lines below it, by what they answer. */
export const answerSchemas = {
  listed: record<AnswerLine<'listed'>>({ type: constant('listed'), id: text, answer: listOf(listedSchedule) }),
  dashboards: record<AnswerLine<'dashboards'>>({
    type: constant('dashboards'),
    id: text,
    answer: listOf(record<KnownDashboard>({ identifier: text, name: text, 'folder?': text, 'owner?': text })),
  }),
  schedule: record<AnswerLine<'schedule'>>({ type: constant('schedule'), id: text, answer: schedule }),
  recipients: record<AnswerLine<'recipients'>>({ type: constant('recipients'), id: text, answer: recipients }),
  filters: record<AnswerLine<'filters'>>({ type: constant('filters'), id: text, answer: filters }),
  refusal: record<AnswerLine<'refusal'>>({ type: constant('refusal'), id: text, answer: text }),
};
