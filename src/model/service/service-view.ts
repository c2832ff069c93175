// What online checks compare the declarations with: only ids and names of documents and dashboards.

import type { RemoteQuery } from './documents.ts';

export interface KnownDocument {
  readonly identifier: string;
  readonly name: string;
  readonly deleted: boolean;
  /** True also where the service does not say. */
  readonly hasDashboard: boolean;
  /** `restricted`, or `organization` where everybody may see it; undefined where the service does not say. */
  readonly scope?: string;
}

/** In the order in which the dashboard shows them, as far as it says. */
export interface DashboardIds {
  readonly filters: readonly string[];
  readonly controls: readonly string[];
}

/** The service's answer about one dashboard, or its message if it refused. */
export type Answer<T> = { readonly value: T } | { readonly refused: string; readonly isMissing: boolean };

export interface ServiceView {
  readonly documents: readonly KnownDocument[];
  /** By identifier as declared; dashboards that were not asked about are missing. */
  readonly ids: ReadonlyMap<string, Answer<DashboardIds>>;
  readonly queries: ReadonlyMap<string, Answer<readonly RemoteQuery[]>>;
}

export interface Principal {
  readonly type: 'user' | 'userGroup';
  /** Of a user the membership id. */
  readonly id?: string;
  readonly email?: string;
  readonly name?: string;
}

/** Who may see a document, as far as the service's answer could be understood. */
export interface AccessList {
  readonly principals: readonly Principal[];
  /** False where an entry was not understood: then nothing follows from who is not among the others. */
  readonly isWhole: boolean;
}
