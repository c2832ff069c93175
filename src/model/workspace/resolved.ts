// Declarations after defaults and references, each value with the place that it comes from.

import type { Address, Section } from '../values/address.ts';
import type { Json } from '../values/json.ts';
import type { Pointer } from '../values/pointer.ts';
import type { ValuePlace } from './origins.ts';

/** The giver of a value, where a reader finds the text. */
export interface Via {
  readonly kind: ValuePlace['kind'];
  /** The name of a variable or an audience, the key of an item, or the environment of a sink. */
  readonly name?: string;
  readonly file: string;
  readonly line?: number;
}

export interface ResolvedField {
  readonly name: string;
  /** The value as in a source file: literal `${` are escaped, and secrets show only names of variables. */
  readonly value: Json;
  /** The value is a secret that is written in a file, and so is not shown. */
  readonly isHidden?: true;
  /** The entry that gives the field. */
  readonly via: Via;
  /** The givers of the parts of the value; the path of a whole value is empty. */
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
