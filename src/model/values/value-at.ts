// The part of a value to which a JSON pointer leads.

import { isJsonObject, type Json } from './json.ts';
import { type Pointer, pointerSegments } from './pointer.ts';

/** Undefined where there is none. */
export function valueAt(root: Json | undefined, pointer: Pointer): Json | undefined {
  return pointerSegments(pointer).reduce<Json | undefined>((part, key) => {
    if (Array.isArray(part)) return (part as readonly Json[])[Number(key)];
    return isJsonObject(part) && Object.hasOwn(part, key) ? part[key] : undefined;
  }, root);
}
