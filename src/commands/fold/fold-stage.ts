// A stage of `almanac fold`: it looks at a workspace that is valid, and proposes folds. It edits nothing and proves nothing:
// fold-workspace.ts does, for all stages.

import type { Loaded } from '../../declare/load/load.ts';
import type { ParseAtOnce } from '../../declare/load/load-again.ts';
import type { Address } from '../../model/values/address.ts';
import type { FileEdit } from '../base/edit/edit-files.ts';
import type { Fold, NotFolded } from './document.ts';

export type { Fold, NotFolded } from './document.ts';

export type FoldStage = (input: FoldInput) => FoldStep;

/** The workspace as the stages before have left it. */
export interface FoldInput {
  /** Without errors. `loaded.desired.resources` are the resources as resolved, those of all files. */
  readonly loaded: Loaded;
  /** The text of every source file that may change, by path: without almanac.yaml and tables. */
  readonly files: ReadonlyMap<string, string>;
  /** What each environment declares, the one of `loaded` included. */
  readonly everywhere: readonly Loaded[];
  /** A file of a stage or of the workspace; each text is parsed once. */
  readonly parse: ParseAtOnce;
  /** The addresses that any state knows: only these need an entry in `moved`. */
  readonly state: KnownAddresses;
}

/** All, where a state could not be read. */
export type KnownAddresses = ReadonlySet<Address> | 'unknown';

export interface FoldStep {
  readonly folds: readonly ProposedFold[];
  /** What stays as it is, whatever becomes of the folds. */
  readonly left: readonly NotFolded[];
}

/** Made as a whole or not at all, and without any other of its stage. */
export interface ProposedFold {
  readonly fold: Fold;
  readonly edits: readonly FileEdit[];
  /** What stays beside it as it is. */
  readonly left?: NotFolded | undefined;
}
