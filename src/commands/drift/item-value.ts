// A value of an instance that comes wholly from its item is edited in the item, if everything that uses it changed alike.

import { fieldsOf } from '../../model/fields/fields.ts';
import { equalJson, isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import { giverOf, type Held, type Origins, type SplicedItem, type ValuePlace } from '../../model/workspace/origins.ts';
import { heldField, type Item } from '../../model/workspace/resource.ts';
import { diffLists, elements, sorted } from '../../plan/difference.ts';
import { escapeInterpolation } from '../../yaml/escape-interpolation.ts';
import { referencesIn } from '../../yaml/written/references-in.ts';
import type { OpenDocuments } from '../../yaml/written/written-values.ts';
import { editAt, plainOf, rawIn, referredPlaces, splicedIn, type WrittenRaw } from './choose-place.ts';
import type { Goal } from './drift-goals.ts';
import {
  goalKey,
  goalsOf,
  isSetField,
  isSharedWithOthers,
  type OpenGoals,
  type PlaceChoice,
  type PlaceEdit,
  usersThatAgree,
} from './place-edit.ts';

/** The value that is to be written: the default where Omni has none. */
function wantedValue({ resource, field, value }: Goal): Json | undefined {
  return value ?? fieldsOf[resource.kind][field]?.default;
}

/** Undefined if the value does not come from the item, or others need it as it is. Throws NotEditable. */
export function inItem(
  goal: Goal,
  supply: WrittenRaw | undefined,
  open: OpenGoals,
  choice: PlaceChoice,
): PlaceEdit | undefined {
  const part = itemPart(goal, supply);
  const { resource } = goal;
  if (part === undefined || isKeyOf(resource.item, part.name, choice.places.documents)) return undefined;
  if (part.place.part !== undefined) return inCell(goal, part, open, choice);
  const found = rawIn(part, choice.places.documents);
  if (found === undefined) return undefined;
  for (const candidate of part.isWhole ? referredPlaces(found, choice) : []) {
    const goals = usersThatAgree(candidate.usedAt, goal, open, choice);
    const edit = goals && editAt(candidate, goals, part.target, goal);
    if (edit !== undefined) return edit;
  }
  return inMapItem(goal, part, found, open, choice);
}

function inCell(goal: Goal, part: ItemPart, open: OpenGoals, choice: PlaceChoice) {
  const { place } = part;
  const goals = itemUsersThatAgree(place, goal, part, open, choice);
  if (goals === undefined) return undefined;
  const { target } = part;
  const cell = `the column \`${part.name}\` of ${place.origin.file}`;
  if (typeof target === 'object')
    throw new NotEditable(
      'items',
      `A cell of a CSV file holds one text, so ${cell} cannot hold a list or a map. Declare this one outside of the loop, or use \`forEach\`.`,
    );
  const text = String(escapeInterpolation(target));
  if (/^[=+\-@\t\r]/.test(text))
    throw new NotEditable(
      'items',
      `A spreadsheet would take the value for a formula, so it is not written into ${cell}. Write it there yourself.`,
    );
  return { goals, place, edits: [{ pointer: place.origin.pointer, value: text }] };
}

function inMapItem(
  goal: Goal,
  part: ItemPart,
  found: WrittenRaw,
  open: OpenGoals,
  choice: PlaceChoice,
): PlaceEdit | undefined {
  const { item } = goal.resource;
  if (item === undefined) return undefined;
  const own = part.place;
  const { place: here, value } = found;
  const slot = here.origin;
  const isOwn = slot.pointer === own.origin.pointer;
  const places: { readonly place: ValuePlace & { readonly origin: Origin }; readonly only?: Item }[] = [
    ...(value.pointer === slot.pointer
      ? []
      : [{ place: { kind: 'anchor' as const, origin: { ...slot, pointer: value.pointer } } }]),
    { place: here },
    ...(isOwn ? [] : [{ place: own, only: item }]),
  ];
  for (const { place, only } of places) {
    const users = only === undefined ? place : here;
    const goals = itemUsersThatAgree(users, goal, part, open, choice, only);
    if (goals === undefined) continue;
    checkOwned(item, choice);
    const at = place.origin.pointer;
    const { meant, target, isSet } = part;
    const written =
      only === undefined
        ? rewritten(found.raw, meant, target, isSet, splicedIn(found))
        : rewritten(plainOf(found), meant, target, isSet);
    return { goals, place, edits: [{ pointer: at, value: written }] };
  }
  return undefined;
}

/** A map of items in almanac.yaml is a variable that other environments may read, too. Throws NotEditable. */
function checkOwned({ origin, loop }: Item, choice: PlaceChoice): void {
  const map = pointerSegments(origin.pointer).slice(0, -1);
  if (!isSharedWithOthers({ ...origin, pointer: pointerTo(...map) }, choice)) return;
  const { environment } = choice;
  const way =
    environment === undefined
      ? 'Change it there yourself.'
      : `Give ${environment} a map of its own under \`environments.${environment}.variables\`, or change it yourself.`;
  throw new NotEditable(
    'used-elsewhere',
    `The items of \`${loop.address}\` are the variable \`${map.at(-1) ?? ''}\` of ${origin.file}, which other environments read as well. ${way}`,
  );
}

/** Whether a name is the key of an item, which nothing may change. */
function isKeyOf(item: Item | undefined, name: string, { valueAt }: OpenDocuments): boolean {
  if (item === undefined || name === 'key') return true;
  const { origin } = item.loop;
  return valueAt({ ...origin, pointer: `${origin.pointer}/forEachRow/key` }) === name;
}

/** The part of a field that a value of the item gives, and what it would have to be. */
interface ItemPart extends Held<Extract<ValuePlace, { readonly kind: 'item' }>> {
  readonly name: string;
  readonly meant: Json;
  readonly target: Json;
  readonly isSet: boolean;
  /** It is all of the field. */
  readonly isWhole: boolean;
}

function itemPart(goal: Goal, supply: WrittenRaw | undefined): ItemPart | undefined {
  const { resource, field, declared } = goal;
  const value = wantedValue(goal);
  if (resource.item === undefined || supply === undefined || declared === undefined || value === undefined)
    return undefined;
  const { raw, origins, at } = supply;
  const target = inFormOf(declared, value);
  return partOf(raw, { meant: declared, target, isSet: isSetField(resource, field), isWhole: true, at }, origins);
}

interface Step extends Pick<ItemPart, 'meant' | 'target' | 'isSet' | 'isWhole'> {
  /** The place of the reference in the record. */
  readonly at: Pointer;
}

/** Follows the one thing that changed to a reference that gives all of it. */
function partOf(raw: Json | undefined, step: Step, origins: Origins | undefined): ItemPart | undefined {
  const { at, ...part } = step;
  const { meant, target, isSet } = part;
  if (typeof raw === 'string') {
    const giver = giverOf(origins, at);
    const { name = '' } = referencesIn(raw).whole ?? {};
    return giver?.place.kind === 'item' ? { ...part, name, ...giver, place: giver.place } : undefined;
  }
  if (Array.isArray(raw) && Array.isArray(meant) && Array.isArray(target)) {
    const spliced = origins?.lists.get(at);
    if (spliced?.some(({ item }) => item !== undefined))
      return takenIn(raw, { ...step, meant, target }, spliced, origins);
    const { removed, added } = listChanges(meant, target, isSet);
    const [[gone = -1], [came = -1]] = [removed, added];
    const isReplaced = removed.length === 1 && added.length === 1 && (isSet || gone === came);
    if (!isReplaced || (spliced ?? raw).length !== meant.length) return undefined;
    const inside = { meant: meant[gone] ?? null, target: target[came] ?? null, isSet: false, isWhole: false };
    // Empty cells before it have no place in what is meant.
    const written = spliced?.[gone]?.written ?? gone;
    return partOf(raw[written], { ...inside, at: at + pointerTo(written) }, origins);
  }
  if (!isJsonObject(raw) || !isJsonObject(meant) || !isJsonObject(target)) return undefined;
  const keys = [...new Set([...Object.keys(meant), ...Object.keys(target)])];
  const [key = '', ...others] = keys.filter((name) => !equalMeaning(meant[name], target[name], false));
  const [now, then] = [meant[key], target[key]];
  if (others.length > 0 || now === undefined || then === undefined) return undefined;
  return partOf(raw[key], { meant: now, target: then, isSet: false, isWhole: false, at: at + pointerTo(key) }, origins);
}

/** The list of the item that another list takes in, if only its part of the list changed. */
function takenIn(
  raw: readonly Json[],
  { meant, target, isSet, at }: Step & { readonly meant: readonly Json[]; readonly target: readonly Json[] },
  spliced: readonly SplicedItem[],
  origins: Origins | undefined,
): ItemPart | undefined {
  const [written, ...others] = new Set(spliced.flatMap((each) => (each.item === undefined ? [] : [each.written])));
  if (written === undefined || others.length > 0 || !isSet) return undefined;
  const inner = spliced.filter((each) => each.written === written);
  const { removed, added } = listChanges(meant, target, isSet);
  const isInner = (index: number) => spliced.every((each) => each.index !== index || each.written === written);
  if (!removed.every(isInner)) return undefined;
  const itemAt = (indexes: readonly number[], list: readonly Json[]) => indexes.map((index) => list[index] ?? null);
  const indexes = inner.toSorted((a, b) => (a.item ?? 0) - (b.item ?? 0)).map(({ index }) => index);
  const left = indexes.filter((index) => !removed.includes(index));
  const step: Step = {
    meant: itemAt(indexes, meant),
    target: [...itemAt(left, meant), ...itemAt(added, target)],
    isSet,
    isWhole: false,
    at: at + pointerTo(written),
  };
  return partOf(raw[written], step, origins);
}

/** The goals of everything that uses a value of an item; undefined unless all need the same. `only`: of this item. */
function itemUsersThatAgree(
  place: ValuePlace,
  goal: Goal,
  part: ItemPart,
  open: OpenGoals,
  { places }: PlaceChoice,
  only?: Item,
): readonly Goal[] | undefined {
  const uses = places.usesOf(place).filter(({ resource: { item } }) => only === undefined || isSame(item, only));
  const goals = goalsOf(uses, open, (other) => {
    const theirs = itemPart(other, rawIn(heldField(other.resource, other.field), places.documents));
    return theirs !== undefined && theirs.name === part.name && isAlike(theirs, part);
  });
  goals?.set(goalKey(goal.resource.address, goal.field), goal);
  return goals && [...goals.values()];
}

function isAlike(a: ItemPart, b: ItemPart): boolean {
  return a.isSet === b.isSet && equalMeaning(a.target, b.target, a.isSet);
}

function isSame(item: Item | undefined, other: Item): boolean {
  return item?.origin.file === other.origin.file && item.origin.pointer === other.origin.pointer;
}

// A written value with another meaning, in which references that still mean the same stay. The editor changes lists by
// item and maps by entry, so that comments and aliases stay as well.

/** Why a value cannot be edited. */
export class NotEditable extends Error {
  readonly reason: 'partly-reference' | 'layout' | 'used-elsewhere' | 'no-value' | 'items' | 'secret';
  /** In full sentences, where more is known than the reason. */
  readonly words: string | undefined;

  constructor(reason: NotEditable['reason'], words?: string) {
    super(words ?? reason);
    this.reason = reason;
    this.words = words;
  }
}

/** Where items are written. What another list gives cannot be taken away here. */
function writtenItems(indexes: readonly number[], spliced: readonly SplicedItem[]): readonly number[] {
  return indexes.flatMap((index) => {
    const sources = spliced.filter((item) => item.index === index);
    if (sources.some(({ item }) => item !== undefined)) throw new NotEditable('partly-reference');
    return sources.map(({ written }) => written);
  });
}

interface ListChanges {
  /** Indexes in the old list. */
  readonly removed: readonly number[];
  /** Indexes in the new one. */
  readonly added: readonly number[];
}

function listChanges(meant: readonly Json[], target: readonly Json[], isSet: boolean): ListChanges {
  if (isSet) {
    // An item such as 'U1,U2' is several elements.
    if (meant.some((item) => elements(item).length !== 1)) throw new NotEditable('layout');
    return { removed: without(meant, target), added: without(target, meant) };
  }
  const diff = diffLists('', meant, target);
  if (diff.some(({ path }) => path === ''))
    return { removed: meant.map((_, index) => index), added: target.map((_, index) => index) };
  const indexes = (op: 'add' | 'remove') =>
    diff.filter((each) => each.op === op).map(({ path }) => Number(pointerSegments(path)[0]));
  return { removed: indexes('remove'), added: indexes('add') };
}

/** The indexes of those that the others do not hold, each counted as often as it is there. */
function without(items: readonly Json[], others: readonly Json[]): readonly number[] {
  const left = new Map<string, number>();
  for (const other of others) {
    const text = JSON.stringify(elements(other));
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  return items.flatMap((item, index) => {
    const text = JSON.stringify(elements(item));
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0 ? [] : [index];
  });
}

/** In a list with an order, an item that makes room for another one has been changed. */
function checkReplaced(
  raw: readonly Json[],
  removed: readonly number[],
  added: readonly number[],
  isSet: boolean,
): void {
  if (!isSet && added.length > 0 && removed.some((index) => isPartlyReference(raw[index])))
    throw new NotEditable('partly-reference');
}

/**
 * The whole value with another meaning; references that still mean the same stay. `spliced`: of a list that takes in the
 * items of others. Throws NotEditable.
 */
export function rewritten(
  raw: Json,
  meant: Json | undefined,
  target: Json,
  isSet: boolean,
  spliced?: readonly SplicedItem[],
): Json {
  if (meant !== undefined && equalJson(meant, target)) return raw;
  if (isPartlyReference(raw)) throw new NotEditable('partly-reference');
  if (Array.isArray(raw) && Array.isArray(meant) && Array.isArray(target)) {
    return rewrittenList(raw, meant, target, isSet, spliced);
  }
  if (isJsonObject(raw) && isJsonObject(meant) && isJsonObject(target)) {
    const entries = Object.entries(target).map(([key, value]): [string, Json] => [
      key,
      Object.hasOwn(raw, key) ? rewritten(raw[key] ?? null, meant[key], value, false) : escapeInterpolation(value),
    ]);
    return Object.fromEntries(entries);
  }
  return escapeInterpolation(target);
}

function rewrittenList(
  raw: readonly Json[],
  meant: readonly Json[],
  target: readonly Json[],
  isSet: boolean,
  spliced: readonly SplicedItem[] | undefined,
): readonly Json[] {
  const { removed: gone, added } = listChanges(meant, target, isSet);
  const removed = spliced === undefined ? gone : writtenItems(gone, spliced);
  checkReplaced(raw, removed, added, isSet);
  const kept = raw.filter((_, index) => !removed.includes(index));
  const fresh = (index: number) => escapeInterpolation(target[index] ?? null);
  const count = meant.length - gone.length;
  if (isSet || added.every((index) => index >= count)) return [...kept, ...added.map(fresh)];
  if (spliced !== undefined) throw new NotEditable('partly-reference');
  return target.map((_, index) => (added.includes(index) ? fresh(index) : (kept.shift() ?? null)));
}

export function isPartlyReference(raw: Json | undefined): boolean {
  if (typeof raw !== 'string') return false;
  const { all, whole } = referencesIn(raw);
  return all.length > 0 && whole === undefined;
}

/** The value in the form in which the field is written: a set may be one text with commas. */
export function inFormOf(declared: Json | undefined, target: Json): Json {
  if (typeof declared !== 'string' || !Array.isArray(target)) return target;
  return target.join(/, /.test(declared) ? ', ' : ',');
}

/** Whether two values of a field mean the same to every reader. */
export function equalMeaning(a: Json | undefined, b: Json | undefined, isSet: boolean): boolean {
  if (a === undefined || b === undefined || !isSet) return equalJson(a, b);
  return equalJson(sorted(elements(a)), sorted(elements(b)));
}
