// The elements that a set loses and gains, as one entry under its path. A plan counts positions in two lists, which
// mean nothing where order has no meaning: the entry is `recipients`, not `recipients.1`. Every report asks here.

import type { Field, Fields } from '../../model/fields/field.ts';
import { fieldsInside, fieldsOf } from '../../model/fields/fields.ts';
import type { Change, FieldDiff } from '../../model/plan/plan.ts';
import type { Kind } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit, canonicalJson, type Json } from '../../model/values/json.ts';
import { isWithin, type Pointer, parentOf, pointerSegments, valueAt } from '../../model/values/pointer.ts';

/** Other entries stay as they are; the elements are sorted. A diff that comes from here stays the same. */
export function setDifferences(kind: Kind, diff: readonly FieldDiff[]): readonly FieldDiff[] {
  const bySet = groupBy(diff, (entry) => setOf(kind, entry));
  return diff.flatMap((entry) => {
    const path = setOf(kind, entry);
    const entries = path === undefined ? undefined : bySet.get(path);
    if (path === undefined || entries === undefined) return [entry];
    return entries[0] === entry ? [differenceOfSet(path, entries)] : [];
  });
}

/** The differences of a change: sets as above, and any other differing list whole, before and after. */
export function shownDiff({ kind, diff, before, after }: Pick<Change, 'kind' | 'diff' | 'before' | 'after'>) {
  const entries = setDifferences(kind, diff);
  const listOf = ({ path }: FieldDiff): FieldDiff | undefined => {
    const list = parentOf(path);
    const [was, is] = [before ?? {}, after ?? {}].map((side) => valueAt(side, list));
    if (!Array.isArray(was) || !Array.isArray(is) || isSetField(kind, pointerSegments(list))) return undefined;
    const sensitive = entries.some((entry) => entry.sensitive && isWithin(entry.path, list));
    return { path: list, op: 'change', before: was, after: is, sensitive };
  };
  const lists = new Set<Pointer>();
  return entries.flatMap((entry): readonly FieldDiff[] => {
    const list = listOf(entry);
    if (list === undefined) return [entry];
    const isFirst = !lists.has(list.path);
    lists.add(list.path);
    return isFirst ? [list] : [];
  });
}

/** The path of the set to which an entry belongs, or which it replaces whole. Two secrets may look alike and differ. */
function setOf(kind: Kind, { path, before, after, sensitive }: FieldDiff): Pointer | undefined {
  if (sensitive) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) return isSetField(kind, pointerSegments(path)) ? path : undefined;
  const list = parentOf(path);
  return isSetField(kind, pointerSegments(list)) ? list : undefined;
}

function differenceOfSet(path: Pointer, entries: readonly FieldDiff[]): FieldDiff {
  const [before, after] = [elementsOf(entries, 'before'), elementsOf(entries, 'after')];
  return {
    path,
    op: 'change',
    before: [...before].filter(([text]) => !after.has(text)).map(([, element]) => element),
    after: [...after].filter(([text]) => !before.has(text)).map(([, element]) => element),
    sensitive: false,
  };
}

/** Keyed by their canonical JSON, sorted. */
function elementsOf(entries: readonly FieldDiff[], side: 'before' | 'after'): ReadonlyMap<string, Json> {
  const elements = entries.flatMap((entry): readonly Json[] => {
    const value = entry[side];
    if (value === undefined) return [];
    return Array.isArray(value) ? value : [value];
  });
  return new Map(
    elements.map((element) => [canonicalJson(element), element] as const).sort(([a], [b]) => byCodeUnit(a, b)),
  );
}

/** True for a list whose order means nothing. */
export function isSetField(kind: Kind, segments: readonly string[]): boolean {
  let fields: Fields | undefined = fieldsOf[kind];
  let field: Field | undefined;
  for (const segment of segments) {
    field = fields !== undefined && Object.hasOwn(fields, segment) ? fields[segment] : undefined;
    fields = fieldsInside(field?.shape);
  }
  return field?.set === true;
}
