// What online checks have looked up, as text for a cache: each part with the time when it was asked for, and worth
// nothing after a few minutes. A text that is not exactly as it was written counts as none.

import type { RemoteQuery } from '../../model/service/documents.ts';
import type { DashboardIds, KnownDocument } from '../../model/service/service-view.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';

/** Milliseconds. */
const lifetime = 5 * 60_000;
const version = 1;

interface Kept<T> {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly value: T;
}

/** What is still fresh, to be added to. */
export interface ServiceCache {
  documents: Kept<readonly KnownDocument[]> | undefined;
  readonly ids: Map<string, Kept<DashboardIds>>;
  readonly queries: Map<string, Kept<readonly RemoteQuery[]>>;
}

export function readServiceCache(text: string | undefined, now: number): ServiceCache {
  const json = text === undefined ? undefined : parsed(text);
  const nothing: ServiceCache = { documents: undefined, ids: new Map(), queries: new Map() };
  if (!isJsonObject(json) || json['version'] !== version) return nothing;
  const fresh = <T>(kept: Json | undefined, isValue: (value: Json | undefined) => boolean): Kept<T> | undefined => {
    if (!isJsonObject(kept) || typeof kept['at'] !== 'number' || !isValue(kept['value'])) return undefined;
    // A clock that was set back makes no old answer new.
    const age = now - kept['at'];
    return age >= 0 && age < lifetime ? (kept as unknown as Kept<T>) : undefined;
  };
  const entries = <T>(map: Json | undefined, isValue: (value: Json | undefined) => boolean) =>
    Object.entries(isJsonObject(map) ? map : {}).flatMap(([identifier, kept]): [string, Kept<T>][] => {
      const entry = fresh<T>(kept, isValue);
      return entry === undefined ? [] : [[identifier, entry]];
    });
  return {
    documents: fresh(json['documents'], (value) => isListOf(value, isDocument)),
    ids: new Map(entries<DashboardIds>(json['ids'], isIds)),
    queries: new Map(entries<readonly RemoteQuery[]>(json['queries'], (value) => isListOf(value, isQuery))),
  };
}

export function writeServiceCache({ documents, ids, queries }: ServiceCache): string {
  const kept = { version, documents, ids: Object.fromEntries(ids), queries: Object.fromEntries(queries) };
  return `${JSON.stringify(kept)}\n`;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isListOf(value: Json | undefined, isItem: (item: Json) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string';
}

function isDocument(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { identifier, name, deleted, hasDashboard } = value;
  return isText(identifier) && isText(name) && typeof deleted === 'boolean' && typeof hasDashboard === 'boolean';
}

function isIds(value: Json | undefined): boolean {
  return isJsonObject(value) && isListOf(value['filters'], isText) && isListOf(value['controls'], isText);
}

function isQuery(value: Json): boolean {
  return isJsonObject(value) && isText(value['key']) && (value['name'] === undefined || isText(value['name']));
}
