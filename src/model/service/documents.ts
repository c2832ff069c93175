// Documents and dashboards as the service lists them, and what their list takes. Names are the API's own.

import type { Json, JsonObject } from '../values/json.ts';
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

/** What to list. Page size and sort are always sent: sources disagree on the defaults. */
export interface DocumentParameters extends DocumentSort {
  readonly include: readonly DocumentInclude[];
  /** Documents with one of these; all where empty. */
  readonly labels: readonly string[];
  readonly folderId?: string;
  readonly userId?: string;
  readonly creatorId?: string;
  readonly pageSize: number;
  /** Where an earlier list with the same sort stopped. */
  readonly cursor?: string;
  /** The most documents to read; all of them if absent. */
  readonly limit?: number;
}

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
  // Undefined on the last page, and where a limit has cut a page.
  'nextCursor?': described(text, 'Pass it to --cursor, with the same --sort.'),
  pageSize: count,
  'totalRecords?': count,
});
export type PageInfo = TypeOf<typeof pageSchema>;

export interface DocumentList {
  readonly documents: readonly ListedDocument[];
  /** Of the last page that was read. */
  readonly pageInfo: PageInfo;
}

export const documentsSchema = record({
  formatVersion,
  documents: listOf(listedDocumentSchema),
  'pageInfo?': described(pageSchema, 'Where the list stopped before its end; omitted if the list is complete.'),
});
/** What `list documents --format json` prints (schemas/documents.schema.json). */
export type DocumentsDocument = TypeOf<typeof documentsSchema>;

/** A query of a dashboard, as schedules name it: a tile. */
export interface RemoteQuery {
  readonly key: string;
  readonly name?: string;
  /** Undefined where the service leaves it out. */
  readonly query?: TileQuery | undefined;
}

export const tileQuerySchema = record({
  'table?': text,
  'fields?': listOf(text),
  'pivots?': listOf(text),
  // How many rows it has at most.
  'limit?': number,
  // By their fields.
  'filters?': map,
  'userEditedSQL?': text,
});
/** What a tile asks for. */
export type TileQuery = TypeOf<typeof tileQuerySchema>;

/** A filter as the layout of its dashboard has it. */
export interface TileFilter {
  /** What the dashboard itself sets. */
  readonly condition: JsonObject;
  /** What it limits where its map says nothing else; undefined where the service does not say. */
  readonly field: string | undefined;
  /** By the keys of tiles: the field that it limits there, or false where it does not reach the tile. */
  readonly map: ReadonlyMap<string, string | false>;
}

/** What a dashboard is made of. */
export interface DashboardLayout {
  readonly tiles: readonly RemoteQuery[];
  readonly filters: ReadonlyMap<string, TileFilter>;
  /** In their order, each with the keys of its tiles; none where the dashboard is not divided. */
  readonly pages: readonly { readonly name: string; readonly tiles: ReadonlySet<string> }[];
}

/** By identifier as declared. `classic`: in this layout, Omni does not say it. `refused`: it does not answer. */
export type Layouts = ReadonlyMap<string, DashboardLayout | 'classic' | 'refused'>;

/** What online checks compare the declarations with: only ids and names of documents and dashboards. */
export interface KnownDocument {
  readonly identifier: string;
  readonly name: string;
  readonly deleted: boolean;
  /** True if the service does not say. */
  readonly hasDashboard: boolean;
}

/** In the order in which the dashboard shows them, as far as it says. */
export interface DashboardIds {
  readonly filters: readonly string[];
  readonly controls: readonly string[];
  /** What the condition of a filter compares, as far as it says; by id. */
  readonly types: ReadonlyMap<string, Json>;
}

/** The service's answer about one dashboard, or its message if it refused. */
export type AnswerOrRefusal<T> = { readonly value: T } | { readonly refused: string; readonly isMissing: boolean };

export interface ServiceView {
  readonly documents: readonly KnownDocument[];
  /** What dashboards are called now that were renamed, by identifier as declared. */
  readonly renamed: ReadonlyMap<string, string>;
  /** By identifier as declared; dashboards that were not asked about are missing. */
  readonly ids: ReadonlyMap<string, AnswerOrRefusal<DashboardIds>>;
  readonly queries: ReadonlyMap<string, AnswerOrRefusal<readonly RemoteQuery[]>>;
}
