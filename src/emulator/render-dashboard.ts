// What a dashboard shows: of each tile the rows that pass the filters in effect, in the file of a format.

import { type Cell, type Condition, dayOf, isWhole, testOf } from './conditions.ts';
import type { Quirks } from './faults.ts';
import { type ReportFile, reportFile, type Sheet } from './report-files.ts';
import {
  type Dashboard,
  type EmulatedDocument,
  type EmulatedObject,
  findDocument,
  type Rendering,
  type Store,
} from './store.ts';

type Tile = Dashboard['tiles'][number];
type Row = Readonly<Record<string, Cell>>;

/** The dashboard's current filters, overridden by these. Those that the dashboard no longer has are omitted. */
export function effectiveFilters(document: EmulatedDocument | undefined, own: EmulatedObject = {}): EmulatedObject {
  const filters = Object.entries(document?.dashboard?.filters ?? {});
  return Object.fromEntries(
    filters.map(([id, filter]) => [id, (Object.hasOwn(own, id) ? own[id] : undefined) ?? filter]),
  );
}

/** A picture of a whole dashboard has its first page. Undefined for a format that has no file, and where no tile is left. */
export function renderDashboard(of: Rendering, store: Store, quirks: Quirks): ReportFile | undefined {
  const document = findDocument(store, of.identifier);
  if (!document?.dashboard) return undefined;
  const { dashboard, name: title } = document;
  const firstPage = dashboard.tiles[0]?.page;
  const isPaged = of.tile === undefined && of.format === 'png';
  const shown = dashboard.tiles.filter(({ key, page }) => key === (of.tile ?? key) && (!isPaged || page === firstPage));
  if (shown.length === 0) return undefined;
  const isAsSaved = of.format === 'png' && quirks.pngUnfiltered === true;
  const filters = effectiveFilters(document, isAsSaved ? {} : of.filterConfig);
  const now = store.now();
  const rows = store.data.rows.map((row) => withDays(row, now));
  const sheets = shown.map((tile): Sheet => {
    const passes = rowTest(tile, dashboard, filters, now, quirks);
    const { fields } = tile.query;
    return { name: tile.key, columns: fields.map(labelOf), rows: grouped(fields, rows.filter(passes)) };
  });
  return reportFile({ format: of.format, title, sheets });
}

/** A day of the data may be `3 days ago`, so that there is always something recent. */
function withDays(row: Row, now: number): Row {
  const today = (cell: Cell) => (typeof cell === 'string' && / ago$/.test(cell) ? (dayOf(cell, now) ?? cell) : cell);
  return Object.fromEntries(Object.entries(row).map(([field, cell]) => [field, today(cell)]));
}

/** Hand-written SQL takes no filter. `effective`: the filters in effect, by their ids. */
function rowTest(
  { key, query }: Tile,
  { filters, maps = {} }: Dashboard,
  effective: EmulatedObject,
  now: number,
  quirks: Quirks,
): (row: Row) => boolean {
  if (query.userEditedSQL !== '') return () => true;
  const ofDashboard = Object.entries(effective).map(([id, condition]) => {
    const field = maps[id]?.[key] ?? filters[id]?.['fieldName'];
    return [field, completed(condition, filters[id] ?? {}, quirks)] as const;
  });
  const byField = groupBy([...ofDashboard, ...Object.entries(query.filters)], ([field]) => field);
  const tests = [...byField].flatMap(([field, conditions]) => {
    const ofField = conditions.flatMap(([, condition]) => testOf(condition, now) ?? []);
    if (typeof field !== 'string' || ofField.length === 0) return [];
    const isAnd = quirks.andFilters === true;
    return (row: Row) => {
      const cell = row[field] ?? null;
      return isAnd ? ofField.every((test) => test(cell)) : ofField.some((test) => test(cell));
    };
  });
  return (row) => tests.every((test) => test(row));
}

/** A condition without a type or a kind has those of the dashboard's filter, or is dropped. */
function completed(given: unknown, shown: EmulatedObject, quirks: Quirks): Condition {
  if (quirks.dropShortFilters === true) return given as Condition;
  const written = (Array.isArray(given) ? { values: given } : Object(given)) as Condition;
  if (Array.isArray(written.filters)) {
    return { ...written, type: 'composite', filters: written.filters.map((each) => completed(each, shown, quirks)) };
  }
  if (isWhole(written)) return written;
  const { type = shown['type'] ?? 'string', kind = type === shown['type'] ? shown['kind'] : 'EQUALS' } = written;
  return { ...written, type, kind };
}

const total = '.total_';

/** A row for each combination of the fields that are no measures: `view.total_X` is a sum, `view.count` a number of rows. */
function grouped(fields: readonly string[], rows: readonly Row[]): readonly (readonly Cell[])[] {
  const isMeasure = (field: string) => field.includes(total) || field.endsWith('.count');
  const dimensions = fields.filter((field) => !isMeasure(field));
  const groups = groupBy(rows, (row) => JSON.stringify(dimensions.map((field) => row[field])));
  // A tile of measures alone has one row, whatever passes.
  if (dimensions.length === 0 && groups.size === 0) groups.set('', []);
  return [...groups.values()].map((group) =>
    fields.map((field) => {
      if (!isMeasure(field)) return group[0]?.[field] ?? null;
      if (field.endsWith('.count')) return group.length;
      return group.reduce((sum, row) => sum + Number(row[field.replace(total, '.')] ?? 0), 0);
    }),
  );
}

/** Node 20 has no Map.groupBy. */
function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** `order_items.sale_price` is `Sale Price`. */
function labelOf(field: string): string {
  const words = field.slice(field.indexOf('.') + 1).split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
