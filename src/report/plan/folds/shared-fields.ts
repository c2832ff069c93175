// What the changes of one loop have in common, and which fields differ by item: all instances are made from one
// declaration, so reports show what they share once and name the rest.

import type { FieldDiff } from '../../../model/plan/plan.ts';
import type { Kind } from '../../../model/values/address.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../model/values/json.ts';
import { pointerSegments } from '../../../model/values/pointer.ts';
import { changedLeaves, declaredLeaves, type Leaf, labelOf } from '../../fields/field-paths.ts';
import { setDifferences } from '../../fields/set-differences.ts';

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
export function sharedDiff(kind: Kind, diffs: readonly (readonly FieldDiff[])[]): readonly FieldDiff[] {
  const [first = [], ...others] = diffs.map((diff) => setDifferences(kind, diff));
  return first.filter((entry) => others.every((other) => other.some((each) => equalEntries(each, entry))));
}

/** The differences of one that are not among those that all have. */
export function ownDiff(kind: Kind, diff: readonly FieldDiff[], shared: readonly FieldDiff[]): readonly FieldDiff[] {
  return setDifferences(kind, diff).filter((entry) => !shared.some((each) => equalEntries(each, entry)));
}

function equalEntries(a: FieldDiff, b: FieldDiff): boolean {
  return a.path === b.path && equalJson({ ...a }, { ...b });
}

/** The names of the declared fields whose values differ by item. */
export function differingFields(kind: Kind, all: readonly JsonObject[]): readonly string[] {
  return differing(all.map((attributes) => declaredLeaves(kind, attributes)));
}

/** The names of the fields whose differences differ by item. */
export function differingChanges(kind: Kind, diffs: readonly (readonly FieldDiff[])[]): readonly string[] {
  return differing(diffs.map((diff) => changedLeaves(kind, diff)));
}

function differing(all: readonly (readonly Leaf[])[]): readonly string[] {
  const counts = new Map<string, { readonly leaf: Leaf; count: number; isEqual: boolean }>();
  for (const leaf of all.flat()) {
    const known = counts.get(labelOf(leaf.segments));
    if (known === undefined) counts.set(labelOf(leaf.segments), { leaf, count: 1, isEqual: true });
    else {
      known.count += 1;
      known.isEqual &&= equalLeaves(known.leaf, leaf);
    }
  }
  const names = [...counts.values()].flatMap(({ leaf: { segments }, count, isEqual }) => {
    // A path that only some have may be one of very many: the keys of a map.
    if (count < all.length) return segments.slice(0, 1).map((name) => labelOf([name]));
    return isEqual ? [] : [labelOf(withoutPositions(segments))];
  });
  return [...new Set(names)];
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
