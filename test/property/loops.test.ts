// Loops with random items. The order of items never matters, and one item more or less is one change.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Desired, SealedResource } from '../../src/model/workspace/resource.ts';
import { planDigest } from '../../src/plan/digest.ts';
import { loadFiles } from '../support/apply/loading.ts';
import { plan, stateOf } from '../support/plan/planning.ts';
import { runs } from '../support/runs/runs.ts';

type Files = Readonly<Record<string, string>>;
type Item = readonly [key: string, values: { readonly region: string; readonly to: readonly string[] }];

const declaration = {
  identifier: '12db1a0a',
  name: 'Weekly sales, ${each.region} ${each.key}',
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'pdf',
  destinationType: 'email',
  recipients: '${each.to}',
  subject: 'Sales ${each.region}',
  filterConfig: { region: { values: ['${each.region}'] } },
};

const fileOf = (key: string, items: readonly Item[]) =>
  stringify({ schedules: { [key]: { forEach: Object.fromEntries(items), ...declaration } } });

const csvOf = (items: readonly Item[]) =>
  [
    'code,region,to',
    ...items.map(([key, { region, to }]) => `${key},"${region.replaceAll('"', '""')}",${to[0]}`),
    '',
  ].join('\n');

const rows = stringify({
  schedules: {
    rows: { forEachRow: { file: 'customers.csv', key: 'code' }, ...declaration, recipients: ['${each.to}'] },
  },
});

const address = fc.stringMatching(/^[a-z]{1,8}$/).map((name) => `${name}@example.com`);
const items = fc
  .uniqueArray(
    fc.tuple(
      fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,8}$/).filter((key) => key !== '__proto__'),
      fc.record({
        region: fc.stringMatching(/^[A-Z][a-z "]{1,10}$/),
        to: fc.array(address, { minLength: 1, maxLength: 3 }),
      }),
    ),
    { selector: ([key]) => key, minLength: 2, maxLength: 12 },
  )
  .map((list): readonly Item[] => list);

/** The items, and the same in another order. */
const shuffled = items.chain((list) =>
  fc.tuple(fc.constant(list), fc.shuffledSubarray([...list], { minLength: list.length })),
);

async function declaredIn(files: Files): Promise<Desired<SealedResource>> {
  const { desired } = await loadFiles(files);
  return desired as Desired<SealedResource>;
}

const appliedOf = ({ resources }: Desired<SealedResource>) =>
  stateOf(Object.fromEntries(resources.map(({ address: at, attributes }) => [at, attributes])));

const changesOf = (desired: Desired<SealedResource>, before: Desired<SealedResource>) =>
  plan(desired, appliedOf(before), { operations: 'full' }).changes.map(
    (change) => `${change.action} ${change.address}`,
  );

const workspaceOf = (list: readonly Item[], order: 'forwards' | 'backwards' = 'forwards'): Files => {
  const entries = [
    ['schedules/a.yaml', fileOf('loop', list)],
    ['schedules/b.yaml', rows],
    ['schedules/c.yaml', fileOf('other', list.slice(1))],
    ['schedules/customers.csv', csvOf(list)],
  ] as const;
  return Object.fromEntries(order === 'forwards' ? entries : [...entries].reverse());
};

describe('the order of items', () => {
  test('shuffled items, rows and files declare the same and plan nothing', async () => {
    await fc.assert(
      fc.asyncProperty(shuffled, async ([list, other]) => {
        const before = await declaredIn(workspaceOf(list));
        const after = await declaredIn({
          ...workspaceOf(other, 'backwards'),
          'schedules/c.yaml': fileOf('other', list.slice(1)),
        });
        expect(after.resources).toHaveLength(3 * list.length - 1);
        const create = (desired: Desired<SealedResource>) => planDigest(plan(desired, undefined, {}).plan);
        expect(create(after)).toBe(create(before));
        expect(changesOf(after, before)).toEqual([]);
      }),
      { numRuns: runs(30) },
    );
  });

  test('one item more or less anywhere is exactly one change', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.nat(), async (list, choice) => {
        const at = choice % list.length;
        const [key] = list[at] ?? [''];
        const whole = await declaredIn({ 'schedules/a.yaml': fileOf('loop', list) });
        const without = await declaredIn({ 'schedules/a.yaml': fileOf('loop', list.toSpliced(at, 1)) });
        expect(changesOf(without, whole)).toEqual([`delete schedules.loop.${key}`]);
        expect(changesOf(whole, without)).toEqual([`create schedules.loop.${key}`]);
      }),
      { numRuns: runs(30) },
    );
  });
});
