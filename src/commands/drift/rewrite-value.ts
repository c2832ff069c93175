// Writes a value with another meaning, keeping references that still mean the same. Lists are changed by item and maps
// by entry, so that comments and aliases stay as well.

import { elements } from '../../declare/comparable.ts';
import { equalJson, isJsonObject, type Json } from '../../model/values/json.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import type { SplicedItem } from '../../model/workspace/origins.ts';
import { diffLists } from '../../plan/difference.ts';
import { escapeInterpolation } from '../../yaml/format/print-string.ts';
import { referencesIn } from '../../yaml/references-in.ts';
import { NotEditable } from './not-editable.ts';

/** The written indexes of items. Items that another list gives cannot be removed here. */
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

export function listChanges(meaning: readonly Json[], target: readonly Json[], isSet: boolean): ListChanges {
  if (isSet) {
    // An item such as 'U1,U2' is several elements.
    if (meaning.some((item) => elements(item).length !== 1)) throw new NotEditable('layout');
    return { removed: without(meaning, target), added: without(target, meaning) };
  }
  const diff = diffLists('', meaning, target);
  if (diff.some(({ path }) => path === ''))
    return { removed: meaning.map((_, index) => index), added: target.map((_, index) => index) };
  const indexes = (op: 'add' | 'remove') =>
    diff.filter((each) => each.op === op).map(({ path }) => Number(pointerSegments(path)[0]));
  return { removed: indexes('remove'), added: indexes('add') };
}

/** The indexes of items that the others lack, each counted as often as it occurs. */
function without(items: readonly Json[], others: readonly Json[]): readonly number[] {
  const counts = new Map<string, number>();
  for (const other of others) {
    const text = JSON.stringify(elements(other));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return items.flatMap((item, index) => {
    const text = JSON.stringify(elements(item));
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count > 0 ? [] : [index];
  });
}

/**
 * The whole value with another meaning; references that still mean the same stay. `spliced` belongs to a list that
 * includes the items of others. Throws NotEditable.
 */
export function rewritten(
  raw: Json,
  meaning: Json | undefined,
  target: Json,
  isSet: boolean,
  spliced?: readonly SplicedItem[],
): Json {
  if (meaning !== undefined && equalJson(meaning, target)) return raw;
  if (isPartlyReference(raw)) throw new NotEditable('partly-reference');
  if (Array.isArray(raw) && Array.isArray(meaning) && Array.isArray(target)) {
    return rewrittenList(raw, meaning, target, isSet, spliced);
  }
  if (isJsonObject(raw) && isJsonObject(meaning) && isJsonObject(target)) {
    // A list that is wholly a reference is one that others read too: a plain one would lose the reference.
    const isLost = ([key, now]: [string, Json]) =>
      typeof now === 'string' && Array.isArray(meaning[key]) && !equalJson(meaning[key], target[key] ?? null);
    if (Object.entries(raw).some(isLost)) throw new NotEditable('partly-reference');
    const entries = Object.entries(target).map(([key, value]): [string, Json] => [
      key,
      Object.hasOwn(raw, key) ? rewritten(raw[key] ?? null, meaning[key], value, false) : escapeInterpolation(value),
    ]);
    return Object.fromEntries(entries);
  }
  return escapeInterpolation(target);
}

function rewrittenList(
  raw: readonly Json[],
  meaning: readonly Json[],
  target: readonly Json[],
  isSet: boolean,
  spliced: readonly SplicedItem[] | undefined,
): readonly Json[] {
  const { removed: gone, added } = listChanges(meaning, target, isSet);
  const removed = spliced === undefined ? gone : writtenItems(gone, spliced);
  // In an ordered list, an item that makes room for another one has been changed.
  if (!isSet && added.length > 0 && removed.some((index) => isPartlyReference(raw[index])))
    throw new NotEditable('partly-reference');
  const keptItems = raw.filter((_, index) => !removed.includes(index));
  const fresh = (index: number) => escapeInterpolation(target[index] ?? null);
  const count = meaning.length - gone.length;
  if (isSet || added.every((index) => index >= count)) return [...keptItems, ...added.map(fresh)];
  if (spliced !== undefined) throw new NotEditable('partly-reference');
  return target.map((_, index) => (added.includes(index) ? fresh(index) : (keptItems.shift() ?? null)));
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
