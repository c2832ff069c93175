// What was observed of tracked resources. Only what can be read back is here: a field that is not in `fields` says
// nothing about what the service holds.

import type { Address } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';

export type ObservedResource =
  /** It is gone. */
  | { readonly found: false }
  | {
      readonly found: true;
      /** The fields that were read. One of them that `attributes` lacks is not set. */
      readonly fields: ReadonlySet<string>;
      /** In the form in which they are declared, secrets sealed. */
      readonly attributes: JsonObject;
      /** Required fields that were asked for and that the service does not return. */
      readonly unread?: readonly string[];
      /** The name of its owner, where a declaration or the state names one. */
      readonly ownedBy?: string;
      /** When the service last changed it, ISO 8601 by the service's clock; undefined if it was not read. */
      readonly updatedAt?: string;
    };

/** Resources that were not observed are missing. */
export type Observed = ReadonlyMap<Address, ObservedResource>;
