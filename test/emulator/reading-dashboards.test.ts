// What an online check asks about a dashboard: its filters and controls, and the keys of its queries.

import { expect, test } from 'vitest';
import { ids, startFull } from '../support/emulator/start-emulator.ts';

test('the emulator returns filters as an update left them', async () => {
  const { send } = await startFull();
  const path = '/v1/dashboards/12db1a0a/filters';
  expect((await send('GET', path)).body).toMatchObject({
    identifier: '12db1a0a',
    filters: { region: { type: 'string', values: [] } },
    controls: [{ id: 'metric' }],
    filterOrder: ['order_status', 'order_date', 'region', 'metric'],
  });
  const updated = await send('PATCH', path, { filters: { region: { values: ['EMEA'] } } });
  expect((await send('GET', path)).body).toEqual(updated.body);
});

test('an open draft does not prevent reading filters', async () => {
  const { send } = await startFull();
  expect((await send('GET', '/v1/dashboards/d3ad91f6/filters')).status).toBe(200);
});

test.each(['ffffffff', '0ddba115', 'a17b3e94'])(
  'the emulator answers 404 for filters of %s: unknown, deleted, no dashboard',
  async (id) => {
    const { send } = await startFull();
    expect((await send('GET', `/v1/dashboards/${id}/filters`)).body).toEqual({
      detail: `Dashboard with identifier "${id}" not found`,
      status: 404,
    });
  },
);

test('filters are returned only to those who can view the dashboard', async () => {
  const { send, asAna, emulator } = await startFull();
  const ask = async (query: string, headers = {}) =>
    (await send('GET', `/v1/dashboards/b4d86e20/filters${query}`, undefined, headers)).status;
  expect([await ask(''), await ask(`?userId=${ids.cleo}`), await ask('', asAna)]).toEqual([200, 200, 200]);
  expect(await ask(`?userId=${ids.bo}`)).toBe(403);
  expect(await ask(`?userId=${ids.ana}`, asAna)).toBe(403);
  emulator.edit(({ documents }) => {
    for (const document of documents) document.sharedWith = [];
  });
  expect(await ask('', asAna)).toBe(403);
});

test('the emulator returns queries with their keys', async () => {
  const { send } = await startFull();
  const { queries } = (await send('GET', '/v1/documents/12db1a0a/queries')).body as unknown as { queries: unknown[] };
  expect(queries).toHaveLength(3);
  expect(queries[0]).toEqual({
    id: expect.any(String),
    name: 'Query Jmn2r3KV',
    queryIdentifierMapKey: 'Jmn2r3KV',
    url: 'https://demo.omniapp.co/w/12db1a0a?key=Jmn2r3KV',
  });
  expect((await send('GET', '/v1/documents/a17b3e94/queries')).body).toEqual({ queries: [] });
});

test('the emulator answers 404 for queries of a document that does not exist or may not be seen', async () => {
  const { send, asAna } = await startFull();
  expect((await send('GET', '/v1/documents/ffffffff/queries')).body).toEqual({
    detail: 'Document with id ffffffff does not exist',
    status: 404,
  });
  expect((await send('GET', '/v1/documents/a17b3e94/queries', undefined, asAna)).body).toEqual({
    detail: 'User cannot view document',
    status: 403,
  });
});
