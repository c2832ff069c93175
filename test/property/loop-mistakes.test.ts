// Whatever is wrong with a value, it is reported at the item that holds the value: every mistake of the transcripts of
// validate, written into an item.

import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Document, isNode, isScalar, LineCounter, parseAllDocuments, stringify } from 'yaml';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { kindOfSection, type Section } from '../../src/model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { pointerSegments, pointerTo } from '../../src/model/values/pointer.ts';
import { type Diagnostic, type Finding, severityOf } from '../../src/model/workspace/diagnostic.ts';
import { parseSource } from '../../src/yaml/parse-source.ts';
import { diagnosticsOf, loadFiles } from '../support/apply/loading.ts';
import { runs, someOf } from '../support/runs/runs.ts';
import { filesOf, listTranscripts, readTranscript } from '../support/transcript.ts';

type Files = Readonly<Record<string, string>>;

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

/** Every mistake of the transcripts of validate in a value of a field. */
const mistakes = (async () => {
  const parts = listTranscripts()
    .filter((name) => name.startsWith('validate/'))
    .flatMap(readTranscript);
  const all = await Promise.all(
    parts.map(async (part) => {
      const { title: name } = part;
      const files = filesOf(part);
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
    'every mistake of the transcripts of validate, written in an item as %s, is reported there',
    async (shape, least) => {
      const seen = new Set<string>();
      const elsewhere: string[] = [];
      for (const { name, files, mistake } of someOf(await mistakes)) {
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
      expect(seen.size).toBeGreaterThan(runs(least) / 2);
    },
  );
});
