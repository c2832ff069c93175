// A value from outside as a source file must hold it, so that interpolation gives the very same value back.

import type { Json } from '../model/values/json.ts';
import { mapLeaves } from '../model/workspace/map-leaves.ts';

/** Each `${` in a text becomes `$${`. */
export function escapeInterpolation(value: Json): Json {
  return mapLeaves(value, (leaf) => (typeof leaf === 'string' ? leaf.replaceAll('${', escaped) : leaf)) as Json;
}

/** A function, since `$$` in a replacement stands for one `$`. */
const escaped = () => '$${';
