// Reads the parameters of the document list: types, ranges, and what must go together.

import { Rejection } from './answer.ts';
import { isUuid, oneOf } from './fields.ts';
import { readQuery } from './read-query.ts';

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
  const { include, labels, pageSize, sortField, sortDirection, ...others } = readQuery(
    query,
    parameters,
    'Bad Request: ',
  );
  for (const name of ['folderId', 'userId', 'creatorId'] as const) {
    const value = others[name];
    if (value !== undefined && !isUuid(value)) refuse(name, 'Invalid uuid');
  }
  return {
    ...others,
    include: new Set(splitList(include).map((value) => readChoice('include', value, includes))),
    labels: splitList(labels),
    pageSize: pageSize === undefined ? 20 : readPageSize(pageSize),
    sortField: readChoice('sortField', sortField ?? 'name', sortFields),
    sortDirection: readChoice('sortDirection', sortDirection ?? 'desc', sortDirections),
  };
}

function readPageSize(text: string): number {
  if (!/^-?\d+$/.test(text)) refuse('pageSize', 'Expected number, received nan');
  const size = Number(text);
  if (size < 1) refuse('pageSize', 'Page size must be at least 1');
  if (size > 100) refuse('pageSize', 'Page size cannot exceed 100');
  return size;
}

function readChoice<Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === value);
  return choice ?? refuse(name, oneOf(choices)(value) ?? 'Invalid');
}

function splitList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function refuse(name: string, message: string): never {
  throw new Rejection(400, `Bad Request: ${name}: ${message}`);
}
