// Documents and dashboards as the service lists them, and what their list takes. Names are the API's own.

import type { JsonObject } from '../values/json.ts';
import {
  count,
  described,
  flag,
  formatVersion,
  listOf,
  map,
  mapOf,
  nonEmptyText,
  number,
  record,
  type TypeOf,
  text,
} from '../values/schema.ts';

export const documentIncludes = ['_count', 'labels', 'includeDeleted', 'onlyFavorites', 'onlySharedWithMe'] as const;
export type DocumentInclude = (typeof documentIncludes)[number];

export const sortFields = ['favorites', 'name', 'updatedAt', 'visits'] as const;
export const sortDirections = ['asc', 'desc'] as const;

export interface DocumentSort {
  readonly sortField: (typeof sortFields)[number];
  readonly sortDirection: (typeof sortDirections)[number];
}

/** The most documents that one page may hold. */
export const maxOnAPage = 100;

/** The selection and order of a list. Page size and sort are always sent: sources disagree on the defaults. */
export interface DocumentParameters extends DocumentSort {
  readonly include: readonly DocumentInclude[];
  /** Lists documents that have one of these labels; all documents if empty. */
  readonly labels: readonly string[];
  readonly folderId?: string;
  readonly userId?: string;
  readonly creatorId?: string;
  readonly pageSize: number;
  /** The place where an earlier list with the same sort stopped. */
  readonly cursor?: string;
  /** The most documents to read; all of them if absent. */
  readonly limit?: number;
}

/** The whole list, in a stable order. */
export const everyDocument: DocumentParameters = {
  include: [],
  labels: [],
  pageSize: maxOnAPage,
  sortField: 'name',
  sortDirection: 'asc',
};

export const listedDocumentSchema = record({
  identifier: nonEmptyText,
  name: text,
  'type?': text,
  'scope?': text,
  'url?': text,
  'description?': text,
  'hasDashboard?': described(flag, 'Omitted if the service does not report it.'),
  deleted: flag,
  'updatedAt?': text,
  'connectionId?': text,
  'folder?': record({ 'id?': text, 'name?': text, 'path?': text, 'scope?': text }),
  'owner?': record({ 'id?': described(text, 'A membership id.'), 'name?': text }),
  'labels?': described(listOf(text), 'Present with --include labels.'),
  '_count?': described(mapOf(number), 'Favorites and views; present with --include _count.'),
});
/** A document; what the service may leave out is optional. */
export type ListedDocument = TypeOf<typeof listedDocumentSchema>;

const pageSchema = record({
  hasNextPage: flag,
  // Undefined on the last page, and if a limit has cut a page.
  'nextCursor?': described(text, 'Pass it to --cursor, with the same --sort.'),
  pageSize: count,
  'totalRecords?': count,
});
export type PageInfo = TypeOf<typeof pageSchema>;

export interface DocumentList {
  readonly documents: readonly ListedDocument[];
  /** The information about the last page that was read. */
  readonly pageInfo: PageInfo;
}

export const documentsSchema = record({
  formatVersion,
  documents: listOf(listedDocumentSchema),
  'pageInfo?': described(pageSchema, 'Where the list stopped before its end; omitted if the list is complete.'),
});
/** The document that `list documents --format json` prints (schemas/documents.schema.json). */
export type DocumentsDocument = TypeOf<typeof documentsSchema>;

/** A query of a dashboard, as schedules name it: a tile. */
export interface RemoteQuery {
  readonly key: string;
  readonly name?: string;
  /** Undefined if the service leaves it out. */
  readonly query?: TileQuery | undefined;
}

export const tileQuerySchema = record({
  'table?': text,
  'fields?': listOf(text),
  'pivots?': listOf(text),
  // The highest number of its rows.
  'limit?': number,
  // The filters by their fields.
  'filters?': map,
  'userEditedSQL?': text,
});
export type TileQuery = TypeOf<typeof tileQuerySchema>;

/** A filter as the layout of its dashboard has it. */
export interface TileFilter {
  /** The value that the dashboard itself sets. */
  readonly condition: JsonObject;
  /** The field that it limits where its map says nothing else; undefined if the service does not say. */
  readonly field: string | undefined;
  /** The field that it limits in a tile, by the tile's key, or false if it does not reach the tile. */
  readonly map: ReadonlyMap<string, string | false>;
}

export interface DashboardLayout {
  readonly tiles: readonly RemoteQuery[];
  readonly filters: ReadonlyMap<string, TileFilter>;
  /** The pages in their order, each with the keys of its tiles; empty if the dashboard is not divided. */
  readonly pages: readonly { readonly name: string; readonly tiles: ReadonlySet<string> }[];
}

/** The layouts by declared identifier. `classic`: Omni tells none of that kind; `missing`: it has no such dashboard; `refused`: it was not read. */
export type Layouts = ReadonlyMap<string, DashboardLayout | 'classic' | 'missing' | 'refused'>;

/** A document or dashboard, for online checks of declarations: only ids and names. */
export interface KnownDocument {
  readonly identifier: string;
  readonly name: string;
  readonly deleted: boolean;
  /** True if the service does not say. */
  readonly hasDashboard: boolean;
}

/** The filters of a dashboard, and the ids of what it has, in the order in which it shows them, as far as it says. */
export interface DashboardIds {
  readonly filters: readonly string[];
  readonly controls: readonly string[];
  readonly own: JsonObject;
}

/** The service's answer about one dashboard, or its message if it refused. */
export type AnswerOrRefusal<T> = { readonly value: T } | { readonly refused: string; readonly isMissing: boolean };

export interface ServiceView {
  readonly documents: readonly KnownDocument[];
  /** The present identifiers of dashboards that were renamed, by identifier as declared. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The answers by identifier as declared; dashboards that were not asked about are missing. */
  readonly ids: ReadonlyMap<string, AnswerOrRefusal<DashboardIds>>;
  readonly queries: ReadonlyMap<string, AnswerOrRefusal<readonly RemoteQuery[]>>;
}

// The names and ids of models, people and user groups that `almanac list` prints.

const namedSchema = record({
  'id?': described(
    nonEmptyText,
    'Of a user group only with --dashboard: nothing else of Omni shows the id that a schedule takes.',
  ),
  name: text,
  'email?': described(text, 'Of a member.'),
  'active?': described(flag, 'Of a member: false where the account is deactivated.'),
  'isExtension?': described(
    flag,
    'Of a model: an extension of a shared one, which AI jobs may name and routines may not.',
  ),
  'branches?': described(listOf(record({ id: nonEmptyText, name: text })), 'Of a model: what branchId may name.'),
});
export type ListedName = TypeOf<typeof namedSchema>;

export const namesSchema = record({ formatVersion, records: listOf(namedSchema) });
export type NamesDocument = TypeOf<typeof namesSchema>;
