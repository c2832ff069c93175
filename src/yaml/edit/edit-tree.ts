// Edits of one document as a tree, and what they make of its value. All pointers are those of the text before any edit:
// removing the items 0 and 1 of a list removes its first two.

import { define, isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';

/** One value of a file to be set or removed. */
export interface Edit {
  /** From 0. */
  readonly document: number;
  /** As before all edits. After `/-` a value is appended to a list. Missing maps and lists on the way are added. */
  readonly pointer: Pointer;
  /** As the file holds it: a literal `${` is written `$${`. Undefined removes the key or the item. */
  readonly value: Json | undefined;
}

export interface EditTree {
  /** An edit of this very value. */
  readonly own: { readonly value: Json | undefined } | undefined;
  readonly children: ReadonlyMap<string, EditTree>;
  readonly appended: readonly Json[];
}

/** An edit that contradicts the file or another edit, or a layout that is not supported: the file is left unchanged. */
export class CannotEdit extends Error {}

interface GrowingTree {
  own: EditTree['own'];
  readonly children: Map<string, GrowingTree>;
  readonly appended: Json[];
}

export function growEdits(edits: readonly Edit[]): EditTree {
  const root = emptyTree();
  for (const { pointer, value } of edits) {
    const segments = [...pointerSegments(pointer)];
    const last = segments.at(-1) === '-' && value !== undefined ? segments.pop() : undefined;
    let tree = root;
    for (const segment of segments) {
      const known = tree.children.get(segment) ?? emptyTree();
      tree.children.set(segment, known);
      tree = known;
    }
    if (last === undefined || value === undefined) tree.own = { value };
    else tree.appended.push(value);
  }
  return root;
}

function emptyTree(): GrowingTree {
  return { own: undefined, children: new Map(), appended: [] };
}

/** The value after the edits; values without edits are the same objects. Undefined if it is removed. */
export function applyEdits(before: Json | undefined, tree: EditTree): Json | undefined {
  const { own, children, appended } = tree;
  if (own !== undefined) {
    if (own.value !== undefined && (children.size > 0 || appended.length > 0))
      throw new CannotEdit('edit below an edit');
    return own.value;
  }
  if (children.size === 0 && appended.length === 0) return before;
  if (before === undefined || before === null) return newValue(before, tree);
  if (Array.isArray(before)) return editList(before, tree);
  if (!isJsonObject(before) || appended.length > 0) throw new CannotEdit('not a collection');
  const after: Record<string, Json> = {};
  for (const [name, value] of Object.entries(before))
    if (!children.has(name)) define(after, name, value);
    else keep(after, name, applyEdits(value, children.get(name) ?? emptyTree()));
  for (const [name, child] of children) {
    if (Object.hasOwn(before, name)) continue;
    if (name === '<<') throw new CannotEdit('merge key');
    keep(after, name, applyEdits(undefined, child));
  }
  return after;
}

function keep(object: Record<string, Json>, name: string, value: Json | undefined): void {
  if (value !== undefined) define(object, name, value);
}

function editList(before: readonly Json[], { children, appended }: EditTree): readonly Json[] {
  for (const name of children.keys())
    if (!/^(?:0|[1-9]\d*)$/.test(name) || Number(name) >= before.length) throw new CannotEdit('no such item');
  const kept = before.flatMap((item, index) => {
    const child = children.get(String(index));
    const after = child === undefined ? item : applyEdits(item, child);
    return after === undefined ? [] : [after];
  });
  return [...kept, ...appended];
}

/** The value that edits below a missing one make. */
function newValue(before: null | undefined, { children, appended }: EditTree): Json | undefined {
  if (appended.length > 0) {
    if (children.size > 0) throw new CannotEdit('no such item');
    return appended;
  }
  const after: Record<string, Json> = {};
  for (const [name, child] of children) {
    if (/^\d+$/.test(name)) throw new CannotEdit('no such item');
    keep(after, name, applyEdits(undefined, child));
  }
  return Object.keys(after).length === 0 ? before : after;
}

/** The value at a pointer after the edits; undefined if it is not known where it is then. */
export function valueAfter(before: Json, tree: EditTree, pointer: Pointer): Json | undefined {
  let [value, edits]: [Json | undefined, EditTree] = [before, tree];
  for (const segment of pointerSegments(pointer)) {
    if (edits.own !== undefined) return undefined;
    if (Array.isArray(value)) value = value[Number(segment)];
    else value = isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
    edits = edits.children.get(segment) ?? emptyTree();
  }
  return applyEdits(value, edits);
}
