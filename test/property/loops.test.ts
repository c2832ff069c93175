// Whatever the items of a loop: their order never matters, one item more or less is one change, and a mistake in the value
// of an item is reported at the item.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { desiredDigest, planDigest } from '../../src/engine/propose/digest.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { kindOfSection, type Section } from '../../src/model/values/address.ts';
import { isJsonObject, type JsonObject } from '../../src/model/values/json.ts';
import { pointerSegments, pointerTo } from '../../src/model/values/pointer.ts';
import type { Finding } from '../../src/model/workspace/diagnostic.ts';
import type { Desired, SealedResource } from '../../src/model/workspace/resource.ts';
import { parseSource } from '../../src/parse/parse-source.ts';
import { loadFiles } from '../support/engine/loading.ts';
import { plan, stateOf } from '../support/plan/planning.ts';

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
        expect(desiredDigest(after)).toBe(desiredDigest(before));
        const create = (desired: Desired<SealedResource>) => planDigest(plan(desired, undefined, {}).plan);
        expect(create(after)).toBe(create(before));
        expect(changesOf(after, before)).toEqual([]);
      }),
      { numRuns: 30 },
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
      { numRuns: 30 },
    );
  });
});

/** A mistake of a case: which field of which declaration holds it. */
interface Mistake {
  readonly finding: Finding;
  readonly file: string;
  readonly document: number;
  readonly section: Section;
  readonly key: string;
  readonly field: string;
  readonly below: readonly string[];
}

/** About two declarations, with the place of the other; and about an item itself, which says so. */
const others: readonly string[] = ['duplicate-schedule', 'dashboard-declared-twice', 'each-outside'];

function mistakeOf(finding: Finding): readonly Mistake[] {
  const { place } = finding;
  if (place === undefined || !('pointer' in place) || place.at !== 'value' || others.includes(finding.code)) return [];
  const [section = '', key = '', field = '', ...below] = pointerSegments(place.pointer);
  if (!Object.hasOwn(kindOfSection, section) || finding.address !== `${section}.${key}` || field === '') return [];
  const row = fieldsOf[kindOfSection[section as Section]][field];
  if (row === undefined || row.literal) return [];
  return [{ finding, file: place.file, document: place.document, section: section as Section, key, field, below }];
}

/** The same workspace, with the value of the field in an item. */
function inItem(files: Files, { file, document, section, key, field }: Mistake): Files | undefined {
  const documents = parseSource({ path: file, text: files[file] ?? '' }).value.map(({ value }) => value as JsonObject);
  const declared = (documents[document]?.[section] as JsonObject | undefined)?.[key];
  if (!isJsonObject(declared) || !Object.hasOwn(declared, field) || 'forEach' in declared) return undefined;
  const loop = { forEach: { item: { v: declared[field] } }, ...declared, [field]: '${each.v}' };
  const changed = documents.map((each, index) =>
    index === document ? { ...each, [section]: { ...(each[section] as JsonObject), [key]: loop } } : each,
  );
  return { ...files, [file]: changed.map((each) => stringify(each, { aliasDuplicateObjects: false })).join('---\n') };
}

const cases = 'test/cases/validate';

function filesOf(folder: string): Files {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  return Object.fromEntries(
    paths
      .filter((path) => statSync(path).isFile() && /\.(?:ya?ml|csv|md|txt)$/.test(path))
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  );
}

const shortened = (message: string) => message.replace(/ It concerns .*$/s, '');

describe('a mistake in a value of an item', () => {
  test('every mistake of the cases of validate, placed in an item, is reported at the item', async () => {
    const seen = new Set<string>();
    const elsewhere: string[] = [];
    for (const name of readdirSync(cases)) {
      const files = filesOf(join(cases, name));
      const before = await loadFiles(files);
      for (const mistake of before.findings.flatMap(mistakeOf)) {
        const changed = inItem(files, mistake);
        if (changed === undefined) continue;
        const { finding, file, section, key, field, below } = mistake;
        const after = await loadFiles(changed);
        const pointer = pointerTo(section, key, 'forEach', 'item', 'v', ...below);
        const found = after.findings.find(
          ({ code, message, place }) =>
            code === finding.code &&
            shortened(message) === shortened(finding.message) &&
            place?.file === file &&
            'pointer' in place &&
            place.pointer === pointer,
        );
        const user = found?.related?.[0]?.place;
        const isNamed = user !== undefined && 'pointer' in user && user.pointer === pointerTo(section, key, field);
        if (isNamed) seen.add(finding.code);
        else elsewhere.push(`${name}: ${finding.code} at ${file} ${pointerTo(section, key, field, ...below)}`);
      }
    }
    expect(elsewhere).toEqual([]);
    // Otherwise the cases are not read any more.
    expect(seen.size).toBeGreaterThan(25);
  });
});
