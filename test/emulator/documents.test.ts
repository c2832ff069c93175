import { expect, test } from 'vitest';
import { ids, startEmulator } from '../support/emulator/start-emulator.ts';

const identifiers = (records: { identifier: string }[]) => records.map((record) => record.identifier);

test('the emulator lists documents by name, descending, twenty per page, without deleted ones', async () => {
  const { send } = await startEmulator();
  const { status, body } = await send('GET', '/v1/documents');
  expect(status).toBe(200);
  expect(body.pageInfo).toEqual({ hasNextPage: false, nextCursor: null, pageSize: 20, totalRecords: 8 });
  const names = body.records.map((record) => record.name);
  expect(names).toEqual([...names].sort().reverse());
  expect(body.records.find((record) => record.identifier === '12db1a0a')).toEqual({
    connectionId: expect.any(String),
    deleted: false,
    description: null,
    folder: { id: ids.salesFolder, name: 'Sales', path: 'sales', scope: 'organization' },
    hasDashboard: true,
    identifier: '12db1a0a',
    name: 'Sales overview',
    owner: { id: ids.ana, name: 'Ana Ortiz' },
    scope: 'organization',
    type: 'document',
    updatedAt: '2026-02-01T08:00:00.000Z',
    url: 'https://demo.omniapp.co/dashboards/12db1a0a',
  });
});

test.each([
  ['include=includeDeleted', '0ddba115', true],
  ['', '0ddba115', false],
  ['labels=finance', 'b4d86e20', true],
  ['labels=finance', '12db1a0a', false],
  ['labels=finance,sales', '12db1a0a', true],
  [`folderId=${ids.salesFolder}`, '7ae01c55', true],
  [`folderId=${ids.salesFolder}`, '3f9c2b71', false],
  [`creatorId=${ids.bo}`, 'c90f7713', true],
  [`creatorId=${ids.bo}`, '12db1a0a', false],
  [`userId=${ids.ana}`, 'b4d86e20', true],
  [`userId=${ids.ana.toUpperCase()}`, 'b4d86e20', true],
  [`folderId=${ids.salesFolder.toUpperCase()}&creatorId=${ids.bo.toUpperCase()}`, 'd3ad91f6', true],
  [`userId=${ids.bo}`, 'b4d86e20', false],
  [`userId=${ids.cleo}&include=onlyFavorites`, '7ae01c55', true],
  [`userId=${ids.cleo}&include=onlyFavorites`, '12db1a0a', false],
  [`userId=${ids.ana}&include=onlySharedWithMe`, 'b4d86e20', true],
  [`userId=${ids.cleo}&include=onlySharedWithMe`, 'b4d86e20', false],
])('for ?%s, whether document %s is listed is %s', async (query, identifier, expected) => {
  const { send } = await startEmulator();
  const { body } = await send('GET', `/v1/documents?${query}`);
  expect(identifiers(body.records).includes(identifier)).toBe(expected);
});

test('the emulator adds labels and counts to documents on request', async () => {
  const { send } = await startEmulator();
  const { body } = await send('GET', '/v1/documents?include=labels,_count&sortField=visits&pageSize=1');
  expect(body.records[0]).toMatchObject({ labels: ['verified', 'sales'], _count: { favorites: 2, views: 412 } });
});

test.each(['favorites', 'name', 'updatedAt', 'visits'])(
  'the emulator pages through all documents in either order by %s, also while those that were read are removed',
  async (sortField) => {
    for (const sortDirection of ['asc', 'desc']) {
      const { send, emulator } = await startEmulator();
      const order = `sortField=${sortField}&sortDirection=${sortDirection}`;
      const all = await send('GET', `/v1/documents?${order}`);
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await send('GET', `/v1/documents?pageSize=3&${order}${cursor && `&cursor=${cursor}`}`);
        expect(page.body.pageInfo.totalRecords).toBe(8 - seen.length / 3);
        expect(page.body.pageInfo.hasNextPage).toBe(page.body.pageInfo.nextCursor !== null);
        seen.push(...identifiers(page.body.records));
        cursor = page.body.pageInfo.nextCursor;
        emulator.edit((data) => {
          data.documents = data.documents.filter(({ identifier }) => identifier !== page.body.records[0]?.identifier);
        });
      }
      expect(seen).toEqual(identifiers(all.body.records));
    }
  },
);
