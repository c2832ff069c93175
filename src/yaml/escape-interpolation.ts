// Escapes a text so that interpolation in a source file returns it unchanged.

import type { Json } from '../model/values/json.ts';
import { mapLeaves } from '../model/workspace/map-leaves.ts';

/** Each `${` in a text becomes `$${`. */
export function escapeInterpolation(value: Json): Json {
  return mapLeaves(value, (leaf) => (typeof leaf === 'string' ? leaf.replaceAll('${', escaped) : leaf)) as Json;
}

/** A function, because `$$` in a replacement string means one `$`. */
const escaped = () => '$${';
