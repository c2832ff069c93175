// What the changes of one loop have in common, and which fields differ by item: all instances are made from one
// declaration, so reports show what they share once and name the rest.

import type { Change, FieldDiff } from '../../../model/plan/plan.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../model/values/json.ts';
import { isWithin, type Pointer, pointerSegments, valueAt } from '../../../model/values/pointer.ts';
import { type Leaf, labelOf } from '../../fields/field-paths.ts';
import { shownDiff } from '../../fields/set-differences.ts';

/** The values that all have, however deep they lie. */
export function sharedAttributes([first = {}, ...others]: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    Object.entries(first).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
      const values = others.flatMap((other) => (Object.hasOwn(other, name) ? [other[name] as Json] : []));
      if (values.length < others.length) return [];
      if (values.every((each) => equalJson(each, value))) return [[name, value]];
      if (!isJsonObject(value) || !values.every(isJsonObject)) return [];
      const inner = sharedAttributes([value, ...values]);
      return Object.keys(inner).length === 0 ? [] : [[name, inner]];
    }),
  );
}

/** The differences that all have. */
export function sharedDiff([first = [], ...others]: readonly (readonly FieldDiff[])[]): readonly FieldDiff[] {
  return first.filter((entry) => others.every((other) => other.some((each) => equalEntries(each, entry))));
}

/**
 * What all of them do with a field, although not all of its values are the same: it goes, it comes, or it gets one value in
 * place of several.
 */
export function alikeIn(changes: readonly Change[], path: Pointer): FieldDiff | undefined {
  const isOfField = (entry: FieldDiff) => isWithin(entry.path, path) || isWithin(path, entry.path);
  // Of a secret only the text is known.
  if (changes.some(({ diff }) => diff.some((entry) => entry.sensitive && isOfField(entry)))) return undefined;
  const sideOf = (side: 'before' | 'after') => changes.map((change) => valueAt(change[side] ?? {}, path));
  const [before, after] = [sideOf('before'), sideOf('after')];
  const [isMissing, isThere] = [(value?: Json) => value === undefined, (value?: Json) => value !== undefined];
  if (before.every(isThere) && after.every(isMissing)) return { path, op: 'remove', sensitive: false };
  if (!after.every(isThere)) return undefined;
  if (after.every((value) => equalJson(value, after[0])))
    return { path, op: 'change', after: after[0], sensitive: false };
  return before.every(isMissing) ? { path, op: 'add', sensitive: false } : undefined;
}

/** The differences of one that are not among those that all have. */
export function ownDiff(change: Change, shared: readonly FieldDiff[]): readonly FieldDiff[] {
  return shownDiff(change).filter((entry) => !shared.some((each) => equalEntries(each, entry)));
}

function equalEntries(a: FieldDiff, b: FieldDiff): boolean {
  return a.path === b.path && equalJson({ ...a }, { ...b });
}

/** The paths of the fields that differ. */
export function differingFields(all: readonly (readonly Leaf[])[]): readonly (readonly string[])[] {
  const counts = new Map<string, { readonly leaf: Leaf; count: number; isEqual: boolean }>();
  for (const leaf of all.flat()) {
    const known = counts.get(labelOf(leaf.segments));
    if (known === undefined) counts.set(labelOf(leaf.segments), { leaf, count: 1, isEqual: true });
    else {
      known.count += 1;
      known.isEqual &&= equalLeaves(known.leaf, leaf);
    }
  }
  const paths = [...counts.values()].flatMap(({ leaf: { segments }, count, isEqual }) => {
    // A path that only some have may be one of very many: the keys of a map.
    if (count < all.length) return [segments.slice(0, 1)];
    return isEqual ? [] : [withoutPositions(segments)];
  });
  return [...new Map(paths.map((segments) => [labelOf(segments), segments])).values()];
}

function equalLeaves(a: Leaf, b: Leaf): boolean {
  return (['before', 'after'] as const).every((side) =>
    a[side] === undefined || b[side] === undefined ? a[side] === b[side] : equalJson(a[side], b[side]),
  );
}

function withoutPositions(segments: readonly string[]): readonly string[] {
  const end = segments.findIndex((segment) => /^\d+$/.test(segment));
  return end < 1 ? segments : segments.slice(0, end);
}

/** The fields of the kind's table that a difference touches, as a key. */
export function touchedFields(diff: readonly FieldDiff[]): readonly string[] {
  return [...new Set(diff.map(({ path }) => pointerSegments(path)[0] ?? ''))].sort();
}
