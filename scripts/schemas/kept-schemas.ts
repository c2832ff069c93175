// The schemas of what Almanac keeps for itself: locks, and the cache of online checks.

import type { LockRecord } from '../../src/adapters/state/lock-record.ts';
import type { CacheDocument, Kept } from '../../src/engine/service/service-cache.ts';
import type { RemoteQuery } from '../../src/model/service/documents.ts';
import type { DashboardIds, KnownDocument } from '../../src/model/service/service-view.ts';
import { constant, flag, listOf, mapOf, number, openRecord, record, schemaOf, text } from './typed-schema.ts';

/** Open: a lock of another version may hold more fields, and its holder must still be named. */
export const lockSchema = openRecord<LockRecord>({
  who: text,
  host: text,
  pid: schemaOf({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  command: text,
  since: text,
  'runUrl?': text,
  'started?': text,
  'pidSpace?': text,
});

const document = record<KnownDocument>({ identifier: text, name: text, deleted: flag, hasDashboard: flag });
const ids = record<DashboardIds>({ filters: listOf(text), controls: listOf(text) });
const query = record<RemoteQuery>({ key: text, 'name?': text });

export const cacheSchema = record<CacheDocument>({
  version: constant(1),
  'documents?': record<Kept<readonly KnownDocument[]>>({ at: number, value: listOf(document) }),
  ids: mapOf(record<Kept<DashboardIds>>({ at: number, value: ids })),
  queries: mapOf(record<Kept<readonly RemoteQuery[]>>({ at: number, value: listOf(query) })),
});
