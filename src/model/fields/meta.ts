// What people wrote about a resource in `meta`, read from attributes that were declared or applied.

import { isJsonObject } from '../values/json.ts';

interface Described {
  readonly meta?: unknown;
}

/** Undefined where nobody is named. */
export function ownerInMeta({ meta }: Described): string | undefined {
  const owner = isJsonObject(meta) ? meta['owner'] : undefined;
  return typeof owner === 'string' && owner !== '' ? owner : undefined;
}

export function tagsInMeta({ meta }: Described): readonly string[] {
  const tags = isJsonObject(meta) ? meta['tags'] : undefined;
  return Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : [];
}
