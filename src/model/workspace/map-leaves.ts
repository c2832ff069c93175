// Replaces the leaves of a tree of lists and maps: strings, numbers and Secrets. Unchanged parts are not copied, so the
// result is the same object if nothing changed; workspaces are large, and most values do not change.

import { define, type JsonScalar } from '../values/json.ts';
import { type Pointer, pointerTo } from '../values/pointer.ts';
import { Secret } from '../values/secret.ts';
import type { Declared } from './resource.ts';

export type Leaf = JsonScalar | Secret;

/** What becomes of a list of which something changed: `written` is the list before. */
export type JoinList = (
  list: readonly Declared[],
  written: readonly Declared[],
  pointer: () => Pointer,
) => readonly Declared[];

/** `pointer` is computed only on demand. */
export function mapLeaves(
  value: Declared,
  change: (leaf: Leaf, pointer: () => Pointer) => Declared,
  join: JoinList = (list) => list,
): Declared {
  const path: (string | number)[] = [];
  const pointer = () => pointerTo(...path);
  const visit = (entry: Declared): Declared => {
    if (typeof entry !== 'object' || entry === null || entry instanceof Secret) return change(entry, pointer);
    return Array.isArray(entry) ? visitList(entry) : visitMap(entry as Readonly<Record<string, Declared>>);
  };
  const below = (segment: string | number, entry: Declared): Declared => {
    path.push(segment);
    const result = visit(entry);
    path.pop();
    return result;
  };
  const visitList = (list: readonly Declared[]): readonly Declared[] => {
    let copy: Declared[] | undefined;
    list.forEach((entry, index) => {
      const result = below(index, entry);
      if (result === entry) return;
      copy ??= [...list];
      copy[index] = result;
    });
    return copy === undefined ? list : join(copy, list, pointer);
  };
  const visitMap = (map: Readonly<Record<string, Declared>>): Readonly<Record<string, Declared>> => {
    let copy: Record<string, Declared> | undefined;
    for (const key of Object.keys(map)) {
      const entry = map[key] as Declared;
      const result = below(key, entry);
      if (result === entry) continue;
      copy ??= { ...map };
      define(copy, key, result);
    }
    return copy ?? map;
  };
  return visit(value);
}
