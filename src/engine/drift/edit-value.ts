// The edits that give a written value another meaning: lists by element and maps by entry, so that comments, references
// and aliases beside what changes stay.

import { equalJson, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import type { SplicedItem } from '../../model/workspace/origins.ts';
import { escapeInterpolation } from '../../parse/escape-interpolation.ts';
import { referencesIn } from '../../parse/written/references-in.ts';
import type { WrittenValue } from '../../parse/written/written-values.ts';
import { elements, sorted } from '../../plan/comparable.ts';
import { diffLists } from '../../plan/difference.ts';
import type { ValueEdit } from '../edit/edit-files.ts';

export interface WrittenPart {
  /** Where it is written, or where an alias of it stands. */
  readonly slot: Pointer;
  readonly value: WrittenValue;
  /** As written, with references. */
  readonly raw: Json;
  /** As it is understood. */
  readonly meant: Json;
  /** Of a list that takes in the items of others. */
  readonly spliced?: readonly SplicedItem[] | undefined;
}

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

/** Throws NotEditable. */
export function editsFor(part: WrittenPart, target: Json, isSet: boolean): readonly ValueEdit[] {
  const { slot, value, raw, meant } = part;
  if (equalJson(meant, target)) return [];
  // Behind an alias there is nothing to edit in part.
  const isHere = value.pointer === slot;
  if (isHere && Array.isArray(raw) && Array.isArray(meant) && Array.isArray(target)) {
    return listEdits(part, raw, meant, target, isSet);
  }
  if (isHere && isJsonObject(raw) && isJsonObject(meant) && isJsonObject(target)) {
    return mapEdits(part, raw, meant, target);
  }
  return [{ pointer: slot, value: rewritten(raw, meant, target, isSet) }];
}

function listEdits(
  { slot, spliced }: WrittenPart,
  raw: readonly Json[],
  meant: readonly Json[],
  target: readonly Json[],
  isSet: boolean,
): readonly ValueEdit[] {
  const { removed: gone, added } = listChanges(meant, target, isSet);
  const removed = spliced === undefined ? gone : writtenItems(gone, spliced);
  checkReplaced(raw, removed, added, isSet);
  const kept = meant.length - gone.length;
  // What comes between other items needs the whole list.
  if (!isSet && added.some((index) => index < kept)) {
    if (spliced !== undefined) throw new NotEditable('partly-reference');
    return [{ pointer: slot, value: rewritten(raw, meant, target, isSet) }];
  }
  return [
    ...removed.map((index) => ({ pointer: slot + pointerTo(index), value: undefined })),
    ...added.map((index) => ({
      pointer: slot + pointerTo('-'),
      value: escapeInterpolation(target[index] ?? null),
    })),
  ];
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

export function listChanges(meant: readonly Json[], target: readonly Json[], isSet: boolean): ListChanges {
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

function mapEdits(part: WrittenPart, raw: JsonObject, meant: JsonObject, target: JsonObject): readonly ValueEdit[] {
  const keys = [...new Set([...Object.keys(meant), ...Object.keys(target)])];
  return keys.flatMap((key): readonly ValueEdit[] => {
    const own = part.slot + pointerTo(key);
    const [now, then] = [meant[key], target[key]];
    if (then === undefined) {
      const suppliers = part.value.suppliers(key);
      if (suppliers.length !== 1 || suppliers[0]?.slot !== own) throw new NotEditable('layout');
      return [{ pointer: own, value: undefined }];
    }
    if (now === undefined) return [{ pointer: own, value: escapeInterpolation(then) }];
    const [supplier] = part.value.suppliers(key);
    const written = raw[key] ?? null;
    if (supplier?.slot === own) return editsFor({ ...supplier, raw: written, meant: now }, then, false);
    return equalJson(now, then) ? [] : [{ pointer: own, value: rewritten(written, now, then, false) }];
  });
}

/** The whole value with another meaning; references that still mean the same stay. Throws NotEditable. */
export function rewritten(raw: Json, meant: Json | undefined, target: Json, isSet: boolean): Json {
  if (meant !== undefined && equalJson(meant, target)) return raw;
  if (isPartlyReference(raw)) throw new NotEditable('partly-reference');
  if (Array.isArray(raw) && Array.isArray(meant) && Array.isArray(target)) {
    return rewrittenList(raw, meant, target, isSet);
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
): readonly Json[] {
  const { removed, added } = listChanges(meant, target, isSet);
  checkReplaced(raw, removed, added, isSet);
  const kept = raw.filter((_, index) => !removed.includes(index));
  const fresh = (index: number) => escapeInterpolation(target[index] ?? null);
  if (isSet) return [...kept, ...added.map(fresh)];
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
