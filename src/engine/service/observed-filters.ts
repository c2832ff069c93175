// A dashboard's filters and controls as they are now, as far as Almanac applied them: other entries, and other keys of
// an entry, are ignored.

import type { ObservedResource } from '../../model/service/observed.ts';
import type { RemoteFilters } from '../../model/service/remote.ts';
import { define, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { holdsSecret } from '../../plan/difference.ts';

/** A section that holds a secret, as applied or in `secret`, is left out: the service might return it as plain text. */
export function observedFilters(
  remote: RemoteFilters,
  applied: JsonObject,
  secret: ReadonlySet<string>,
): ObservedResource {
  const attributes: Record<string, Json> = {};
  for (const section of ['filters', 'controls'] as const) {
    const before = applied[section];
    if (isJsonObject(before) && !secret.has(section)) attributes[section] = entriesOf(before, remote[section]);
  }
  const order = applied['filterOrder'];
  if (Array.isArray(order) && !holdsSecret(order) && !secret.has('filterOrder'))
    attributes['filterOrder'] = remote.filterOrder.filter((id) => order.includes(id));
  return { found: true, fields: new Set(Object.keys(attributes)), attributes };
}

function entriesOf(applied: JsonObject, found: JsonObject): JsonObject {
  const entries: Record<string, Json> = {};
  for (const [id, before] of Object.entries(applied)) {
    const now = found[id];
    if (now === undefined) continue;
    define(entries, id, isJsonObject(before) && isJsonObject(now) ? keysOf(before, now) : now);
  }
  return entries;
}

/** A secret cannot be compared, so it stays as it was applied. */
function keysOf(applied: JsonObject, found: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [key, before] of Object.entries(applied)) {
    const now = holdsSecret(before) ? before : found[key];
    if (now !== undefined) define(kept, key, now);
  }
  return kept;
}
