// A source file that is yet to be written: what it declares, with what is to be said beside it.

import type { Address } from '../values/address.ts';
import type { Json } from '../values/json.ts';

export interface FieldDraft {
  readonly name: string;
  /** As the file holds it: a literal `${` escaped, references as they are. */
  readonly value: Json;
  /** Said above the field. */
  readonly comment?: string;
}

export interface ResourceDraft {
  readonly key: string;
  /** Said above its key, a line each. */
  readonly comments: readonly string[];
  readonly fields: readonly FieldDraft[];
}

export interface SourceDraft {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** Where an editor finds the schema, relative to the file; undefined: it is not told. */
  readonly schema?: string | undefined;
  /** Said at the head of the file, a line each. */
  readonly comments: readonly string[];
  readonly dashboards: readonly ResourceDraft[];
  readonly schedules: readonly ResourceDraft[];
  readonly adoptions: readonly { readonly to: Address; readonly id: string }[];
}
