// A place for a state, as almanac.yaml with these settings names it.

import { statePlace } from '../../../src/declare/parse-config.ts';
import type { JsonObject } from '../../../src/model/values/json.ts';
import type { SharedPlace } from '../../../src/model/workspace/state-place.ts';

export function placeOf<B extends SharedPlace['backend']>(
  settings: JsonObject & { readonly backend: B },
): Extract<SharedPlace, { readonly backend: B }> {
  return statePlace(settings, undefined, 30) as Extract<SharedPlace, { readonly backend: B }>;
}
