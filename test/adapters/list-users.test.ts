// The people of an organization, read page by page.

import { expect, it } from 'vitest';
import type { UserPage } from '../../src/adapters/answers/read-users.ts';
import { listEmailOnlyUsers, listUsers } from '../../src/adapters/http/list-users.ts';

const user = (index: number) => ({ id: `m${index}`, email: `p${index}@acme.com`, active: true });

function pages(total: number, size: number) {
  const asked: string[] = [];
  const getPage = async ({
    request: { query },
  }: {
    request: { query: Readonly<Record<string, string>> };
  }): Promise<UserPage> => {
    asked.push(query['startIndex'] ?? '');
    const first = Number(query['startIndex']);
    const count = Math.max(0, Math.min(size, total - first + 1));
    return { entries: count, users: Array.from({ length: count }, (_, index) => user(first + index)), total };
  };
  return { asked, getPage };
}

it('people are read to the last page, even where the service gives fewer on a page than asked for', async () => {
  const { asked, getPage } = pages(25, 10);
  expect(await listUsers({}, getPage)).toHaveLength(25);
  expect(asked).toEqual(['1', '11', '21']);
});

it('a service that counts more people than it lists does not keep the reader', async () => {
  const { asked, getPage } = pages(5, 10);
  expect(await listUsers({}, async (call) => ({ ...(await getPage(call)), total: 99 }))).toHaveLength(5);
  expect(asked).toEqual(['1', '6']);
});

it('people without an address fill their places on a page, and those behind them are read', async () => {
  const nobody = { entries: 10, users: [], total: 12 };
  const last = { entries: 2, users: [user(11), user(12)], total: 12 };
  const getPage = async ({ request: { query } }: { request: { query: Readonly<Record<string, string>> } }) =>
    query['startIndex'] === '1' ? nobody : last;
  expect(await listUsers({}, getPage)).toHaveLength(2);
});

it('a service that repeats a page of people has no list of them, but answers for one address', async () => {
  let asked = 0;
  const getPage = async (): Promise<UserPage> => {
    asked += 1;
    return { entries: 10, users: Array.from({ length: 10 }, (_, index) => user(index)), total: 1_000_000 };
  };
  await expect(listUsers({}, getPage)).rejects.toMatchObject({ code: 'api-unreachable' });
  expect(await listUsers({ email: 'p1@acme.com' }, getPage)).toHaveLength(10);
  expect(asked).toBe(4);
});

it('an address is asked for as a text of a SCIM filter', async () => {
  const filters: (string | undefined)[] = [];
  await listUsers({ email: 'o"brien@acme.com' }, async ({ request: { query } }) => {
    filters.push(query['filter']);
    return { entries: 0, users: [], total: 0 };
  });
  expect(filters).toEqual(['userName eq "o\\"brien@acme.com"']);
});

it('those without an account are read from page to page, each address once', async () => {
  const asked: Readonly<Record<string, string>>[] = [];
  const found = await listEmailOnlyUsers({}, async ({ request: { query } }) => {
    asked.push(query);
    const next = { undefined: 'b', b: 'c' }[String(query['cursor'])];
    return { emails: [`${query['cursor']}@acme.com`, 'all@acme.com'], next, total: 4 };
  });
  expect(found).toEqual(['undefined@acme.com', 'all@acme.com', 'b@acme.com', 'c@acme.com']);
  expect(asked).toEqual([{ pageSize: '20' }, { pageSize: '20', cursor: 'b' }, { pageSize: '20', cursor: 'c' }]);
});

it('a service that repeats a page of those without an account does not keep the reader', async () => {
  const page = { emails: ['all@acme.com'], next: 'b', total: 1 };
  expect(await listEmailOnlyUsers({}, async () => page)).toEqual(['all@acme.com']);
});
