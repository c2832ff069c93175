// The access list of a document, read page by page: whether it is whole, and that it ends.

import { expect, it } from 'vitest';
import type { AccessPage } from '../../src/service/answers/reading.ts';
import { listsOf } from '../../src/service/http/lists.ts';

const user = (id: string) => ({ type: 'user' as const, id });

function service(pageOf: (cursor: string | undefined) => AccessPage) {
  const asked: (string | undefined)[] = [];
  const lists = listsOf(
    async (_, { query = {} }) => {
      asked.push(query['cursor']);
      if (asked.length > 200) throw new Error('The list is read without an end.');
      return pageOf(query['cursor']) as never;
    },
    () => undefined,
  );
  return { asked, read: lists.listAccess('sales') };
}

it('an access list is read to its last page', async () => {
  const { asked, read } = service((cursor) =>
    cursor === undefined
      ? { principals: [user('a')], isWhole: true, nextCursor: '2' }
      : { principals: [user('b')], isWhole: true },
  );
  expect(await read).toEqual({ principals: [user('a'), user('b')], isWhole: true });
  expect(asked).toEqual([undefined, '2']);
});

it.each([
  ['leads back', (cursor?: string) => ({ principals: [user('a')], nextCursor: cursor === 'b' ? 'c' : 'b' }), 3],
  ['has a next page after an empty one', () => ({ principals: [], nextCursor: 'b' }), 1],
  ['never ends', (cursor = '0') => ({ principals: [user(cursor)], nextCursor: `${Number(cursor) + 1}` }), 100],
])('an access list that %s is incomplete and no error', async (_, pageOf, requests) => {
  const { asked, read } = service((cursor) => ({ ...pageOf(cursor), isWhole: true }));
  expect(await read).toMatchObject({ isWhole: false });
  expect(asked).toHaveLength(requests);
});

it('an entry that cannot be read makes the access list incomplete', async () => {
  const { read } = service(() => ({ principals: [user('a')], isWhole: false }));
  expect(await read).toEqual({ principals: [user('a')], isWhole: false });
});
