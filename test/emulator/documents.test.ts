import { expect, test } from 'vitest';
import type { EmulatedDocument } from '../../src/emulator/store.ts';
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

test('a personal token lists the documents that its creator may see, and needs no userId', async () => {
  const { send, personalToken } = await startEmulator();
  const headers = { Authorization: `Bearer ${personalToken}` };
  const own = await send('GET', '/v1/documents?include=onlyFavorites', undefined, headers);
  expect(identifiers(own.body.records).sort()).toEqual(['12db1a0a', 'e5521fd8']);
  expect((await send('GET', `/v1/documents?userId=${ids.ana}`, undefined, headers)).status).toBe(200);
  expect((await send('GET', `/v1/documents?userId=${ids.bo}`, undefined, headers)).status).toBe(403);
});

test('the emulator adds labels and counts to documents on request', async () => {
  const { send } = await startEmulator();
  const { body } = await send('GET', '/v1/documents?include=labels,_count&sortField=visits&pageSize=1');
  expect(body.records[0]).toMatchObject({ labels: ['verified', 'sales'], _count: { favorites: 2, views: 412 } });
});

test.each(['favorites', 'name', 'updatedAt', 'visits'])(
  'the emulator pages through all documents in either order by %s',
  async (sortField) => {
    const { send } = await startEmulator();
    for (const sortDirection of ['asc', 'desc']) {
      const order = `sortField=${sortField}&sortDirection=${sortDirection}`;
      const all = await send('GET', `/v1/documents?${order}`);
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await send('GET', `/v1/documents?pageSize=3&${order}${cursor && `&cursor=${cursor}`}`);
        expect(page.body.pageInfo.totalRecords).toBe(8);
        expect(page.body.pageInfo.hasNextPage).toBe(page.body.pageInfo.nextCursor !== null);
        seen.push(...identifiers(page.body.records));
        cursor = page.body.pageInfo.nextCursor;
      }
      expect(seen).toEqual(identifiers(all.body.records));
    }
  },
);

test.each([
  ['pageSize=0', 'Bad Request: pageSize: Page size must be at least 1'],
  ['pageSize=101', 'Bad Request: pageSize: Page size cannot exceed 100'],
  ['pageSize=ten', 'Bad Request: pageSize: Expected number, received nan'],
  ['pageSize=1.5', 'Bad Request: pageSize: Expected number, received nan'],
  [
    'sortField=owner',
    "Bad Request: sortField: Invalid enum value. Expected 'favorites' | 'name' | 'updatedAt' | 'visits', received 'owner'",
  ],
  ['sortDirection=up', "Bad Request: sortDirection: Invalid enum value. Expected 'asc' | 'desc', received 'up'"],
  ['creatorId=ana', 'Bad Request: creatorId: Invalid uuid'],
  ['folderId=sales', 'Bad Request: folderId: Invalid uuid'],
  ['userId=ana', 'Bad Request: userId: Invalid uuid'],
  ['limit=5', "Bad Request: formErrors: Unrecognized key(s) in object: 'limit'"],
  ['pageSize=1&pageSize=2', 'Bad Request: pageSize: Expected string, received array'],
  ['include=onlyFavorites', 'Bad Request: userId: Required with onlyFavorites and onlySharedWithMe'],
  ['include=onlySharedWithMe', 'Bad Request: userId: Required with onlyFavorites and onlySharedWithMe'],
])('the emulator answers 400 with a message to documents?%s', async (query, detail) => {
  const { send } = await startEmulator();
  const reply = await send('GET', `/v1/documents?${query}`);
  expect(reply.body).toEqual({ detail, status: 400 });
  expect(reply.status).toBe(400);
});

test.each(['include=tags', 'cursor=zzz', 'cursor=WyJuYW1lIiwiYXNjIiwxLDJd'])(
  'the emulator answers 400 to documents?%s',
  async (query) => {
    const { send } = await startEmulator();
    expect((await send('GET', `/v1/documents?${query}`)).status).toBe(400);
  },
);

test('a cursor of documents belongs to its order', async () => {
  const { send } = await startEmulator();
  const { body } = await send('GET', '/v1/documents?pageSize=1&sortDirection=asc');
  const reply = await send('GET', `/v1/documents?pageSize=1&cursor=${body.pageInfo.nextCursor}`);
  expect(reply.status).toBe(400);
});

test.each(['userId', 'creatorId'])('the emulator answers 404 for a %s that is not a member', async (name) => {
  const { send } = await startEmulator();
  const reply = await send('GET', `/v1/documents?${name}=${ids.stranger}`);
  expect(reply.body).toEqual({ detail: `User with id ${ids.stranger} does not exist`, status: 404 });
});

test.each(['name', 'updatedAt', 'favorites', 'visits'])(
  'the emulator pages over thousands of documents, most of them alike by %s, while others come and go',
  async (sortField) => {
    const { send, emulator } = await startEmulator();
    emulator.edit(({ documents }) => {
      const model = documents[0] as EmulatedDocument;
      for (let index = 0; index < 3000; index += 1)
        documents.push({ ...structuredClone(model), identifier: `many-${index}`, name: `Report ${index % 7}` });
    });
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page += 1) {
      const query: string = `pageSize=100&sortField=${sortField}&sortDirection=desc${cursor && `&cursor=${cursor}`}`;
      const { body } = await send('GET', `/v1/documents?${query}`);
      seen.push(...identifiers(body.records));
      cursor = body.pageInfo.nextCursor;
      emulator.edit((data) => {
        data.documents = data.documents.filter(({ identifier }) => identifier !== body.records[0]?.identifier);
        const model = data.documents[0] as EmulatedDocument;
        data.documents.push({ ...structuredClone(model), identifier: `later-${page}`, name: '\uffff', views: 1e6 });
      });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((identifier) => identifier.startsWith('many-'))).toHaveLength(3000);
  },
);

test('the emulator counts and pages only the documents that the user may view, deleted ones too on request', async () => {
  const { send, emulator } = await startEmulator();
  emulator.edit(({ documents }) => {
    const model = documents[0] as EmulatedDocument;
    for (let index = 0; index < 40; index += 1) {
      const scope = index % 2 === 0 ? 'restricted' : 'organization';
      const sharedWith = index % 4 === 0 ? [ids.cleo] : [];
      const favoriteOf = index < 10 ? [ids.cleo] : [];
      const more = { scope, sharedWith, favoriteOf, deleted: index % 5 === 0, ownerId: ids.bo } as const;
      documents.push({ ...structuredClone(model), identifier: `many-${index}`, ...more, sharedWith, favoriteOf });
    }
  });
  const listed = async (include: string) => {
    const path = `/v1/documents?labels=sales&creatorId=${ids.bo}&userId=${ids.cleo}&pageSize=100&include=${include}`;
    const { body } = await send('GET', path);
    expect(body.pageInfo.totalRecords).toBe(body.records.length);
    return body.records.length;
  };
  // Of forty, ten are restricted and not shared; every fifth is deleted.
  expect(await listed('includeDeleted')).toBe(30);
  expect(await listed('')).toBe(24);
  expect(await listed('includeDeleted,onlySharedWithMe')).toBe(10);
  expect(await listed('onlySharedWithMe')).toBe(8);
  expect(await listed('includeDeleted,onlyFavorites')).toBe(8);
  expect(await listed('onlyFavorites,onlySharedWithMe')).toBe(2);
});
