// Which declarations of a file become one. Those that have the same fields can, paused or not; the fields that may differ
// are chosen so that the fewest lines are left. No two members are compared with each other: for each choice of such
// fields, members are in one group if the numbers of their other values are the same.

import { type Address, type Kind, type Section, sectionOf } from '../../../model/values/address.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../../model/values/json.ts';
import { pushAll, smallest } from '../../../model/values/many.ts';
import { type Pointer, pointerSegments, valueAt } from '../../../model/values/pointer.ts';
import { kebabOf } from '../../../model/values/words.ts';
import type { SourceFile } from '../../../model/workspace/diagnostic.ts';
import type { Desired, Resource } from '../../../model/workspace/resource.ts';
import type { RawDocument } from '../../../yaml/raw-document.ts';
import { keyOf, takeName } from '../../base/kebab.ts';
import type { FoldInput } from '../fold-stage.ts';
import { layoutOf, type WrittenDeclaration } from '../layout.ts';
import { differingFields, makeTemplate, type Template } from './make-template.ts';

export const fewestMembers = 3;
/** In addition to the name, and whether one is paused. */
const mostDiffering = 4;

/** Their values decide what the others mean, or cannot be a reference. */
const alwaysEqual = ['format', 'destinationType', 'in', 'lifecycle', 'accept', 'extra'];

/** Each in the order of the members, and the groups in the order of their first ones. */
export function chooseGroups(members: readonly Member[]): readonly (readonly Member[])[] {
  const alike = [...groupBy(members, signatureOf).values()];
  const groups = alike.flatMap((each) => groupsAmong(each));
  const places = new Map(members.map((member, index) => [member, index]));
  const placeOf = ([first]: readonly Member[]) => (first === undefined ? 0 : (places.get(first) ?? 0));
  return groups.sort((a, b) => placeOf(a) - placeOf(b));
}

function signatureOf({ kind, file, fields }: Member): string {
  const equal = alwaysEqual.map((name) => (Object.hasOwn(fields, name) ? canonicalJson(fields[name] ?? null) : ''));
  // A report that is paused is the same report, and items may leave it out.
  const names = Object.keys(fields).filter((name) => name !== 'paused');
  return [file, kind, names.sort().join(), ...equal].join('\n');
}

function groupsAmong(alike: readonly Member[]): readonly (readonly Member[])[] {
  const groups: (readonly Member[])[] = [];
  let left = alike;
  while (left.length >= fewestMembers) {
    const found = bestGroups(left);
    if (found.length === 0) break;
    pushAll(groups, found);
    const taken = new Set(found.flat());
    left = left.filter((member) => !taken.has(member));
  }
  return groups;
}

/** The groups that the best choice of fields makes. */
function bestGroups(members: readonly Member[]): readonly (readonly Member[])[] {
  const table = numberValues(members);
  const count = new Set(members.flatMap(({ fields }) => Object.keys(fields))).size;
  const choices = choicesOf(table).flatMap((choice) => {
    const groups = groupsOf(choice, table).filter(({ length }) => length >= fewestMembers);
    const saved = groups.reduce((sum, { length }) => sum + savedBy(length, count, choice.length), 0);
    return groups.length === 0 ? [] : [{ saved, groups }];
  });
  choices.sort((a, b) => b.saved - a.saved);
  for (const { groups } of choices.slice(0, mostTried)) {
    const found = groups.map((rows) => rows.flatMap((row) => members[row] ?? [])).filter(isOneDeclaration);
    if (found.length > 0) return found;
  }
  return [];
}

/** Choices after these save next to nothing. */
const mostTried = 40;

/** In lines: an item takes one, and is harder to read with each value. */
function savedBy(members: number, fields: number, differing: number): number {
  return members * fields - fields - members * (1 + differing / 4);
}

/** By the numbers of the members. */
function groupsOf(choice: readonly number[], { columns, rows }: Table): readonly (readonly number[])[] {
  const equal = columns.filter((_, column) => !choice.includes(column));
  return [...groupBy(rows, (row) => equal.map((numbers) => numbers[row]).join()).values()];
}

/** What has another name, on another dashboard, at another time is another report. */
const anotherReport = ['name', 'identifier', 'schedule'];

/** Where most of it differs, it is a table of unlike things. The same value in several fields counts once. */
function isOneDeclaration(members: readonly Member[]): boolean {
  const differing = differingFields(members);
  if (anotherReport.every((field) => differing.includes(field))) return false;
  if (differing.filter((field) => field !== 'name' && field !== 'paused').length > mostDiffering) return false;
  const most = Object.keys(members[0]?.fields ?? {}).length / 2;
  return differing.length <= most || makeTemplate(members).values.size <= most;
}

interface Table {
  /** The fields that differ. */
  readonly names: readonly string[];
  /** Of each of them the numbers of its values, by member. */
  readonly columns: readonly (readonly number[])[];
  /** The numbers of the members. */
  readonly rows: readonly number[];
}

function numberValues(members: readonly Member[]): Table {
  const names = differingFields(members);
  const columns = names.map((name) => {
    const numbers = new Map<string, number>();
    return members.map(({ fields }) => {
      const value = canonicalJson(fields[name] ?? null);
      const number = numbers.get(value) ?? numbers.size;
      numbers.set(value, number);
      return number;
    });
  });
  return { names, columns, rows: [...members.keys()] };
}

/** With more fields than these the choices are too many: those with the fewest values have to be equal then. */
const mostChosenFrom = 9;

/** As indexes of columns: up to four of them, with the name and without it, always with `paused`; the fewest first. */
function choicesOf({ names, columns }: Table): readonly (readonly number[])[] {
  const kinds = columns.map((column) => new Set(column).size);
  const ranked = names
    .map((_, column) => column)
    .filter((column) => names[column] !== 'name' && names[column] !== 'paused')
    .sort((a, b) => (kinds[b] ?? 0) - (kinds[a] ?? 0) || a - b)
    .slice(0, mostChosenFrom);
  const always = names.flatMap((field, column) => (field === 'paused' ? column : []));
  let choices: (readonly number[])[] = [always];
  for (const column of ranked) {
    const open = choices.filter(({ length }) => length < mostDiffering + always.length);
    choices = [...choices, ...open.map((each) => [...each, column])];
  }
  const name = names.indexOf('name');
  const all = name < 0 ? choices : [...choices, ...choices.map((each) => [...each, name])];
  return all.sort((a, b) => a.length - b.length);
}

// The name of a loop from what its members share, and the keys of its items from what differs.

/** The words that all keys share, or else the file. Adds the result to `taken`, the keys of the section. */
export function loopName(members: readonly Member[], taken: Set<string>): string {
  const { before, after } = sharedWords(members.map(({ key }) => key));
  const shared = [...before, ...after].join('-');
  const label = members[0]?.file.replace(/^.*\//, '').replace(/\.[^.]*$/, '') ?? '';
  return takeName([/^[a-z]/i.test(shared) ? shared : keyOf(label, 'loop')], taken);
}

/** One for each member. */
export function itemKeys(members: readonly Member[], { values }: Template): readonly string[] {
  const keys = members.map(({ key }) => key);
  const { before, after } = sharedWords(keys);
  const rests = keys.map((key) =>
    wordsOf(key)
      .slice(before.length, wordsOf(key).length - after.length)
      .join('-'),
  );
  const isNumbered = rests.every((rest) => /^[\d-]*$/.test(rest));
  const ofValues = [...values]
    .sort(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([name, each]) => each.map((value) => labelOf(name, value)));
  const candidates = [
    ...(before.length + after.length > 0 && !isNumbered ? [rests] : []),
    ...ofValues.filter((labels) => labels.every(({ length }) => length <= longestLabel)),
    ...(before.length + after.length > 0 ? [rests] : []),
  ];
  return candidates.find(areKeys) ?? keys;
}

/** A name says the most, and an identifier nothing. */
function rankOf(name: string): number {
  return name === 'name' ? 0 : ['identifier', 'modelId', 'userId'].includes(name) ? 2 : 1;
}

/** Longer ones are no names. */
const longestLabel = 32;

function areKeys(labels: readonly string[]): boolean {
  return new Set(labels).size === labels.length && labels.every((label) => /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(label));
}

function labelOf(name: string, value: Json | undefined): string {
  if (typeof value !== 'string' || value.includes('${')) return '';
  return kebabOf(name === 'timezone' ? value.replace(/^.*\//, '') : value);
}

/** The words that all keys begin and end with; at least one word of each is left. */
function sharedWords(keys: readonly string[]): {
  readonly before: readonly string[];
  readonly after: readonly string[];
} {
  const words = keys.map(wordsOf);
  const [first = []] = words;
  const shortest = smallest(words.map(({ length }) => length));
  let [start, end] = [0, 0];
  while (start < shortest - 1 && words.every((each) => each[start] === first[start])) start += 1;
  while (end < shortest - 1 - start && words.every((each) => each.at(-1 - end) === first.at(-1 - end))) end += 1;
  return { before: first.slice(0, start), after: end === 0 ? [] : first.slice(-end) };
}

function wordsOf(key: string): readonly string[] {
  return key.split(/[-_]/);
}

/** The keys that a new loop must not have: of what is declared, and of what was. */
export function takenKeys(addresses: Iterable<Address>): ReadonlyMap<string, Set<string>> {
  const taken = new Map<string, Set<string>>();
  for (const address of addresses) {
    const [section = '', key = ''] = address.split('.');
    const known = taken.get(section) ?? new Set();
    taken.set(section, known.add(key));
  }
  return taken;
}

/** The declarations that may become items of a loop, with their fields as they are written. */
export interface Member {
  readonly address: Address;
  readonly kind: Kind;
  readonly section: Section;
  readonly key: string;
  readonly file: string;
  readonly entry: WrittenDeclaration;
  /** As written. */
  readonly fields: JsonObject;
}

/** In the order of files and of the text in them. */
export function readMembers({ loaded, files, parse }: FoldInput): readonly Member[] {
  const fixed = fixedAddresses(loaded.desired);
  const plain = new Map(
    loaded.desired.resources.filter(canMove).map((resource) => [placeKey(resource.origin), resource]),
  );
  return loaded.files.flatMap((file) => {
    const text = files.get(file);
    return text === undefined ? [] : membersIn(parse({ path: file, text }).value, { path: file, text }, plain, fixed);
  });

  function canMove({ item, attributes, address }: Resource): boolean {
    return item === undefined && attributes['testNow'] !== true && !fixed.has(address);
  }
}

function membersIn(
  documents: readonly RawDocument[],
  { path: file, text }: SourceFile,
  plain: ReadonlyMap<string, Resource>,
  fixed: ReadonlySet<Address>,
): readonly Member[] {
  const values = new Map(documents.map(({ origin, value }) => [origin.document, value]));
  return layoutOf(text).declarations.flatMap((entry): readonly Member[] => {
    const { document, pointer, isShared } = entry;
    const resource = plain.get(placeKey({ file, document, pointer }));
    const fields = valueAt(values.get(document), pointer);
    if (resource === undefined || isShared || !isJsonObject(fields) || fixed.has(resource.address)) return [];
    const { kind, address } = resource;
    const section = sectionOf[kind];
    const key = pointerSegments(pointer)[1] ?? '';
    return [{ address, kind, section, key, file, entry, fields }];
  });
}

/** An address that is declared and moves away at the same time: a chain, which a new address would break. */
function fixedAddresses({ moves, removals }: Desired): ReadonlySet<Address> {
  return new Set([...moves, ...removals].map(({ from }) => from));
}

function placeKey({ file, document, pointer }: { file: string; document: number; pointer: Pointer }): string {
  return `${document} ${file} ${pointer}`;
}
