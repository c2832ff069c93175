// Reads the list of documents page by page. A cursor marks a position in the sort order, so a document that is renamed
// meanwhile may appear on two pages or on none. If a full read finds another number than the service counts, it is
// repeated until two reads agree.

import type { DocumentList, DocumentParameters, ListedDocument, PageInfo } from '../../model/service/documents.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { DocumentPage } from '../answers/read-documents.ts';
import { countDiffers, makeListEnd } from './list-end.ts';
import { toBare, type WireRequest } from './wire.ts';

const walks = 3;

type GetPage = (request: WireRequest) => Promise<DocumentPage>;

/** Reads to the end, or up to the limit. */
export async function listDocuments(
  parameters: DocumentParameters,
  getPage: GetPage,
  onNote: (message: string) => void = () => undefined,
): Promise<DocumentList> {
  if (parameters.limit !== undefined || parameters.cursor !== undefined) return walk(parameters, getPage);
  let before: string | undefined;
  for (let count = 1; count <= walks; count += 1) {
    const list = await walk(parameters, getPage);
    const found = JSON.stringify(list.documents.map(({ identifier }) => identifier));
    const { totalRecords = list.documents.length } = list.pageInfo;
    if (list.documents.length === totalRecords) return list;
    if (found === before) {
      onNote(countDiffers('documents', totalRecords, list.documents.length));
      return list;
    }
    before = found;
  }
  throw new Failure('api-unreachable', `The list of documents changed ${walks} times while it was read.`, {
    hint: 'Someone is changing documents. Try again.',
  });
}

async function walk(parameters: DocumentParameters, getPage: GetPage): Promise<DocumentList> {
  const { limit = Number.POSITIVE_INFINITY } = parameters;
  const pageSize = Math.min(parameters.pageSize, limit);
  const found = new Map<string, ListedDocument>();
  const seen = new Set<string>();
  const checkEnd = makeListEnd('documents');
  let cursor = parameters.cursor;
  for (;;) {
    const { documents, pageInfo } = await getPage(requestOf({ ...parameters, pageSize }, cursor));
    for (const document of documents) found.set(document.identifier, document);
    if (found.size >= limit) return cutAt(limit, [...found.values()], pageInfo);
    cursor = pageInfo.nextCursor;
    if (cursor === undefined) return { documents: [...found.values()], pageInfo };
    if (seen.has(cursor)) throw goesInCircles();
    seen.add(cursor);
    checkEnd({ found: documents.length, next: cursor, total: pageInfo.totalRecords });
  }
}

function cutAt(limit: number, documents: readonly ListedDocument[], pageInfo: PageInfo): DocumentList {
  if (documents.length === limit) return { documents, pageInfo };
  // The cursor would skip the documents that are cut off.
  const { nextCursor: _, ...rest } = pageInfo;
  return { documents: documents.slice(0, limit), pageInfo: { ...rest, hasNextPage: true } };
}

/** Happens if so many documents share the cursor's sort value that the cursor leads back to them. */
function goesInCircles(): Failure {
  return new Failure('api-unreachable', 'The service keeps sending the same page of documents.', {
    hint: 'Try again, or use another order with --sort.',
  });
}

function requestOf(parameters: DocumentParameters, cursor: string | undefined): WireRequest {
  const { include, labels, folderId, userId, creatorId, pageSize, sortField, sortDirection } = parameters;
  return toBare('/v1/documents', {
    pageSize: String(pageSize),
    sortField,
    sortDirection,
    include: include.length === 0 ? undefined : include.join(','),
    labels: labels.length === 0 ? undefined : labels.join(','),
    folderId,
    userId,
    creatorId,
    cursor,
  });
}
