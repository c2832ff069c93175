// Downloads of dashboards: how a job goes, one at a time, and files of each format that others can read.

import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ids, startFull } from '../support/emulator/start-emulator.ts';

const sales = '/v1/dashboards/12db1a0a/download';
const start = Date.UTC(2026, 2, 1);

async function openDownloads() {
  let time = start;
  const { emulator, send, baseUrl, organizationKey } = await startFull({ now: () => time });
  const begin = async (body: object, query = '') => {
    const { status, body: answer } = await send('POST', sales + query, body);
    return { status, ...(answer as unknown as { job_id: string; detail: string }) };
  };
  const fetchFile = async (id: string, query = '') => {
    const headers = { Authorization: `Bearer ${organizationKey}` };
    const response = await fetch(`${baseUrl}${sales}/${id}${query}`, { headers });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const made = async (body: object) => {
    const { job_id } = await begin(body);
    time += 3000;
    return fetchFile(job_id);
  };
  return { emulator, send, begin, fetchFile, made, pass: (ms: number) => (time += ms) };
}

test('a download answers 202 until its file is made, and its status says the same', async () => {
  const { begin, fetchFile, send, pass } = await openDownloads();
  const { job_id: id } = await begin({ format: 'csv', queryIdentifierMapKey: '1', filename: 'Umsätze' });
  const known = { job_id: id, format: 'csv', created_at: '2026-03-01T00:00:00.000Z' };
  const status = async () => (await send('GET', `${sales}/${id}/status`)).body;
  expect(await status()).toEqual({ ...known, status: 'in_progress' });
  expect((await fetchFile(id)).status).toBe(202);
  pass(3000);
  expect(await status()).toEqual({ ...known, status: 'complete' });
  const file = await fetchFile(id);
  expect(file.status).toBe(200);
  expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Ums%C3%A4tze.csv");
  expect(file.bytes.toString()).toBe('Region,Sales\nEurope,678994\nAmericas,475072\n');
});

test('a second download of one dashboard and user is refused while the first one runs, one of somebody else is not', async () => {
  const { begin, pass } = await openDownloads();
  const asBo = `?userId=${ids.bo}`;
  const first = await begin({ format: 'pdf' });
  const second = await begin({ format: 'png' });
  expect(second).toMatchObject({ status: 409, detail: expect.stringContaining(first.job_id) });
  expect((await begin({ format: 'png' }, asBo)).status).toBe(200);
  expect((await begin({ format: 'png' }, asBo)).status).toBe(409);
  pass(3000);
  expect((await begin({ format: 'png' })).status).toBe(200);
});

test('the file of a download is there for nobody but the user who asked for it', async () => {
  const { begin, fetchFile, pass } = await openDownloads();
  const { job_id } = await begin({ format: 'pdf' }, `?userId=${ids.bo}`);
  pass(3000);
  expect((await fetchFile(job_id)).status).toBe(404);
  expect((await fetchFile(job_id, `?userId=${ids.bo}`)).status).toBe(200);
});

test('a download that fails is a 410, and its status says why', async () => {
  const { send } = await startFull({ faults: [{ fault: 'download-error', at: 1 }], downloadDurationMs: 0 });
  const begin = async () => (await send('POST', sales, { format: 'pdf' })).body as unknown as { job_id: string };
  const { job_id: id } = await begin();
  expect(await send('GET', `${sales}/${id}`)).toMatchObject({
    status: 410,
    body: { detail: 'The dashboard could not be rendered' },
  });
  expect((await send('GET', `${sales}/${id}/status`)).body).toMatchObject({
    status: 'error',
    error: 'The dashboard could not be rendered',
  });
});

test('nobody downloads a dashboard whose settings forbid it', async () => {
  const { emulator, begin } = await openDownloads();
  emulator.edit(({ documents }) => {
    for (const document of documents) document.canDownload = false;
  });
  expect(await begin({ format: 'pdf' })).toMatchObject({ status: 403, detail: 'User cannot download this dashboard' });
});

const filterConfig = { region: { kind: 'EQUALS', values: ['EMEA', 'APAC'] } };

test('rows name the filters that they were made for', async () => {
  const { made } = await openDownloads();
  const { bytes } = await made({ format: 'json', queryIdentifierMapKey: '1', filterConfig });
  expect(JSON.parse(bytes.toString())).toEqual([
    { Region: 'Europe', Sales: 678_994, region: 'EMEA APAC' },
    { Region: 'Americas', Sales: 475_072, region: 'EMEA APAC' },
  ]);
});

test('a picture is a PNG whose lines can be decompressed', async () => {
  const { made } = await openDownloads();
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
  const { made } = await openDownloads();
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
  const { made } = await openDownloads();
  const { bytes, headers } = await made({ format: 'csv', filterConfig });
  expect(headers.get('content-type')).toBe('application/zip');
  const rows = 'Region,Sales,region\nEurope,678994,EMEA APAC\nAmericas,475072,EMEA APAC\n';
  expect(unzipped(bytes)).toEqual({ 'Jmn2r3KV.csv': rows, '1.csv': rows, '2.csv': rows });
});

test('a workbook has a sheet for each query', async () => {
  const { made } = await openDownloads();
  const parts = unzipped((await made({ format: 'xlsx', filterConfig })).bytes);
  const sheets = Object.entries(parts).filter(([name]) => name.startsWith('xl/worksheets/'));
  expect(sheets.map(([name]) => name)).toEqual([1, 2, 3].map((n) => `xl/worksheets/sheet${n}.xml`));
  for (const [, sheet] of sheets) expect(sheet).toContain('<v>678994</v>');
});
