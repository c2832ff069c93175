// Fields as a plan lists them: in the order of the kind's table. Maps are opened down to single values, each under its
// path.

import { inTableOrder } from '../../model/fields/fields.ts';
import type { FieldDiff } from '../../model/plan/plan.ts';
import type { Kind } from '../../model/values/address.ts';
import { byCodeUnit, equalJson, isJsonObject, type Json, type JsonObject, ownValue } from '../../model/values/json.ts';
import { type Pointer, parentOf, pointerSegments } from '../../model/values/pointer.ts';
import { sensitive } from '../../model/values/secret.ts';
import { isMask, keyText, valueText } from '../text/visible-values.ts';
import { setDifferences } from './set-differences.ts';

/** A value under its path; not a map, unless an empty one. */
export interface Leaf {
  readonly segments: readonly string[];
  readonly before?: Json;
  readonly after?: Json;
  readonly op?: FieldDiff['op'];
  readonly sensitive?: boolean;
}

/** The single values of a declaration, without the fields that are left out. */
export function declaredLeaves(kind: Kind, attributes: JsonObject, leftOut?: ReadonlySet<string>): readonly Leaf[] {
  const fields = Object.keys(attributes).filter((name) => !leftOut?.has(name));
  const names = fields.sort(inTableOrder(kind));
  return names.flatMap((name) => openLeaf({ segments: [name], after: attributes[name] as Json }));
}

/** The single values that a diff touches. A set has one leaf with its lost and new elements, without positions. */
export function changedLeaves(kind: Kind, diff: readonly FieldDiff[]): readonly Leaf[] {
  const order = inTableOrder(kind);
  const leaves = setDifferences(kind, diff).map(
    ({ path, ...rest }): Leaf => ({
      ...rest,
      segments: pointerSegments(isValueOfFilter(path) ? parentOf(path) : path),
    }),
  );
  return leaves.sort((a, b) => order(a.segments[0] ?? '', b.segments[0] ?? '')).flatMap(openLeaf);
}

/** True for one value of a filter, whose position in the list means nothing. */
function isValueOfFilter(path: Pointer): boolean {
  return /\/values\/\d+$/.test(path);
}

function openLeaf(leaf: Leaf): readonly Leaf[] {
  const { before, after, segments } = leaf;
  const sides = [before, after].filter((side) => side !== undefined);
  if (sides.length === 0 || !sides.every(isJsonObject)) return [leaf];
  const keys = [...new Set(sides.flatMap((side) => Object.keys(side)))].sort(byCodeUnit);
  if (keys.length === 0) return [leaf];
  return keys.flatMap((key) => {
    const [was, is] = [ownValue(before, key), ownValue(after, key)];
    if (sides.length === 2 && equalJson(was, is)) return [];
    return openLeaf({ before: was, after: is, sensitive: leaf.sensitive, segments: [...segments, key] });
  });
}

/** True if nothing can be compared: only the value of a secret differs, or the sides of a change are left out. */
export function hidesValue({ before, after, op, sensitive: isSensitive = false }: Leaf): boolean {
  const isLeftOut = before === undefined && after === undefined && op !== 'add' && op !== 'remove';
  return isLeftOut || (isSensitive && equalJson(before, after));
}

/** The text of a secret whose value alone differs. */
export function hiddenValue({ after }: Leaf): string {
  const text = after === undefined || isMask(after) ? '' : `${valueText(after)} `;
  return `${text}${sensitive}`;
}

export function labelOf(segments: readonly string[]): string {
  return segments.map(keyText).join('.');
}
