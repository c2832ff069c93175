// Downloads of dashboards: files of each format that others can read. How a job goes is in conversations.

import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startFull } from '../support/emulator/start-emulator.ts';

const sales = '/v1/dashboards/12db1a0a/download';

async function openDownloads() {
  const { send, baseUrl, organizationKey } = await startFull({ downloadDurationMs: 0 });
  const made = async (body: object) => {
    const { job_id: id } = (await send('POST', sales, body)).body as unknown as { job_id: string };
    const response = await fetch(`${baseUrl}${sales}/${id}`, {
      headers: { Authorization: `Bearer ${organizationKey}` },
    });
    return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  return made;
}

test('the file of a download has its name in any letters', async () => {
  const made = await openDownloads();
  const { headers } = await made({ format: 'csv', queryIdentifierMapKey: '1', filename: 'Umsätze' });
  expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Ums%C3%A4tze.csv");
});

const filterConfig = { region: { kind: 'EQUALS', values: ['EMEA', 'APAC'] } };

test('rows name the filters that they were made for', async () => {
  const made = await openDownloads();
  const { bytes } = await made({ format: 'json', queryIdentifierMapKey: '1', filterConfig });
  expect(JSON.parse(bytes.toString())).toEqual([
    { Region: 'Europe', Sales: 678_994, region: 'EMEA APAC' },
    { Region: 'Americas', Sales: 475_072, region: 'EMEA APAC' },
  ]);
});

test('a picture is a PNG whose lines can be decompressed', async () => {
  const made = await openDownloads();
  const { bytes, headers } = await made({ format: 'png', filterConfig });
  expect(headers.get('content-type')).toBe('image/png');
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const at = bytes.indexOf('IDAT');
  const lines = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
  expect(lines.length).toBe((width + 1) * height);
  expect(bytes.toString('latin1')).toContain('EMEA APAC');
});

test('a PDF says where each of its objects is', async () => {
  const made = await openDownloads();
  const text = (await made({ format: 'pdf', filterConfig })).bytes.toString('latin1');
  const table = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  const places = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  expect(places.map((place, index) => text.startsWith(`${index + 1} 0 obj`, place))).toEqual(places.map(() => true));
  expect(text).toContain('(Sales overview) Tj');
  expect(text).toContain('EMEA APAC');
});

/** Stored files, as the list at the end of an archive has them. */
function unzipped(bytes: Buffer): Readonly<Record<string, string>> {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files: Record<string, string> = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, entry] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const from = entry + 30 + nameLength;
    files[name] = bytes.toString('utf8', from, from + size);
    at += 46 + nameLength;
  }
  return files;
}

test('a whole dashboard as CSV is a ZIP with a file for each query', async () => {
  const made = await openDownloads();
  const { bytes, headers } = await made({ format: 'csv', filterConfig });
  expect(headers.get('content-type')).toBe('application/zip');
  const rows = 'Region,Sales,region\nEurope,678994,EMEA APAC\nAmericas,475072,EMEA APAC\n';
  expect(unzipped(bytes)).toEqual({ 'Jmn2r3KV.csv': rows, '1.csv': rows, '2.csv': rows });
});

test('a workbook has a sheet for each query', async () => {
  const made = await openDownloads();
  const parts = unzipped((await made({ format: 'xlsx', filterConfig })).bytes);
  const sheets = Object.entries(parts).filter(([name]) => name.startsWith('xl/worksheets/'));
  expect(sheets.map(([name]) => name)).toEqual([1, 2, 3].map((n) => `xl/worksheets/sheet${n}.xml`));
  for (const [, sheet] of sheets) expect(sheet).toContain('<v>678994</v>');
});
