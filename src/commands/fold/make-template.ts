// Writes a loop's template: differences among its members become values of the items. A repeated value becomes one.

import { smallest } from '../../model/values/collections.ts';
import { canonicalJson, isJsonObject, type Json, mapAt } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { trimEndOf } from '../../model/values/words.ts';
import { type ItemsIn, listCellsOf } from './item-rows.ts';
import type { Member } from './read-members.ts';

export interface Template {
  /** The values to write into the first member, keyed by the pointer below it. */
  readonly edits: ReadonlyMap<string, Json>;
  /** The values of the items by name, each for all members. */
  readonly values: ReadonlyMap<string, MemberValues>;
}

/** Undefined for a member that lacks the field. */
export type MemberValues = readonly (Json | undefined)[];

export function makeTemplate(members: readonly Member[], itemsIn: ItemsIn = 'declaration'): Template {
  const slots = differingSlots(members, itemsIn);
  const items = new ItemValues();
  // Values that cannot contain others come first: the names often repeat them.
  const edits = new Map<string, Json>();
  for (const slot of [...slots].sort((a, b) => rankOf(a) - rankOf(b)))
    edits.set(pointerTo(...slot.path), slotText(slot, items));
  const used = slots.map(({ path }) => JSON.stringify(edits.get(pointerTo(...path))));
  const values = [...items.named].sort(([a], [b]) => firstUse(used, a) - firstUse(used, b));
  return { edits, values: new Map(values) };
}

/** In the order of the first member's fields. */
export function differingSlots(members: readonly Member[], itemsIn: ItemsIn): readonly Slot[] {
  return differingFields(members).flatMap((field) => slotsOf(field, members, itemsIn));
}

/** In the same order. */
export function differingFields(members: readonly Member[]): readonly string[] {
  const [first] = members;
  return [...new Set(members.flatMap(({ fields }) => Object.keys(fields)))].filter((name) => {
    const value = canonicalJson(first?.fields[name] ?? null);
    return members.some(({ fields }) => canonicalJson(fields[name] ?? null) !== value);
  });
}

function firstUse(used: readonly string[], name: string): number {
  return used.findIndex((text) => text.includes(`\${each.${name}}`));
}

interface Slot {
  readonly path: readonly string[];
  readonly values: MemberValues;
}

/** One value of the items for each field, or for each part in a table: only a list of receivers fits into a cell. */
function slotsOf(field: string, members: readonly Member[], itemsIn: ItemsIn): readonly Slot[] {
  const whole = { path: [field], values: members.map(({ fields }) => fields[field]) };
  const isTable = itemsIn === 'table';
  const listCells = isTable ? listCellsOf(members[0] as Member) : [];
  // The only value of a filter; lists of people stay lists, because people are added to them.
  const inside = slotsIn(whole, (path) => (isTable ? !listCells.includes(pointerTo(...path)) : path.length > 1));
  if (isTable) return inside;
  return new Set(inside.map(({ values }) => JSON.stringify(values))).size === 1 ? inside : [whole];
}

/** `maySplit` decides whether a list of one text at a place is written as a list of one reference. */
function slotsIn({ path, values }: Slot, maySplit: (path: readonly string[]) => boolean): readonly Slot[] {
  const [first] = values;
  const text = JSON.stringify(first);
  if (values.every((value) => JSON.stringify(value) === text)) return [];
  if (first !== undefined && isJsonObject(first)) {
    const names = Object.keys(first);
    const isSame = values.every(
      (value) =>
        value !== undefined &&
        isJsonObject(value) &&
        Object.keys(value).length === names.length &&
        names.every((name) => Object.hasOwn(value, name)),
    );
    if (!isSame) return [{ path, values }];
    const below = (value: Json | undefined, name: string) => mapAt({ value: value ?? null }, 'value')[name] ?? null;
    return names.flatMap((name) =>
      slotsIn({ path: [...path, name], values: values.map((value) => below(value, name)) }, maySplit),
    );
  }
  const isSingle = maySplit(path) && values.every((value) => Array.isArray(value) && isText(value) && !isEach(value));
  if (!isSingle) return [{ path, values }];
  const only = values.map((value) => (Array.isArray(value) ? value[0] : null) as Json);
  return slotsIn({ path: [...path, '0'], values: only }, maySplit);
}

function isText(value: readonly Json[]): boolean {
  return value.length === 1 && typeof value[0] === 'string';
}

/** True for a reference that may give a whole list. */
function isEach([value]: readonly Json[]): boolean {
  return typeof value === 'string' && value.includes('${');
}

/** Texts for people, in which a value of the items may be a part. */
const prose: ReadonlySet<string> = new Set(['name', 'subject', 'textBody', 'filename', 'keyPrefix', 'prompt']);

function rankOf({ path }: Slot): number {
  return path.length > 1 ? 0 : prose.has(path[0] ?? '') ? 2 : 1;
}

function slotText(slot: Slot, items: ItemValues): string {
  const [field = ''] = slot.path;
  const known = items.nameOf(slot.values);
  if (known !== undefined) return `\${each.${known}}`;
  const within = items.textWith(slot.values);
  if (within !== undefined) return within;
  const pieces = piecesOf(slot.values);
  if (pieces !== undefined) {
    const { before, middle, after } = pieces;
    const name = items.nameOf(middle) ?? (prose.has(field) ? items.add(field, middle) : undefined);
    if (name !== undefined) return `${before}\${each.${name}}${after}`;
  }
  return `\${each.${items.add(wishOf(slot), slot.values)}}`;
}

const shortNames: Readonly<Record<string, string>> = {
  schedule: 'at',
  recipients: 'to',
  recipientEmails: 'to',
  userGroups: 'groups',
  userGroupIds: 'groups',
};

/** A filter's wish is its id. */
function wishOf({ path }: Slot): string {
  const [field = '', id = field] = path.at(-1) === '0' ? path.slice(0, -1) : path;
  return shortNames[id] ?? id;
}

interface Pieces {
  readonly before: string;
  readonly middle: readonly string[];
  readonly after: string;
}

/** The common beginning and end of all texts, in whole words; undefined if there are none. */
function piecesOf(values: MemberValues): Pieces | undefined {
  const texts = values.filter((value): value is string => typeof value === 'string' && !value.includes('$'));
  const [first] = texts;
  if (first === undefined || texts.length < values.length) return undefined;
  let [start, end] = [0, 0];
  const shortest = smallest(texts.map(({ length }) => length));
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

/** True if a position in a text is between two letters. */
export function isWithinWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && letter.test(text[at - 1] ?? '') && letter.test(text[at] ?? '');
}

/** The items' values; each list of values has one name. */
class ItemValues {
  readonly named = new Map<string, MemberValues>();
  readonly #names = new Map<string, string>();

  nameOf(values: MemberValues): string | undefined {
    return this.#names.get(valuesKey(values));
  }

  /** A text that contains a value that the items have already, with the same text around it in all members. */
  textWith(values: MemberValues): string | undefined {
    const [first] = values;
    if (typeof first !== 'string' || values.some((value) => String(value).includes('$'))) return undefined;
    for (const [name, known] of this.named) {
      const [value] = known;
      if (typeof value !== 'string' || value === '' || !known.every((each) => typeof each === 'string')) continue;
      for (let at = first.indexOf(value); at >= 0; at = first.indexOf(value, at + 1)) {
        const [before, after] = [first.slice(0, at), first.slice(at + value.length)];
        if (values.every((text, index) => text === `${before}${String(known[index])}${after}`))
          return `${before}\${each.${name}}${after}`;
      }
    }
    return undefined;
  }

  add(wish: string, values: MemberValues): string {
    const known = this.nameOf(values);
    if (known !== undefined) return known;
    const words = wish.replace(/^.*\./, '').replace(/[^A-Za-z0-9_-]+/g, '-');
    const plain = trimEndOf(words.replace(/^-+/, ''), /-/);
    const base = plain === '' || plain === 'key' || plain === 'value' ? `the-${plain}`.replace(/-$/, '-value') : plain;
    let name = base;
    for (let count = 2; this.named.has(name); count += 1) name = `${base}-${count}`;
    this.named.set(name, values);
    this.#names.set(valuesKey(values), name);
    return name;
  }
}

/** JSON does not have undefined. */
function valuesKey(values: MemberValues): string {
  return JSON.stringify(values.map((value) => (value === undefined ? [] : [value])));
}
