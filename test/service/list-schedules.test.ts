// The list of schedules while someone else creates and removes them.

import { describe, expect, it } from 'vitest';
import type { ListedSchedule } from '../../src/model/service/remote.ts';
import { readAll } from '../../src/service/http/lists.ts';

const row = (id: string) => ({ id, identifier: 'x', name: id }) as ListedSchedule;

/** Pages of two schedules, read from the current list at each request; `change` runs between them. */
function service(ids: string[], change: (asked: number) => void = () => undefined, counts = true) {
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
const listAll = async (getPage: ReturnType<typeof service>) => {
  const list = { what: 'schedules', idOf: ({ id }: ListedSchedule) => id, getPage };
  return (await readAll(list, () => undefined)).found;
};
const idsOf = (rows: readonly ListedSchedule[]) => rows.map(({ id }) => id).sort();

describe('the list', () => {
  it('the list of schedules has all pages and each schedule once', async () => {
    expect(idsOf(await listAll(service(['a', 'b', 'c', 'd', 'e'])))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(idsOf(await listAll(service(['a', 'b', 'c'], undefined, false)))).toEqual(['a', 'b', 'c']);
    expect(await listAll(service([]))).toEqual([]);
  });

  it('the list is read again if a schedule was removed meanwhile, even if the counts match', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const found = await listAll(service(ids, (asked) => asked === 1 && ids.splice(0, 1)));
    expect(idsOf(found)).toEqual(['b', 'c', 'd', 'e']);
  });

  it('the list is abandoned if it changes all the time', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    let made = 0;
    const never = listAll(
      service(ids, () => {
        made += 1;
        ids.unshift(`new ${made}`);
      }),
    );
    await expect(never).rejects.toMatchObject({ code: 'api-unreachable' });
  });
});
