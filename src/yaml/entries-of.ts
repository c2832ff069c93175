// The entries of a value that should be a map.

import { isJsonObject, type Json } from '../model/values/json.ts';

/** The entries of a map; empty for anything else, which validation reports. */
export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
