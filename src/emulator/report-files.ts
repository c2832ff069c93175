// The files that the service would make of a dashboard: small, but real ones of each format, with the same invented rows.
// Each filter of the request is a column, so that a file says for which filters it was made.

import { deflateSync } from 'node:zlib';
import { crc32, zipOf } from './zip.ts';

export interface ReportFile {
  /** The media type. */
  readonly type: string;
  readonly extension: string;
  readonly bytes: Buffer;
}

export interface Report {
  readonly format: string;
  /** The name of the dashboard. */
  readonly title: string;
  /** The keys of its queries; a single one for a tile. */
  readonly tiles: readonly string[];
  readonly filters: Readonly<Record<string, unknown>>;
}

type Row = Readonly<Record<string, string | number>>;

const invented: readonly Row[] = [
  { Region: 'Europe', Sales: 678_994 },
  { Region: 'Americas', Sales: 475_072 },
];

const makers: Readonly<Record<string, (report: Report, rows: readonly Row[]) => ReportFile>> = {
  csv: ({ tiles }, rows) => {
    const bytes = Buffer.from(csvOf(rows));
    if (tiles.length === 1) return { type: 'text/csv', extension: 'csv', bytes };
    const files = tiles.map((tile) => ({ name: `${tile}.csv`, bytes }));
    return { type: 'application/zip', extension: 'zip', bytes: zipOf(files) };
  },
  json: (_, rows) => ({ type: 'application/json', extension: 'json', bytes: Buffer.from(JSON.stringify(rows)) }),
  xlsx: ({ tiles }, rows) => ({
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    bytes: workbookOf(tiles, rows),
  }),
  pdf: ({ title }, rows) => ({ type: 'application/pdf', extension: 'pdf', bytes: pdfOf(title, rows) }),
  png: ({ title }, rows) => ({ type: 'image/png', extension: 'png', bytes: pictureOf(title, rows) }),
};

/** Undefined for a format that has no file. */
export function reportFile(report: Report): ReportFile | undefined {
  const columns = Object.entries(report.filters).map(([id, filter]) => [id, valuesIn(filter)] as const);
  const rows = invented.map((row) => ({ ...row, ...Object.fromEntries(columns) }));
  return makers[report.format]?.(report, rows);
}

function valuesIn(filter: unknown): string {
  const values = typeof filter === 'object' && filter !== null && 'values' in filter ? filter.values : filter;
  return Array.isArray(values) ? values.join(' ') : JSON.stringify(values ?? null);
}

function columnsOf(rows: readonly Row[]): readonly string[] {
  return Object.keys(rows[0] ?? {});
}

/** A header, and a line for each row. */
function cellsOf(rows: readonly Row[]): readonly (readonly (string | number)[])[] {
  return [columnsOf(rows), ...rows.map((row) => Object.values(row))];
}

function csvOf(rows: readonly Row[]): string {
  const quoted = (cell: string | number) =>
    /[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell);
  return cellsOf(rows)
    .map((cells) => `${cells.map(quoted).join(',')}\n`)
    .join('');
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function escapeXml(text: string): string {
  const printable = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?');
  return printable.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** A sheet for each tile. */
function workbookOf(tiles: readonly string[], rows: readonly Row[]): Buffer {
  const row = (cells: readonly (string | number)[]) => `<row>${cells.map(cellOf).join('')}</row>`;
  const sheet = `<worksheet xmlns="${main}"><sheetData>${cellsOf(rows).map(row).join('')}</sheetData></worksheet>`;
  const numbers = tiles.map((_, index) => index + 1);
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/>${numbers
      .map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${media}.worksheet+xml"/>`)
      .join('')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${numbers
      .map((n) => `<sheet name="Query ${n}" sheetId="${n}" r:id="rId${n}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships">${numbers
      .map((n) => `<Relationship Id="rId${n}" Type="${relationships}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
      .join('')}</Relationships>`,
    ...Object.fromEntries(numbers.map((n) => [`xl/worksheets/sheet${n}.xml`, sheet])),
  };
  return zipOf(Object.entries(parts).map(([name, xml]) => ({ name, bytes: Buffer.from(xmlHead + xml) })));
}

function cellOf(cell: string | number): string {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  return `<c t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`;
}

/** One page with a line for the title and for each row. */
function pdfOf(title: string, rows: readonly Row[]): Buffer {
  const lines = [title, ...cellsOf(rows).map((cells) => cells.join('   '))];
  const shown = lines.map((line) => `(${line.replace(/[^ -~]/g, '?').replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const content = `BT /F1 12 Tf 16 TL 56 780 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
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

/** A bar for each row, as long as its number; what a picture cannot show stands in its texts. */
function pictureOf(title: string, rows: readonly Row[]): Buffer {
  const [width, barHeight] = [160, 24];
  const most = Math.max(...rows.map(({ Sales }) => Number(Sales)));
  const lines = rows.flatMap(({ Sales }) => {
    const length = Math.round((width * Number(Sales)) / most);
    // Each line begins with the number of its filter; 0 is none.
    const line = Buffer.from([0, ...Array.from({ length: width }, (_, x) => (x < length ? 0x66 : 0xff))]);
    const gap = Buffer.from([0, ...Array.from({ length: width }, () => 0xff)]);
    return Array.from({ length: barHeight }, (_, y) => (y < barHeight - 6 ? line : gap));
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(lines.length, 4);
  // Eight bits of grey.
  head.writeUInt8(8, 8);
  const texts = { Title: title, Comment: csvOf(rows) };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    ...Object.entries(texts).map(([name, text]) => pngChunk('tEXt', Buffer.from(`${name}\0${text}`, 'latin1'))),
    pngChunk('IDAT', deflateSync(Buffer.concat(lines))),
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
