// Lists of the service, read page by page: the schedules while someone else creates and removes them, and the people of an
// organization: whether each is whole, and that it ends.

import { expect, it } from 'vitest';
import type { ListedSchedule, RemoteUser } from '../../src/model/service/remote.ts';
import { listsOf, readAll } from '../../src/omni/http-api.ts';
import type { AnswerPage, ScimPage } from '../../src/omni/read-answers.ts';

const row = (id: string) => ({ id, identifier: 'x', name: id }) as ListedSchedule;

/** Pages of two schedules, read from the current list at each request; `change` runs between them. */
function listOf(ids: string[], change: (asked: number) => void = () => undefined, counts = true) {
  let asked = 0;
  return async (cursor: string | undefined) => {
    change(asked);
    asked += 1;
    const page = Number(cursor ?? 1);
    const shown = ids.slice(2 * (page - 1), 2 * page);
    const next = 2 * page < ids.length ? String(page + 1) : undefined;
    return { records: shown.map(row), next, total: counts ? ids.length : undefined };
  };
}
const listAll = async (getPage: ReturnType<typeof listOf>) => {
  const list = { what: 'schedules', idOf: ({ id }: ListedSchedule) => id, getPage };
  return (await readAll(list, () => undefined)).records;
};
const idsOf = (rows: readonly ListedSchedule[]) => rows.map(({ id }) => id).sort();

it('the list of schedules has all pages and each schedule once', async () => {
  expect(idsOf(await listAll(listOf(['a', 'b', 'c', 'd', 'e'])))).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(idsOf(await listAll(listOf(['a', 'b', 'c'], undefined, false)))).toEqual(['a', 'b', 'c']);
  expect(await listAll(listOf([]))).toEqual([]);
});

it('an empty page that leads back to itself is given up', async () => {
  let asked = 0;
  const getPage = async () => {
    asked += 1;
    return { records: [], next: 'same', total: undefined };
  };
  await expect(listAll(getPage)).rejects.toMatchObject({ code: 'api-unreachable' });
  expect(asked).toBe(2);
});

it('the list is read again if a schedule was removed meanwhile, even if the counts match', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const found = await listAll(listOf(ids, (asked) => asked === 1 && ids.splice(0, 1)));
  expect(idsOf(found)).toEqual(['b', 'c', 'd', 'e']);
});

it('the list is read again if its last page only repeats what is known', async () => {
  const ids = ['a', 'b', 'c'];
  const found = await listAll(listOf(ids, (asked) => asked === 1 && ids.splice(0, 3, 'z', 'a', 'b')));
  expect(idsOf(found)).toEqual(['a', 'b', 'z']);
});

type Query = Readonly<Record<string, string>>;

/** Each page as the service would answer with it. */
const people = (getPage: (query: Query) => Promise<ScimPage<RemoteUser> | AnswerPage<string>>) =>
  listsOf(
    async (_, { query = {} }) => (await getPage(query)) as never,
    () => undefined,
  );

const user = (index: number) => ({ id: `m${index}`, email: `p${index}@acme.com`, active: true });

function pages(total: number, size: number) {
  const asked: string[] = [];
  const getPage = async (query: Query): Promise<ScimPage<RemoteUser>> => {
    asked.push(query['startIndex'] ?? '');
    const first = Number(query['startIndex']);
    const count = Math.max(0, Math.min(size, total - first + 1));
    return { entries: count, records: Array.from({ length: count }, (_, index) => user(first + index)), total };
  };
  return { asked, getPage };
}

it('people are read to the last page, even where the service gives fewer on a page than asked for', async () => {
  const { asked, getPage } = pages(25, 10);
  expect(await people(getPage).listUsers({})).toHaveLength(25);
  expect(asked).toEqual(['1', '11', '21']);
});

it('a service that counts more people than it lists does not keep the reader', async () => {
  const { asked, getPage } = pages(5, 10);
  expect(await people(async (query) => ({ ...(await getPage(query)), total: 99 })).listUsers({})).toHaveLength(5);
  expect(asked).toEqual(['1', '6']);
});

it('people without an address fill their places on a page, and those behind them are read', async () => {
  const nobody = { entries: 10, records: [], total: 12 };
  const last = { entries: 2, records: [user(11), user(12)], total: 12 };
  const getPage = async (query: Query) => (query['startIndex'] === '1' ? nobody : last);
  expect(await people(getPage).listUsers({})).toHaveLength(2);
});

it('a service that repeats a page of people has no list of them, but answers for one address', async () => {
  let asked = 0;
  const getPage = async (): Promise<ScimPage<RemoteUser>> => {
    asked += 1;
    return { entries: 10, records: Array.from({ length: 10 }, (_, index) => user(index)), total: 15 };
  };
  await expect(people(getPage).listUsers({})).rejects.toMatchObject({ code: 'api-unreachable' });
  expect(await people(getPage).listUsers({ email: 'p1@acme.com' })).toHaveLength(10);
  expect(asked).toBe(4);
});

it('an address is asked for as a text of a SCIM filter', async () => {
  const filters: (string | undefined)[] = [];
  const { listUsers } = people(async (query) => {
    filters.push(query['filter']);
    return { entries: 0, records: [], total: 0 };
  });
  await listUsers({ email: 'o"brien@acme.com' });
  expect(filters).toEqual(['userName eq "o\\"brien@acme.com"']);
});

it('those without an account are read from page to page, each address once', async () => {
  const asked: Query[] = [];
  const { listEmailOnlyUsers } = people(async (query) => {
    asked.push(query);
    const next = { undefined: 'b', b: 'c' }[String(query['cursor'])];
    return { records: [`${query['cursor']}@acme.com`, 'all@acme.com'], next, total: 4 };
  });
  expect(await listEmailOnlyUsers({})).toEqual(['undefined@acme.com', 'all@acme.com', 'b@acme.com', 'c@acme.com']);
  expect(asked).toEqual([{ pageSize: '20' }, { pageSize: '20', cursor: 'b' }, { pageSize: '20', cursor: 'c' }]);
});

it('a service that repeats a page of those without an account has no list of them', async () => {
  const page = { records: ['all@acme.com'], next: 'b', total: 1 };
  await expect(people(async () => page).listEmailOnlyUsers({})).rejects.toMatchObject({ code: 'api-unreachable' });
});
