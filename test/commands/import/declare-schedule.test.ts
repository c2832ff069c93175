// A schedule of the service as a declaration: what the service reports, what is a default, and what is not reported.

import { describe, expect, test } from 'vitest';
import { type ReadSchedule, withoutSecrets } from '../../../src/commands/base/details/read-details.ts';
import { type DeclaredSchedule, declareSchedule } from '../../../src/commands/import/declare-schedule.ts';
import type {
  ListedSchedule,
  RemoteFilters,
  RemoteRecipients,
  RemoteSchedule,
} from '../../../src/model/service/remote.ts';
import type { JsonObject } from '../../../src/model/values/json.ts';

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
  killJobsOnFailure: false,
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
  return declareSchedule(read, changes.defaults ?? {}, (secret) => `A_${secret.kind.toUpperCase()}`);
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
      reason: 'Its `recipients` could not be read back, and it is required.',
    });
  });

  test('an alert and a single tile need values that the service does not report', () => {
    const declared = declare({ listed: { conditionType: 'RESULTS_PRESENT', isTile: true } });
    expect(declared).toEqual({ reason: 'Its `queryIdentifierMapKey` could not be read back, and it is required.' });
  });

  test('an optional value that the service does not report is named if the answer has nothing of its kind', () => {
    expect(declare({ schedule: { metadata: {} } })).toMatchObject({
      unread: [
        'showContentLink',
        'showFilters',
        'hideTitle',
        'expandTablesToShowAllRows',
        'singleColumnLayout',
        'paperFormat',
        'paperOrientation',
      ],
    });
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
  const effective = { region: { values: ['Europe'] }, status: { values: ['done'] } };

  test('an import omits filters that equal those of the dashboard', () => {
    const own = declare({
      schedule: { filterConfig: effective },
      filters: { ...filters, filters: { region: { values: [] }, status: { values: ['done'] } } },
    });
    expect(fieldsOf(own)).toEqual({ ...basic, filterConfig: { region: { values: ['Europe'] } } });
    expect(
      fieldsOf(declare({ schedule: { filterConfig: effective }, filters: { ...filters, filters: effective } })),
    ).toEqual(basic);
  });

  test('an import does not declare filters that cannot be compared, and says so in a comment', () => {
    const declared = declare({ schedule: { filterConfig: effective }, filters: null });
    expect(fieldsOf(declared)).toEqual(basic);
    expect(commentsOf(declared)).toEqual([expect.stringContaining('could not be read')]);
    expect(declare({ schedule: { filterConfig: {} }, filters: null })).toMatchObject({ draft: { comments: [] } });
  });
});

describe('defaults of almanac.yaml', () => {
  test('an import omits values that equal the defaults of almanac.yaml and overrides the others', () => {
    const defaults = { timezone: 'UTC', showFilters: false, paused: true, hideTitle: false, testNow: true };
    expect(fieldsOf(declare({ defaults }))).toEqual({ ...basic, showFilters: true, paused: false, testNow: false });
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
  ['Managers', { recipients: { groups: [{ name: 'Managers', emails: [] }] } }],
  ['2 destinations', { schedule: { destinations: [...schedule.destinations, ...schedule.destinations] } }],
])('a schedule with %s cannot be declared', (words, changes) => {
  expect(declare(changes)).toEqual({ reason: expect.stringContaining(words) });
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
