// Declarations after defaults and references, each value with the place that it comes from.

import type { Address, Section } from '../values/address.ts';
import type { Json } from '../values/json.ts';
import type { Pointer } from '../values/pointer.ts';
import type { ValuePlace } from './origins.ts';

/** What gives a value: who reads it finds the text there. */
export interface Via {
  readonly kind: ValuePlace['kind'];
  /** Of a variable or an audience; of an item its key, of a sink its environment. */
  readonly name?: string;
  readonly file: string;
  readonly line?: number;
}

export interface ResolvedField {
  readonly name: string;
  /** As a source file would say it: literal `${` are escaped, and of secrets only the names of variables are there. */
  readonly value: Json;
  /** The value is a secret that is written in a file, and so is not shown. */
  readonly isHidden?: true;
  /** The entry that gives the field. */
  readonly via: Via;
  /** What gives each part of the value; the path of a whole value is empty. */
  readonly parts: readonly { readonly path: Pointer; readonly via: Via }[];
}

export interface ResolvedResource {
  readonly address: Address;
  readonly section: Section;
  /** The key that it has as a declaration of its own. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly fields: readonly ResolvedField[];
}
