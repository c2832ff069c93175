// The state of a loop with one name is lost, wholly or in part. People have edited, deleted and copied what it made. An import
// pairs no declaration with a schedule that has the receivers, groups or filters of another one.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ids } from '../support/emulator/start-emulator.ts';
import { runs } from '../support/runs/runs.ts';
import { mail } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const demoGroups = { Board: ids.board, 'Sales team': ids.salesTeam };

type Item = {
  readonly to: readonly string[];
  readonly groups: readonly (keyof typeof demoGroups)[];
  readonly region: string;
};

const item: fc.Arbitrary<Item> = fc.record({
  to: fc.subarray(['ana@example.com', 'bo@example.com', 'cy@example.com'], { minLength: 1, maxLength: 2 }),
  groups: fc.subarray(['Board', 'Sales team'] as const, { maxLength: 1 }),
  region: fc.constantFrom('EMEA', 'APAC'),
});

const edit = fc.record({
  which: fc.nat(5),
  what: fc.constantFrom('delete', 'recipients', 'groups', 'filter', 'copy', 'time'),
  as: item,
});

const world = fc.record({
  items: fc.array(item, { minLength: 2, maxLength: 4 }),
  edits: fc.array(edit, { maxLength: 4 }),
  /** The instances that the state still tracks. */
  kept: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
});

type World = typeof world extends fc.Arbitrary<infer Made> ? Made : never;

const filterOf = (region: string) => ({ region: { kind: 'EQUALS', type: 'string', values: [region] } });
const sorted = (texts: unknown) => [...(texts as readonly string[])].sort();

/** Every item of the loop is applied under one name. */
async function openLoop(items: readonly Item[]) {
  const loop = mail({
    forEach: Object.fromEntries(items.map((each, index) => [`i${index}`, each])),
    recipients: '${each.to}',
    userGroups: '${each.groups}',
    filterConfig: filterOf('${each.region}'),
  });
  const opened = await openWorld({ schedules: { loop } });
  opened.emulator.edit(({ documents }) => {
    for (const document of documents) document.sharedWithGroups = Object.values(demoGroups);
  });
  await opened.apply();
  const { resources } = opened.state();
  const lose = (kept: readonly number[]) =>
    opened.write({
      'almanac.state.json': {
        ...opened.state(),
        resources: Object.fromEntries(Object.entries(resources).filter((_, index) => kept.includes(index))),
      },
    });
  return { ...opened, lose, schedule: loop['schedule'], resources };
}

async function expectNothingOfAnother({ items, edits, kept }: World) {
  const { emulator, lose, schedule, ...opened } = await openLoop(items);
  lose(kept);
  emulator.edit(({ schedules }) => {
    for (const { which, what, as } of edits) {
      const schedule = schedules[which % Math.max(1, schedules.length)];
      if (schedule === undefined) continue;
      const { fields } = schedule;
      if (what === 'delete') schedules.splice(schedules.indexOf(schedule), 1);
      else if (what === 'recipients') fields['recipients'] = [...as.to];
      else if (what === 'groups') schedule.userGroupIds = as.groups.map((name) => demoGroups[name]);
      else if (what === 'filter') fields['filterConfig'] = filterOf(as.region);
      else if (what === 'time') fields['schedule'] = '0 6 1 * ? *';
      else schedules.push({ ...structuredClone(schedule), id: crypto.randomUUID() });
    }
  });
  const { paired } = await opened.import('--declared');
  const there = new Map(emulator.data().schedules.map((each) => [each.id, each]));
  expect(new Set(paired.map(({ id }) => id)).size).toBe(paired.length);
  for (const { address, id } of paired) {
    const declared = items[Number(/\d+$/.exec(address)?.[0])];
    const found = there.get(id);
    expect(Object.keys(opened.state().resources)).not.toContain(address);
    expect(sorted(found?.fields['recipients'])).toEqual(sorted(declared?.to));
    expect(found?.userGroupIds ?? []).toEqual(declared?.groups.map((name) => demoGroups[name]));
    expect(found?.fields['filterConfig']).toMatchObject({ region: { values: [declared?.region] } });
    expect(found?.fields['schedule']).toBe(schedule);
  }
}

it('over a loop with one name, no declaration is paired with receivers, groups or filters of another', async () => {
  await fc.assert(fc.asyncProperty(world, expectNothingOfAnother), { numRuns: runs(200) });
});

it('over a loop with one name, what nobody has edited is found again', async () => {
  const distinct = fc.uniqueArray(item, { minLength: 2, maxLength: 4, selector: (each) => JSON.stringify(each) });
  await fc.assert(
    fc.asyncProperty(distinct, async (items) => {
      const { lose, resources, import: importing } = await openLoop(items);
      lose([]);
      const { paired } = await importing('--declared');
      expect(Object.fromEntries(paired.map(({ address, id }) => [address, id]))).toEqual(
        Object.fromEntries(Object.entries(resources).map(([address, { id }]) => [address, id])),
      );
    }),
    { numRuns: runs(60) },
  );
});
