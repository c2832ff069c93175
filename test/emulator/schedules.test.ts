// What a schedule is made of, and what becomes of it. What is refused is in requests.txt.

import { expect, test } from 'vitest';
import { ids, scheduleBody, startFull } from '../support/emulator/start-emulator.ts';

const schedules = '/v1/schedules';
const uuid = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/);

test('each POST creates a schedule with an id of its own', async () => {
  const { send, emulator } = await startFull();
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

test('userId of a POST decides the owner', async () => {
  const { send, emulator, asAna } = await startFull();
  await send('POST', `${schedules}?userId=${ids.bo}`, scheduleBody());
  await send('POST', schedules, scheduleBody(), asAna);
  expect(emulator.data().schedules.map(({ ownerId }) => ownerId)).toEqual([ids.bo, ids.ana]);
});

test('GET of a schedule has a shape of its own', async () => {
  const { createOwnedBy, readSchedule: read } = await startFull();
  const id = await createOwnedBy(ids.bo, 'email', {
    recipients: ['ana@example.com', 'guest@partner.org'],
    textBody: 'Hello',
    fanOut: true,
    paperFormat: 'a4',
    hideTitle: true,
    conditionType: 'RESULTS_CHANGED',
    conditionQueryMapKey: '1',
    filterConfig: { region: { kind: 'EQUALS', type: 'string', values: ['EMEA'] } },
  });
  const schedule = await read(id);
  expect(schedule).toMatchObject({
    id,
    organizationId: '550e8400-e29b-41d4-a716-446655440000',
    entityId: uuid,
    ownerId: ids.bo,
    owner: { name: 'Bo Lindqvist' },
    fanOut: true,
    killJobsOnFailure: false,
    metadata: {
      hideTitle: true,
      showFilters: true,
      showContentLink: true,
      expandTablesToShowAllRows: false,
      singleColumnLayout: false,
      paperFormat: 'a4',
      timezoneOverride: null,
    },
    conditionType: 'RESULTS_CHANGED',
    conditionQueryMapKey: '1',
    disabledAt: null,
    destinations: [
      {
        id: uuid,
        format: 'pdf',
        lastStatus: null,
        lastCompletedAt: null,
        metadata: { type: 'email', subject: 'Weekly sales', textBody: 'Hello' },
        recipients: [
          { id: uuid, membershipId: ids.ana, membership: { user: { email: 'ana@example.com', name: 'Ana Ortiz' } } },
          { id: uuid, membershipId: uuid, membership: { user: { email: 'guest@partner.org', name: null } } },
        ],
        userGroupRecipients: [],
      },
    ],
  });
  expect(schedule).not.toHaveProperty('identifier');
  expect(schedule).not.toHaveProperty('destinationType');
  expect(schedule['metadata']).not.toHaveProperty('maxRowLimit');
});

test('GET of a schedule returns the effective filters: those of the dashboard with those of the schedule on top', async () => {
  const { create, readSchedule: read, emulator } = await startFull();
  const id = await create('email', { filterConfig: { region: ['EMEA'], order_status: { values: ['shipped'] } } });
  const filters = async () => (await read(id))['filterConfig'];
  expect(await filters()).toMatchObject({
    region: ['EMEA'],
    order_status: { values: ['shipped'] },
    order_date: { left_side: '30 days ago' },
  });
  emulator.edit(({ documents }) => {
    const sales = documents.find(({ identifier }) => identifier === '12db1a0a')?.dashboard;
    delete sales?.filters['order_status'];
    Object.assign(sales?.filters['order_date'] ?? {}, { left_side: '7 days ago' });
  });
  expect(await filters()).toMatchObject({ region: ['EMEA'], order_date: { left_side: '7 days ago' } });
  expect(await filters()).not.toHaveProperty('order_status');
});

test('schedules of one dashboard have the same entityId, which also finds its filters and queries', async () => {
  const { create, readSchedule: read, send } = await startFull();
  const { entityId: first } = await read(await create());
  const { entityId: second } = await read(await create());
  const { entityId: other } = await read(await create('email', { identifier: 'b4d86e20' }));
  expect(first).toBe(second);
  expect(other).not.toBe(first);
  expect((await send('GET', `/v1/dashboards/${first}/filters`)).body).toMatchObject({ identifier: '12db1a0a' });
  expect((await send('GET', `/v1/documents/${first}/queries`)).body).toHaveProperty('queries');
});

test('recipients of mail are people with permanent ids', async () => {
  const { send, create } = await startFull();
  const id = await create('email', { recipients: ['ana@example.com', 'guest@partner.org'] });
  const ask = async () => (await send('GET', `/v1/schedules/${id}/recipients`)).body;
  expect(await ask()).toEqual({
    type: 'email',
    recipients: [
      { id: expect.any(String), email: 'ana@example.com', name: 'Ana Ortiz', emailOnly: false },
      { id: expect.any(String), email: 'guest@partner.org', name: 'guest@partner.org', emailOnly: true },
    ],
    userGroupRecipients: [],
  });
  expect(await ask()).toEqual(await ask());
});

test('PUT resets a time zone for queries and what only the app can set, and GET shows both', async () => {
  const { send, create, readSchedule: read, emulator } = await startFull();
  const id = await create('email', { timezoneOverride: 'Asia/Tokyo' });
  emulator.edit(({ schedules: [schedule] }) => void Object.assign(schedule ?? {}, { options: { watermark: 'Draft' } }));
  expect(await read(id)).toMatchObject({ metadata: { timezoneOverride: 'Asia/Tokyo', watermark: 'Draft' } });
  await send('PUT', `/v1/schedules/${id}`, scheduleBody());
  const { metadata } = await read(id);
  expect(metadata).toMatchObject({ timezoneOverride: null });
  expect(metadata).not.toHaveProperty('watermark');
});

test.each([
  ['webhook', {}, { url: 'https://hooks.example.com/omni' }, {}],
  ['sftp', { passwordUnencrypted: 'hunter2' }, { address: 'sftp.example.com', port: 22, username: 'reports' }, {}],
  ['slack', {}, {}, { recipients: [{ recipientType: 'channel', slackId: 'C0123456789' }] }],
  [
    'slack',
    { slackRecipientType: 'users', recipients: 'U1, U2' },
    {},
    { recipients: ['U1', 'U2'].map((slackId) => ({ recipientType: 'users', slackId })) },
  ],
  [
    's3',
    { filename: 'sales', keyPrefix: '/weekly' },
    {
      bucketName: 'acme-reports',
      region: 'us-east-1',
      roleArn: 'arn:aws:iam::123456789012:role/omni/Writer',
      externalId: '550e8400-e29b-41d4-a716-446655440000',
      filename: 'sales',
      keyPrefix: 'weekly',
    },
    {},
  ],
] as const)(
  'the settings and recipients of a schedule to %s with %j are returned',
  async (type, changes, own, more) => {
    const { send, create, readSchedule } = await startFull();
    const id = await create(type, changes);
    expect((await send('GET', `${schedules}/${id}/recipients`)).body).toEqual({ type, ...own, ...more });
    const schedule = await readSchedule(id);
    expect(schedule['destinations']).toMatchObject([{ metadata: { type, ...own }, recipients: [] }]);
    expect(JSON.stringify(schedule)).not.toMatch(/hunter2|password/i);
  },
);

test('recipients of a destination that the API cannot create have only a type', async () => {
  const { send, create, emulator } = await startFull();
  const id = await create('webhook');
  emulator.edit(({ schedules }) => {
    for (const schedule of schedules) schedule.fields['destinationType'] = 'google_sheets';
  });
  expect(await send('GET', `/v1/schedules/${id}/recipients`)).toMatchObject({
    status: 200,
    body: { type: 'google_sheets' },
  });
});

const rich = {
  textBody: 'Hello',
  paperFormat: 'a4',
  hideTitle: true,
  showFilters: false,
  filterConfig: { region: ['EMEA'] },
  conditionType: 'RESULTS_PRESENT',
  conditionQueryMapKey: '1',
};

test('PUT replaces a schedule, and omitted fields return to their defaults', async () => {
  let time = Date.UTC(2026, 2, 1);
  const { send, create, readSchedule: read } = await startFull({ now: () => time });
  const id = await create('email', rich);
  await send('PUT', `/v1/schedules/${id}/pause`);
  time += 60_000;
  const reply = await send('PUT', `/v1/schedules/${id}`, scheduleBody('email', { name: 'Renamed' }));
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ success: true, scheduledTaskId: id });
  const schedule = await read(id);
  expect(schedule).toMatchObject({
    name: 'Renamed',
    conditionType: null,
    conditionQueryMapKey: null,
    metadata: { hideTitle: false, showFilters: true },
    disabledAt: '2026-03-01T00:00:00.000Z',
    createdAt: '2026-03-01T00:00:00.000Z',
    updatedAt: '2026-03-01T00:01:00.000Z',
  });
  expect(schedule['metadata']).not.toHaveProperty('paperFormat');
  expect(schedule['filterConfig']).toMatchObject({ region: { values: [] } });
  expect(JSON.stringify(schedule)).not.toContain('Hello');
});

test.each([
  ['replace', '[]', 'Expected object, received array'],
  ['merge', 'null', 'Expected object, received null'],
] as const)('PUT refuses a body that is not an object (%s)', async (put, body, detail) => {
  const { send, create } = await startFull({ put });
  expect((await send('PUT', `/v1/schedules/${await create()}`, body)).body).toEqual({ detail, status: 400 });
});

test('PUT loses a password that is not sent again', async () => {
  const { send, create, emulator } = await startFull();
  const id = await create('sftp', { passwordUnencrypted: 'hunter2' });
  const put = (changes: object) => send('PUT', `/v1/schedules/${id}`, scheduleBody('sftp', changes));
  const hasPassword = () => emulator.data().schedules[0]?.hasPassword;
  await put({ passwordUnencrypted: 'hunter3' });
  expect(hasPassword()).toBe(true);
  await put({});
  expect(hasPassword()).toBe(false);
  expect(JSON.stringify(emulator.data())).not.toContain('hunter');
});

test('PUT may not move a schedule with fixedDestination', async () => {
  const { send, create } = await startFull({ fixedDestination: true });
  const path = `/v1/schedules/${await create()}`;
  expect((await send('PUT', path, scheduleBody('webhook'))).status).toBe(400);
  expect((await send('PUT', path, scheduleBody('email', { identifier: 'b4d86e20' }))).status).toBe(404);
  expect((await send('PUT', path, scheduleBody('email', { name: 'x' }))).status).toBe(200);
});

test('PUT merges if it is configured to, and omitted fields stay', async () => {
  const { send, create, readSchedule: read } = await startFull({ put: 'merge' });
  const id = await create('email', rich);
  const before = await read(id);
  expect((await send('PUT', `/v1/schedules/${id}`, { name: 'Renamed' })).status).toBe(200);
  expect(await read(id)).toEqual({ ...before, name: 'Renamed' });
});

test('PUT validates a merged schedule as a whole', async () => {
  const { send, create } = await startFull({ put: 'merge' });
  const path = `/v1/schedules/${await create('email', rich)}`;
  expect((await send('PUT', path, { paperFormat: 'fit_page', singleColumnLayout: true })).status).toBe(400);
  expect((await send('PUT', path, { url: 'https://example.com' })).body.detail).toMatch(/url cannot be used/);
  expect((await send('PUT', path, { identifier: 'e5521fd8' })).body.detail).toMatch(/Invalid filter keys/);
});

test('PUT that merges a new destination and format removes the fields of the old ones, including the password', async () => {
  const { send, create, readSchedule: read, emulator } = await startFull({ put: 'merge' });
  const id = await create('sftp', { passwordUnencrypted: 'hunter2', paperFormat: 'a4' });
  const put = (body: object) => send('PUT', `/v1/schedules/${id}`, body);
  await put({ name: 'Renamed' });
  expect(emulator.data().schedules[0]?.hasPassword).toBe(true);
  expect((await put({ destinationType: 'webhook', url: 'https://example.com/x', format: 'csv' })).status).toBe(200);
  expect(await read(id)).toMatchObject({
    destinations: [{ format: 'csv', metadata: { type: 'webhook', url: 'https://example.com/x' } }],
  });
  expect(emulator.data().schedules[0]).toMatchObject({ hasPassword: false });
  expect(emulator.data().schedules[0]?.fields).not.toHaveProperty('paperFormat');
});

test('a new schedule is visible only after a while under eventual consistency', async () => {
  let time = Date.UTC(2026, 2, 1);
  const { send, create } = await startFull({ eventualConsistencyMs: 3_000, now: () => time });
  const id = await create();
  const statuses = async () => {
    const path = `/v1/schedules/${id}`;
    const replies = [
      await send('GET', path),
      await send('PUT', path, scheduleBody()),
      await send('PUT', `${path}/pause`),
    ];
    return replies.map(({ status }) => status);
  };
  const listed = async () => (await send('GET', '/v1/schedules')).body.pageInfo.totalRecords;
  time += 2_999;
  expect([await statuses(), await listed()]).toEqual([[404, 404, 404], 0]);
  expect((await send('DELETE', `/v1/schedules/${id}`)).status).toBe(404);
  time += 1;
  expect([await statuses(), await listed()]).toEqual([[200, 200, 200], 1]);
});

test('a DELETE removes one schedule and no other', async () => {
  const { send, create, emulator } = await startFull();
  const [gone, kept] = [await create(), await create()];
  await send('DELETE', `${schedules}/${gone}`);
  expect(emulator.data().schedules.map(({ id }) => id)).toEqual([kept]);
});

test('the members of the user groups of a schedule receive it, and those of other groups do not', async () => {
  const { send, create, readSchedule, emulator } = await startFull();
  const id = await create('email', { recipients: ['ana@example.com'] });
  emulator.edit((data) => {
    data.userGroups = ['Finance', 'Sales'].map((name) => ({ id: name, name, memberIds: [ids.bo] }));
    for (const schedule of data.schedules) schedule.userGroupIds = ['Finance'];
  });
  const bo = { id: uuid, email: 'bo@example.com', name: 'Bo Lindqvist', emailOnly: false };
  const { body } = await send('GET', `${schedules}/${id}/recipients`);
  expect(body).toMatchObject({ userGroupRecipients: [{ id: 'Finance', name: 'Finance', recipients: [bo] }] });
  const destinations = [{ userGroupRecipients: [{ id: 'Finance', name: 'Finance' }] }];
  expect(await readSchedule(id)).toMatchObject({ destinations });
});
