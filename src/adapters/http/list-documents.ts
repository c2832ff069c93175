// The list of documents, page after page. A cursor of the service stands for a place in the order, so a document that is
// renamed while the pages are read may stand on two of them, or on none: a walk to the end that has found another number
// than the service counts is made again, until two of them agree.

import type { DocumentList, DocumentParameters, ListedDocument, PageInfo } from '../../model/service/documents.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { DocumentPage } from './read-documents.ts';
import { toBare, type WireRequest } from './wire.ts';

const walks = 3;

type GetPage = (request: WireRequest) => Promise<DocumentPage>;

/** To the end, or up to the limit. */
export async function listDocuments(parameters: DocumentParameters, getPage: GetPage): Promise<DocumentList> {
  if (parameters.limit !== undefined || parameters.cursor !== undefined) return walk(parameters, getPage);
  let before: string | undefined;
  for (let count = 1; count <= walks; count += 1) {
    const list = await walk(parameters, getPage);
    const found = JSON.stringify(list.documents.map(({ identifier }) => identifier));
    const { totalRecords = list.documents.length } = list.pageInfo;
    if (list.documents.length === totalRecords || found === before) return list;
    before = found;
  }
  throw new Failure('api-unreachable', `The list of documents changed while it was read, ${walks} times.`, {
    hint: 'Someone is changing documents. Run again.',
  });
}

async function walk(parameters: DocumentParameters, getPage: GetPage): Promise<DocumentList> {
  const { limit = Number.POSITIVE_INFINITY } = parameters;
  const pageSize = Math.min(parameters.pageSize, limit);
  const found = new Map<string, ListedDocument>();
  const seen = new Set<string>();
  let cursor = parameters.cursor;
  for (;;) {
    const { documents, pageInfo } = await getPage(requestOf({ ...parameters, pageSize }, cursor));
    for (const document of documents) found.set(document.identifier, document);
    if (found.size >= limit) return cutAt(limit, [...found.values()], pageInfo);
    cursor = pageInfo.nextCursor;
    if (cursor === undefined) return { documents: [...found.values()], pageInfo };
    if (seen.has(cursor)) throw goesInCircles();
    seen.add(cursor);
  }
}

function cutAt(limit: number, documents: readonly ListedDocument[], pageInfo: PageInfo): DocumentList {
  if (documents.length === limit) return { documents, pageInfo };
  // The cursor would pass over what is cut off.
  const { nextCursor: _, ...rest } = pageInfo;
  return { documents: documents.slice(0, limit), pageInfo: { ...rest, hasNextPage: true } };
}

/** So many documents share the value that the cursor is made of that it leads back to them. */
function goesInCircles(): Failure {
  return new Failure('api-unreachable', 'The service sends the same page of documents again and again.', {
    hint: 'Run again, or list another order with --sort.',
  });
}

function requestOf(parameters: DocumentParameters, cursor: string | undefined): WireRequest {
  const { include, labels, folderId, userId, creatorId, pageSize, sortField, sortDirection } = parameters;
  const given = {
    include: include.length === 0 ? undefined : include.join(','),
    labels: labels.length === 0 ? undefined : labels.join(','),
    folderId,
    userId,
    creatorId,
    cursor,
  };
  const present = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return toBare('/v1/documents', {
    pageSize: String(pageSize),
    sortField,
    sortDirection,
    ...Object.fromEntries(present),
  });
}
