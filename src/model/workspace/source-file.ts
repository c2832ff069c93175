// A source file as read, and the place of a declaration in it.

import { type Pointer, pointerTo } from '../values/pointer.ts';
import type { Place } from './diagnostic.ts';

export interface SourceFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** Decoded, without a byte order mark. */
  readonly text: string;
  /** A CSV file that a loop reads, and not YAML. */
  readonly isTable?: true;
}

/** The place of a value: a JSON pointer inside one document of a file. */
export interface Origin {
  readonly file: string;
  readonly document: number;
  readonly pointer: Pointer;
}

export function placeOf(
  origin: Origin,
  at: 'value' | 'key' = 'value',
  ...segments: readonly (string | number)[]
): Place {
  return {
    file: origin.file,
    document: origin.document,
    pointer: origin.pointer + pointerTo(...segments),
    at,
  };
}
