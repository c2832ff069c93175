// Decides which tiles a report sends, and whether a dashboard filter reaches a tile. The layout decides: filters on one
// field of a tile are joined with OR, SQL takes no filter by itself, and a PDF or PNG has the first page.

import { isUnset } from '../../model/fields/conditions.ts';
import type { Limit } from '../../model/fields/delivery.ts';
import type { DashboardLayout, RemoteQuery, TileFilter, TileQuery } from '../../model/service/documents.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';

export interface SentPart {
  readonly format: unknown;
  /** The key of the only tile; undefined if the whole dashboard is sent. */
  readonly tile: Json | undefined;
}

/** True if a report is divided into pages, of which only the first one is sent. */
export function leavesPagesOut({ pages }: Pick<DashboardLayout, 'pages'>, { format, tile }: SentPart): boolean {
  return pages.length > 1 && tile === undefined && (format === 'pdf' || format === 'png');
}

export function tilesSent(layout: DashboardLayout, part: SentPart): readonly RemoteQuery[] {
  const { tiles, pages } = layout;
  const [first] = pages;
  if (leavesPagesOut(layout, part)) return tiles.filter(({ key }) => first?.tiles.has(key));
  return part.tile === undefined ? tiles : tiles.filter(({ key }) => key === part.tile);
}

/**
 * The effect of a filter on a tile. `limited`: it limits the tile by its own field. `taken-out`, `other-field`: its map
 * says so. `sql`: the tile is written in SQL. `untold`: it is unknown, because Omni does not show the query, or because
 * the query does not name the view of the field.
 */
export type Reach =
  | { readonly how: 'limited' | 'taken-out' | 'sql' | 'untold' }
  | { readonly how: 'other-field'; readonly field: string };

export function reachOf({ field, map }: TileFilter, { key, query }: RemoteQuery): Reach {
  const mapped = map.get(key);
  if (mapped === false) return { how: 'taken-out' };
  if (isSql(query)) return { how: 'sql' };
  if (mapped !== undefined && mapped !== field) return { how: 'other-field', field: mapped };
  const isTold = query !== undefined && field !== undefined && namesViewOf(query, field);
  return { how: isTold ? 'limited' : 'untold' };
}

/**
 * The other filters of the dashboard that have a value and that a tile joins with this one, as far as the map says. The
 * report sets `own` filters, the declared dashboard `planned` ones.
 */
export function joinedWith(
  id: string,
  tile: RemoteQuery,
  { filters }: Pick<DashboardLayout, 'filters'>,
  own: ReadonlyMap<string, Pick<Limit, 'condition'>>,
  planned: typeof own = new Map(),
): readonly string[] {
  const filter = filters.get(id);
  if (filter === undefined || !mayLimit(filter, tile)) return [];
  return [...filters].flatMap(([other, each]) => {
    const isJoined = other !== id && fieldOn(each, tile) === filter.field;
    const given = own.has(other) ? [own.get(other)] : [each, planned.get(other)];
    return isJoined && given.some((by) => by !== undefined && !isUnset(by.condition)) ? other : [];
  });
}

/** True if it limits by its own field; also if Omni does not show the query. */
function mayLimit(filter: TileFilter, tile: RemoteQuery): boolean {
  const { how } = reachOf(filter, tile);
  return filter.field !== undefined && (how === 'limited' || (how === 'untold' && tile.query === undefined));
}

function fieldOn({ field, map }: TileFilter, { key }: RemoteQuery): string | false | undefined {
  return map.get(key) ?? field;
}

function isSql(query: TileQuery | undefined): boolean {
  return (query?.userEditedSQL ?? '').trim() !== '';
}

function namesViewOf({ table, fields = [], filters = {} }: TileQuery, field: string): boolean {
  const view = field.slice(0, field.lastIndexOf('.'));
  const names = [...fields, ...Object.keys(filters)];
  return table === view || names.some((name) => name.startsWith(`${view}.`));
}

/** The limits of a report's rows: the dividing filters that it sets with a value. */
export function dividingIn(
  rows: ReadonlyMap<string, Limit>,
  dividing: readonly string[],
): readonly (readonly [id: string, limit: Limit])[] {
  return [...rows].filter(([id, { condition }]) => dividing.includes(id) && !isUnset(condition as JsonObject));
}
