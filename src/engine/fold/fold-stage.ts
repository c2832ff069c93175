// A stage of `almanac fold`: it looks at a workspace that is valid, and proposes other texts for some of its files. It
// writes nothing and proves nothing: fold-workspace.ts does, for all stages together.

import type { Address } from '../../model/values/address.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { Loaded } from '../load/load.ts';

export interface FoldStage {
  (input: FoldInput): FoldStep;
}

/** The workspace as the stages before have left it. Every stage gets a fresh one. */
export interface FoldInput {
  /** Without errors. `loaded.desired.resources` are the resources as resolved, those of all files. */
  readonly loaded: Loaded;
  /** The text of every source file that may change, by path: without almanac.yaml and tables. */
  readonly files: ReadonlyMap<string, string>;
  /** The workspace in each environment, the one of `loaded` included; `name` is undefined without --env. */
  readonly environments: readonly FoldEnvironment[];
  /** Folds that were tried and cannot be proven, by id: they are not proposed again. */
  readonly skip: ReadonlySet<string>;
}

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

interface FoldOf {
  /** The same for the same fold in each run: `loop schedules.sales`, `audience finance`, `default FILE schedules timezone`. */
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
