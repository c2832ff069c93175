// The name of a place in the form that people write.

import { type Pointer, pointerSegments } from '../../model/values/pointer.ts';

/** A pointer in the form that people write: `recipients[0]`, `filters.region.values`. */
export function fieldName(pointer: Pointer): string {
  return pointerSegments(pointer)
    .map((segment, index) => (/^\d+$/.test(segment) ? `[${segment}]` : index === 0 ? segment : `.${segment}`))
    .join('');
}
