// Edits of one document as a tree, and their effect on its value. All pointers are those of the text before any edit:
// removing the items 0 and 1 of a list removes its first two.

import { define, isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';

/** One value of a file to be set or removed. */
export interface Edit {
  /** The number of the document, from 0. */
  readonly document: number;
  /** The place before all edits. After `/-` a list gets one more item. Missing maps and lists are added. */
  readonly pointer: Pointer;
  /** The value as the file holds it: a literal `${` is written `$${`. Undefined removes the key or the item. */
  readonly value: Json | undefined;
  /** Another name for the key, instead of a value. Other edits name what is below it by the old one. */
  readonly key?: string;
}

export interface EditTree {
  /** The new name of its key. */
  key: string | undefined;
  own: { readonly value: Json | undefined } | undefined;
  readonly children: Map<string, EditTree>;
  readonly appended: Json[];
}

/** An edit that contradicts the file or another edit, or a layout that is not supported: the file is left unchanged. */
export class CannotEdit extends Error {}

export function growEdits(edits: readonly Edit[]): EditTree {
  const root = emptyTree();
  for (const { pointer, value, key } of edits) {
    const segments = [...pointerSegments(pointer)];
    const last = segments.at(-1) === '-' && value !== undefined ? segments.pop() : undefined;
    let tree = root;
    for (const segment of segments) {
      const known = tree.children.get(segment) ?? emptyTree();
      tree.children.set(segment, known);
      tree = known;
    }
    if (key !== undefined) tree.key = key;
    else if (last === undefined || value === undefined) tree.own = { value };
    else tree.appended.push(value);
  }
  return root;
}

function emptyTree(): EditTree {
  return { key: undefined, own: undefined, children: new Map(), appended: [] };
}

/** The value after the edits; values without edits are the same objects. Undefined if it is removed. */
export function applyEdits(before: Json | undefined, { own, children, appended }: EditTree): Json | undefined {
  if (own !== undefined) {
    if (own.value !== undefined && (children.size > 0 || appended.length > 0))
      throw new CannotEdit('edit below an edit');
    return own.value;
  }
  if (children.size === 0 && appended.length === 0) return before;
  const isMissing = before === undefined || before === null;
  if (Array.isArray(before) || (isMissing && appended.length > 0))
    return [...editItems(isMissing ? [] : before, children), ...appended];
  if (appended.length > 0 || !(isMissing || isJsonObject(before))) throw new CannotEdit('not a collection');
  const map = isMissing ? {} : before;
  const after: Record<string, Json> = {};
  for (const name of new Set([...Object.keys(map), ...children.keys()])) {
    const isNew = !Object.hasOwn(map, name);
    if (isNew && (name === '<<' || (isMissing && /^\d+$/.test(name)))) throw new CannotEdit('no such entry');
    const child = children.get(name);
    const value = isNew ? undefined : map[name];
    const edited = child === undefined ? value : applyEdits(value, child);
    if (edited !== undefined) define(after, child?.key ?? name, edited);
  }
  return isMissing && Object.keys(after).length === 0 ? before : after;
}

function editItems(before: readonly Json[], children: EditTree['children']): readonly Json[] {
  for (const name of children.keys())
    if (!/^(?:0|[1-9]\d*)$/.test(name) || Number(name) >= before.length) throw new CannotEdit('no such item');
  return before.flatMap((item, index) => {
    const child = children.get(String(index));
    const edited = child === undefined ? item : applyEdits(item, child);
    return edited === undefined ? [] : [edited];
  });
}
