// Documents as the service lists them, and what the list takes. Names are the API's own.

export const documentIncludes = ['_count', 'labels', 'includeDeleted', 'onlyFavorites', 'onlySharedWithMe'] as const;
export type DocumentInclude = (typeof documentIncludes)[number];

export const sortFields = ['favorites', 'name', 'updatedAt', 'visits'] as const;
export const sortDirections = ['asc', 'desc'] as const;

export interface DocumentSort {
  readonly sortField: (typeof sortFields)[number];
  readonly sortDirection: (typeof sortDirections)[number];
}

/** The most documents that one page may hold. */
export const mostOnAPage = 100;

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
  /** So many documents at most; to the end where left out. */
  readonly limit?: number;
}

/** A document; what the service may leave out is optional. */
export interface ListedDocument {
  readonly identifier: string;
  readonly name: string;
  readonly type?: string;
  readonly scope?: string;
  readonly url?: string;
  readonly description?: string;
  /** Undefined where the service does not say. */
  readonly hasDashboard?: boolean;
  readonly deleted: boolean;
  readonly updatedAt?: string;
  readonly connectionId?: string;
  readonly folder?: {
    readonly id?: string;
    readonly name?: string;
    readonly path?: string;
    readonly scope?: string;
  };
  readonly owner?: { readonly id?: string; readonly name?: string };
  /** Asked for with `labels`. */
  readonly labels?: readonly string[];
  /** Asked for with `_count`: of favourites and views. */
  readonly _count?: Readonly<Record<string, number>>;
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  /** Where to go on; undefined on the last page, and where a limit has cut a page. */
  readonly nextCursor?: string;
  readonly pageSize: number;
  readonly totalRecords?: number;
}

export interface DocumentList {
  readonly documents: readonly ListedDocument[];
  /** Of the last page that was read. */
  readonly pageInfo: PageInfo;
}

/** What `documents --format json` prints (schemas/documents.schema.json). */
export interface DocumentsDocument {
  readonly formatVersion: 1;
  readonly documents: readonly ListedDocument[];
  /** Left out where the list was followed to its end. */
  readonly pageInfo?: PageInfo;
}

/** A query of a dashboard, as schedules name it. */
export interface RemoteQuery {
  readonly key: string;
  readonly name?: string;
}
