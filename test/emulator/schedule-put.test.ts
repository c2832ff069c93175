import { expect, test } from 'vitest';
import { ids, scheduleBody, startFull } from '../support/emulator/start-emulator.ts';

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
    createdAt: '2026-03-01T00:00:00.000Z',
    updatedAt: '2026-03-01T00:01:00.000Z',
  });
  expect(schedule['metadata']).not.toHaveProperty('paperFormat');
  expect(schedule['filterConfig']).toMatchObject({ region: { values: [] } });
  expect(JSON.stringify(schedule)).not.toContain('Hello');
});

test('the same PUT twice changes nothing more', async () => {
  const { send, create, readSchedule: read } = await startFull();
  const id = await create();
  const put = () => send('PUT', `/v1/schedules/${id}`, scheduleBody('email', rich));
  await put();
  const once = await read(id);
  await put();
  expect(await read(id)).toEqual(once);
});

test.each<[string, object, number, string]>([
  ['the shape of GET', { destinationType: undefined }, 400, 'destinationType: Required'],
  ['a missing field', { name: undefined }, 400, 'name: Required'],
  ['a broken rule', { format: 'csv', paperFormat: 'a4' }, 400, 'Print options are not supported for this format'],
  ['testNow', { testNow: true }, 400, "Unrecognized key(s) in object: 'testNow'"],
  ['testNow, false', { testNow: false }, 400, "Unrecognized key(s) in object: 'testNow'"],
  ['an unknown dashboard', { identifier: 'ffffffff' }, 404, 'Document with identifier "ffffffff" not found'],
])('PUT refuses %s and changes nothing', async (_, changes, status, detail) => {
  const { send, create, readSchedule: read } = await startFull();
  const id = await create();
  const before = await read(id);
  const reply = await send('PUT', `/v1/schedules/${id}`, scheduleBody('email', { name: 'x', ...changes }));
  expect(reply.body).toEqual({ detail, status });
  expect(await read(id)).toEqual(before);
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

test('PUT may move a schedule to another destination and another dashboard', async () => {
  const { send, create, readSchedule: read } = await startFull();
  const id = await create('email', rich);
  await send('PUT', `/v1/schedules/${id}`, scheduleBody('webhook', { identifier: 'b4d86e20' }));
  expect(await read(id)).toMatchObject({ destinations: [{ metadata: { type: 'webhook' }, recipients: [] }] });
  expect((await send('GET', '/v1/schedules?identifier=b4d86e20')).body.records).toHaveLength(1);
});

test('PUT may not move a schedule with fixedDestination', async () => {
  const { send, create } = await startFull({ fixedDestination: true });
  const path = `/v1/schedules/${await create()}`;
  expect((await send('PUT', path, scheduleBody('webhook'))).status).toBe(400);
  expect((await send('PUT', path, scheduleBody('email', { identifier: 'b4d86e20' }))).status).toBe(404);
  expect((await send('PUT', path, scheduleBody('email', { name: 'x' }))).status).toBe(200);
});

test('PUT neither pauses nor resumes a schedule', async () => {
  const { send, create, readSchedule: read } = await startFull();
  const id = await create();
  await send('PUT', `/v1/schedules/${id}/pause`);
  await send('PUT', `/v1/schedules/${id}`, scheduleBody());
  expect(await read(id)).toMatchObject({ disabledAt: '2026-03-01T00:00:00.000Z' });
});

test('PUT with a personal token is only for the owner', async () => {
  const { send, createOwnedBy, asAna } = await startFull();
  const [hers, his] = [await createOwnedBy(ids.ana), await createOwnedBy(ids.bo)];
  const put = async (id: string) => (await send('PUT', `/v1/schedules/${id}`, scheduleBody(), asAna)).status;
  expect([await put(hers), await put(his)]).toEqual([200, 403]);
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
