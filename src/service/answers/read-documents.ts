// Reads the service's answers about documents. Only identifiers are required: the sources disagree on which other
// fields are always present.

import type { ListedDocument, PageInfo, RemoteQuery } from '../../model/service/documents.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { flagIn, notAnObject, type Page, type Reading, readPage, recordIn, textIn, textsIn } from './reading.ts';

export interface DocumentPage extends Page<ListedDocument> {
  readonly pageInfo: PageInfo;
}

export function readDocumentPage(answer: Json | undefined): Reading<DocumentPage> {
  const page = readPage(answer);
  if ('problem' in page) return page;
  const { records, next, total, pageInfo } = page.value;
  const documents = records.map((record) => (isJsonObject(record) ? documentIn(record) : undefined));
  if (documents.includes(undefined)) return { problem: 'One of its documents has no identifier.' };
  const { pageSize } = pageInfo;
  return {
    value: {
      records: documents as readonly ListedDocument[],
      next,
      total,
      pageInfo: {
        hasNextPage: next !== undefined,
        nextCursor: next,
        pageSize: isCount(pageSize) ? pageSize : documents.length,
        totalRecords: isCount(total) ? total : undefined,
      },
    },
  };
}

function documentIn(record: JsonObject): ListedDocument | undefined {
  const identifier = textIn(record, 'identifier');
  if (identifier === undefined) return undefined;
  const [folder, owner] = [recordIn(record, 'folder'), recordIn(record, 'owner')];
  return {
    identifier,
    name: textIn(record, 'name') ?? identifier,
    ...textsIn(record, ['type', 'scope', 'url', 'description']),
    hasDashboard: flagIn(record, 'hasDashboard'),
    deleted: flagIn(record, 'deleted') ?? false,
    ...textsIn(record, ['updatedAt', 'connectionId']),
    folder: folder && textsIn(folder, ['id', 'name', 'path', 'scope']),
    owner: owner && textsIn(owner, ['id', 'name']),
    labels: labelsIn(record['labels']),
    _count: countsIn(record['_count']),
  };
}

/** Label names. An older form of the answer has objects with a name and a verified flag. */
function labelsIn(labels: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(labels)) return undefined;
  return labels.flatMap((label: Json) => (isJsonObject(label) ? (textIn(label, 'name') ?? []) : String(label)));
}

function countsIn(counts: Json | undefined): Readonly<Record<string, number>> | undefined {
  if (!isJsonObject(counts)) return undefined;
  return Object.fromEntries(Object.entries(counts).filter((entry): entry is [string, number] => isCount(entry[1])));
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && value >= 0;
}

export function readQueries(answer: Json | undefined): Reading<readonly RemoteQuery[]> {
  if (!isJsonObject(answer)) return notAnObject;
  const { queries } = answer;
  if (!Array.isArray(queries)) return { problem: 'It has no list of queries.' };
  const read = queries.filter(isJsonObject).flatMap((query): RemoteQuery[] => {
    const key = textIn(query, 'queryIdentifierMapKey');
    return key === undefined ? [] : [{ key, name: textIn(query, 'name') }];
  });
  // An older service listed queries without keys; then the queries cannot be checked.
  if (queries.length > 0 && read.length === 0) return { problem: 'Its queries have no queryIdentifierMapKey.' };
  return { value: read };
}
