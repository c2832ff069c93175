// JSON pointers (RFC 6901): how a place inside a file or a resource is written.

import { isJsonObject, type Json, type JsonObject, ownValue } from './json.ts';

export type Pointer = string;

export function pointerTo(...segments: readonly (string | number)[]): Pointer {
  let pointer = '';
  for (const segment of segments) pointer += `/${typeof segment === 'string' ? escaped(segment) : segment}`;
  return pointer;
}

export function pointerSegments(pointer: Pointer): readonly string[] {
  if (pointer === '') return [];
  const segments = pointer.slice(1).split('/');
  if (!pointer.includes('~')) return segments;
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** True if `inner` is the place `outer` or lies below it. */
export function isWithin(inner: Pointer, outer: Pointer): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** The value with another part at a pointer below maps; the same value where one of them is missing. */
export function withValueAt(root: JsonObject, pointer: Pointer, value: Json): JsonObject {
  const [key, ...rest] = pointerSegments(pointer);
  if (key === undefined || !Object.hasOwn(root, key)) return root;
  const below = root[key];
  if (rest.length === 0) return { ...root, [key]: value };
  return isJsonObject(below) ? { ...root, [key]: withValueAt(below, pointerTo(...rest), value) } : root;
}

/** The map or the list that holds it. */
export function parentOf(pointer: Pointer): Pointer {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

function escaped(segment: string): string {
  return /[~/]/.test(segment) ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment;
}

// The part of a value to which a JSON pointer leads.

/** Returns undefined if there is no value. */
export function valueAt(root: Json | undefined, pointer: Pointer): Json | undefined {
  return pointerSegments(pointer).reduce<Json | undefined>(memberOf, root);
}

/** The entry of a map, or the item of a list. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return Array.isArray(value) ? (value as readonly Json[])[Number(name)] : ownValue(value, name);
}
