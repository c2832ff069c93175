import { expect, test } from 'vitest';
import { ids, type Running, startFull } from '../support/emulator/start-emulator.ts';

const namesOf = async ({ send }: Pick<Running, 'send'>, query: string) =>
  (await send('GET', `/v1/schedules?${query}`)).body.records.map(({ name }) => name);

test('a record of the schedule list has the documented shape', async () => {
  const { send, createOwnedBy } = await startFull();
  const alert = { conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: 'Jmn2r3KV', queryIdentifierMapKey: '1' };
  const id = await createOwnedBy(ids.bo, 'slack', alert);
  expect((await send('GET', '/v1/schedules')).body).toEqual({
    pageInfo: { hasNextPage: false, nextCursor: null, pageSize: 20, totalRecords: 1 },
    records: [
      {
        id,
        name: 'Weekly sales report',
        schedule: '0 9 ? * MON *',
        timezone: 'America/New_York',
        identifier: '12db1a0a',
        dashboardName: 'Sales overview',
        ownerId: ids.bo,
        ownerName: 'Bo Lindqvist',
        destinationType: 'slack',
        format: 'pdf',
        recipientCount: -1,
        content: 'tile',
        slackRecipientType: 'channel',
        lastCompletedAt: null,
        lastStatus: null,
        disabledAt: null,
        systemDisabledAt: null,
        systemDisabledReason: null,
        alert: { conditionType: 'RESULTS_PRESENT', conditionQueryName: 'Query Jmn2r3KV' },
      },
    ],
  });
});

test.each([
  ['', ['c', 'b', 'a']],
  ['identifier=b4d86e20', ['c']],
  ['identifier=unknown', []],
  ['sortDirection=asc', ['a', 'b', 'c']],
  ['sortField=dashboardName&sortDirection=asc', ['b', 'c', 'a']],
  ['sortField=ownerName&sortDirection=asc', ['c', 'a', 'b']],
  ['sortField=lastRun', ['a', 'c', 'b']],
  ['sortField=lastRunStatus&sortDirection=asc', ['b', 'a', 'c']],
])('the schedule list is filtered and sorted by %j', async (query, expected) => {
  const running = await startFull();
  const { createOwnedBy, emulator } = running;
  await createOwnedBy(ids.bo, 'email', { name: 'a', identifier: '12db1a0a' });
  await createOwnedBy(ids.cleo, 'email', { name: 'b', identifier: '7ae01c55' });
  await createOwnedBy(ids.ana, 'email', { name: 'c', identifier: 'b4d86e20' });
  emulator.edit(({ schedules: [a, , c] }) => {
    if (a) a.lastRun = { at: '2026-02-02T00:00:00.000Z', status: 'COMPLETE' };
    if (c) c.lastRun = { at: '2026-02-01T00:00:00.000Z', status: 'ERROR' };
  });
  expect(await namesOf(running, query)).toEqual(expected);
});

test('a cursor of the schedule list is a page number, so a listing is off after a schedule was removed', async () => {
  const { send, create } = await startFull();
  const made: Record<string, string> = {};
  for (const name of ['a', 'b', 'c', 'd', 'e']) made[name] = await create('email', { name });
  const page = async (cursor: string | null) =>
    (await send('GET', `/v1/schedules?pageSize=2&sortDirection=asc&cursor=${cursor}`)).body;
  const first = await page('1');
  expect(first.records.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(first.pageInfo).toEqual({ hasNextPage: true, nextCursor: '2', pageSize: 2, totalRecords: 5 });
  expect((await page('3')).pageInfo).toMatchObject({ hasNextPage: false, nextCursor: null });
  await send('DELETE', `/v1/schedules/${made.a}`);
  expect((await page(first.pageInfo.nextCursor)).records.map(({ name }) => name)).toEqual(['d', 'e']);
});

test('a personal token lists the schedules of its user alone', async () => {
  const { send, createOwnedBy, create, asAna } = await startFull();
  await create('email', { name: 'nobody' });
  await createOwnedBy(ids.bo, 'email', { name: 'bo' });
  await createOwnedBy(ids.ana, 'email', { name: 'ana' });
  const { records } = (await send('GET', '/v1/schedules', undefined, asAna)).body;
  expect(records.map(({ name }) => name)).toEqual(['ana']);
});
