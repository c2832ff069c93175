// Renders a dashboard: for each tile the rows that pass the filters, in a file.

import { deflateSync } from 'node:zlib';
import { type Cell, type Condition, dayOf, isWhole, testOf } from './conditions.ts';
import type { Quirks } from './faults.ts';
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

/** A picture of a whole dashboard has its first page. Undefined for a format without a file, and if no tile is left. */
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

/** Hand-written SQL takes no filter. `effective` are the filters in effect, keyed by their ids. */
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

/** A row for each combination of dimensions: `view.total_X` is a sum, `view.count` a number of rows. */
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

interface ReportFile {
  /** The media type. */
  readonly type: string;
  readonly extension: string;
  readonly bytes: Buffer;
}

/** The rows of a tile. */
interface Sheet {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

interface Report {
  readonly format: string;
  /** The name of the dashboard. */
  readonly title: string;
  readonly sheets: readonly Sheet[];
}

const makers: Readonly<Record<string, (report: Report) => ReportFile>> = {
  csv: ({ sheets }) => {
    const files = sheets.map((sheet) => ({ name: `${sheet.name}.csv`, bytes: Buffer.from(csvOf(sheet)) }));
    const [only] = files;
    if (files.length === 1 && only !== undefined) return { type: 'text/csv', extension: 'csv', bytes: only.bytes };
    return { type: 'application/zip', extension: 'zip', bytes: zipOf(files) };
  },
  json: ({ sheets }) => {
    const lists = sheets.map((sheet) => [sheet.name, recordsOf(sheet)] as const);
    const rows = lists.length === 1 ? lists[0]?.[1] : Object.fromEntries(lists);
    return { type: 'application/json', extension: 'json', bytes: Buffer.from(JSON.stringify(rows)) };
  },
  xlsx: () => ({
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    bytes: emptyWorkbook(),
  }),
  pdf: () => ({ type: 'application/pdf', extension: 'pdf', bytes: emptyPdf() }),
  png: (report) => ({ type: 'image/png', extension: 'png', bytes: pictureOf(report) }),
};

/** Undefined for a format that has no file. */
function reportFile(report: Report): ReportFile | undefined {
  return makers[report.format]?.(report);
}

function recordsOf({ columns, rows }: Sheet) {
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
}

function csvOf({ columns, rows }: Sheet): string {
  const quoted = (cell: Cell) => {
    const text = String(cell ?? '');
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function emptyWorkbook(): Buffer {
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${media}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="Query 1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData/></worksheet>`,
  };
  return zipOf(Object.entries(parts).map(([name, xml]) => ({ name, bytes: Buffer.from(xmlHead + xml) })));
}

/** One page without content. */
function emptyPdf(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(`${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`);
}

/** One line with a grey pixel for each byte of the rows, which its texts have as well: other rows are another picture. */
function pictureOf({ title, sheets }: Report): Buffer {
  const rows = sheets.map(csvOf).join('\n');
  const pixels = Buffer.from(rows);
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  head.writeUInt32BE(pixels.length);
  const texts = { Title: title, Comment: rows };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    ...Object.entries(texts).map(([name, text]) => pngChunk('tEXt', Buffer.from(`${name}\0${text}`, 'latin1'))),
    // The first byte of a line says that it is not filtered.
    pngChunk('IDAT', deflateSync(Buffer.concat([Buffer.alloc(1), pixels]))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

// A ZIP archive of a few small files, which are stored uncompressed.

interface ZippedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** 1 January 1980, the first day that the format knows: the same files make the same bytes. */
const firstDay = 0x21;
/** The version that can read it, and the flag for names in UTF-8. */
const [version, utf8] = [20, 0x800];

export function zipOf(files: readonly ZippedFile[]): Buffer {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const title = Buffer.from(name);
    const common = numbers(
      [2, version],
      [2, utf8],
      [2, 0],
      [2, 0],
      [2, firstDay],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, title.length],
      [2, 0],
    );
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, title, bytes]);
    const places = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), numbers([2, version]), common, places, title);
    entries.push(entry);
    offset += entry.length;
  }
  const listed = Buffer.concat(directory);
  const count = files.length;
  const end = numbers([2, 0], [2, 0], [2, count], [2, count], [4, listed.length], [4, offset], [2, 0]);
  return Buffer.concat([...entries, listed, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

/** Each with its number of bytes, the least significant first. */
function numbers(...sized: readonly (readonly [2 | 4, number])[]): Buffer {
  return Buffer.concat(
    sized.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );
}

/** The checksum of ZIP and PNG. Node's own is younger than the oldest Node that runs this. */
export function crc32(bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
