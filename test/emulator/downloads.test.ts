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

test('a PDF says where each of its objects is', async () => {
  const { download } = await openDownloads();
  const text = (await download({ format: 'pdf', filterConfig })).bytes.toString('latin1');
  const table = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  const places = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  expect(places.map((place, index) => text.startsWith(`${index + 1} 0 obj`, place))).toEqual(places.map(() => true));
  expect(places).toHaveLength(3);
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

test('a workbook has the parts that a reader looks for, and no rows', async () => {
  const { download } = await openDownloads();
  const parts = unzipped((await download({ format: 'xlsx', filterConfig })).bytes);
  expect(Object.keys(parts)).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/worksheets/sheet1.xml',
  ]);
  expect(parts['xl/worksheets/sheet1.xml']).toContain('<sheetData/>');
});
