// What `almanac fold --format json` prints: what became one, and what is alike and stays as it is.

import type { Address } from '../values/address.ts';

export const foldFormatVersion = 1;

export interface FoldDocument {
  readonly formatVersion: typeof foldFormatVersion;
  /** The files that changed, or would change with --check, sorted. */
  readonly files: readonly string[];
  /** Those of them that declare nothing any more. */
  readonly empty: readonly string[];
  readonly folds: readonly Fold[];
  readonly notFolded: readonly NotFolded[];
  /** How many declarations there were, and are. A loop is one. */
  readonly declarations: { readonly before: number; readonly after: number };
  /** The states that could not be read, in words: there only the declarations were compared. */
  readonly unread: readonly string[];
}

interface FoldOf {
  /** The same in each run: `loop` and the address of its first member, `audience finance`, `default FILE schedules zone`. */
  readonly id: string;
  /** Where the result is written. */
  readonly file: string;
}

/** What was folded, for the report. */
export type Fold =
  | (FoldOf & {
      readonly kind: 'loop';
      readonly address: Address;
      readonly instances: readonly { readonly from: Address; readonly to: Address }[];
      /** The names of the values in its items. */
      readonly values: readonly string[];
    })
  | (FoldOf & { readonly kind: 'audience'; readonly name: string; readonly usedBy: readonly Address[] })
  | (FoldOf & {
      readonly kind: 'default';
      readonly section: string;
      readonly field: string;
      readonly value: string;
      readonly usedBy: readonly Address[];
    });

/** What looks alike and was left as it is. */
export interface NotFolded {
  readonly file: string;
  /** All of them, in order. */
  readonly addresses: readonly Address[];
  /** A whole sentence. */
  readonly message: string;
}
