// A stage of `almanac fold`: it looks at a workspace that is valid, and proposes other texts for some of its files. It
// writes nothing and proves nothing: fold-workspace.ts does, for all stages together.

import type { Loaded } from '../../declare/load/load.ts';
import type { ParseAtOnce } from '../../declare/load/load-again.ts';
import type { Fold, NotFolded } from '../../model/documents.ts';
import type { Address } from '../../model/values/address.ts';
import type { Resource } from '../../model/workspace/resource.ts';

export type { Fold, NotFolded } from '../../model/documents.ts';

export type FoldStage = (input: FoldInput) => FoldStep;

/** The workspace as the stages before have left it. Every stage gets a fresh one. */
export interface FoldInput {
  /** Without errors. `loaded.desired.resources` are the resources as resolved, those of all files. */
  readonly loaded: Loaded;
  /** The text of every source file that may change, by path: without almanac.yaml and tables. */
  readonly files: ReadonlyMap<string, string>;
  /** The workspace in each environment, the one of `loaded` included; `name` is undefined without --env. */
  readonly environments: readonly FoldEnvironment[];
  /** A file of a stage or of the workspace; each text is parsed once. */
  readonly parse: ParseAtOnce;
  /** The addresses that any state knows: only these need an entry in `moved`. */
  readonly state: KnownAddresses;
  /** Folds that were tried and cannot be proven, by id: they are not proposed again. */
  readonly skip: ReadonlySet<string>;
}

/** All, where a state could not be read. */
export type KnownAddresses = ReadonlySet<Address> | 'unknown';

export interface FoldEnvironment {
  readonly name: string | undefined;
  readonly resources: readonly Resource[];
}

export interface FoldStep {
  /** Only the files that change. An empty text is a file that holds nothing any more. */
  readonly texts: ReadonlyMap<string, string>;
  readonly folds: readonly Fold[];
  readonly left: readonly NotFolded[];
}
