// The places in the source files that a value can come from, and who uses them.

import { dirname, join } from 'node:path/posix';
import type { Pointer } from '../../model/values/pointer.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { Origin } from '../../model/workspace/source-file.ts';

/** A resource of which only the names of its fields, and its destination, are looked at. */
export interface Declaring extends Omit<Resource, 'attributes'> {
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A place in the source files that a value can come from. */
export type ValuePlace =
  | { readonly kind: 'resource'; readonly origin: Origin }
  /** What an alias or a merge key refers to. */
  | { readonly kind: 'anchor'; readonly origin: Origin }
  | { readonly kind: 'default'; readonly origin: Origin }
  | { readonly kind: 'variable'; readonly origin: Origin; readonly name: string }
  | { readonly kind: 'audience'; readonly origin: Origin; readonly name: string }
  /** Of a loop; the name is its key. `part`: the key itself, or a cell of a CSV file. */
  | { readonly kind: 'item'; readonly origin: Origin; readonly name: string; readonly part?: 'key' | 'cell' }
  /** Of the environment with this name. */
  | { readonly kind: 'sink'; readonly origin: Origin; readonly name: string }
  | { readonly kind: 'text-file'; readonly path: string };

/** Every place but a text file, whose lines nobody looks into. */
export type LocatedPlace = Exclude<ValuePlace, { readonly kind: 'text-file' }>;

/** A field of a resource that uses a place; `path` is the part of the field that does. */
export interface Use {
  readonly resource: Declaring;
  readonly field: string;
  readonly path: Pointer;
  /** The place is the whole part: not a piece of its text. */
  readonly isWhole: boolean;
}

/** What gives a part of a field its value. */
export interface Trace {
  /** The part, inside the field as it is understood; empty for all of it. */
  readonly path: Pointer;
  readonly place: ValuePlace;
}

/** The path of `${file.…}` in the workspace. */
export function textFilePath(file: string, reference: string): string {
  return join(dirname(file), reference);
}
