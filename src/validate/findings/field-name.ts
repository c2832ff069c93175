// The name of a place as people write it.

import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';

/** A pointer as people write it: `recipients[0]`, `filters.region.values`. */
export function fieldName(pointer: Pointer): string {
  return pointerSegments(pointer)
    .map((segment, index) => (/^\d+$/.test(segment) ? `[${segment}]` : index === 0 ? segment : `.${segment}`))
    .join('');
}
