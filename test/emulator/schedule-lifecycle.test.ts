// Deleting, pausing, resuming, triggering and handing over schedules, and schedules that are not visible at once.

import { expect, test } from 'vitest';
import { ids, scheduleBody, startFull } from '../support/emulator/start-emulator.ts';

test('a schedule is deleted once', async () => {
  const { send, create, emulator } = await startFull();
  const [gone, kept] = [await create(), await create()];
  expect((await send('DELETE', `/v1/schedules/${gone}`)).body).toEqual({ success: true });
  expect(emulator.data().schedules.map(({ id }) => id)).toEqual([kept]);
  expect((await send('DELETE', `/v1/schedules/${gone}`)).body).toEqual({
    detail: `Scheduled task with id ${gone} does not exist`,
    status: 404,
  });
});

test('pause and resume alternate and cannot be repeated', async () => {
  const { send, create, readSchedule: read } = await startFull();
  const id = await create();
  const put = async (verb: string) => (await send('PUT', `/v1/schedules/${id}/${verb}`)).body;
  expect(await put('resume')).toEqual({ detail: 'Schedule is already resumed', status: 400 });
  expect(await put('pause')).toEqual({ success: true });
  expect(await read(id)).toMatchObject({ disabledAt: '2026-03-01T00:00:00.000Z' });
  expect(await put('pause')).toEqual({ detail: 'Schedule is already paused', status: 400 });
  expect(await put('resume')).toEqual({ success: true });
  expect(await read(id)).toMatchObject({ disabledAt: null });
});

test('pause and resume do not change a schedule that the service has stopped', async () => {
  const { send, create, readSchedule: read, emulator } = await startFull();
  const id = await create();
  emulator.edit(({ schedules: [schedule] }) => {
    if (schedule) schedule.systemDisabled = { at: '2026-02-20T00:00:00.000Z', reason: 'orphanedFilterConfigKeys' };
  });
  const refused = { detail: 'Schedule is system disabled', status: 400 };
  expect((await send('PUT', `/v1/schedules/${id}/pause`)).body).toEqual(refused);
  expect((await send('PUT', `/v1/schedules/${id}/resume`)).body).toEqual(refused);
  const stopped = { systemDisabledAt: '2026-02-20T00:00:00.000Z', systemDisabledReason: 'orphanedFilterConfigKeys' };
  expect(await read(id)).toMatchObject(stopped);
  expect((await send('GET', '/v1/schedules')).body.records).toMatchObject([stopped]);
});

test('trigger delivers once and keeps the schedule', async () => {
  const { send, create, readSchedule: read, emulator } = await startFull();
  const id = await create();
  expect((await send('POST', `/v1/schedules/${id}/trigger`)).body).toEqual({ success: true });
  expect(emulator.data().deliveries).toMatchObject([{ name: 'Weekly sales report' }]);
  expect(await read(id)).toMatchObject({
    destinations: [{ lastStatus: 'COMPLETE', lastCompletedAt: '2026-03-01T00:00:00.000Z' }],
  });
  await send('PUT', `/v1/schedules/${id}/pause`);
  expect((await send('POST', `/v1/schedules/${id}/trigger`)).status).toBe(409);
});

test('a personalized delivery to many recipients cannot be triggered', async () => {
  const { send, create } = await startFull();
  const recipients = Array.from({ length: 51 }, (_, index) => `r${index}@example.com`);
  const id = await create('email', { fanOut: true, recipients });
  expect((await send('POST', `/v1/schedules/${id}/trigger`)).status).toBe(409);
});

test('ownership moves to another member who can view the dashboard', async () => {
  const { send, createOwnedBy, readSchedule: read } = await startFull();
  const id = await createOwnedBy(ids.ana, 'email', { identifier: 'b4d86e20' });
  const transfer = async (body: unknown) => (await send('PUT', `/v1/schedules/${id}/transfer-ownership`, body)).status;
  expect(await transfer({ userId: ids.cleo })).toBe(200);
  expect(await read(id)).toMatchObject({ ownerId: ids.cleo });
  expect(await transfer({ userId: ids.cleo })).toBe(400);
  expect(await transfer({ userId: ids.bo })).toBe(400);
  expect(await transfer({ userId: ids.stranger })).toBe(404);
  expect(await transfer({ userId: 'bo' })).toBe(400);
  expect(await transfer({})).toBe(400);
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

test('an emulator with operations full says which methods a path has', async () => {
  const { send } = await startFull();
  expect((await send('PATCH', `/v1/schedules/${ids.stranger}`)).headers.get('allow')).toBe('GET, PUT, DELETE');
});
