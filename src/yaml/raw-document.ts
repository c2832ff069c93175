// A document of a source file as plain values, without a syntax tree. The rest of the pipeline works on it. A value in
// it may be anything, until validation has looked at it.

import { isJsonObject, type Json, type JsonObject } from '../model/values/json.ts';
import type { Pointer } from '../model/values/pointer.ts';
import type { Origin, Span, WithFindings } from '../model/workspace/diagnostic.ts';

/** The field with the filters of a delivery. A missing filter limits nothing, so a merge may not lose an entry. */
export const filtersOfDelivery = 'filterConfig';

export interface RawDocument {
  readonly origin: Origin;
  /** The value as written; null for an empty document. */
  readonly value: Json;
  /** The line of each key of a section, by pointer, from 1. */
  readonly keyLines: ReadonlyMap<Pointer, number>;
  /** The places of `forEach` and `forEachRow` in each loop. A file of thousands of items is slow to search. */
  readonly loopKeys: ReadonlyMap<Pointer, Span>;
  /** It has a number that is not kept as written. */
  readonly isInexact?: true;
  /** It is known that no text of it holds a reference. */
  readonly isLiteral?: boolean;
}

/** By map: the ids whose null takes away what a merge gives. */
export const takenFromMerges = new WeakMap<JsonObject, readonly string[]>();

/** Every readable document, and the findings for the others. */
export type ParsedSource = WithFindings<readonly RawDocument[]>;

/** The entries of a map; empty for anything else, which validation reports. */
export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
