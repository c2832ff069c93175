// The document that `validate --format json` prints (schemas/validate.schema.json).

import type { Config } from './config.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { SharedPlace } from './state-place.ts';

export interface ValidateDocument {
  readonly formatVersion: 1;
  /** No errors; with --strict, no warnings either. */
  readonly valid: boolean;
  readonly summary: {
    readonly files: number;
    readonly resources: number;
    readonly errors: number;
    /** Without those that are accepted. */
    readonly warnings: number;
    readonly accepted: number;
  };
  /** Where Almanac works, and what it does not refuse or report; left out if there is no almanac.yaml, or if it has errors. */
  readonly workspace?: {
    readonly baseUrl: string | null;
    /** As messages name it: the path of a file, or the name of a shared place. */
    readonly state: string;
    /** Left out if the state is a file. */
    readonly backend?: SharedPlace['backend'];
    /** What differs from the defaults. Left out where nothing does. */
    readonly safety?: Partial<Config['safety']>;
    readonly ignore?: Config['ignore'];
    readonly checks?: Config['checks'];
  };
  readonly diagnostics: readonly Diagnostic[];
}
