import { expect, test } from 'vitest';
import { ids, startFull } from '../support/emulator/start-emulator.ts';

const uuid = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/);

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
    name: 'Weekly sales report',
    organizationId: '550e8400-e29b-41d4-a716-446655440000',
    entityId: uuid,
    ownerId: ids.bo,
    owner: { name: 'Bo Lindqvist' },
    schedule: '0 9 ? * MON *',
    timezone: 'America/New_York',
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
    systemDisabledAt: null,
    systemDisabledReason: null,
    createdAt: '2026-03-01T00:00:00.000Z',
    updatedAt: '2026-03-01T00:00:00.000Z',
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

test.each<[Parameters<typeof import('../support/emulator/start-emulator.ts')['scheduleBody']>[0], object, object]>([
  ['webhook', {}, { type: 'webhook', url: 'https://hooks.example.com/omni' }],
  ['slack', {}, { type: 'slack', slackRecipientType: 'channel', recipients: 'C0123456789' }],
  [
    'sftp',
    { passwordUnencrypted: 'hunter2' },
    { type: 'sftp', address: 'sftp.example.com', port: 22, username: 'reports', path: '/in/sales.pdf' },
  ],
  [
    's3',
    { keyPrefix: '/weekly' },
    {
      type: 's3',
      bucketName: 'acme-reports',
      region: 'us-east-1',
      roleArn: 'arn:aws:iam::123456789012:role/omni/Writer',
      externalId: '550e8400-e29b-41d4-a716-446655440000',
      keyPrefix: 'weekly',
    },
  ],
])('GET returns the settings of %s by type and without a password', async (type, changes, metadata) => {
  const { create, readSchedule: read } = await startFull();
  const schedule = await read(await create(type, changes));
  expect(schedule['destinations']).toMatchObject([{ metadata, recipients: [] }]);
  expect((schedule['destinations'] as { metadata: object }[])[0]?.metadata).toEqual(metadata);
  expect(JSON.stringify(schedule)).not.toMatch(/hunter2|password/i);
});

test.each([
  ['not a UUID', '12db1a0a', 400, 'scheduleId: Invalid uuid'],
  ['unknown', ids.stranger, 404, `Scheduled task with id ${ids.stranger} does not exist`],
])('GET of a schedule is refused if its id is %s', async (_, id, status, detail) => {
  const { send } = await startFull();
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['PUT', '/pause'],
    ['PUT', '/resume'],
    ['POST', '/trigger'],
    ['GET', '/recipients'],
  ] as const)
    expect((await send(method, `/v1/schedules/${id}${path}`)).body).toEqual({ detail, status });
});

test('a schedule id in capitals is the same id', async () => {
  const { create, readSchedule: read } = await startFull();
  const id = await create();
  expect(await read(id.toUpperCase())).toMatchObject({ id });
});

test('a personal token reads and changes only the schedules of its user', async () => {
  const { send, createOwnedBy, asAna } = await startFull();
  const [hers, his] = [await createOwnedBy(ids.ana), await createOwnedBy(ids.bo)];
  const status = async (method: string, path: string) =>
    (await send(method, `/v1/schedules/${path}`, undefined, asAna)).status;
  expect(await status('GET', hers)).toBe(200);
  expect(await status('PUT', `${hers}/pause`)).toBe(200);
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['PUT', '/pause'],
    ['GET', '/recipients'],
    ['POST', '/trigger'],
  ] as const)
    expect(await status(method, `${his}${path}`)).toBe(403);
  expect(await status('DELETE', hers)).toBe(200);
});

test('userId of a GET checks the access of that member, and needs an organization key', async () => {
  const { send, createOwnedBy, asAna } = await startFull();
  const id = await createOwnedBy(ids.bo);
  const status = async (userId: string, headers = {}) =>
    (await send('GET', `/v1/schedules/${id}?userId=${userId}`, undefined, headers)).status;
  expect(await status(ids.bo)).toBe(200);
  expect(await status(ids.cleo)).toBe(403);
  expect(await status(ids.ana, asAna)).toBe(403);
  expect((await send('DELETE', `/v1/schedules/${id}?userId=${ids.bo}`)).status).toBe(400);
});
