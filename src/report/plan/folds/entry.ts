// An entry of a report: one change, or several that are reviewed as one. It has their shared fields, and the names of
// fields that differ by item. All fields of a single change are shared. A terminal, a comment and a page only lay it
// out.

import type { Change, FieldDiff } from '../../../model/plan/plan.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../model/values/json.ts';
import { isWithin, type Pointer, pointerTo, valueAt } from '../../../model/values/pointer.ts';
import { knownAtApply, sensitive } from '../../../model/values/secret.ts';
import { changedLeaves, declaredLeaves, type Leaf, labelOf } from '../../fields/field-paths.ts';
import { shownDiff } from '../../fields/set-differences.ts';
import { kindsInReports } from '../../listed-facts.ts';
import { commonTiming, type TimedChange, type Timings } from '../timed-plan.ts';

export interface Entry {
  /** All have the same kind, action and reason. */
  readonly changes: readonly [TimedChange, ...TimedChange[]];
  readonly same: ShownFields;
  /**
   * For instances of a loop that are not equal: fields with values of their own that are not described for all.
   * Undefined if the difference is not news.
   */
  readonly byItem?: readonly string[] | undefined;
}

/** The fields that a change shows: the declaration, or the differences. The other fields are counted. */
interface ShownFields {
  readonly attributes: JsonObject;
  /** A set has its lost and new elements. An entry omits a value that differs by item: `note` is removed from all. */
  readonly diff: readonly FieldDiff[];
  readonly timings: Timings;
}

export function shownOf(change: TimedChange): ShownFields {
  const { kind, action, before, after, timings = {} } = change;
  const declared = (attributes: JsonObject | null): ShownFields => ({
    attributes: attributes ?? {},
    diff: [],
    timings,
  });
  const different = (): ShownFields => ({ attributes: {}, diff: shownDiff(change), timings });
  switch (action) {
    case 'create':
    case 'adopt':
      return declared(after);
    case 'delete':
      return declared(before);
    case 'run':
      return before === null ? declared(after) : different();
    case 'update':
    case 'replace':
      return different();
    case 'forget':
    case 'move': {
      // The fields by which people know it.
      const named = Object.entries(before ?? {}).filter(([name]) => kindsInReports[kind].knownBy.includes(name));
      return declared(Object.fromEntries(named));
    }
  }
}

/** The sign of a declaration: created, deleted, or neither. */
export function signOf({ action }: Change): '+' | '-' | ' ' {
  return action === 'create' ? '+' : action === 'delete' ? '-' : ' ';
}

/** With `differs`, a difference by item is news. */
export function entryOf(changes: Entry['changes'], differs = false): Entry {
  const [{ kind }] = changes;
  const shown = changes.map(shownOf);
  const [declared, diffs] = [shown.map(({ attributes }) => attributes), shown.map(({ diff }) => diff)];
  const differing = differingFields(diffs, (diff) => changedLeaves(kind, diff));
  const alikeEntries = differing.flatMap((segments) => alikeIn(changes, pointerTo(...segments)) ?? []);
  const isSaid = (path: Pointer) => alikeEntries.some((entry) => isWithin(path, entry.path));
  const shared = sharedAttributes(declared);
  const equal = new Set(Object.keys(shared).filter((name) => equalJson(shared[name], declared[0]?.[name])));
  const own = [
    ...differingFields(declared, (attributes) => declaredLeaves(kind, attributes, equal)),
    ...differing.filter((segments) => !isSaid(pointerTo(...segments))),
  ];
  const timingOf = (side: keyof Timings) => commonTiming(shown.map(({ timings }) => timings[side]));
  return {
    changes,
    same: {
      attributes: shared,
      diff: [...sharedDiff(diffs).filter(({ path }) => !isSaid(path)), ...alikeEntries],
      timings: { before: timingOf('before'), after: timingOf('after') },
    },
    byItem: differs ? own.map(labelOf) : undefined,
  };
}

/** The value that all of them have; a single change always has its own. */
export function commonOf<T>([first, ...others]: Entry['changes'], read: (change: Change) => T): T | undefined {
  const value = read(first);
  return others.every((each) => read(each) === value) ? value : undefined;
}

export function ownOf({ same }: Entry, change: TimedChange): Pick<ShownFields, 'attributes' | 'diff'> {
  const { attributes, diff } = shownOf(change);
  return { attributes, diff: diff.filter((entry) => !same.diff.some((each) => equalEntries(each, entry))) };
}

/** The values that all have, at any depth. */
function sharedAttributes([first = {}, ...others]: readonly JsonObject[]): JsonObject {
  if (others.length === 0) return first;
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

function sharedDiff([first = [], ...others]: readonly (readonly FieldDiff[])[]): readonly FieldDiff[] {
  return first.filter((entry) => others.every((other) => other.some((each) => equalEntries(each, entry))));
}

function equalEntries(a: FieldDiff, b: FieldDiff): boolean {
  return a.path === b.path && equalJson({ ...a }, { ...b });
}

/**
 * The shared effect on a field whose values are not all the same: it is removed, added, or gets one value in place of
 * several.
 */
function alikeIn(changes: readonly Change[], path: Pointer): FieldDiff | undefined {
  const sideOf = (side: 'before' | 'after') => changes.map((change) => valueAt(change[side] ?? {}, path));
  const [before, after] = [sideOf('before'), sideOf('after')];
  const [isMissing, isThere] = [(value?: Json) => value === undefined, (value?: Json) => value !== undefined];
  if (before.every(isThere) && after.every(isMissing)) return { path, op: 'remove', sensitive: false };
  if (!after.every(isThere)) return undefined;
  const [value] = after;
  if (!isMasked(value) && after.every((each) => equalJson(each, value)))
    return { path, op: 'change', after: value, sensitive: false };
  return before.every(isMissing) ? { path, op: 'add', sensitive: false } : undefined;
}

/** True if a value may differ from its appearance. */
function isMasked(value: Json | undefined): boolean {
  const text = JSON.stringify(value ?? null);
  return text.includes(sensitive) || text.includes(knownAtApply);
}

function differingFields<T>(all: readonly T[], leavesOf: (each: T) => readonly Leaf[]): readonly (readonly string[])[] {
  if (all.length < 2) return [];
  const counts = new Map<string, { readonly leaf: Leaf; count: number; isEqual: boolean }>();
  for (const each of all)
    for (const leaf of leavesOf(each)) {
      const label = labelOf(leaf.segments);
      const known = counts.get(label);
      if (known === undefined) counts.set(label, { leaf, count: 1, isEqual: true });
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
