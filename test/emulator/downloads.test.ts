// Downloads of dashboards: files of each format that others can read. How a job goes is in conversations.

import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openDownloads, unzipped } from '../support/emulator/downloads.ts';

test('the file of a download has its name in any letters', async () => {
  const { download } = await openDownloads();
  const { headers } = await download({ format: 'csv', queryIdentifierMapKey: '1', filename: 'Umsätze' });
  expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Ums%C3%A4tze.csv");
});

const filterConfig = { region: { type: 'string', kind: 'EQUALS', values: ['North Pine', 'South Oak'] } };

test('the JSON of a tile has an object for each row, by the names of its columns', async () => {
  const { download } = await openDownloads();
  const { bytes } = await download({ format: 'json', queryIdentifierMapKey: 'Jmn2r3KV', filterConfig });
  expect(JSON.parse(bytes.toString())).toEqual([
    { Region: 'North Pine', 'Total Sale Price': 420 },
    { Region: 'South Oak', 'Total Sale Price': 1510 },
  ]);
});

test('a picture is a PNG whose lines can be decompressed, and whose comment has the rows', async () => {
  const { download } = await openDownloads();
  for (const values of [['North Pine'], ['Nobody']]) {
    const { bytes, headers } = await download({ format: 'png', filterConfig: { region: { values } } });
    expect(headers.get('content-type')).toBe('image/png');
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    const at = bytes.indexOf('IDAT');
    const lines = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
    expect([height > 0, lines.length]).toEqual([true, (width + 1) * height]);
    expect(bytes.toString('latin1').includes('North Pine,420')).toBe(values[0] === 'North Pine');
  }
});

test('a PDF says where each of its objects is, and has the rows', async () => {
  const { download } = await openDownloads();
  const text = (await download({ format: 'pdf', filterConfig })).bytes.toString('latin1');
  const table = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  const places = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  expect(places.map((place, index) => text.startsWith(`${index + 1} 0 obj`, place))).toEqual(places.map(() => true));
  expect(text).toContain('(Sales overview) Tj');
  expect(text).toContain('(South Oak   1510) Tj');
  expect(text).not.toContain('Europe');
});

test('a whole dashboard as CSV is a ZIP with a file for each tile', async () => {
  const { download } = await openDownloads();
  const { bytes, headers } = await download({ format: 'csv', filterConfig });
  expect(headers.get('content-type')).toBe('application/zip');
  expect(unzipped(bytes)).toEqual({
    'Jmn2r3KV.csv': 'Region,Total Sale Price\nNorth Pine,420\nSouth Oak,1510\n',
    '1.csv':
      'Id,Created At,Name,Region,Sale Price\n1006,2026-02-25,Casa,North Pine,420\n1008,2026-02-22,Delta,South Oak,1510\n',
    '2.csv': 'Total Sale Price\n1930\n',
  });
});

test('a workbook has a sheet for each tile, whose rows and cells say where they are', async () => {
  const { download, emulator } = await openDownloads();
  emulator.edit(({ rows }) => {
    for (const row of rows) if (row['order_items.id'] === 1008) row['customers.name'] = null;
  });
  const parts = unzipped((await download({ format: 'xlsx', filterConfig })).bytes);
  const sheets = Object.entries(parts).filter(([name]) => name.startsWith('xl/worksheets/'));
  expect(sheets.map(([name]) => name)).toEqual([1, 2, 3].map((n) => `xl/worksheets/sheet${n}.xml`));
  const text = (at: string, said: string) => `<c r="${at}" t="inlineStr"><is><t>${said}</t></is></c>`;
  const number = (at: string, said: number) => `<c r="${at}"><v>${said}</v></c>`;
  expect(parts['xl/worksheets/sheet1.xml']).toContain(
    `<sheetData><row r="1">${text('A1', 'Region')}${text('B1', 'Total Sale Price')}</row>` +
      `<row r="2">${text('A2', 'North Pine')}${number('B2', 420)}</row>` +
      `<row r="3">${text('A3', 'South Oak')}${number('B3', 1510)}</row></sheetData>`,
  );
  expect(parts['xl/worksheets/sheet2.xml']).toContain(`${number('A3', 1008)}${text('B3', '2026-02-22')}<c r="C3"/>`);
});

test('the column after Z is AA', async () => {
  const { download, emulator } = await openDownloads();
  emulator.edit(({ documents }) => {
    const tile = documents[0]?.dashboard?.tiles[0];
    if (tile !== undefined) tile.query.fields = Array.from({ length: 28 }, () => 'customers.is_active');
  });
  const { bytes } = await download({ format: 'xlsx', queryIdentifierMapKey: 'Jmn2r3KV' });
  const sheet = unzipped(bytes)['xl/worksheets/sheet1.xml'];
  expect(sheet).toContain(
    '<c r="Z2" t="b"><v>1</v></c><c r="AA2" t="b"><v>1</v></c><c r="AB2" t="b"><v>1</v></c></row>',
  );
});
