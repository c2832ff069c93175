// Which rows of the emulator's dashboards are in a file: conditions of each kind, the dashboard's own filters with others laid
// over them, tiles that a filter does not reach, and the quirks that change it. What a file looks like is in downloads.test.ts.

import { expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { EmulatedObject, EmulatorData } from '../../src/emulator/store.ts';
import { openDownloads, unzipped } from '../support/emulator/downloads.ts';
import { openSink } from '../support/state/scripted-server.ts';
import { hook } from '../support/vocabulary.ts';

const text = (kind: string, ...values: (string | null)[]) => ({ type: 'string', kind, values });
const number = (kind: string, ...values: unknown[]) => ({ type: 'number', kind, values });
const days = (kind: string, left_side?: string, right_side?: string) => ({ type: 'date', kind, left_side, right_side });
const all = (...filters: object[]) => ({ type: 'composite', conjunction: 'AND', filters });
const any = (...filters: object[]) => ({ type: 'composite', conjunction: 'OR', filters });
const not = (condition: object) => ({ ...condition, is_negative: true });

const cells = [
  { id: 1, word: 'Acme', amount: 10, day: '2026-01-31', flag: true },
  { id: 2, word: 'acme 2_0', amount: 20.5, day: '2026-02-01', flag: false },
  { id: 3, word: '', amount: -5, day: '7 days ago', flag: true },
  { id: 4, word: null, amount: null, day: null, flag: null },
];

/** A dashboard whose only filter is of this field, and which shows the ids of all rows. */
function showing(field: string): (data: EmulatorData) => void {
  return (data) => {
    data.rows = cells.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [`t.${name}`, cell])));
    const dashboard = data.documents[0]?.dashboard;
    if (dashboard == null) throw new Error('The demo organization has no dashboard.');
    dashboard.filters = { only: { type: 'string', kind: 'EQUALS', values: [], fieldName: `t.${field}` } };
    dashboard.tiles = dashboard.tiles
      .slice(0, 1)
      .map((tile) => ({ ...tile, query: { ...tile.query, fields: ['t.id'] } }));
  };
}

test.each<[field: string, condition: unknown, ids: string]>([
  ['word', text('EQUALS', 'Acme'), '1'],
  ['word', text('equals', 'Acme'), '1'],
  ['word', text('EQUALS', 'ACME'), ''],
  ['word', { ...text('EQUALS', 'ACME'), case_insensitive: true }, '1'],
  ['word', text('EQUALS', 'Acme', 'acme 2_0'), '1 2'],
  ['word', not(text('EQUALS', 'Acme')), '2 3 4'],
  ['word', { ...text('EQUALS', 'Acme'), is_negative: false }, '1'],
  ['word', text('EQUALS'), '1 2 3 4'],
  ['word', not(text('EQUALS')), '1 2 3 4'],
  ['word', text('CONTAINS', 'cme'), '1 2'],
  ['word', text('STARTS_WITH', 'ac'), '2'],
  ['word', text('ENDS_WITH', '0', 'me'), '1 2'],
  ['word', text('SQL_LIKE', 'a%'), '2'],
  ['word', text('SQL_LIKE', '_cme'), '1'],
  ['word', text('SQL_LIKE', '.cme'), ''],
  ['word', text('SQL_LIKE', '%c_e%2_0'), '2'],
  ['word', text('SQL_LIKE', '%e%m%'), ''],
  ['word', text('SQL_LIKE', 'Acme%e'), ''],
  ['word', text('SQL_LIKE', '%'), '1 2 3'],
  ['word', text('SQL_LIKE', 'Acm'), ''],
  ['word', { type: 'string', kind: 'IS_EMPTY' }, '3 4'],
  ['word', not({ type: 'string', kind: 'IS_EMPTY' }), '1 2'],
  ['word', { type: 'null' }, '4'],
  ['word', not({ type: 'null' }), '1 2 3'],
  ['amount', number('EQUALS', 20.5), '2'],
  ['amount', number('EQUALS', '10', '-5.0'), '1 3'],
  ['amount', number('GREATER_THAN', 10), '2'],
  ['amount', { ...number('GREATER_THAN', 10), is_inclusive: true }, '1 2'],
  ['amount', number('LESS_THAN', 10), '3'],
  ['amount', not(number('LESS_THAN', 10)), '1 2 4'],
  ['amount', number('BETWEEN', -5, 20.5), '1'],
  ['amount', { ...number('BETWEEN', -5, 20.5), is_inclusive: true }, '1 2 3'],
  ['amount', number('BETWEEN', -5), '1 2 3 4'],
  ['day', days('BETWEEN', '2026-01-31', '2026-02-01'), '1'],
  ['day', days('BETWEEN', '2026-02', '2026-03'), '2 3'],
  ['day', days('ON_OR_AFTER', '2026-02-01'), '2 3'],
  ['day', days('BEFORE', undefined, '2026-02-01'), '1'],
  ['day', days('TIME_FOR_INTERVAL_DURATION', '7 days ago', '7 days'), '3'],
  ['day', days('TIME_FOR_INTERVAL_DURATION', '1 month ago', '3 days'), '2'],
  ['day', days('WITHIN_RANGE', '1 quarter ago', '1 week ago'), '1 2'],
  ['day', not(days('ON_OR_AFTER', 'today')), '1 2 3 4'],
  ['flag', { type: 'boolean' }, '1 3'],
  ['flag', not({ type: 'boolean' }), '2 4'],
  ['word', all(text('CONTAINS', 'cme'), text('STARTS_WITH', 'A')), '1'],
  ['word', any(text('EQUALS', 'Acme'), { type: 'null' }), '1 4'],
  ['word', not(any(text('EQUALS', 'Acme'), { type: 'null' })), '2 3'],
  ['word', any(), '1 2 3 4'],
  // Without a type or a kind: those of the filter of the dashboard.
  ['word', { values: ['Acme'] }, '1'],
  ['word', ['Acme'], '1'],
  ['word', { kind: 'CONTAINS', values: ['cme'] }, '1 2'],
  ['word', any({ values: ['Acme'] }, { values: [''] }), '1 3'],
  ['amount', { type: 'number', values: [10] }, '1'],
  // What nobody can tell passes everything.
  ['day', { type: 'date', kind: 'IS_ON_DAY_OF_WEEK', values: ['MON'] }, '1 2 3 4'],
  ['word', { type: 'constructor', kind: 'constructor' }, '1 2 3 4'],
  ['word', 'Acme', '1 2 3 4'],
  ['word', null, '1 2 3 4'],
])('of the field %s, the condition %j lets the rows %s through', async (field, condition, ids) => {
  const { emulator, linesOf } = await openDownloads();
  emulator.edit(showing(field));
  expect((await linesOf('Jmn2r3KV', { only: condition })).join(' ')).toBe(ids);
});

test.each<[condition: unknown, ids: string]>([
  [{ values: ['Acme'] }, '1 2 3 4'],
  [['Acme'], '1 2 3 4'],
  [{ type: 'string', values: ['Acme'] }, '1 2 3 4'],
  [{ kind: 'EQUALS', values: ['Acme'] }, '1 2 3 4'],
  [{ type: 'number', kind: 'CONTAINS', values: ['Acme'] }, '1 2 3 4'],
  [text('EQUALS', 'Acme'), '1'],
  [all({ values: ['Nobody'] }, text('EQUALS', 'Acme')), '1'],
])('with dropShortFilters, the condition %j lets the rows %s through', async (condition, ids) => {
  const { emulator, linesOf } = await openDownloads({ dropShortFilters: true });
  emulator.edit(showing('word'));
  expect((await linesOf('Jmn2r3KV', { only: condition })).join(' ')).toBe(ids);
});

test.each([true, false])(
  'a schedule shows a short filter as it was sent, with dropShortFilters %s',
  async (dropped) => {
    const { send } = await openDownloads({ dropShortFilters: dropped });
    const filterConfig = { region: { values: ['Europe'] } };
    const { id } = (await send('POST', '/v1/schedules', hook({ filterConfig }))).body;
    const { body } = await send('GET', `/v1/schedules/${id}`);
    expect(body).toMatchObject({
      filterConfig: {
        region: { values: ['Europe'] },
        order_status: { type: 'string', kind: 'EQUALS', values: ['complete'], fieldName: 'order_items.status' },
      },
    });
  },
);

const europe = { region: { values: ['Europe'] } };

test('the filters of a dashboard limit a file, and those of the request are laid over them one by one', async () => {
  const { linesOf } = await openDownloads();
  expect(await linesOf('Jmn2r3KV')).toEqual(['Europe,2700', 'Americas,640', 'North Pine,420', 'South Oak,1510']);
  expect(await linesOf('Jmn2r3KV', europe)).toEqual(['Europe,2700']);
  const returned = { order_status: { values: ['returned'] } };
  expect(await linesOf('Jmn2r3KV', returned)).toEqual(['South Oak,130']);
  const longer = { left_side: '90 days ago', right_side: '90 days' };
  expect(await linesOf('Jmn2r3KV', { ...europe, order_date: longer })).toEqual(['Europe,3650']);
});

test('a tile of measures alone has a row with 0 where nothing passes, another tile none', async () => {
  const { linesOf } = await openDownloads();
  const nobody = { region: { values: ['Nobody'] } };
  expect([await linesOf('2', nobody), await linesOf('1', nobody)]).toEqual([['0'], []]);
});

/** Another filter, of the same field. */
function joined(values: string[]): (data: EmulatorData) => void {
  return ({ documents }) => {
    const filters = documents[0]?.dashboard?.filters ?? {};
    filters['ship_region'] = { ...filters['region'], values } as EmulatedObject;
  };
}

test.each<[options: EmulatorOptions, other: string[], found: string[]]>([
  [{}, ['South Oak'], ['Europe', 'South Oak']],
  [{ andFilters: true }, ['South Oak'], []],
  [{ andFilters: true }, ['Europe', 'South Oak'], ['Europe']],
  [{}, [], ['Europe']],
  [{ andFilters: true }, [], ['Europe']],
])('with %j, a filter of Europe beside one of %j on the same field finds %j', async (options, other, found) => {
  const { emulator, linesOf } = await openDownloads(options);
  emulator.edit(joined(other));
  expect((await linesOf('Jmn2r3KV', europe)).map((line) => line.split(',')[0])).toEqual(found);
});

test('a map takes a tile out of a filter, or has it limit another field of the tile', async () => {
  const { linesOf } = await openDownloads();
  const orders = (tile: string, filters: object) => linesOf(tile, filters, '3f9c2b71');
  const hamburg = { warehouse: { values: ['Hamburg'] } };
  expect(await orders('Qw8Zt4Lp', hamburg)).toEqual(['shipped,1']);
  expect(await orders('2', hamburg)).toEqual(['Memphis,1', 'Hamburg,1', 'Osaka,1']);
  // Ordered 6 and 8 days ago, shipped 5 and 7 days ago.
  const recent = { order_date: { type: 'date', kind: 'ON_OR_AFTER', left_side: '5 days ago' } };
  expect(await orders('Qw8Zt4Lp', recent)).toEqual(['processing,1']);
  expect(await orders('1', recent)).toEqual(['1007,2026-02-24,shipped,Hamburg']);
});

test('a tile in SQL takes no filter, and a filter of the query of a tile limits that tile', async () => {
  const { linesOf } = await openDownloads();
  const pine = { region: { values: ['North Pine'] }, currency: { values: [] } };
  expect(await linesOf('1', pine, 'b4d86e20')).toEqual(['North Pine,695']);
  expect(await linesOf('3', pine, 'b4d86e20')).toEqual([
    'Europe,3650',
    'Americas,950',
    'North Pine,695',
    'South Oak,1730',
  ]);
  expect(await linesOf('Zk3Pv6Wc', {}, 'e5521fd8')).toEqual(['7025']);
  expect(await linesOf('1', {}, 'e5521fd8')).toEqual([
    'Europe,3650',
    'Americas,640',
    'North Pine,420',
    'South Oak,1510',
  ]);
});

test.each([
  [{}, false],
  [{ pngUnfiltered: true }, true],
])('a picture with the quirks %j shows rows of others: %s', async (quirks, showsOthers) => {
  const { download } = await openDownloads(quirks);
  const text = (await download({ format: 'png', filterConfig: europe })).bytes.toString('latin1');
  expect([text.includes('Europe'), text.includes('South Oak')]).toEqual([true, showsOthers]);
});

test('a picture has the first page of a dashboard or the tile that was asked for, and a ZIP has the tiles of all pages', async () => {
  const { download } = await openDownloads();
  const made = async (body: object) => (await download(body, 'c90f7713')).bytes;
  const pageOf = async (body: object) => {
    const text = (await made(body)).toString('latin1');
    return [text.includes('Warehouse'), text.includes('Category')];
  };
  expect(await pageOf({ format: 'png' })).toEqual([true, false]);
  expect(await pageOf({ format: 'png', queryIdentifierMapKey: '2' })).toEqual([false, true]);
  expect(Object.keys(unzipped(await made({ format: 'csv' })))).toEqual(['1.csv', '2.csv']);
});

test('a download fails where its tile is gone before the file is made', async () => {
  const { send, emulator } = await openDownloads();
  const path = '/v1/dashboards/12db1a0a/download';
  const { body } = await send('POST', path, { format: 'csv', queryIdentifierMapKey: '2' });
  emulator.edit(({ documents }) => documents[0]?.dashboard?.tiles.pop());
  const { job_id: id } = body as unknown as { job_id: string };
  expect((await send('GET', `${path}/${id}`)).status).toBe(410);
});

test('a delivery to a webhook has the rows of the filters and of the tile that its schedule names', async () => {
  const { send, emulator } = await openDownloads();
  const sink = await openSink();
  const tile = { queryIdentifierMapKey: 'Jmn2r3KV', format: 'csv', filterConfig: europe, testNow: true };
  await send('POST', '/v1/schedules', hook({ ...tile, url: sink.url }));
  await emulator.tick();
  expect(sink.received.map(({ body }) => body)).toEqual(['Region,Total Sale Price\nEurope,2700\n']);
  expect(emulator.inspect().deliveries).toMatchObject([{ queryIdentifierMapKey: 'Jmn2r3KV', filterConfig: europe }]);
});
