// Where a value stands that the declaration of a loop takes from an item: that is where a mistake in it has to be
// corrected.

import { type Pointer, pointerSegments, pointerTo } from '../values/pointer.ts';
import type { Origin } from './source-file.ts';

export interface ItemSource {
  /** Whether the value is that of the reference; otherwise its text only contains it. */
  readonly isWhole: boolean;
  /** The value that is referred to; the item where several are parts of a text. */
  readonly origin: Origin;
  /** The value, or its key: of `${each.key}`. */
  readonly at: 'value' | 'key';
}

export interface FoundSource {
  readonly source: ItemSource;
  /** The pointer of the value that refers to it. */
  readonly pointer: Pointer;
  /** The path from there to the value that was asked for. */
  readonly below: readonly string[];
}

/** The source of a value, or of the value around it. */
export function sourceAt(
  sources: ReadonlyMap<Pointer, ItemSource> | undefined,
  pointer: Pointer,
): FoundSource | undefined {
  if (sources === undefined) return undefined;
  const segments = pointerSegments(pointer);
  for (let length = segments.length; length > 0; length -= 1) {
    const holder = pointerTo(...segments.slice(0, length));
    const source = sources.get(holder);
    if (source !== undefined) return { source, pointer: holder, below: segments.slice(length) };
  }
  return undefined;
}
