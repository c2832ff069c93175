// Reads the parameters of the document list: types, ranges, and combinations.

import { checkUuid, readChoice, readPageSize } from '../pipeline/query-values.ts';
import { readQuery } from '../pipeline/read-query.ts';

const prefix = 'Bad Request: ';

const sortFields = ['favorites', 'name', 'updatedAt', 'visits'] as const;
const sortDirections = ['asc', 'desc'] as const;
const includes = ['_count', 'labels', 'includeDeleted', 'onlyFavorites', 'onlySharedWithMe'] as const;

export type SortField = (typeof sortFields)[number];
type Include = (typeof includes)[number];

export interface DocumentQuery {
  readonly include: ReadonlySet<Include>;
  readonly labels: readonly string[];
  readonly folderId?: string;
  readonly userId?: string;
  readonly creatorId?: string;
  readonly pageSize: number;
  readonly sortField: SortField;
  readonly sortDirection: (typeof sortDirections)[number];
  readonly cursor?: string;
}

const parameters = [
  'include',
  'labels',
  'folderId',
  'pageSize',
  'sortField',
  'sortDirection',
  'cursor',
  'userId',
  'creatorId',
] as const;

export function readDocumentQuery(query: URLSearchParams): DocumentQuery {
  const { include, labels, pageSize, sortField, sortDirection, ...others } = readQuery(query, parameters, prefix);
  for (const name of ['folderId', 'userId', 'creatorId'] as const) checkUuid(name, others[name], prefix);
  return {
    ...others,
    include: new Set(splitList(include).map((value) => readChoice('include', value, includes, prefix))),
    labels: splitList(labels),
    pageSize: readPageSize(pageSize, prefix),
    sortField: readChoice('sortField', sortField ?? 'name', sortFields, prefix),
    sortDirection: readChoice('sortDirection', sortDirection ?? 'desc', sortDirections, prefix),
  };
}

function splitList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
