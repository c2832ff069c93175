// Whatever the items of a loop: their order never matters, one item more or less is one change, and a mistake in the value
// of an item is reported at the item.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Document, isNode, isScalar, LineCounter, parseAllDocuments, stringify } from 'yaml';
import { desiredDigest, planDigest } from '../../src/engine/propose/digest.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { kindOfSection, type Section } from '../../src/model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { pointerSegments, pointerTo } from '../../src/model/values/pointer.ts';
import { type Diagnostic, type Finding, severityOf } from '../../src/model/workspace/diagnostic.ts';
import type { Desired, SealedResource } from '../../src/model/workspace/resource.ts';
import { parseSource } from '../../src/parse/parse-source.ts';
import { diagnosticsOf, loadFiles } from '../support/engine/loading.ts';
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

/**
 * Nothing for what no item can hold: a field that is missing, unknown or out of place, which stands at a key; a field that
 * decides which others apply; and what is wrong with entries and with almanac.yaml.
 */
function mistakeOf(finding: Finding): readonly Mistake[] {
  const { place } = finding;
  if (place === undefined || !('pointer' in place) || place.at !== 'value' || others.includes(finding.code)) return [];
  const [section = '', key = '', field = '', ...below] = pointerSegments(place.pointer);
  if (!Object.hasOwn(kindOfSection, section) || finding.address !== `${section}.${key}` || field === '') return [];
  const row = fieldsOf[kindOfSection[section as Section]][field];
  if (row === undefined || row.literal) return [];
  return [{ finding, file: place.file, document: place.document, section: section as Section, key, field, below }];
}

/** Where a value of an item can stand. */
const shapes = [
  'a value of a map',
  'its only value',
  'a cell of a row',
  'a value of a variable',
  'a list inside another',
] as const;

interface Placed {
  readonly files: Files;
  /** The file with the value, and what finds the value in it. */
  readonly file: string;
  readonly document: number;
  readonly pointer: readonly string[];
}

/** The same workspace, with the value of the field in an item; undefined where an item of this shape cannot hold it. */
function inItem(files: Files, mistake: Mistake, shape: (typeof shapes)[number]): Placed | undefined {
  const { file, document, section, key, field, below } = mistake;
  const documents = parseSource({ path: file, text: files[file] ?? '' }).value.map(({ value }) => value as JsonObject);
  const declared = (documents[document]?.[section] as JsonObject | undefined)?.[key];
  if (!isJsonObject(declared) || !Object.hasOwn(declared, field) || 'forEach' in declared) return undefined;
  const value = declared[field] ?? null;
  const write = (loop: JsonObject, reference: Json, more: Files = {}): Files => {
    const changed = documents.map((each, index) =>
      index === document
        ? {
            ...each,
            [section]: { ...(each[section] as JsonObject), [key]: { ...loop, ...declared, [field]: reference } },
          }
        : each,
    );
    const text = changed.map((each) => stringify(each, { aliasDuplicateObjects: false })).join('---\n');
    return { ...files, [file]: text, ...more };
  };
  const item = [section, key, 'forEach', 'item'];
  switch (shape) {
    case 'a value of a map': {
      const written = write({ forEach: { item: { v: value } } }, '${each.v}');
      return { files: written, file, document, pointer: [...item, 'v', ...below] };
    }
    case 'its only value': {
      // No item is null: that is one without values.
      if (value === null || isJsonObject(value)) return undefined;
      return {
        files: write({ forEach: { item: value } }, '${each.value}'),
        file,
        document,
        pointer: [...item, ...below],
      };
    }
    case 'a cell of a row': {
      if (typeof value !== 'string' || value.includes('${')) return undefined;
      const table = join(dirname(file), 'items.csv');
      const csv = `code,v\nfirst,"${value.replaceAll('"', '""')}"\n`;
      const written = write({ forEachRow: { file: 'items.csv', key: 'code' } }, '${each.v}', { [table]: csv });
      return { files: written, file: table, document: 0, pointer: ['0', 'v'] };
    }
    case 'a value of a variable': {
      const config = parseSource({ path: 'almanac.yaml', text: files['almanac.yaml'] ?? '{}' }).value[0]?.value;
      if (!isJsonObject(config ?? null) || holdsReference(value)) return undefined;
      const { variables } = config as JsonObject;
      const changed = {
        ...(config as JsonObject),
        variables: { ...(variables as JsonObject), items: { item: { v: value } } },
      };
      const written = write({ forEach: '${var.items}' }, '${each.v}', { 'almanac.yaml': stringify(changed) });
      return {
        files: written,
        file: 'almanac.yaml',
        document: 0,
        pointer: ['variables', 'items', 'item', 'v', ...below],
      };
    }
    case 'a list inside another': {
      const [index, ...rest] = below;
      // What two lists have in common is there once, so a spliced list holds nothing twice.
      const isTwice = mistake.finding.code === 'duplicate-recipient';
      if (!Array.isArray(value) || index === undefined || isTwice || holdsReference(value)) return undefined;
      const written = write({ forEach: { item: { v: value } } }, ['${each.v}']);
      return { files: written, file, document, pointer: [...item, 'v', index, ...rest] };
    }
  }
}

function holdsReference(value: Json): boolean {
  return JSON.stringify(value).includes('${');
}

/** Whether a diagnostic stands at the value, which the parser of another library finds, or at the reference that is all of it. */
function standsAt({ files, file, document, pointer }: Placed, { file: at, line = 0, column = 0 }: Diagnostic): boolean {
  if (at !== file) return false;
  const text = files[file] ?? '';
  const counter = new LineCounter();
  const range = file.endsWith('.csv')
    ? ([text.indexOf('"'), text.length] as const)
    : rangeIn(parseAllDocuments(text, { lineCounter: counter })[document] as Document, pointer);
  if (counter.lineStarts.length === 0) counter.lineStarts = [0, text.indexOf('\n') + 1];
  const offset = (counter.lineStarts[line - 1] ?? -1) + column - 1;
  return range[0] <= offset && offset < Math.max(range[1], range[0] + 1);
}

function rangeIn(document: Document, pointer: readonly string[]): readonly [start: number, end: number] {
  const path = pointer.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const node = document.getIn(path, true);
  if (isNode(node) && node.range) return [node.range[0], node.range[1]];
  const above = document.getIn(path.slice(0, -1), true);
  if (isScalar(above) && above.range) return [above.range[0], above.range[1]];
  throw new Error(`nothing is at ${path.join('/')}`);
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

/** Every mistake of the cases in a value of a field. */
const mistakes = (async () => {
  const all = await Promise.all(
    readdirSync(cases).map(async (name) => {
      const files = filesOf(join(cases, name));
      const { findings } = await loadFiles(files);
      return findings
        .filter((finding) => severityOf(finding) !== 'off')
        .flatMap(mistakeOf)
        .map((mistake) => ({ name, files, mistake }));
    }),
  );
  return all.flat();
})();

const shortened = (message: string) => message.replace(/ It concerns .*$/s, '');

describe('a mistake in a value of an item', () => {
  test.each([
    ['a value of a map', 25],
    ['its only value', 20],
    ['a cell of a row', 10],
    ['a value of a variable', 10],
    ['a list inside another', 2],
  ] as const)(
    'every mistake of the cases of validate, written in an item as %s, is reported there',
    async (shape, least) => {
      const seen = new Set<string>();
      const elsewhere: string[] = [];
      for (const { name, files, mistake } of await mistakes) {
        const placed = inItem(files, mistake, shape);
        // All in a map; in the other shapes one of each code, for the time that it takes.
        if (placed === undefined || (shape !== 'a value of a map' && seen.has(mistake.finding.code))) continue;
        const { finding, section, key, field, below } = mistake;
        const after = await diagnosticsOf(placed.files);
        const found = after.find(
          (each) =>
            each.code === finding.code &&
            shortened(each.message) === shortened(finding.message) &&
            standsAt(placed, each),
        );
        const isNamed = found?.related?.some(({ message }) => message.includes(`\`${field}\``)) === true;
        if (isNamed) seen.add(finding.code);
        else
          elsewhere.push(
            `${name}: ${finding.code} at ${mistake.file} ${pointerTo(section, key, field, ...below)} ${finding.message}`,
          );
      }
      expect(elsewhere).toEqual([]);
      // Otherwise the cases are not read any more.
      expect(seen.size).toBeGreaterThan(least);
    },
  );
});
