// A walk over every value of a resource; and its values with the texts of its secrets, or without them.

import { define, type JsonObject, type JsonScalar } from '../values/json.ts';
import { type Pointer, pointerTo } from '../values/pointer.ts';
import { knownAtApply, Secret, sensitive } from '../values/secret.ts';
import { type Declared, type DeclaredObject, secretsIn } from './resource.ts';

export type Leaf = JsonScalar | Secret;

/** Makes a list again after something in it changed: `written` is the list before. */
export type JoinList = (
  list: readonly Declared[],
  written: readonly Declared[],
  pointer: () => Pointer,
) => readonly Declared[];

/**
 * Replaces the leaves of a tree of lists and maps: strings, numbers and Secrets. Unchanged parts are not copied, so the
 * result is the same object if nothing changed; workspaces are large, and most values do not change. `pointer` is
 * computed only on demand.
 */
export function mapLeaves(
  value: Declared,
  change: (leaf: Leaf, pointer: () => Pointer) => Declared,
  join: JoinList = (list) => list,
): Declared {
  const path: (string | number)[] = [];
  return visit(value, { path, pointer: () => pointerTo(...path), change, join });
}

/** Handed through instead of closed over: closures of each call would be compiled again and again. */
interface Walk {
  /** The path to the value that is being visited. */
  readonly path: (string | number)[];
  readonly pointer: () => Pointer;
  readonly change: (leaf: Leaf, pointer: () => Pointer) => Declared;
  readonly join: JoinList;
}

function visit(entry: Declared, walk: Walk): Declared {
  if (typeof entry !== 'object' || entry === null || entry instanceof Secret) return walk.change(entry, walk.pointer);
  return Array.isArray(entry) ? visitList(entry, walk) : visitMap(entry as Readonly<Record<string, Declared>>, walk);
}

function below(segment: string | number, entry: Declared, walk: Walk): Declared {
  walk.path.push(segment);
  const result = visit(entry, walk);
  walk.path.pop();
  return result;
}

function visitList(list: readonly Declared[], walk: Walk): readonly Declared[] {
  let copy: Declared[] | undefined;
  for (const [index, entry] of list.entries()) {
    const result = below(index, entry, walk);
    if (result === entry) continue;
    copy ??= [...list];
    copy[index] = result;
  }
  return copy === undefined ? list : walk.join(copy, list, walk.pointer);
}

function visitMap(map: Readonly<Record<string, Declared>>, walk: Walk): Readonly<Record<string, Declared>> {
  let copy: Record<string, Declared> | undefined;
  for (const key of Object.keys(map)) {
    const entry = map[key] as Declared;
    const result = below(key, entry, walk);
    if (result === entry) continue;
    copy ??= { ...map };
    define(copy, key, result);
  }
  return copy ?? map;
}

/** The attributes as people may see them, with the text around the variables in place of a secret. */
export function shownAttributes(attributes: DeclaredObject): JsonObject {
  return mapLeaves(attributes, (leaf) => (leaf instanceof Secret ? (leaf.shown ?? sensitive) : leaf)) as JsonObject;
}

/**
 * A declaration as validation sees it: secrets in plain text, with their places. Validation reads and discards it; later
 * stages use the declaration with its Secrets, and ask for the text of a field.
 */
interface RevealedResource {
  readonly value: JsonObject;
  /** The place of a secret value; `known` is false if an environment variable is missing. */
  readonly secrets: readonly { readonly pointer: Pointer; readonly known: boolean }[];
}

export function revealSecrets(attributes: DeclaredObject): RevealedResource {
  if (secretsIn([attributes]).length === 0) return { value: attributes as JsonObject, secrets: [] };
  const secrets: { pointer: Pointer; known: boolean }[] = [];
  const value = mapLeaves(attributes, (leaf, pointer) => {
    if (!(leaf instanceof Secret)) return leaf;
    secrets.push({ pointer: pointer(), known: leaf.known });
    return leaf.reveal() ?? knownAtApply;
  });
  return { value: value as JsonObject, secrets };
}

/** The places with a wrong reference, where nothing is known about the value. */
export function unknownPlaces(attributes: DeclaredObject): readonly Pointer[] {
  if (secretsIn([attributes]).every(({ shown }) => shown !== undefined)) return [];
  const places: Pointer[] = [];
  mapLeaves(attributes, (leaf, pointer) => {
    if (leaf instanceof Secret && leaf.shown === undefined) places.push(pointer());
    return leaf;
  });
  return places;
}
