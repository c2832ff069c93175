// AI routines over HTTP: what is kept, who sees them, when they run and what stops them. What single requests are refused
// with is in requests.txt.

import { expect, test } from 'vitest';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { parseFault } from '../../src/emulator/faults.ts';
import type { EmulatorData } from '../../src/emulator/store.ts';
import { ids, routineBody, startFull } from '../support/emulator/start-emulator.ts';

const routines = '/v1/ai/routines';
const board = '0aea1b4c-ebfd-4f6a-bdf6-d7edfd798b34';

async function start(options: EmulatorOptions = {}, change: (data: EmulatorData) => void = () => undefined) {
  const data = demoOrganization();
  data.userGroups = [{ id: board, name: 'Board', memberIds: [ids.ana, ids.bo] }];
  change(data);
  const running = await startFull({ data, ...options });
  const { send } = running;
  return {
    ...running,
    make: async (changes: object = {}, query = '') =>
      (await send('POST', routines + query, routineBody(changes))).body.id,
    read: async (id: string, query = '') => ({ ...(await send('GET', `${routines}/${id}${query}`)).body }),
    list: async (query = '') => (await send('GET', routines + query)).body,
  };
}

const to = (recipientEmails: string[], userGroupIds: string[] = []) => ({
  type: 'email',
  recipientEmails,
  userGroupIds,
});

test('a new routine reads back with all of its keys, and what was not given is null', async () => {
  const { make, read } = await start();
  const id = await make({ destination: { type: 'email', recipientEmails: ['x@partner.org'] } });
  expect(await read(id)).toEqual({
    ...routineBody(),
    id,
    description: null,
    branchId: null,
    topicName: null,
    destination: to(['x@partner.org']),
    disabled: false,
    systemDisabled: false,
    systemDisabledReason: null,
    recipientCount: 1,
    lastRun: null,
    createdAt: '2026-03-01T00:00:00.000Z',
    updatedAt: '2026-03-01T00:00:00.000Z',
  });
});

test('a list shows the whole routines of one member, page by page and newest first', async () => {
  let now = Date.UTC(2026, 2, 1);
  const { make, read, list } = await start({ now: () => now++ });
  await make({ name: 'Of Bo' }, `?userId=${ids.bo}`);
  const made: string[] = [];
  for (const name of ['a', 'c', 'b']) made.push(await make({ name }, `?userId=${ids.ana}`));
  const first = await list(`?userId=${ids.ana}&pageSize=2`);
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, pageSize: 2, totalRecords: 3 });
  expect(first.records.map(({ name }) => name)).toEqual(['b', 'c']);
  expect(first.records[0]).toEqual(await read(made[2] ?? ''));
  const last = await list(`?userId=${ids.ana}&pageSize=2&cursor=${first.pageInfo.nextCursor}`);
  expect(last).toMatchObject({ pageInfo: { hasNextPage: false, nextCursor: null }, records: [{ name: 'a' }] });
  const byName = await list('?sortField=name&sortDirection=asc');
  expect(byName.records.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

test('a routine that an organization key makes for nobody belongs to the first member', async () => {
  const { make, send, asAna } = await start();
  const id = await make();
  expect((await send('GET', `${routines}/${id}`, undefined, asAna)).status).toBe(200);
});

test('a PATCH changes what it names, and replaces the recipients as a whole', async () => {
  const { make, send, read } = await start();
  const id = await make({ description: 'For the board', destination: to(['ana@example.com'], [board]) });
  const { status, body } = await send('PATCH', `${routines}/${id}`, {
    description: null,
    destination: to(['bo@example.com']),
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...routineBody(),
    description: null,
    destination: to(['bo@example.com']),
    recipientCount: 1,
  });
  expect(await read(id)).toEqual(body);
});

test('a routine that was deleted is gone, and no other', async () => {
  const { make, send, list } = await start();
  const [gone, kept] = [await make(), await make()];
  expect((await send('DELETE', `${routines}/${gone}`)).body).toEqual({ deleted: true, id: gone });
  expect((await list()).records).toMatchObject([{ id: kept }]);
  expect((await send('DELETE', `${routines}/${gone}`)).status).toBe(404);
});

test('each person counts once as a recipient, the members of groups too, and a Slack recipient as one', async () => {
  const { make, read } = await start();
  const mailed = await make({ destination: to(['BO@example.com', 'x@partner.org'], [board]) });
  const slack = await make({ destination: { type: 'slack', recipientId: 'U1', slackRecipientType: 'users' } });
  expect(await read(mailed)).toMatchObject({ recipientCount: 3 });
  expect(await read(slack)).toMatchObject({ recipientCount: 1, destination: { type: 'slack', recipientId: 'U1' } });
});

test('an address reads back as the one that its member has now, and not at all once the member left', async () => {
  const { make, read, emulator } = await start();
  const id = await make({ destination: to(['bo@example.com', 'cleo@example.com', 'x@partner.org']) });
  emulator.edit(({ members }) => {
    for (const member of members) if (member.id === ids.bo) member.email = 'bo.l@example.com';
    for (const member of members) if (member.id === ids.cleo) member.active = false;
  });
  expect(await read(id)).toMatchObject({ destination: to(['bo.l@example.com', 'x@partner.org']), recipientCount: 2 });
});

test.each<[how: string, status: number, leave: (data: EmulatorData) => void]>([
  ['was deleted', 404, (data) => data.members.splice(1, 1)],
  [
    'is inactive',
    403,
    (data) => data.members.splice(1, 1, { id: ids.bo, name: 'Bo', email: 'b@x.com', active: false }),
  ],
])('the routines of a member who %s are out of reach, and are kept', async (_, status, leave) => {
  const { make, send, emulator } = await start();
  const query = `?userId=${ids.bo}`;
  const id = await make({}, query);
  emulator.edit(leave);
  expect((await send('GET', routines + query)).status).toBe(status);
  expect((await send('GET', `${routines}/${id}${query}`)).status).toBe(status);
  expect((await send('DELETE', `${routines}/${id}`)).status).toBe(404);
  expect(emulator.data().routines).toHaveLength(1);
});

test('the limit of routines is a 429 without a time to wait, and counts the active ones of a member', async () => {
  const { make, send, emulator } = await start({}, (data) => {
    data.organization.mostRoutines = 2;
  });
  for (const _ of [1, 2]) await make();
  const refused = await send('POST', routines, routineBody());
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBeNull();
  expect(refused.body.detail).toBe('User has reached the maximum of 2 routines');
  expect(await make({}, `?userId=${ids.bo}`)).toEqual(expect.any(String));
  emulator.edit(({ routines: all = [] }) => {
    for (const routine of all.slice(0, 1)) routine.disabled = true;
  });
  expect(await make()).toEqual(expect.any(String));
});

test('at most 100 addresses receive a routine', async () => {
  const { send } = await start();
  const addresses = Array.from({ length: 101 }, (_, index) => `r${index}@partner.org`);
  const sent = (emails: string[]) => send('POST', routines, routineBody({ destination: to(emails) }));
  expect((await sent(addresses.slice(1))).status).toBe(201);
  expect((await sent(addresses)).body.detail).toMatch(/recipientEmails: Array must contain at most 100/);
});

test('a trigger runs a routine once, and a second one is refused while the first runs', async () => {
  let now = Date.UTC(2026, 2, 1);
  const { make, send, read, emulator } = await start({ now: () => now, runDurationMs: 60_000 });
  const id = await make();
  const triggered = await send('POST', `${routines}/${id}/trigger`);
  expect(triggered.status).toBe(200);
  expect(triggered.body.id).not.toBe(id);
  expect(emulator.inspect().deliveries).toMatchObject([{ id: triggered.body.id, name: 'Monday summary' }]);
  expect(await read(id)).toMatchObject({ lastRun: { completedAt: null } });
  expect((await send('POST', `${routines}/${id}/trigger`)).status).toBe(409);
  now += 60_000;
  expect(await read(id)).toMatchObject({
    lastRun: { completedAt: '2026-03-01T00:01:00.000Z', label: 'Delivered', state: 'COMPLETE' },
  });
  expect((await send('POST', `${routines}/${id}/trigger`)).status).toBe(200);
});

test('a scheduled run leaves its end, and one that cannot work stops the routine', async () => {
  let now = Date.UTC(2026, 2, 1);
  const { make, send, read, emulator } = await start({ now: () => now, faults: [parseFault('run-error,at=2')] });
  const id = await make();
  now = Date.UTC(2026, 2, 2, 12);
  expect(await read(id)).toMatchObject({ lastRun: { completedAt: '2026-03-02T09:00:00.000Z', state: 'COMPLETE' } });
  now = Date.UTC(2026, 2, 9, 12);
  expect(await read(id)).toMatchObject({ lastRun: { completedAt: '2026-03-09T09:00:00.000Z', label: 'Failed' } });
  emulator.edit((data) => data.models.splice(0));
  const reason = `Model with id ${ids.model} does not exist`;
  const triggered = await send('POST', `${routines}/${id}/trigger`);
  expect(triggered).toMatchObject({ status: 400, body: { detail: `Bad Request: ${reason}` } });
  expect(await read(id)).toMatchObject({ systemDisabled: false });
  now = Date.UTC(2026, 2, 16, 12);
  expect(await read(id)).toMatchObject({ systemDisabled: true, systemDisabledReason: reason });
  expect((await send('POST', `${routines}/${id}/trigger`)).status).toBe(404);
});

test('a new routine is found only after a while where the service is slow', async () => {
  let now = Date.UTC(2026, 2, 1);
  const { make, read, list } = await start({ now: () => now, eventualConsistencyMs: 1000 });
  const id = await make();
  expect(await read(id)).toMatchObject({ status: 404 });
  expect((await list()).records).toEqual([]);
  now += 1000;
  expect(await read(id)).toMatchObject({ id });
});
