// The verdict of `almanac prove` on each tile. Each row below is a dashboard with the verdict that its files give; the
// service was written without reading the program.

import { expect, test } from 'vitest';
import type { Verdict } from '../../src/commands/prove/prove-document.ts';
import type { Condition, Dashboard, Tile } from '../support/prove/dashboards.ts';
import {
  bySql,
  customerAndAmount,
  dashboardOf,
  filterOf,
  good,
  isNobody,
  list,
  openProof,
  orders,
  type ProofOptions,
  report,
  sales,
  table,
  total,
} from '../support/prove/proving.ts';
import { zipOf } from '../support/prove/zip.ts';
import { says } from '../support/vocabulary.ts';

const amounts = ['orders.product', 'orders.amount'];
const ofParent = { customer: { field: 'orders.customer', map: { t: 'orders.parent' } } };
/** Of North Pine and of South Oak each as it is written here. */
const spelled = (write: (customer: string) => string | null, more: Partial<Tile> = {}) =>
  list('t', customerAndAmount, {
    rows: (inEffect) => good.rows(inEffect).map(([customer, ...rest]) => [write(String(customer)), ...rest]),
    ...more,
  });
const joined = {
  customer: { field: 'orders.customer' },
  billed: { field: 'orders.customer', values: ['South Oak'], hidden: true },
};
const isOf = (inEffect: readonly Condition[], customer: string) =>
  inEffect.some(({ values }) => values.includes(customer));
const euros = (amount: number) => `€${amount.toFixed(2)}`;

interface Case {
  readonly tiles: readonly Tile[];
  readonly filters?: Dashboard['filters'];
  readonly given?: Partial<ProofOptions>;
  /** Both, where both are true: rows for nobody, and values of others. */
  readonly verdicts: Readonly<Record<string, Verdict | readonly Verdict[]>>;
  readonly code: number;
  readonly counts?: object;
}

const open: readonly Verdict[] = ['not-limited', 'shows-others'];

test.each<[title: string, of: Case]>([
  ['a list that the filter limits', { tiles: [good], verdicts: { good: 'limited' }, code: 0, counts: { others: 0 } }],
  [
    'a tile in SQL without the column of the filter',
    { tiles: [good, bySql(list('t', amounts))], verdicts: { good: 'limited', t: 'not-limited' }, code: 2 },
  ],
  [
    'a tile in SQL with the column of the filter',
    { tiles: [good, bySql(list('t', customerAndAmount))], verdicts: { good: 'limited', t: open }, code: 2 },
  ],
  [
    'a tile that a control leaves out',
    {
      tiles: [good, list('t', amounts)],
      filters: { customer: { field: 'orders.customer', map: { t: false } } },
      verdicts: { good: 'limited', t: 'not-limited' },
      code: 2,
    },
  ],
  [
    'a tile where a control points the filter at another field',
    {
      tiles: [good, list('t', customerAndAmount)],
      filters: ofParent,
      verdicts: { good: 'limited', t: 'shows-others' },
      code: 2,
      counts: { others: 2 },
    },
  ],
  [
    'two filters on one field, which are joined with OR',
    { tiles: [list('t', amounts)], filters: joined, verdicts: { t: 'not-limited' }, code: 2 },
  ],
  [
    'two filters on one field, with its column',
    { tiles: [list('t', customerAndAmount)], filters: joined, verdicts: { t: open }, code: 2 },
  ],
  [
    'a tile whose query has no such field, so that no filter reaches it',
    {
      tiles: [good, list('t', ['stock.place'], {}, [{ 'stock.place': 'Hamburg' }])],
      verdicts: { good: 'limited', t: 'not-limited' },
      code: 2,
    },
  ],
  ['a total that is 0 for nobody', { tiles: [total('t', 0)], verdicts: { t: 'limited' }, code: 0 }],
  ['a total that is blank for nobody', { tiles: [total('t', null)], verdicts: { t: 'limited' }, code: 0 }],
  [
    'a total without a row for nobody',
    {
      tiles: [total('t', 0, { rows: (inEffect) => good.rows(inEffect).map(() => [5]) })],
      verdicts: { t: 'limited' },
      code: 0,
    },
  ],
  [
    'a total that shows a number for nobody',
    { tiles: [good, total('t', 17)], verdicts: { good: 'limited', t: 'not-limited' }, code: 2 },
  ],
  [
    'a total of everybody',
    { tiles: [good, bySql(total('t', 0))], verdicts: { good: 'limited', t: 'not-limited' }, code: 2 },
  ],
  [
    'two totals, 0 and blank for nobody',
    {
      tiles: [
        total('t', 0, {
          columns: ['Total', 'Average'],
          fields: ['orders.total_amount', 'orders.average_amount'],
          rows: (inEffect) => (good.rows(inEffect).length > 0 ? [[12, 3.5]] : [[0, null]]),
        }),
      ],
      verdicts: { t: 'limited' },
      code: 0,
    },
  ],
  [
    'a total with the sign of a currency',
    {
      tiles: [total('t', 0, { format: euros })],
      given: { reports: { a: report('North Pine', { enableFormatting: true }) } },
      verdicts: { t: 'limited' },
      code: 0,
    },
  ],
  [
    'a total of everybody with the sign of a currency',
    {
      tiles: [good, bySql(total('t', 0, { format: euros }))],
      given: { reports: { a: report('North Pine', { enableFormatting: true }) } },
      verdicts: { good: 'limited', t: 'not-limited' },
      code: 2,
    },
  ],
  [
    'a total that is 0 for its receivers as well',
    { tiles: [good, total('t', 0, { rows: () => [[0]] })], verdicts: { good: 'limited', t: 'empty' }, code: 1 },
  ],
  [
    'a pivot, whose columns are values',
    {
      tiles: [
        list('t', ['orders.region', 'orders.customer', 'orders.amount'], {
          pivots: ['orders.region'],
          columns: ['Customer', 'Asia Amount', 'Europe Amount'],
          rows: (inEffect) =>
            good.rows(inEffect).map(([customer, , amount]) => [customer ?? null, amount ?? null, null]),
        }),
      ],
      verdicts: { t: 'limited' },
      code: 0,
      counts: { others: 0, compared: 'column' },
    },
  ],
  [
    'a pivot that nothing limits',
    {
      tiles: [good, bySql(list('t', customerAndAmount, { pivots: ['orders.customer'] }))],
      verdicts: { good: 'limited', t: 'not-limited' },
      code: 2,
      counts: { others: 5 },
    },
  ],
  [
    'a field that is there twice',
    {
      tiles: [list('t', ['orders.customer', 'orders.customer', 'orders.amount'])],
      verdicts: { t: 'limited' },
      code: 0,
      counts: { others: 0, compared: 'column' },
    },
  ],
  [
    'two columns with one label, of which the other one has the name of a customer',
    {
      tiles: [
        list('t', ['orders.carrier', 'orders.customer'], { columns: ['Name', 'Name'] }, [
          ...orders.map((order) => ({ ...order, 'orders.carrier': 'South Oak' })),
        ]),
      ],
      given: { reports: { a: report('North Pine') } },
      verdicts: { t: 'shows-others' },
      code: 2,
      counts: { others: 1 },
    },
  ],
  [
    'two columns with one label, of which the right one has another customer',
    {
      tiles: [list('t', ['orders.parent', 'orders.customer'], { columns: ['Name', 'Name'] })],
      filters: ofParent,
      verdicts: { t: 'shows-others' },
      code: 2,
      counts: { others: 1 },
    },
  ],
  [
    'a column that the file leaves out',
    {
      tiles: [list('t', [...customerAndAmount, 'orders.id'], { columns: ['Customer', 'Product', 'Amount'] })].map(
        (tile) => ({ ...tile, rows: (inEffect) => tile.rows(inEffect).map((row) => row.slice(0, 3)) }),
      ),
      given: { reports: { a: report('North Pine', { hideHiddenFields: true }) } },
      verdicts: { t: 'limited' },
      code: 0,
      counts: { others: 0 },
    },
  ],
  [
    'a tile whose query Omni does not tell',
    {
      tiles: [list('t', customerAndAmount)],
      given: { withoutQuery: true },
      verdicts: { t: 'limited' },
      code: 0,
      counts: { others: 0, compared: 'values-of-the-table' },
    },
  ],
  [
    'a dashboard with the classic layout',
    { tiles: [good], given: { isClassic: true }, verdicts: { good: 'limited' }, code: 0 },
  ],
  [
    'a tile that is everybody’s',
    {
      tiles: [good, bySql(list('bench', amounts))],
      given: { rows: { shared: [`${sales}/bench`] } },
      verdicts: { good: 'limited', bench: 'shared' },
      code: 0,
    },
  ],
  [
    'customers in capitals',
    {
      tiles: [spelled((customer) => customer.toUpperCase())],
      verdicts: { t: 'limited' },
      code: 1,
      counts: { others: 0, spelledOtherwise: 1 },
    },
  ],
  [
    'customers with blanks around them',
    {
      tiles: [spelled((customer) => ` ${customer} `)],
      verdicts: { t: 'limited' },
      code: 1,
      counts: { others: 0, spelledOtherwise: 1 },
    },
  ],
  [
    'another customer in capitals',
    {
      tiles: [spelled((customer) => (customer === 'North Pine' ? 'SOUTH OAK' : customer))],
      verdicts: { t: 'shows-others' },
      code: 2,
      counts: { others: 1 },
    },
  ],
  [
    'a customer who is not in the table',
    {
      tiles: [spelled((customer) => (customer === 'North Pine' ? 'North Pine Ltd' : customer))],
      verdicts: { t: 'shows-others' },
      code: 2,
      counts: { others: 1 },
    },
  ],
  [
    'rows without a customer among those of one',
    {
      tiles: [spelled((customer) => customer, { rows: (f) => good.rows(f).flatMap((row) => [row, [null, 'x', 1]]) })],
      verdicts: { t: 'limited' },
      code: 0,
      counts: { others: 0, blanks: 1 },
    },
  ],
  [
    'a row of totals below those of a customer',
    {
      tiles: [spelled((customer) => customer, { rows: (f) => good.rows(f).flatMap((row) => [row, ['Total', '', 1]]) })],
      verdicts: { t: 'limited' },
      code: 0,
      counts: { others: 0, totals: 1 },
    },
  ],
  [
    'a row of totals of another customer below those of a customer',
    {
      tiles: [
        spelled((customer) => customer, {
          rows: (f) => good.rows(f).flatMap((row) => [row, ['South Oak', 'Total', 1]]),
        }),
      ],
      verdicts: { t: 'shows-others' },
      code: 2,
      counts: { others: 1, totals: 1 },
    },
  ],
  [
    'a row that is a total, or of another customer whom the table calls so',
    {
      tiles: [spelled((customer) => customer, { rows: (f) => good.rows(f).flatMap((row) => [row, ['Total', '', 1]]) })],
      given: {
        reports: { a: report('North Pine') },
        table: ['North Pine,northpine.example', 'TOTAL,southoak.example'],
      },
      verdicts: { t: 'cannot-tell' },
      code: 1,
      counts: { others: 0, totals: 1 },
    },
  ],
  [
    'a customer called as totals are, in a report of that customer',
    {
      tiles: [
        spelled((customer) => customer, {
          rows: (f) => (isOf(f, 'Total') ? [['Total', 'x', 1]] : []),
        }),
      ],
      given: {
        reports: { a: report('Total', { recipients: ['cfo@northpine.example'] }) },
        table: ['Total,northpine.example', 'South Oak,southoak.example'],
      },
      verdicts: { t: 'limited' },
      code: 0,
      counts: { others: 0 },
    },
  ],
  [
    'another customer whose name differs in zeros alone',
    {
      tiles: [
        spelled((customer) => customer, {
          rows: (f) =>
            isOf(f, '42')
              ? [
                  ['42', 'x', 1],
                  ['0042', 'x', 1],
                ]
              : [],
        }),
      ],
      given: {
        reports: { a: report('42', { recipients: ['cfo@northpine.example'] }) },
        table: ['42,northpine.example', '0042,southoak.example'],
      },
      verdicts: { t: 'shows-others' },
      code: 2,
      counts: { others: 1, spelledOtherwise: 0 },
    },
  ],
])('%s is judged as it should be', async (_, { tiles, filters, given, verdicts, code, counts }) => {
  const dashboard = dashboardOf(tiles, filters === undefined ? {} : { filters });
  const proof = await openProof({ dashboards: [dashboard], ...given });
  const proved = await proof.proved();
  const told = proved.stdout + proved.stderr;
  expect(Object.keys(proved.verdicts).sort(), told).toEqual(Object.keys(verdicts).sort());
  for (const [key, verdict] of Object.entries(verdicts))
    expect([verdict].flat(), `${key}: ${told}`).toContain(proved.verdicts[key]);
  expect(proved.code, told).toBe(code);
  expect(proved.document.summary, told).toMatchObject({ proven: code === 0 ? 1 : 0 });
  const last = proved.document.dashboards[0]?.tiles.find(({ tile }) => tile === tiles.at(-1)?.key);
  if (counts !== undefined) expect({ others: undefined, ...last }, told).toMatchObject(counts);
});

test('a value in another Unicode form takes the proof from the report', async () => {
  const customer = 'Caf\u00e9 Pine';
  const dashboard = dashboardOf([
    spelled((name) => (name === 'North Pine' ? 'Cafe\u0301 Pine' : name), {
      rows: (inEffect) => (isOf(inEffect, customer) ? [['Cafe\u0301 Pine', 'x', 1]] : []),
    }),
  ]);
  const reports = { a: report(customer, { recipients: ['cfo@northpine.example'] }) };
  const given = { dashboards: [dashboard], reports, table: [`${customer},northpine.example`] };
  const proof = await openProof(given);
  const proved = await proof.proved();
  expect(proved, proved.stderr).toMatchObject({
    code: 1,
    reports: { a: 'spelled-otherwise' },
    verdicts: { t: 'limited' },
  });
  expect(proved.document.dashboards[0]?.tiles).toMatchObject([{ others: 0, spelledOtherwise: 1 }]);
});

test('a customer whose name has commas, quotes and a line end is found in a file', async () => {
  const customer = 'Pine, "North"';
  const tile = list('t', customerAndAmount, {
    rows: (inEffect) => (isOf(inEffect, customer) ? [[customer, 'two\nlines, "x"', 1]] : []),
  });
  const reports = { a: report(customer, { recipients: ['cfo@northpine.example'] }) };
  const lines = ['"Pine, ""North""",northpine.example'];
  const proof = await openProof({ dashboards: [dashboardOf([tile])], reports, table: lines });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, reports: { a: 'proven' } });
  expect(proved.document.dashboards[0]?.tiles).toMatchObject([{ others: 0, blanks: 0 }]);
});

const numbers = ['orders.account', 'orders.amount'];
const byAccount: Dashboard['filters'] = { customer: { field: 'orders.account', type: 'number' } };
const accounts = ['1000,northpine.example', '1001,southoak.example', '1002,eastelm.example'];
const account = (number: number | string, domain: string) =>
  report(`Account ${number}`, {
    recipients: [`cfo@${domain}`],
    filterConfig: { customer: { type: 'number', kind: 'EQUALS', values: [number] } },
  });

test.each<[title: string, tile: Tile, verdict: Verdict | readonly Verdict[], code: number]>([
  ['limited', list('t', numbers), 'limited', 0],
  ['of everybody', bySql(list('t', numbers)), open, 2],
  ['of everybody without its column', bySql(list('t', amounts)), 'not-limited', 2],
  [
    'of another',
    list('t', numbers, { rows: (f) => (f[0]?.values[0] === '1000' ? [[1002, 5]] : []) }),
    'shows-others',
    2,
  ],
])('where numbers divide the rows, a tile is %s, and nobody has a number that is not in the table', async (...row) => {
  const [, tile, verdict, code] = row;
  const reports = { a: account('1000', 'northpine.example'), b: account('1001', 'southoak.example') };
  const dashboard = dashboardOf([tile], { filters: byAccount });
  const proof = await openProof({ dashboards: [dashboard], reports, table: accounts });
  const proved = await proof.proved();
  expect([verdict].flat(), proved.stdout).toContain(proved.verdicts['t']);
  expect(proved.code).toBe(code);
  const asked = proof.renderings().map((each) => each.body['filterConfig'] as Record<string, Record<string, unknown>>);
  expect(asked[0]).toEqual({ customer: { type: 'number', kind: 'EQUALS', values: ['1000'] } });
  const nobody = asked.filter(({ customer }) => !accounts.some((line) => line.startsWith(`${customer?.['values']},`)));
  expect(nobody.length).toBeGreaterThan(0);
  for (const { customer } of nobody) {
    expect(customer).toMatchObject({ type: 'number', kind: 'EQUALS' });
    expect(String(customer?.['values'])).toMatch(/^-?\d+$/);
  }
});

test('a delivery and nobody differ in the values of the dividing filter alone', async () => {
  const filters = { customer: { field: 'orders.customer' }, region: { field: 'orders.region' } };
  const own = { region: { type: 'string', kind: 'EQUALS', values: ['Europe'] } };
  const a = report('North Pine', { filterConfig: { customer: { values: ['North Pine'] }, ...own } });
  const proof = await openProof({ dashboards: [dashboardOf([good], { filters })], reports: { a } });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, reports: { a: 'proven' } });
  const sent = proof.double.asked.find(({ method, path }) => method === 'POST' && path === '/v1/schedules');
  const customer = { type: 'string', kind: 'EQUALS', values: ['North Pine'] };
  expect(sent?.body['filterConfig']).toEqual({ customer, ...own });
  const [first, second, ...others] = proof.renderings();
  expect(others).toEqual([]);
  expect(first?.body['filterConfig']).toEqual({ customer, ...own });
  const values = [expect.stringMatching(/^almanac-prove-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)];
  expect(second?.body['filterConfig']).toEqual({ customer: { ...customer, values }, ...own });
});

const two = { customer: { field: 'orders.customer' }, region: { field: 'orders.region' } };
const ofBoth = report('North Pine', {
  filterConfig: { customer: { values: ['North Pine'] }, region: { values: ['Europe'] } },
});
const bothInTable = ['North Pine,northpine.example', 'Europe,northpine.example'];

test.each<[title: string, tile: Tile, filters: Dashboard['filters'], code: number]>([
  ['that both limit is proven', good, two, 0],
  ['that neither limits is not', bySql(list('good', amounts)), two, 2],
  [
    'that the second one does not reach is not proven',
    list('good', amounts),
    { ...two, region: { field: 'orders.region', map: { good: false } } },
    2,
  ],
  [
    'that the first one does not reach is not proven',
    list('good', amounts),
    { ...two, customer: { field: 'orders.customer', map: { good: false } } },
    2,
  ],
])('where two filters divide the rows, a tile %s', async (_, tile, filters, code) => {
  const given = { reports: { a: ofBoth }, rows: { filters: ['customer', 'region'] }, table: bothInTable };
  const proof = await openProof({ dashboards: [dashboardOf([tile], { filters })], ...given });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code, reports: { a: code === 0 ? 'proven' : 'not-limited' } });
});

test('a report of one tile is rendered and judged as that tile', async () => {
  const a = report('North Pine', { queryIdentifierMapKey: 'good' });
  const proof = await openProof({ dashboards: [dashboardOf([good, bySql(list('t', amounts))])], reports: { a } });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, verdicts: { good: 'limited' }, reports: { a: 'proven' } });
  expect(proof.renderings().map(({ body }) => body['queryIdentifierMapKey'])).toEqual(['good', 'good']);
});

test('reports of several tiles of a dashboard are each rendered', async () => {
  const a = report('North Pine', { queryIdentifierMapKey: 'good' });
  const b = report('South Oak', { queryIdentifierMapKey: 't' });
  const proof = await openProof({ dashboards: [dashboardOf([good, bySql(list('t', amounts))])], reports: { a, b } });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({
    code: 2,
    verdicts: { good: 'limited', t: 'not-limited' },
    reports: { a: 'proven', b: 'not-limited' },
  });
});

const names = ['a', 'b', 'c', 'd', 'e'];
const five = Object.fromEntries(
  ['North Pine', 'South Oak', 'East Elm', 'West Ash', 'Mid Fir'].map((customer, index) => [
    names[index] ?? '',
    report(customer),
  ]),
);
const onlyFor = (key: string, ...shown: readonly string[]) =>
  list(
    key,
    customerAndAmount,
    {},
    orders.filter((order) => shown.includes(String(order['orders.customer']))),
  );
const receiversOf = (proof: Awaited<ReturnType<typeof openProof>>) => [
  ...new Set(
    proof
      .renderings()
      .map((asked) => filterOf(asked))
      .filter((value) => !isNobody(value)),
  ),
];

test('where all is empty, the next receiver is taken three times and no more, and nothing is proven', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([onlyFor('t', 'Mid Fir')])], reports: five });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({
    code: 1,
    verdicts: { t: 'empty' },
    reports: { a: 'empty', d: 'empty', e: 'not-rendered' },
  });
  expect(receiversOf(proof)).toEqual(['North Pine', 'South Oak', 'East Elm', 'West Ash']);
});

test('where all is empty for the first two receivers, the third one decides', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([onlyFor('t', 'East Elm')])], reports: five });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, verdicts: { t: 'limited' }, reports: { a: 'proven' } });
  expect(receiversOf(proof)).toEqual(['North Pine', 'South Oak', 'East Elm']);
});

test('where one tile is empty for the first receiver, the next one decides', async () => {
  const tiles = [good, onlyFor('t', 'South Oak')];
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], reports: five });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, verdicts: { good: 'limited', t: 'limited' } });
  expect(receiversOf(proof)).toEqual(['North Pine', 'South Oak']);
});

const twice = [good, bySql(list('t', amounts, { name: good.name }))];

test.each<[title: string, given: Partial<ProofOptions>]>([
  ['that are called the same', {}],
  [
    'that are called the same, and numbered in the archive',
    {
      pack: (files) =>
        zipOf(files.map(({ bytes }, index) => ({ name: `${good.name}${index > 0 ? ' (1)' : ''}.csv`, bytes }))),
    },
  ],
  [
    'whose files are called otherwise',
    { pack: (files) => zipOf(files.map(({ bytes }, n) => ({ name: `${n}.csv`, bytes }))) },
  ],
])('tiles %s are downloaded one by one, and none is taken for another', async (_, given) => {
  const proof = await openProof({ dashboards: [dashboardOf(twice)], ...given });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 2, verdicts: { good: 'limited', t: 'not-limited' } });
  const keys = proof.renderings().flatMap(({ body }) => body['queryIdentifierMapKey'] ?? []);
  expect([...new Set(keys)].sort()).toEqual(['good', 't']);
});

test('names that an archive changes to the same one are not taken for each other', async () => {
  const tiles = [list('good', customerAndAmount, { name: 'A/B' }), bySql(list('t', amounts, { name: 'A:B' }))];
  const pack: ProofOptions['pack'] = ([first, second]) =>
    zipOf([
      { name: 'A_B.csv', bytes: second?.bytes ?? Buffer.alloc(0) },
      { name: 'A_B (1).csv', bytes: first?.bytes ?? Buffer.alloc(0) },
    ]);
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], pack });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 2, verdicts: { good: 'limited', t: 'not-limited' } });
});

test('a tile that is called like the key of another one is not taken for it', async () => {
  const tiles = [list('x', customerAndAmount, { name: 'y' }), bySql(list('y', amounts, { name: 'x' }))];
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], rows: { shared: [`${sales}/x`] } });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 2, verdicts: { x: 'shared', y: 'not-limited' } });
});

test('tiles whose names differ only in case are not taken for each other', async () => {
  const tiles = [list('good', customerAndAmount, { name: 'ORDERS' }), bySql(list('t', amounts, { name: 'orders' }))];
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], pack: (files) => zipOf([...files].reverse()) });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 2, verdicts: { good: 'limited', t: 'not-limited' } });
});

test('a receiver who may see several customers is shown none of the others', async () => {
  const both = { customer: { values: ['North Pine', 'South Oak'] } };
  const a = report('North Pine', { filterConfig: both });
  const lines = [...table, 'South Oak,northpine.example'];
  const proof = await openProof({ dashboards: [dashboardOf([good])], reports: { a }, table: lines });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, reports: { a: 'proven' } });
  expect(proved.document.dashboards[0]?.tiles).toMatchObject([{ others: 0 }]);
});

test.each<[title: string, given: Partial<ProofOptions>]>([
  ['stored', { pack: (files) => zipOf(files, { isStored: true }) }],
  ['in another order', { pack: (files) => zipOf([...files].reverse()) }],
  ['in a folder', { pack: (files) => zipOf(files.map(({ name, bytes }) => ({ name: `Sales/${name}`, bytes }))) }],
  [
    'beside an entry for their folder',
    {
      pack: (files) =>
        zipOf([
          { name: 'Sales/', bytes: Buffer.alloc(0) },
          ...files.map(({ name, bytes }) => ({ name: `Sales/${name}`, bytes })),
        ]),
    },
  ],
  ['with a byte order mark and CRLF', { write: (text) => Buffer.from(`\uFEFF${text.replaceAll('\n', '\r\n')}`) }],
  ['without a last line end', { write: (text) => Buffer.from(text.replace(/\n$/, '')) }],
])('the files of an archive may be %s', async (_, given) => {
  const tiles = [good, list('u', ['orders.customer', 'orders.region']), bySql(list('t', amounts))];
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], ...given });
  const proved = await proof.proved();
  const verdicts = { good: 'limited', u: 'limited', t: 'not-limited' };
  expect(proved, proved.stdout).toMatchObject({ code: 2, verdicts });
  const { tiles: found = [] } = proved.document.dashboards[0] ?? {};
  expect(found.filter(({ verdict }) => verdict === 'limited')).toMatchObject([{ others: 0 }, { others: 0 }]);
});

test.each(['A/B: sales', 'Umsätze ½', '100% of *all*', 'a\\b', '..'])(
  'a tile called %s is judged, however the archive calls it',
  async (name) => {
    const pack: ProofOptions['pack'] = (files) =>
      zipOf(files.map((file) => ({ ...file, name: file.name.replaceAll(/[/\\:*?"<>|]/g, '_') })));
    const tiles = [list('good', customerAndAmount, { name }), bySql(list('t', amounts))];
    const proof = await openProof({ dashboards: [dashboardOf(tiles)], pack });
    const proved = await proof.proved();
    expect(proved, proved.stdout).toMatchObject({ code: 2, verdicts: { good: 'limited', t: 'not-limited' } });
  },
);

test('a shared tile that divides its rows is no mistake, and the text names it', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])], rows: { shared: [`${sales}/good`] }, table });
  const { code, stdout } = await proof.run('prove');
  expect(stdout).toEqual(says('shared'));
  expect(code, stdout).not.toBe(2);
});

test('a query that no tile shows has no file, and is not asked for', async () => {
  const queries = [good, list('u', customerAndAmount)];
  const instead: ProofOptions['instead'] = ({ path }) => {
    if (!path.startsWith('/v2/documents/')) return undefined;
    const data = { good: { name: good.name, type: 'query', query: {} } };
    return { status: 200, body: { queryPresentations: { data }, controls: { data: {} }, containers: [] } };
  };
  const pack: ProofOptions['pack'] = (files) => zipOf(files.slice(0, 1));
  const shown = await openProof({ dashboards: [dashboardOf(queries)], pack, instead });
  const proved = await shown.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, verdicts: { good: 'limited' }, reports: { a: 'proven' } });
  const untold = await openProof({ dashboards: [dashboardOf(queries)], pack, isClassic: true });
  const open = await untold.proved();
  expect(open, open.stdout).toMatchObject({ code: 1, verdicts: { good: 'limited', u: 'cannot-tell' } });
});
