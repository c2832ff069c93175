import { expect, test } from 'vitest';
import { ids, scheduleBody, startEmulator } from '../support/emulator/start-emulator.ts';

const schedules = '/v1/schedules';

test('each POST creates a schedule with an id of its own', async () => {
  const { send, emulator } = await startEmulator();
  const first = await send('POST', schedules, scheduleBody());
  const second = await send('POST', schedules, scheduleBody());
  expect(first.status).toBe(200);
  expect(first.body).toEqual({ id: expect.any(String), message: 'Successfully created schedule' });
  expect(second.body.id).not.toBe(first.body.id);
  expect(emulator.data().schedules.map(({ id }) => id)).toEqual([first.body.id, second.body.id]);
  expect(emulator.data().schedules[0]).toEqual({
    id: first.body.id,
    ownerId: null,
    createdAt: '2026-03-01T00:00:00.000Z',
    updatedAt: '2026-03-01T00:00:00.000Z',
    hasPassword: false,
    fields: scheduleBody(),
  });
});

test('a POST of an S3 schedule returns the role that the bucket has to trust', async () => {
  const { send, emulator } = await startEmulator();
  const reply = await send('POST', schedules, scheduleBody('s3', { keyPrefix: '//reports/weekly/' }));
  expect(reply.body).toEqual({
    id: expect.any(String),
    message: 'Successfully created schedule',
    delivererRoleArn: 'arn:aws:iam::529831494235:role/OmniSchedulerDelivererRole',
    externalId: '550e8400-e29b-41d4-a716-446655440000',
  });
  expect(emulator.data().schedules[0]?.fields.keyPrefix).toBe('reports/weekly/');
});

test('the emulator keeps the fact that a password exists, not the password', async () => {
  const { send, emulator } = await startEmulator();
  await send('POST', schedules, scheduleBody('sftp', { passwordUnencrypted: 'hunter2' }));
  expect(emulator.data().schedules[0]?.hasPassword).toBe(true);
  expect(JSON.stringify(emulator.data())).not.toContain('hunter2');
});

test('a POST with testNow delivers at once and creates no schedule', async () => {
  const { send, emulator } = await startEmulator();
  const reply = await send('POST', schedules, scheduleBody('email', { testNow: true }));
  expect(reply.body).toEqual({ message: 'Successfully created schedule' });
  expect(emulator.data().schedules).toEqual([]);
  expect(emulator.data().deliveries).toMatchObject([
    { at: '2026-03-01T00:00:00.000Z', identifier: '12db1a0a', destinationType: 'email', format: 'pdf' },
  ]);
});

test('userId of a POST decides the owner, and needs an organization key', async () => {
  const { send, emulator, personalToken } = await startEmulator();
  const personal = { Authorization: `Bearer ${personalToken}` };
  await send('POST', `${schedules}?userId=${ids.bo}`, scheduleBody());
  await send('POST', schedules, scheduleBody(), personal);
  expect(emulator.data().schedules.map(({ ownerId }) => ownerId)).toEqual([ids.bo, ids.ana]);
  expect((await send('POST', `${schedules}?userId=${ids.ana}`, scheduleBody(), personal)).status).toBe(403);
  expect((await send('POST', `${schedules}?userId=${ids.stranger}`, scheduleBody())).body).toEqual({
    detail: `User with id ${ids.stranger} does not exist`,
    status: 404,
  });
  expect((await send('POST', `${schedules}?userId=bo`, scheduleBody())).body.detail).toBe('userId: Invalid uuid');
  expect((await send('POST', `${schedules}?owner=bo`, scheduleBody())).status).toBe(400);
});

test.each(['identifier', 'name', 'schedule', 'timezone', 'format', 'destinationType'])(
  'a POST without %s is refused',
  async (name) => {
    const { send } = await startEmulator();
    const reply = await send('POST', schedules, scheduleBody('email', { [name]: undefined }));
    expect(reply.body).toEqual({ detail: `${name}: Required`, status: 400 });
  },
);

test.each<[object, string]>([
  [{ name: '' }, 'name: String must contain at least 1 character(s)'],
  [{ name: 1 }, 'name: Expected string, received number'],
  [{ name: null }, 'name: Expected string, received null'],
  [{ schedule: '0 9 * * MON' }, 'schedule: Schedule is an invalid cron expression'],
  [{ timezone: 'Mars/Olympus' }, 'timezone: Time zone must be IANA valid.'],
  [{ timezoneOverride: '+05:30' }, 'timezoneOverride: Time zone must be IANA valid.'],
  [
    { format: 'PDF' },
    "format: Invalid enum value. Expected 'csv' | 'link_only' | 'json' | 'pdf' | 'png' | 'xlsx', received 'PDF'",
  ],
  [
    { destinationType: 'ftp' },
    "destinationType: Invalid enum value. Expected 'webhook' | 'email' | 'sftp' | 'slack' | 's3', received 'ftp'",
  ],
  [
    { paperFormat: 'A4' },
    "paperFormat: Invalid enum value. Expected 'a3' | 'a4' | 'letter' | 'legal' | 'fit_page' | 'tabloid', received 'A4'",
  ],
  [
    { paperOrientation: 'up' },
    "paperOrientation: Invalid enum value. Expected 'portrait' | 'landscape', received 'up'",
  ],
  [
    { conditionType: 'NONE', conditionQueryMapKey: '1' },
    "conditionType: Invalid enum value. Expected 'RESULTS_PRESENT' | 'RESULTS_CHANGED' | 'RESULTS_MISSING' | 'RESULTS_UNCHANGED', received 'NONE'",
  ],
  [{ filterConfig: [] }, 'filterConfig: Expected object, received array'],
  [{ webhookUrl: 'https://example.com' }, "Unrecognized key(s) in object: 'webhookUrl'"],
  [{ a: 1, b: 2 }, "Unrecognized key(s) in object: 'a', 'b'"],
  [{ constructor: 1 }, "Unrecognized key(s) in object: 'constructor'"],
  [{ conditionType: 'RESULTS_PRESENT' }, 'Alert conditions require a condition type and a condition query map key'],
  [{ conditionQueryMapKey: '1' }, 'Alert conditions require a condition type and a condition query map key'],
  [
    { testNow: true, conditionType: 'RESULTS_CHANGED', conditionQueryMapKey: '1' },
    'Test delivery not supported for condition type RESULTS_CHANGED',
  ],
  [{ identifier: 'a17b3e94' }, 'Document does not have a dashboard'],
  [
    { filterConfig: { Region: {}, x: {} } },
    'Invalid filter keys found in schedule configuration: Region, x. Available dashboard filter keys are: order_status, order_date, region.',
  ],
  [
    { identifier: 'e5521fd8', filterConfig: { region: {} } },
    'Invalid filter keys found in schedule configuration: region. Available dashboard filter keys are: .',
  ],
  [{ queryIdentifierMapKey: 'jmn2r3kv' }, "Couldn't find query presentation for key: jmn2r3kv"],
  [{ conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '9' }, "Couldn't find query presentation for key: 9"],
])('a POST of a schedule is answered with 400 for %j', async (changes, detail) => {
  const { send, emulator } = await startEmulator();
  const reply = await send('POST', schedules, scheduleBody('email', changes));
  expect(reply.body).toEqual({ detail, status: 400 });
  expect(emulator.data().schedules).toEqual([]);
});

test.each(['ffffffff', '0ddba115'])(
  'a POST of a schedule is answered with 404 for %s: unknown, deleted',
  async (identifier) => {
    const { send } = await startEmulator();
    const reply = await send('POST', schedules, scheduleBody('email', { identifier }));
    expect(reply.body).toEqual({ detail: `Document with identifier "${identifier}" not found`, status: 404 });
  },
);

const booleans =
  'killJobsOnFailure testNow hideTitle showFilters showContentLink expandTablesToShowAllRows singleColumnLayout fanOut';
test.each(booleans.split(' '))('a POST of a schedule accepts %s as a boolean and refuses it as text', async (name) => {
  const { send } = await startEmulator();
  const reply = await send('POST', schedules, scheduleBody('email', { [name]: 'false' }));
  expect(reply.body).toEqual({ detail: `${name}: Expected boolean, received string`, status: 400 });
  expect((await send('POST', schedules, scheduleBody('email', { [name]: false }))).status).toBe(200);
});

test.each<[string, object]>([
  [
    'filters and an alert',
    {
      filterConfig: { region: { kind: 'EQ', left_side: 'US' }, order_status: ['complete'] },
      conditionType: 'RESULTS_UNCHANGED',
      conditionQueryMapKey: 'Jmn2r3KV',
    },
  ],
  ['a single tile', { queryIdentifierMapKey: '1' }],
  [
    'a test of an alert that compares nothing',
    { testNow: true, conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' },
  ],
  ['an empty filterConfig', { filterConfig: {} }],
  ['the query time zone', { timezoneOverride: null }],
])('a POST of a schedule accepts %s', async (_, changes) => {
  const { send } = await startEmulator();
  expect((await send('POST', schedules, scheduleBody('email', changes))).body).toHaveProperty('message');
});
