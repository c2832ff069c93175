// A schedule of the service as a declaration: what the service reports, what is a default, and what is not reported.

import { describe, expect, test } from 'vitest';
import { type DeclaredSchedule, declareSchedule } from '../../../src/commands/import/declare-schedule.ts';
import { nothingLeft } from '../../../src/commands/import/import-run.ts';
import type { Field } from '../../../src/model/fields/field.ts';
import { scheduleFields } from '../../../src/model/fields/schedule-fields.ts';
import type {
  ListedSchedule,
  RemoteFilters,
  RemoteRecipients,
  RemoteSchedule,
} from '../../../src/model/service/remote.ts';
import type { JsonObject } from '../../../src/model/values/json.ts';
import { type ReadSchedule, withoutSecrets } from '../../../src/observe/details/join-answers.ts';

const listed: ListedSchedule = {
  id: 'an-id',
  identifier: '12db1a0a',
  name: 'Weekly',
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'pdf',
  destinationType: 'email',
  isTile: false,
  paused: false,
};
const schedule: RemoteSchedule = {
  id: 'an-id',
  name: 'Weekly',
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  paused: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  fanOut: false,
  fields: { killJobsOnFailure: false },
  filterConfig: {},
  metadata: { showFilters: true, hideTitle: false },
  destinations: [{ format: 'pdf', type: 'email', metadata: { type: 'email', subject: 'Hello' } }],
};
const recipients: RemoteRecipients = { type: 'email', emails: ['ana@example.com'], settings: {} };
const filters: RemoteFilters = { identifier: '12db1a0a', filters: {}, controls: {}, filterOrder: [] };

interface Changes {
  readonly listed?: Partial<ListedSchedule>;
  readonly schedule?: Partial<RemoteSchedule>;
  readonly recipients?: Partial<RemoteRecipients>;
  readonly filters?: RemoteFilters | null;
  readonly defaults?: JsonObject;
}

function declare(changes: Changes = {}): DeclaredSchedule {
  const read: ReadSchedule = {
    listed: { ...listed, ...changes.listed },
    schedule: { ...schedule, ...changes.schedule },
    recipients: { ...recipients, ...changes.recipients },
    filters: changes.filters === undefined ? filters : (changes.filters ?? undefined),
  };
  return declareSchedule(read, changes.defaults ?? {}, ({ noun }) => `A_${noun.toUpperCase()}`, nothingLeft);
}

/** What is declared beside what all of these schedules have. */
function fieldsOf(declared: DeclaredSchedule): JsonObject {
  if ('reason' in declared) throw new Error(declared.reason);
  const { identifier, name, ...rest } = Object.fromEntries(
    declared.draft.fields.map(({ name, value }) => [name, value]),
  );
  expect([identifier, name]).toEqual(['12db1a0a', 'Weekly']);
  return rest as JsonObject;
}

const basic = {
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Hello',
};

function commentsOf(declared: DeclaredSchedule): readonly string[] {
  return 'reason' in declared
    ? []
    : [...declared.draft.comments, ...declared.draft.fields.flatMap((f) => f.comment ?? [])];
}

test('an imported schedule omits defaults, and no part of the answer is left unread', () => {
  expect(fieldsOf(declare())).toEqual(basic);
  expect(declare()).toMatchObject({ unread: [], draft: { comments: [] } });
});

test('a value that the service writes as text is declared in its own type', () => {
  const declared = declare({
    listed: { format: 'csv', destinationType: 'sftp' },
    schedule: {
      metadata: { enableFormatting: 'true', overrideRowLimit: 'false', maxRowLimit: '500', queryIdentifierMapKey: 7 },
      destinations: [{ format: 'csv', type: 'sftp', metadata: { type: 'sftp', path: '/in' } }],
    },
    recipients: { type: 'sftp', emails: [], settings: { address: 'sftp.example.com', port: '22', username: 'a' } },
  });
  expect(fieldsOf(declared)).toMatchObject({
    port: 22,
    path: '/in',
    enableFormatting: true,
    maxRowLimit: 500,
    queryIdentifierMapKey: '7',
    passwordUnencrypted: '${env.A_PASSWORD}',
  });
  expect(fieldsOf(declared)).not.toHaveProperty('overrideRowLimit');
});

describe('what the service does not report', () => {
  test('a subject that the service does not report becomes the name of the schedule with a comment', () => {
    const declared = declare({ schedule: { destinations: [] } });
    expect(fieldsOf(declared)).toEqual({ ...basic, subject: 'Weekly' });
    expect(commentsOf(declared)).toEqual([expect.stringContaining('Omni does not return it')]);
    expect(declared).toMatchObject({ guessed: ['subject'] });
    expect(declare()).toMatchObject({ guessed: [] });
  });

  test('a schedule whose recipients the service does not report is not declared', () => {
    expect(declare({ schedule: { destinations: [] }, recipients: { emails: [] } })).toEqual({
      reason: 'Its `recipients` could not be read back, and the field is required.',
    });
  });

  test('an alert and a single tile need values that the service does not report', () => {
    const declared = declare({ listed: { conditionType: 'RESULTS_PRESENT', isTile: true } });
    expect(declared).toEqual({
      reason: 'Its `queryIdentifierMapKey` could not be read back, and the field is required.',
    });
  });

  test('an optional value that the service does not report is named if the answer has nothing of its kind', () => {
    const ofPdf = Object.entries<Field>(scheduleFields).filter(([, { formats }]) => formats?.includes('pdf'));
    expect(ofPdf.length).toBeGreaterThan(5);
    expect(declare({ schedule: { metadata: {} } })).toMatchObject({ unread: ofPdf.map(([name]) => name) });
    expect(declare({ schedule: { destinations: [] } })).toMatchObject({ unread: ['textBody'] });
  });

  test('a schedule is not declared if a value that the service withholds cannot be a reference', () => {
    const declared = declare({
      listed: { format: 'csv', destinationType: 'sftp' },
      schedule: { destinations: [] },
      recipients: { type: 'sftp', settings: { address: 'a.example.com', username: 'a' } },
    });
    expect(declared).toEqual({ reason: expect.stringContaining('`port`') });
  });
});

describe('filters', () => {
  const region = { type: 'string', kind: 'EQUALS', values: ['Europe'] };
  const shown = { label: 'Region', description: '', hidden: false, required: true, requiredScope: 'tiles' };
  const onDashboard = (of: JsonObject, controls: JsonObject = {}): RemoteFilters => ({
    ...filters,
    filters: of,
    controls,
  });
  const filtersIn = (effective: JsonObject, dashboard: RemoteFilters | null) => {
    const declared = declare({ schedule: { filterConfig: effective }, filters: dashboard });
    const { filterConfig, ...rest } = fieldsOf(declared);
    expect(rest).toEqual(basic);
    return { filterConfig, shared: 'shared' in declared ? declared.shared : undefined };
  };

  test('a filter that equals that of its dashboard is declared, and named as one that nobody can tell from it', () => {
    expect(
      filtersIn(
        { region: { ...region, ...shown }, status: { values: ['done'] } },
        onDashboard({ region: { ...region, ...shown }, status: { values: [] } }),
      ),
    ).toEqual({ filterConfig: { region, status: { values: ['done'] } }, shared: ['/filterConfig/region'] });
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['another order of its values', { values: ['b', 'a'] }, { values: ['a', 'b'] }],
    ['a number as a text', { values: [7] }, { values: ['7'] }],
    ['a kind in another case', { kind: 'equals', values: ['a'] }, { kind: 'EQUALS', values: ['a'] }],
    ['a flag that is off', { values: ['a'], is_negative: false }, { values: ['a'] }],
    ['a key that only the dashboard has', { values: ['a'] }, { values: ['a'], fieldName: 'x', ui_type: 'PAST', y: 1 }],
    ['a list instead of a map', { a: ['x'] }['a'] as never, ['x'] as never],
  ])('a filter that differs from that of its dashboard by %s equals it', (_, own, dashboard) => {
    expect(filtersIn({ x: own }, onDashboard({ x: dashboard })).shared).toEqual(['/filterConfig/x']);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['values', { values: ['a'] }, { values: ['a', 'b'] }],
    ['is_negative', { values: ['a'], is_negative: true }, { values: ['a'] }],
    ['kind', { kind: 'CONTAINS', values: ['a'] }, { kind: 'EQUALS', values: ['a'] }],
    ['a range', { left_side: '7 days ago' }, { left_side: '30 days ago' }],
    ['a key that nobody knows', { values: ['a'], user: 1 }, { values: ['a'], user: 2 }],
    ['nothing in place of values', { values: [] }, { values: ['a'] }],
  ])(
    'a filter that differs from that of its dashboard by %s is declared as the own one of its schedule',
    (_, own, dashboard) => {
      expect(filtersIn({ x: own }, onDashboard({ x: dashboard }))).toEqual({ filterConfig: { x: own }, shared: [] });
    },
  );

  test.each<JsonObject>([
    { values: [] },
    { values: null, left_side: '', right_side: null, filters: [] },
    { ...region, ...shown, values: [], is_negative: false },
    { type: 'date', kind: 'BETWEEN', ui_type: 'ANY_TIME' },
    {},
  ])('a filter that lets all rows through is not declared: %j', (unset) => {
    for (const dashboard of [onDashboard({ x: unset }), onDashboard({}), null])
      expect(filtersIn({ x: unset }, dashboard)).toEqual({ filterConfig: undefined, shared: [] });
  });

  test.each<JsonObject>([
    { kind: 'IS_EMPTY' },
    { kind: 'QUERY_OFFSET', offset_interval_string: '1 month' },
    { type: 'boolean', is_negative: false },
    { type: 'user_attribute', attribute: 'region' },
    { values: [], is_negative: true },
    { values: [''] },
    { right_side: '7 days' },
    { conjunction: 'OR', filters: [{ values: ['a'] }, { values: ['b'] }] },
  ])('a filter that lets only some rows through is declared whole: %j', (set) => {
    expect(filtersIn({ x: { ...set, label: 'X' } }, onDashboard({ x: set }))).toEqual({
      filterConfig: { x: set },
      shared: ['/filterConfig/x'],
    });
  });

  test('a control of the dashboard is not declared', () => {
    const control = { type: 'FIELD_SELECTION', kind: 'FIELD', values: ['a'] };
    expect(filtersIn({ metric: control, region }, onDashboard({ region }, { metric: control }))).toEqual({
      filterConfig: { region },
      shared: ['/filterConfig/region'],
    });
  });

  test('where the filters of the dashboard cannot be read, all that are set are declared as such that may be its', () => {
    const declared = declare({ schedule: { filterConfig: { 'a/b': region, c: { values: [] } } }, filters: null });
    expect(fieldsOf(declared)).toEqual({ ...basic, filterConfig: { 'a/b': region } });
    expect(declared).toMatchObject({ shared: ['/filterConfig/a~1b'] });
    expect(commentsOf(declared)).toEqual([expect.stringContaining('could not be read')]);
    expect(declare({ schedule: { filterConfig: {} }, filters: null })).toMatchObject({ draft: { comments: [] } });
  });

  test('a filter that equals a default of almanac.yaml is named although it is not written', () => {
    const defaults = { filterConfig: { region } };
    const declared = declare({
      schedule: { filterConfig: { region } },
      filters: onDashboard({ region }),
      defaults,
    });
    expect(fieldsOf(declared)).toEqual(basic);
    expect(declared).toMatchObject({ shared: ['/filterConfig/region'] });
  });
});

describe('defaults of almanac.yaml', () => {
  test('an import omits values that equal the defaults of almanac.yaml and overrides the others', () => {
    const defaults = { timezone: 'UTC', showFilters: false, paused: true, hideTitle: false, testNow: true };
    const { timezone: _, ...rest } = basic;
    expect(fieldsOf(declare({ defaults }))).toEqual({ ...rest, showFilters: true, paused: false, testNow: false });
    expect(fieldsOf(declare({ defaults: { timezone: 'Europe/London' } }))).toEqual(basic);
    const same = declare({ schedule: { metadata: { showFilters: false } }, defaults: { showFilters: false } });
    expect(fieldsOf(same)).toEqual(basic);
  });

  test('a schedule is not declared if it cannot undo a default of almanac.yaml', () => {
    expect(declare({ defaults: { paperFormat: 'a4' } })).toEqual({ reason: expect.stringContaining('`paperFormat`') });
    expect(fieldsOf(declare({ defaults: { maxRowLimit: 5, filename: 'x' } }))).toEqual(basic);
  });
});

test.each<[string, Changes]>([
  ['google_sheets', { listed: { destinationType: 'google_sheets' } }],
  ['pptx', { listed: { format: 'pptx' }, schedule: { destinations: [] } }],
  ['user groups alone (Managers)', { recipients: { emails: [], groups: [{ name: 'Managers', emails: [] }] } }],
  ['2 destinations', { schedule: { destinations: [...schedule.destinations, ...schedule.destinations] } }],
])('a schedule with %s cannot be declared', (words, changes) => {
  expect(declare(changes)).toEqual({ reason: expect.stringContaining(words) });
});

test('user groups are declared by name, and those that share one by id', () => {
  const groups = [
    { id: 'a', name: 'Board', emails: [] },
    { id: 'b', name: 'Sales', emails: ['x@example.com'] },
    { id: 'c', name: 'Sales', emails: [] },
  ];
  const declared = declare({ recipients: { groups }, listed: { recipientCount: 9 } });
  expect(fieldsOf(declared)).toEqual({ ...basic, userGroups: ['Board', 'b', 'c'] });
  expect(commentsOf(declared)).toEqual([]);
});

test('the declaration of a stopped schedule says why it is stopped', () => {
  expect(fieldsOf(declare({ schedule: { paused: true } }))).toEqual({ ...basic, paused: true });
  expect(commentsOf(declare({ schedule: { stopped: 'missingQuery' }, listed: { recipientCount: 2 } }))).toEqual([
    'Omni has stopped it: missingQuery.',
    'Omni counts 2 recipients, but named 1.',
  ]);
});

test('an import keeps nothing that may be a secret', () => {
  const metadata = { type: 'sftp', password: 'p', auth: { privateKey: 'k', user: 'u' }, path: '/in' };
  const kept = withoutSecrets({ ...schedule, metadata, destinations: [{ format: 'csv', metadata }] });
  const expected = { type: 'sftp', auth: { user: 'u' }, path: '/in' };
  expect([kept.metadata, kept.destinations[0]?.metadata]).toEqual([expected, expected]);
  expect(withoutSecrets({ ...recipients, settings: metadata }).settings).toEqual(expected);
});
