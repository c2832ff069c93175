// What a document of a source file holds, without a syntax tree: the rest of the pipeline works on it.

import type { Json } from '../model/values/json.ts';
import type { Pointer } from '../model/values/pointer.ts';
import type { WithFindings } from '../model/workspace/diagnostic.ts';
import type { Origin } from '../model/workspace/source-file.ts';

export interface RawDocument {
  readonly origin: Origin;
  /** As written; null for an empty document. */
  readonly value: Json;
  /** The line of each key of a section, by pointer, from 1. */
  readonly keyLines: ReadonlyMap<Pointer, number>;
  /** It is known that no text of it holds a reference. */
  readonly isLiteral?: boolean;
}

/** Every readable document, and the findings for the others. */
export type ParsedSource = WithFindings<readonly RawDocument[]>;

/** More levels than any valid declaration has. */
export const maxDepth = 64;

/** So that a few lines of aliases cannot fill the memory. */
export const mostValues = 1_000_000;
