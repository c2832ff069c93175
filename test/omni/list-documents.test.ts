// Documents over a real server: what is sent, when another page is fetched, and when a list is not trusted.

import { describe, expect, test } from 'vitest';
import type { DocumentParameters } from '../../src/model/service/documents.ts';
import { type Act, answer, openApi } from '../support/state/scripted-server.ts';

async function against(...acts: readonly Act[]) {
  const { server, api } = await openApi(acts, { rateLimit: 0 });
  return { server, api, urls: () => server.seen.map(({ url }) => url.replace('/api/v1', '')) };
}

const all: DocumentParameters = { include: [], labels: [], pageSize: 2, sortField: 'name', sortDirection: 'asc' };
const record = (identifier: string) => ({ identifier, name: identifier.toUpperCase(), deleted: false });
const page = (identifiers: string, nextCursor: string | null, totalRecords: number) =>
  answer(200, {
    records: [...identifiers].map(record),
    pageInfo: { hasNextPage: nextCursor !== null, nextCursor, pageSize: 2, totalRecords },
  });
const names = ({ documents }: { documents: readonly { identifier: string }[] }) =>
  documents.map(({ identifier }) => identifier).join('');

describe('with a limit', () => {
  test('a limit inside a page cuts it, and names no cursor that would skip the rest', async () => {
    const { api } = await against(page('ab', 'b', 9), page('cd', 'd', 9));
    const list = await api.listDocuments({ ...all, limit: 3 });
    expect(names(list)).toBe('abc');
    expect(list.pageInfo).toEqual({ hasNextPage: true, pageSize: 2, totalRecords: 9 });
  });
});

test('documents are read with either form of label, and other missing fields cause no error', async () => {
  const whole = {
    ...record('a'),
    description: null,
    folder: null,
    owner: { id: 'u', name: 'Ana' },
    hasDashboard: true,
    updatedAt: null,
    labels: ['x', { name: 'y', verified: true }, null],
    _count: { favorites: 2, views: 'many' },
  };
  const { api } = await against(
    answer(200, { records: [whole], pageInfo: { hasNextPage: false, nextCursor: null, pageSize: 2, totalRecords: 1 } }),
  );
  expect((await api.listDocuments(all)).documents).toEqual([
    {
      identifier: 'a',
      name: 'A',
      deleted: false,
      hasDashboard: true,
      owner: { id: 'u', name: 'Ana' },
      labels: ['x', 'y'],
      _count: { favorites: 2 },
    },
  ]);
});

test.each([
  [[]],
  [{ records: [] }],
  [{ records: [{ name: 'x' }], pageInfo: { hasNextPage: false } }],
  [{ records: [], pageInfo: { hasNextPage: true, nextCursor: null } }],
])('%j is refused as a list of documents', async (body) => {
  const { api } = await against(answer(200, body));
  await expect(api.listDocuments(all)).rejects.toMatchObject({ code: 'api-unreachable' });
});

test('queries are read with keys and names, and a list without keys is refused', async () => {
  const { api, urls } = await against(
    answer(200, {
      queries: [{ id: '1', name: 'Revenue', queryIdentifierMapKey: 'Jmn2r3KV' }, { queryIdentifierMapKey: '1' }],
    }),
    answer(200, { queries: [{ id: '1', name: 'Revenue' }] }),
  );
  expect(await api.listQueries('12/1')).toEqual([{ key: 'Jmn2r3KV', name: 'Revenue' }, { key: '1' }]);
  expect(urls()).toEqual(['/documents/12%2F1/queries']);
  await expect(api.listQueries('x')).rejects.toMatchObject({ code: 'api-unreachable' });
});
