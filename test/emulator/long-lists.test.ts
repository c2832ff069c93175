// Lists of many pages, and of as many as the service takes. Short ones are in conversations.

import { expect, test } from 'vitest';
import { startEmulator, startFull } from '../support/emulator/start-emulator.ts';
import { routine } from '../support/vocabulary.ts';

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
        seen.push(...page.body.records.map(({ identifier }) => identifier));
        cursor = page.body.pageInfo.nextCursor;
        emulator.edit((data) => {
          data.documents = data.documents.filter(({ identifier }) => identifier !== page.body.records[0]?.identifier);
        });
      }
      expect(seen).toEqual(all.body.records.map(({ identifier }) => identifier));
    }
  },
);

test('an access list of 130 groups, two of one name, comes on several pages, each group once', async () => {
  const { send, emulator } = await startFull();
  const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  emulator.edit(({ documents, ...data }) => {
    const groups = Array.from({ length: 130 }, (_, index) => ({ id: uuidOf(index), name: `Team ${index % 129}` }));
    data.userGroups?.splice(0, 2, ...groups.map((group) => ({ ...group, memberIds: [] })));
    for (const document of documents) document.sharedWithGroups = groups.map(({ id }) => id);
  });
  const found: { id: string }[] = [];
  let cursor = '';
  let pages = 0;
  do {
    const { body } = await send('GET', `/v1/documents/12db1a0a/access-list?type=userGroup&pageSize=50${cursor}`);
    found.push(...(body as unknown as { principals: { id: string }[] }).principals);
    pages++;
    cursor = body.pageInfo.hasNextPage ? `&cursor=${body.pageInfo.nextCursor}` : '';
  } while (cursor !== '');
  expect(pages).toBe(3);
  expect(found.map(({ id }) => id).sort()).toEqual(Array.from({ length: 130 }, (_, index) => uuidOf(index)));
});

test('at most 100 addresses receive a routine', async () => {
  const { send } = await startFull();
  const addresses = Array.from({ length: 101 }, (_, index) => `r${index}@partner.org`);
  const sent = (recipientEmails: string[]) =>
    send('POST', '/v1/ai/routines', routine({ destination: { type: 'email', recipientEmails } }));
  expect((await sent(addresses.slice(1))).status).toBe(201);
  expect((await sent(addresses)).body.detail).toMatch(/recipientEmails: Array must contain at most 100/);
});
