// The declaration that stands for a group: what differs becomes a value of the items, under one name wherever it is the
// same. In the middle of a text it is written there, if the text says exactly the same then.

import { type Address, addressOf } from '../../../model/values/address.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import { define, isJsonObject, type Json } from '../../../model/values/json.ts';
import { pointerTo } from '../../../model/values/pointer.ts';
import type { Edit } from '../../../yaml/edit/edit-yaml.ts';
import { emptiedSections } from '../../../yaml/edit/prune-yaml.ts';
import type { Fold, FoldInput, FoldStep, NotFolded } from '../fold-stage.ts';
import { editSource } from '../recipient-lists.ts';
import {
  chooseGroups,
  fewestMembers,
  itemKeys,
  loopName,
  type Member,
  readMembers,
  takenKeys,
} from './choose-groups.ts';
import { differingFields } from './differing-fields.ts';

export interface Template {
  /** What is written into the first member, by the pointer below it. */
  readonly edits: ReadonlyMap<string, Json>;
  /** The values of the items by name, each for all members. */
  readonly values: ReadonlyMap<string, readonly Json[]>;
}

export function makeTemplate(members: readonly Member[]): Template {
  const slots = differingFields(members).flatMap((field) => slotsOf(field, members));
  const items = new ItemValues();
  // What stands for itself first: the names often repeat it.
  const edits = new Map<string, Json>();
  for (const slot of [...slots].sort((a, b) => rankOf(a) - rankOf(b)))
    edits.set(pointerTo(...slot.path), textOf(slot, items));
  const used = slots.map(({ path }) => JSON.stringify(edits.get(pointerTo(...path))));
  const values = [...items.named].sort(([a], [b]) => firstUse(used, a) - firstUse(used, b));
  return { edits, values: new Map(values) };
}

function firstUse(used: readonly string[], name: string): number {
  return used.findIndex((text) => text.includes(`\${each.${name}}`));
}

/** A part of a field that differs. */
interface Slot {
  readonly path: readonly string[];
  readonly values: readonly Json[];
}

/** One value of the items for each field. */
function slotsOf(field: string, members: readonly Member[]): readonly Slot[] {
  const whole = { path: [field], values: members.map(({ fields }) => fields[field] ?? null) };
  const inside = slotsIn(whole);
  return new Set(inside.map(({ values }) => JSON.stringify(values))).size === 1 ? inside : [whole];
}

function slotsIn({ path, values }: Slot): readonly Slot[] {
  const [first = null] = values;
  const text = JSON.stringify(first);
  if (values.every((value) => JSON.stringify(value) === text)) return [];
  if (isJsonObject(first)) {
    const names = Object.keys(first);
    const isSame = values.every(
      (value) =>
        isJsonObject(value) &&
        Object.keys(value).length === names.length &&
        names.every((name) => Object.hasOwn(value, name)),
    );
    if (!isSame) return [{ path, values }];
    const below = (value: Json, name: string) => (isJsonObject(value) ? (value[name] ?? null) : null);
    return names.flatMap((name) =>
      slotsIn({ path: [...path, name], values: values.map((value) => below(value, name)) }),
    );
  }
  // The only value of a filter; lists of people stay lists, because people are added to them.
  const isSingle = path.length > 1 && values.every((value) => Array.isArray(value) && isText(value) && !isEach(value));
  return isSingle
    ? slotsIn({ path: [...path, '0'], values: values.map((value) => (Array.isArray(value) ? value[0] : null) as Json) })
    : [{ path, values }];
}

function isText(value: readonly Json[]): boolean {
  return value.length === 1 && typeof value[0] === 'string';
}

/** A reference that may stand for a list. */
function isEach([value]: readonly Json[]): boolean {
  return typeof value === 'string' && value.includes('${');
}

/** Texts for people, in which a value of the items may stand in the middle. */
const prose: ReadonlySet<string> = new Set(['name', 'subject', 'textBody', 'filename', 'keyPrefix', 'prompt']);

function rankOf({ path }: Slot): number {
  return path.length > 1 ? 0 : prose.has(path[0] ?? '') ? 2 : 1;
}

function textOf(slot: Slot, items: ItemValues): string {
  const [field = ''] = slot.path;
  const known = items.nameOf(slot.values);
  if (known !== undefined) return `\${each.${known}}`;
  const pieces = piecesOf(slot.values);
  if (pieces !== undefined) {
    const { before, middle, after } = pieces;
    const name = items.nameOf(middle) ?? (prose.has(field) ? items.add(field, middle) : undefined);
    if (name !== undefined) return `${before}\${each.${name}}${after}`;
  }
  return `\${each.${items.add(wishOf(slot), slot.values)}}`;
}

const shortNames: Readonly<Record<string, string>> = { schedule: 'at', recipients: 'to' };

/** Of a filter its id. */
function wishOf({ path }: Slot): string {
  const [field = '', id = field] = path;
  return shortNames[id] ?? id;
}

interface Pieces {
  readonly before: string;
  readonly middle: readonly string[];
  readonly after: string;
}

/** What all texts begin and end with, in whole words; undefined if that is nothing. */
function piecesOf(values: readonly Json[]): Pieces | undefined {
  const texts = values.filter((value): value is string => typeof value === 'string' && !value.includes('$'));
  const [first] = texts;
  if (first === undefined || texts.length < values.length) return undefined;
  let [start, end] = [0, 0];
  const shortest = Math.min(...texts.map(({ length }) => length));
  while (start < shortest && texts.every((text) => text[start] === first[start])) start += 1;
  while (end < shortest - start && texts.every((text) => text.at(-1 - end) === first.at(-1 - end))) end += 1;
  while (start > 0 && texts.some((text) => isWithinWord(text, start))) start -= 1;
  while (end > 0 && texts.some((text) => isWithinWord(text, text.length - end))) end -= 1;
  if (start + end === 0) return undefined;
  const middle = texts.map((text) => text.slice(start, text.length - end));
  if (middle.some((text) => text === '' || text.trim() !== text)) return undefined;
  return { before: first.slice(0, start), middle, after: end === 0 ? '' : first.slice(-end) };
}

const letter = /[\p{L}\p{N}\p{M}_]/u;

function isWithinWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && letter.test(text[at - 1] ?? '') && letter.test(text[at] ?? '');
}

/** Each list of values has one name. */
class ItemValues {
  readonly named = new Map<string, readonly Json[]>();
  readonly #names = new Map<string, string>();

  nameOf(values: readonly Json[]): string | undefined {
    return this.#names.get(JSON.stringify(values));
  }

  add(wish: string, values: readonly Json[]): string {
    const known = this.nameOf(values);
    if (known !== undefined) return known;
    const plain = wish
      .replace(/^.*\./, '')
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '');
    const base = plain === '' || plain === 'key' || plain === 'value' ? `the-${plain}`.replace(/-$/, '-value') : plain;
    let name = base;
    for (let count = 2; this.named.has(name); count += 1) name = `${base}-${count}`;
    this.named.set(name, values);
    this.#names.set(JSON.stringify(values), name);
    return name;
  }
}

/**
 * The texts of the files after their declarations became loops: the first member of a group gets the items and a new key,
 * the others go, and the entries that name them follow.
 */
interface LoopToWrite {
  readonly id: string;
  /** The first is where the loop is written. */
  readonly members: readonly Member[];
  readonly template: Template;
  readonly name: string;
  /** Of the items, by member. */
  readonly keys: readonly string[];
  /** The addresses of the instances. */
  readonly to: ReadonlyMap<Address, Address>;
}

type Written = { readonly texts: ReadonlyMap<string, string> } | { readonly unsupported: string };

/** `unsupported`: a file whose layout cannot be edited. */
function writeLoops(loops: readonly LoopToWrite[], input: FoldInput): Written {
  const edits = groupBy([...loops.flatMap((loop) => loopEdits(loop, input)), ...adoptEdits(loops, input)], fileOf);
  const hosts = groupBy(loops, ({ members }) => members[0]?.file ?? '');
  const texts = new Map<string, string>();
  for (const [file, own] of edits) {
    const before = input.files.get(file);
    if (before === undefined) return { unsupported: file };
    const renamed = withNewKeys(before, hosts.get(file) ?? []);
    const inFile = own.map(({ edit }) => edit);
    // The new keys change no number of entries.
    const empty = emptiedSections(input.parse({ path: file, text: before }).value, inFile);
    const after = editSource(file, renamed, [...inFile, ...empty], input);
    if (after === undefined) return { unsupported: file };
    texts.set(file, after);
  }
  return { texts };
}

interface EditOfFile {
  readonly file: string;
  readonly edit: Edit;
}

function fileOf({ file }: EditOfFile): string {
  return file;
}

function loopEdits({ members, template, name, keys, to }: LoopToWrite, { state }: FoldInput): readonly EditOfFile[] {
  const [first, ...others] = members;
  if (first === undefined) return [];
  const { file, section } = first;
  const { document } = first.entry;
  const items: Record<string, Json> = {};
  for (const [index, key] of keys.entries()) {
    const item: Record<string, Json> = {};
    for (const [value, each] of template.values) define(item, value, each[index] ?? null);
    define(items, key, item);
  }
  const at = pointerTo(section, name);
  const written: readonly Edit[] = [
    { document, pointer: `${at}/forEach`, value: items },
    ...[...template.edits].map(([below, value]): Edit => ({ document, pointer: at + below, value })),
    ...members
      .filter(({ address }) => state === 'unknown' || state.has(address))
      .map(
        ({ address }): Edit => ({ document, pointer: '/moved/-', value: { from: address, to: to.get(address) ?? '' } }),
      ),
  ];
  const removed = others.map(
    (member): EditOfFile => ({
      file: member.file,
      edit: { document: member.entry.document, pointer: member.entry.pointer, value: undefined },
    }),
  );
  return [...written.map((edit) => ({ file, edit })), ...removed];
}

/** What is yet to be adopted is adopted as an instance. */
function adoptEdits(loops: readonly LoopToWrite[], { loaded }: FoldInput): readonly EditOfFile[] {
  const renamed = new Map(loops.flatMap(({ to }) => [...to]));
  return loaded.desired.adoptions.flatMap(({ to, origin: { file, document, pointer } }) => {
    const value = renamed.get(to);
    return value === undefined ? [] : [{ file, edit: { document, pointer: `${pointer}/to`, value } }];
  });
}

function withNewKeys(text: string, loops: readonly LoopToWrite[]): string {
  const keys = loops.flatMap(({ members: [first], name }) => (first === undefined ? [] : { ...first.entry.key, name }));
  return keys
    .sort((a, b) => b.start - a.start)
    .reduce((after, { start, end, name }) => after.slice(0, start) + name + after.slice(end), text);
}

/**
 * The stage that makes one declaration of many: the loop stands where the first of them stood, and each has an entry in
 * `moved`, so that the state follows.
 */
export function foldLoops(input: FoldInput): FoldStep {
  const left: NotFolded[] = [];
  const groups = chooseGroups(readMembers(input)).flatMap((group) => {
    const { kept, lost } = splitByComments(group);
    if (lost.length > 0) left.push(commented(lost));
    return kept.length < fewestMembers || input.skip.has(idOf(kept)) ? [] : [kept];
  });
  let loops = nameLoops(groups, input);
  let written = writeLoops(loops, input);
  while ('unsupported' in written) {
    const { unsupported } = written;
    const isHere = ({ members }: LoopToWrite) => members.some(({ file }) => file === unsupported);
    for (const { members } of loops.filter(isHere)) left.push(notEdited(members, unsupported));
    loops = loops.filter((loop) => !isHere(loop));
    written = writeLoops(loops, input);
  }
  return { texts: written.texts, folds: loops.map(foldOf), left };
}

/** What a member says in comments would be lost, unless the first one says the same. */
function splitByComments(group: readonly Member[]): {
  readonly kept: readonly Member[];
  readonly lost: readonly Member[];
} {
  const [first, ...rest] = group;
  if (first === undefined) return { kept: [], lost: [] };
  const said = new Set(first.entry.comments);
  const isKept = ({ entry }: Member) => !entry.hasCommentAbove && entry.comments.every((comment) => said.has(comment));
  return { kept: [first, ...rest.filter(isKept)], lost: rest.filter((member) => !isKept(member)) };
}

function commented(members: readonly Member[]): NotFolded {
  const message =
    members.length === 1
      ? 'It has comments of its own, which an item cannot hold.'
      : 'They have comments of their own, which an item cannot hold.';
  return { file: members[0]?.file ?? '', addresses: members.map(({ address }) => address), message };
}

function notEdited(members: readonly Member[], file: string): NotFolded {
  return {
    file,
    addresses: members.map(({ address }) => address),
    message: `The layout of ${file} cannot be edited.`,
  };
}

function nameLoops(groups: readonly (readonly Member[])[], { loaded, state }: FoldInput): readonly LoopToWrite[] {
  const { resources, moves, removals, loops = [], absent = [] } = loaded.desired;
  const taken = takenKeys([
    ...[...resources, ...loops, ...absent].map(({ address }) => address),
    ...[...moves, ...removals].map(({ from }) => from),
    ...(state === 'unknown' ? [] : state),
  ]);
  return groups.map((members): LoopToWrite => {
    const template = makeTemplate(members);
    const [{ kind, section }] = members as readonly [Member];
    const name = loopName(members, taken.get(section) ?? new Set());
    const keys = itemKeys(members, template);
    const to = new Map<Address, Address>(
      members.map(({ address }, item) => [address, addressOf(kind, name, keys[item] ?? '')]),
    );
    return { id: idOf(members), members, template, name, keys, to };
  });
}

function idOf([first]: readonly Member[]): string {
  return `loop ${first?.address ?? ''}`;
}

function foldOf({ id, members, template, name, to }: LoopToWrite): Fold {
  const [{ kind, file }] = members as [Member];
  return {
    id,
    kind: 'loop',
    file,
    address: addressOf(kind, name),
    instances: members.map(({ address }) => ({ from: address, to: to.get(address) ?? address })),
    values: [...template.values.keys()],
  };
}
