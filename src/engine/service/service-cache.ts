// What online checks have looked up, as text for a cache: each part with the time when it was asked for, and worth
// nothing after a few minutes. A text that is not exactly as it was written counts as none.

import type { RemoteQuery } from '../../model/service/documents.ts';
import type { DashboardIds, KnownDocument } from '../../model/service/service-view.ts';
import { validateCache } from './service-cache.compiled.js';

/** Milliseconds. */
const lifetime = 5 * 60_000;

export interface Kept<T> {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly value: T;
}

/** As written. */
export interface CacheDocument {
  readonly version: 1;
  readonly documents?: Kept<readonly KnownDocument[]>;
  readonly ids: Readonly<Record<string, Kept<DashboardIds>>>;
  readonly queries: Readonly<Record<string, Kept<readonly RemoteQuery[]>>>;
}

/** What is still fresh, to be added to. */
export interface ServiceCache {
  documents: Kept<readonly KnownDocument[]> | undefined;
  readonly ids: Map<string, Kept<DashboardIds>>;
  readonly queries: Map<string, Kept<readonly RemoteQuery[]>>;
}

export function readServiceCache(text: string | undefined, now: number): ServiceCache {
  const written = text === undefined ? undefined : parsed(text);
  if (!validateCache(written)) return { documents: undefined, ids: new Map(), queries: new Map() };
  // A clock that was set back makes no old answer new.
  const isFresh = ({ at }: Kept<unknown>) => now - at >= 0 && now - at < lifetime;
  const fresh = <T>(entries: Readonly<Record<string, Kept<T>>>) =>
    new Map(Object.entries(entries).filter(([, entry]) => isFresh(entry)));
  const { documents, ids, queries } = written;
  return {
    documents: documents !== undefined && isFresh(documents) ? documents : undefined,
    ids: fresh(ids),
    queries: fresh(queries),
  };
}

export function writeServiceCache({ documents, ids, queries }: ServiceCache): string {
  const written: CacheDocument = {
    version: 1,
    ...(documents === undefined ? {} : { documents }),
    ids: Object.fromEntries(ids),
    queries: Object.fromEntries(queries),
  };
  return `${JSON.stringify(written)}\n`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
