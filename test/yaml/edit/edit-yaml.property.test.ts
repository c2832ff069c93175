// Edits and formatting of any YAML file, in any layout. Edits give the values that were asked for, and change no other
// line; formatting keeps the meaning and all comments, and has nothing left to do the second time.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Document, isMap, isSeq, type Node, type Pair, parseDocument, Scalar, type ToStringOptions, visit } from 'yaml';
import { equalJson, isJsonObject, type Json } from '../../../src/model/values/json.ts';
import { isWithin, pointerSegments, pointerTo } from '../../../src/model/values/pointer.ts';
import { type Edit, editYaml as editWith } from '../../../src/yaml/edit/edit-yaml.ts';
import { formatYaml } from '../../../src/yaml/format/format-yaml.ts';
import { sourceOrder } from '../../../src/yaml/format/source-order.ts';
import { parseSource } from '../../../src/yaml/parse-source.ts';
import { runs } from '../../support/runs/runs.ts';
import { oddTexts } from '../../support/yaml/odd-texts.ts';
import { unsafeTexts } from '../../support/yaml/unsafe-texts.ts';

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('ana@example.com', 'bo@example.com', 'Weekly sales', 'x', 'UTC') },
  fc.constantFrom('yes', '#x', 'a: b', '*/5 * * * ? *', '0 9 ? * MON *', '', ' x', 'x ', "it's", 'say "x"', 'a\\b'),
  fc.constantFrom('1e3', '~', 'null', '- a', '[x]', '{y}', 'a, b', 'é', '${var.x}', '@a', '%p', '`b', '!t', '&a'),
  fc.constantFrom('tab\there', 'a #b', '<<', '---', '? q', 'word '.repeat(18).trim(), '\u200b', '012', '=', 'a:'),
  fc.constantFrom(...oddTexts),
  fc.constantFrom('one\ntwo', 'one\n\n  two\n', '\none', 'one\n\n\n', 'one \ntwo', '# one\n- two\n'),
);
const scalar = fc.oneof({ weight: 4, arbitrary: text }, fc.constantFrom<Json>(1, 1.5, 0, true, false, null));
const list = fc.array(scalar, { maxLength: 4 });
const anything = fc.oneof(scalar, list, fc.dictionary(fc.constantFrom('a', 'b', 'on', 'a b'), scalar, { maxKeys: 3 }));
const fields = {
  identifier: text,
  name: text,
  schedule: text,
  format: scalar,
  recipients: list,
  textBody: text,
  filters: fc.dictionary(fc.constantFrom('status', 'region', 'yes', 'a: b', 'What?', '?x', ':x', '12:30'), anything, {
    maxKeys: 3,
  }),
  unknown: fc.array(anything, { maxLength: 3 }),
};
const resource = fc.record(fields, { requiredKeys: [] });
const declarations = fc.record(
  {
    schedules: fc.dictionary(fc.constantFrom('a', 'b', 'c'), resource, { maxKeys: 3 }),
    moved: fc.array(fc.record({ from: text, to: text }, { requiredKeys: ['from'] }), { maxLength: 3 }),
    dashboards: resource,
    top: anything,
  },
  { requiredKeys: ['schedules'] },
);

const options = fc.record({
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  flowCollectionPadding: fc.boolean(),
  lineWidth: fc.constantFrom(0, 30, 60),
});

/** Random choices, again and again in the same order. */
const choices = fc.array(fc.nat(), { minLength: 5, maxLength: 30 });

const scalarTypes = [
  Scalar.PLAIN,
  Scalar.PLAIN,
  Scalar.QUOTE_DOUBLE,
  Scalar.QUOTE_SINGLE,
  Scalar.BLOCK_LITERAL,
] as const;

function print(
  value: Json,
  style: ToStringOptions,
  random: readonly number[],
  prepare: (document: Document) => void = () => {},
): string {
  let next = 0;
  const choose = () => random[next++ % random.length] ?? 0;
  const document = new Document(value);
  visit(document, {
    Scalar: (key, node) => {
      const type = scalarTypes[choose() % scalarTypes.length];
      if (typeof node.value === 'string' && key !== 'key' && type !== undefined) node.type = type;
    },
    Collection: (_, node) => {
      node.flow = choose() % 4 === 0;
    },
  });
  prepare(document);
  return document.toString(style);
}

/** Each text is asked about again and again, by the editor too, and most of the time goes into parsing. */
const recent = new Map<string, ReturnType<typeof parseSource>>();

function parse(source: string): ReturnType<typeof parseSource> {
  const parsed = recent.get(source) ?? parseSource({ path: 'a.yaml', text: source });
  if (recent.size > 100) recent.clear();
  recent.set(source, parsed);
  return parsed;
}

const meaning = (source: string) => {
  const { value: documents, findings } = parse(source);
  return findings.length > 0 ? undefined : documents.map(({ value }) => value);
};

const editYaml = (source: string, edits: readonly Edit[]) => editWith(source, edits, sourceOrder, parse);

type Insertion = readonly [at: number, begin: string, mark: number];
const insertions: fc.Arbitrary<readonly Insertion[]> = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom('#', '', '      #', '  #', ' #'), fc.nat(1_000_000)),
  {
    maxLength: 8,
  },
);

/** With comments and blank lines. */
function fileOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.tuple(value, options, choices, insertions).map(withInsertions);
}

type Drawn =
  typeof options extends fc.Arbitrary<infer Style>
    ? readonly [value: unknown, style: Style, random: readonly number[], inserted: readonly Insertion[]]
    : never;

function withInsertions([value, style, random, inserted]: Drawn): string {
  const whole = print(value as Json, style, random);
  const withAll = inserted.reduce(withComment, whole);
  // Inside a text a comment would be part of it.
  const isMeant = (source: string) => equalJson(meaning(source), meaning(whole));
  if (isMeant(withAll)) return withAll;
  return inserted.reduce((source, insertion) => {
    const candidate = withComment(source, insertion);
    return isMeant(candidate) ? candidate : source;
  }, whole);
}

const file = fileOf(declarations);

function withComment(source: string, [at, begin, mark]: Insertion): string {
  const all = source.split('\n');
  const index = at % all.length;
  const words = begin === '' ? '' : `${begin} note ${mark}`;
  if (begin === ' #') all[index] = `${all[index]}${words}`;
  else all.splice(index, 0, words);
  return all.join('\n');
}

type Wish = readonly [at: number, kind: 'set' | 'remove' | 'add' | 'whole', value: Json, key: string];
const wishes: fc.Arbitrary<readonly Wish[]> = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom('set' as const, 'remove' as const, 'add' as const, 'whole' as const),
    anything,
    fc.constantFrom('identifier', 'name', 'format', 'subject', 'new', 'yes'),
  ),
  { minLength: 1, maxLength: 4 },
);

function pointersOf(value: Json, at = ''): readonly string[] {
  const below = Array.isArray(value)
    ? value.flatMap((item, index) => pointersOf(item, at + pointerTo(index)))
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([key, entry]) => pointersOf(entry, at + pointerTo(key)))
      : [];
  return at === '' ? below : [at, ...below];
}

function valueAt(value: Json, pointer: string): Json | undefined {
  return pointerSegments(pointer).reduce<Json | undefined>(
    (part, key) => (Array.isArray(part) ? part[Number(key)] : isJsonObject(part) ? part[key] : undefined),
    value,
  );
}

const isCollection = (value: unknown) => typeof value === 'object' && value !== null;

/** Edits of places of which none contains another one. */
function editsOf(value: Json, wanted: readonly Wish[]): readonly Edit[] {
  const places = pointersOf(value);
  const edits: Edit[] = [];
  for (const [at, kind, given, key] of wanted) {
    const pointer = places[at % places.length];
    if (pointer === undefined) continue;
    const now = valueAt(value, pointer);
    if (kind === 'set' && (isCollection(now) || isCollection(given))) continue;
    if (kind === 'add' && !isCollection(now)) continue;
    const place = kind === 'add' ? pointer + (Array.isArray(now) ? '/-' : pointerTo(key)) : pointer;
    if (kind === 'add' && isJsonObject(now) && Object.hasOwn(now, key)) continue;
    const isApart = (other: Edit) =>
      place.endsWith('/-') && other.pointer === place
        ? true
        : !isWithin(place, other.pointer) && !isWithin(other.pointer, place);
    if (edits.every(isApart)) edits.push({ document: 0, pointer: place, value: kind === 'remove' ? undefined : given });
  }
  return edits;
}

/** The edits made one after the other, removals last and from the end of the file. */
function applied(value: Json, edits: readonly Edit[]): Json {
  // What an alias gives is a value of its own here.
  const result = JSON.parse(JSON.stringify(value)) as Json;
  const places = pointersOf(value);
  const inOrder = [
    ...edits.filter((edit) => edit.value !== undefined),
    ...edits
      .filter((edit) => edit.value === undefined)
      .sort((a, b) => places.indexOf(b.pointer) - places.indexOf(a.pointer)),
  ];
  for (const { pointer, value: given } of inOrder) {
    const segments = pointerSegments(pointer);
    const last = segments.at(-1) ?? '';
    const parent = valueAt(result, pointerTo(...segments.slice(0, -1)));
    if (Array.isArray(parent)) {
      if (last === '-') parent.push(given);
      else if (given === undefined) parent.splice(Number(last), 1);
      else parent[Number(last)] = given;
    } else if (given === undefined) delete (parent as Record<string, Json>)[last];
    else (parent as Record<string, Json>)[last] = given;
  }
  return result;
}

/** The lines that an edit may change, by number. */
function linesOf(source: string, root: Node | null, { pointer, value }: Edit): ReadonlySet<number> {
  let [node, start]: [Node | null, number] = [root, 0];
  let holder: { readonly node: Node | null; readonly start: number } = { node, start };
  let isMissing = false;
  for (const segment of pointerSegments(pointer)) {
    holder = { node, start };
    if (isSeq(node) && segment !== '-') {
      node = (node.items[Number(segment)] as Node | undefined) ?? null;
      start = node?.range?.[0] ?? start;
    } else {
      const pair = isMap(node)
        ? (node.items as Pair<Scalar, Node>[]).find(({ key }) => key.value === segment)
        : undefined;
      isMissing = pair === undefined;
      start = pair?.key.range?.[0] ?? start;
      node = pair?.value ?? null;
    }
  }
  const { node: parent } = holder;
  const count = isMap(parent) || isSeq(parent) ? parent.items.length : 0;
  const isFlow = (isMap(parent) || isSeq(parent)) && parent.flow === true;
  // In brackets, a comma beside it may change; and what is or becomes empty is written in brackets beside its key.
  if (isFlow || count === 0) return between(source, holder.start, endOf(parent, holder.start));
  if (isMissing) return new Set();
  // An entry that goes takes its comments along, also out of a map or list that is set as a whole.
  const own = between(source, start, endOf(node, start), value === undefined || isMap(node) || isSeq(node));
  // Several edits can empty the same map.
  return value === undefined ? new Set([...own, ...between(source, holder.start, holder.start)]) : own;
}

function endOf(node: Node | null, start: number): number {
  if (isMap(node) && !node.flow && node.items.length > 0) {
    const { key, value } = node.items.at(-1) as Pair<Node, Node>;
    return endOf(value ?? key, start);
  }
  if (isSeq(node) && !node.flow && node.items.length > 0) return endOf(node.items.at(-1) as Node, start);
  return Math.max(start, node?.range?.[1] ?? start);
}

function between(source: string, start: number, end: number, withDeeper = false): ReadonlySet<number> {
  const first = source.slice(0, start).split('\n').length - 1;
  const last = source.slice(0, Math.max(start, end)).trimEnd().split('\n').length - 1;
  const numbers = new Set(Array.from({ length: Math.max(last, first) - first + 1 }, (_, index) => first + index));
  const all = source.split('\n');
  const column = start - (source.lastIndexOf('\n', start - 1) + 1);
  for (let at = last + 1; withDeeper && /^ *(?:#|$)/.test(all[at] ?? 'x'); at += 1) {
    const indent = (all[at] ?? '').indexOf('#');
    if (indent >= 0 && indent < column) break;
    numbers.add(at);
  }
  return numbers;
}

/** Without the dash that moves when the first field beside it changes. */
const linesIn = (source: string) => source.split('\n').map((line) => line.replace(/^[ -]+/, ''));

const marks = (source: string) => [...source.matchAll(/# note \d+/g)].map(([found]) => found).sort();

it(
  'edits give the values asked for, and change no line but those of the edited values',
  () => {
    let refused = 0;
    fc.assert(
      fc.property(file, wishes, (source, wanted) => {
        const [value] = meaning(source) ?? [];
        fc.pre(value !== undefined);
        const edits = editsOf(value, wanted);
        const after = editYaml(source, edits);
        // A layout in which nobody writes, such as a comment further left than the value below it.
        if (after === undefined) {
          refused += 1;
          return;
        }
        expect(meaning(after)?.[0] ?? {}).toEqual(applied(value, edits));
        const { contents } = parseDocument(source, { stringKeys: true });
        const touched = new Set(edits.flatMap((edit) => [...linesOf(source, contents, edit)]));
        const kept = linesIn(source).filter((line, index) => !touched.has(index) && line !== '');
        const rest = linesIn(after);
        expect(kept.filter((line) => !rest.splice(0, rest.indexOf(line) + 1).includes(line))).toEqual([]);
        const isGentle = edits.every(
          (edit) =>
            edit.value !== undefined && !isCollection(edit.value) && !isCollection(valueAt(value, edit.pointer)),
        );
        if (isGentle) expect(marks(after)).toEqual(marks(source));
        const sets = edits.filter((edit) => edit.value !== undefined && !edit.pointer.endsWith('/-'));
        if (sets.length === edits.length) expect(editYaml(after, sets)).toBe(after);
        // The line ends of Windows stay, and change nothing else.
        const windows = (lines: string) => lines.replaceAll('\n', '\r\n');
        expect(editYaml(windows(source), edits)).toBe(windows(after));
      }),
      { numRuns: runs(2000) },
    );
    expect(refused).toBeLessThanOrEqual(Math.max(1, runs(2000) / 1000));
  },
  runs(300_000) + 60_000,
);

/** A file in which `b.same` is an alias of a value of `a`, and where that value is. */
const aliased = fc.tuple(resource, resource, fc.nat(), options, choices).map(([a, b, at, style, random]) => {
  const names = Object.keys({ name: 'x', ...a });
  const name = names[at % names.length] ?? 'name';
  const value = { schedules: { a: { name: 'x', ...a }, b: { ...b, last: 1 } } };
  const source = print(value, style, random, (document) => {
    const target = document.getIn(['schedules', 'a', name], true) as Scalar;
    document.setIn(['schedules', 'b', 'same'], document.createAlias(target, 'anchor'));
  });
  return { source, pointer: pointerTo('schedules', 'a', name) };
});
const alias = pointerTo('schedules', 'b', 'same');

it('an edit through an alias leaves the anchor, and the same edit of both leaves the alias', () => {
  let [edited, shared] = [0, 0];
  fc.assert(
    fc.property(aliased, wishes, ({ source, pointer }, wanted) => {
      const [value] = meaning(source) ?? [];
      fc.pre(value !== undefined);
      const edits = editsOf(value, wanted);
      const isAnchored = edits.some((edit) => isWithin(edit.pointer, pointer) || isWithin(pointer, edit.pointer));
      const after = editYaml(source, edits);
      // What refers to the anchor would change too.
      if (after === undefined) {
        expect(isAnchored).toBe(true);
        return;
      }
      edited += 1;
      expect(meaning(after)?.[0] ?? {}).toEqual(applied(value, edits));
    }),
    { numRuns: runs(300) },
  );
  fc.assert(
    fc.property(aliased, scalar, ({ source, pointer }, given) => {
      const [value] = meaning(source) ?? [];
      fc.pre(value !== undefined);
      const both = [pointer, alias].map((place) => ({ document: 0, pointer: place, value: given }));
      const after = editYaml(source, both);
      if (after === undefined) throw new Error('refused');
      shared += 1;
      expect(meaning(after)?.[0]).toEqual(applied(value, both));
      expect(after).toContain('*anchor');
    }),
    { numRuns: runs(300) },
  );
  expect(edited).toBeGreaterThan(runs(100));
  expect(shared).toBeGreaterThan(runs(150));
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, reversed(entry)]);
  return Object.fromEntries(entries.reverse());
}

it('formatting YAML changes no meaning, loses no comment, leaves no unsafe text, and is complete after one pass', () => {
  const any = fc.oneof(
    file,
    fileOf(declarations.map(reversed)),
    aliased.map(({ source }) => source),
  );
  let refused = 0;
  fc.assert(
    fc.property(any, fc.constantFrom('\n', '\r\n'), (source, lineEnd) => {
      const before = source.replaceAll('\n', lineEnd);
      fc.pre(meaning(before) !== undefined);
      const formatted = formatYaml(before, sourceOrder);
      // A comment between a key and a text of several lines has no place.
      if (formatted === undefined) {
        refused += 1;
        return;
      }
      expect(meaning(formatted)).toEqual(meaning(before));
      expect(marks(formatted)).toEqual(marks(before));
      expect(formatYaml(formatted, sourceOrder)).toBe(formatted);
      expect(unsafeTexts(formatted)).toEqual([]);
    }),
    { numRuns: runs(1000) },
  );
  expect(refused).toBeLessThanOrEqual(runs(1000) / 100);
});
