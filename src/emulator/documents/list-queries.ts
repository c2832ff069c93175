// GET /v1/documents/{documentId}/queries: the keys by which schedules name the queries of a dashboard. Query
// definitions are not emulated, so they are omitted.

import { type Answer, Rejection } from '../pipeline/answer.ts';
import type { Call } from '../pipeline/exchange.ts';
import { readQuery } from '../pipeline/read-query.ts';
import { deriveUuid } from '../store/derive-uuid.ts';
import { findDocumentByEitherId } from '../store/store.ts';
import { canView } from './can-view.ts';
import { queryName } from './query-name.ts';

export function listQueries({ store, caller, params, query }: Call): Answer {
  readQuery(query, []);
  const id = params.documentId ?? '';
  const document = findDocumentByEitherId(store, id);
  if (document === undefined) throw new Rejection(404, `Document with id ${id} does not exist`);
  if (caller.kind === 'personal' && !canView(caller.memberId, document)) {
    throw new Rejection(403, 'User cannot view document');
  }
  const queries = (document.dashboard?.queryKeys ?? []).map((key) => ({
    id: deriveUuid('query', document.identifier, key),
    name: queryName(key),
    queryIdentifierMapKey: key,
    url: `${store.data.organization.url}/w/${document.identifier}?key=${encodeURIComponent(key)}`,
  }));
  return { status: 200, body: { queries } };
}
