// A large apply that was killed leaves many open changes: what the next run reads of them grows with their number, and not
// with its square. Counted by open changes that note each time their address is read.

import { expect, it } from 'vitest';
import type { Unresolved } from '../../src/model/plan/state.ts';
import { stateOf } from '../support/apply/declared.ts';
import { outcomesOf, stage } from '../support/apply/stage.ts';
import { mail } from '../support/vocabulary.ts';

const since = '2026-02-28T23:59:00.000Z';
const board = '00000000-0000-4000-9000-000000000001';
const idOf = (index: number) => `2abba91d-9bec-41a0-8a8d-${String(index).padStart(12, '0')}`;

/** How often an apply reads the addresses of open changes: so many updates, and so many deletes that were carried out. */
async function readsOf(count: number) {
  let reads = 0;
  const each = [...Array(2 * count).keys()].map((index) => {
    const [address, id] = [`schedules.s${index}`, idOf(index)];
    const action: Unresolved['action'] = index < count ? 'update' : 'delete';
    const attributes = mail({ name: `S${index}`, userGroups: ['Board'] });
    const open: Unresolved = { address, action, since, attributes };
    Object.defineProperty(open, 'address', {
      enumerable: true,
      get: () => {
        reads += 1;
        return address;
      },
    });
    return { address, id, attributes, groups: [{ text: 'Board', id: board, name: 'Board' }], open };
  });
  const updated = each.slice(0, count);
  const state = stateOf(Object.fromEntries(each.map(({ address, open: _, ...resource }) => [address, resource])), {
    unresolved: each.map(({ open }) => open),
  });
  const declared = updated.map(({ attributes }, index) => [`s${index}`, { ...attributes, subject: 'Other' }]);
  const made = stage({ schedules: Object.fromEntries(declared) }, { state });
  Object.assign(made.service.data, { userGroups: [{ name: 'Board', id: board, memberIds: [] }] });
  for (const { id, attributes } of updated) {
    const { userGroups: _, ...fields } = attributes;
    made.service.add(id, fields, since);
    Object.assign(made.service.schedules().get(id) ?? {}, { userGroupIds: [board] });
  }
  const applied = await made.apply();
  expect(Object.values(outcomesOf(applied))).toEqual(updated.map(() => 'applied'));
  expect(applied.state?.unresolved).toEqual([]);
  return reads;
}

it('an apply after one that was killed reads four times the open changes at most five times as often', async () => {
  const few = await readsOf(25);
  expect(few).toBeGreaterThan(0);
  expect(await readsOf(100)).toBeLessThan(5 * few);
});
