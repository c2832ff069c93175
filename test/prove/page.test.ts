// docs/prove.md shows a real run with each verdict: these runs. UPDATE=1 writes them into the page.

import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { verdicts } from '../../src/commands/prove/prove-document.ts';
import type { Answer, Asked } from '../support/prove/double.ts';
import {
  bySql,
  customerAndAmount,
  dashboardOf,
  good,
  list,
  openProof,
  type ProofOptions,
  report,
  sales,
  total,
} from '../support/prove/proving.ts';

const page = 'docs/prove.md';
const [finance, stock, orders] = ['b4d86e20', '3f9c2b71', '12db1a0a'];
const one = (key: string, name: string, more: Partial<typeof good> = {}) =>
  list(key, customerAndAmount, { name, ...more });
const shipped = ['orders.customer', 'orders.ship_to', 'orders.amount'];
const mine = (row: readonly (string | number)[]) => (inEffect: Parameters<typeof good.rows>[0]) =>
  good.rows(inEffect).length > 0 ? [row] : [];

const tiles = [
  one('1', 'Sales by customer'),
  total('2', 0, { name: 'Revenue', columns: ['Total amount'] }),
  bySql(one('3', 'Orders in SQL')),
  one('4', 'Open orders', { rows: (inEffect) => good.rows(inEffect).flatMap((row) => [row, ['South Oak', 'x', 1]]) }),
  list('5', shipped, {
    name: 'Shipments',
    columns: ['Customer', 'Ship-to', 'Amount'],
    rows: mine(['North Pine', 'South Oak', 1]),
  }),
  one('6', 'Returns'),
  one('7', 'Complaints', { rows: () => [] }),
  bySql(one('8', 'Benchmark')),
];
const whole = (identifier: string, name: string) => dashboardOf([one('1', 'Sales by customer')], { identifier, name });

function endless(): Readable {
  const row = Buffer.from('North Pine,Gasket 77121,1\n'.repeat(40_000));
  return Readable.from(
    Array.from({ length: 70 }, () => row),
    { objectMode: false },
  );
}

const instead = ({ method, path }: Asked): Answer | undefined => {
  const isFile = method === 'GET' && path.includes('/download/');
  if (path.includes(finance) && isFile) return { status: 410, body: { detail: 'query failed', status: 410 } };
  if (path.includes(stock) && method === 'POST') return { status: 409, body: { detail: 'in progress', status: 409 } };
  return path.includes(orders) && isFile ? { status: 200, body: endless(), type: 'text/csv' } : undefined;
};

const runs: Readonly<Record<string, { readonly given: ProofOptions; readonly code: number }>> = {
  text: {
    given: {
      dashboards: [dashboardOf(tiles), whole(finance, 'Finance'), whole(stock, 'Stock'), whole(orders, 'Orders')],
      reports: {
        sales: report('North Pine'),
        finance: report('North Pine', { identifier: finance, name: 'Finance' }),
        stock: report('North Pine', { identifier: stock, name: 'Stock' }),
        orders: report('North Pine', { identifier: orders, name: 'Orders', queryIdentifierMapKey: '1' }),
        picture: report('North Pine', { name: 'Picture', format: 'png' }),
      },
      rows: { shared: [`${sales}/8`] },
      write: (text, { key }) => Buffer.from(key === '6' && !/\n./.test(text) ? 'No results\n' : text),
      instead,
    },
    code: 2,
  },
  accounts: {
    given: {
      dashboards: [
        dashboardOf(
          [list('1', ['orders.account', 'orders.amount'], { name: 'Sales', columns: ['Client', 'Amount'] })],
          {
            filters: { customer: { field: 'orders.account', type: 'number' } },
          },
        ),
      ],
      reports: {
        sales: report('North Pine', {
          filterConfig: { customer: { type: 'number', kind: 'EQUALS', values: ['1000'] } },
        }),
      },
      table: ['1000,northpine.example', '1001,southoak.example'],
    },
    code: 1,
  },
};

const placeIn = (text: string, name: string) => {
  const from = text.indexOf('```text\n', text.indexOf(`<!-- prove: ${name} -->`)) + '```text\n'.length;
  return [from, text.indexOf('```', from)] as const;
};

test.each(Object.entries(runs))('the page shows what prove says: %s', async (name, { given, code }) => {
  const proof = await openProof(given);
  const ran = await proof.run('prove', '-q');
  expect(ran.code, ran.stdout + ran.stderr).toBe(code);
  const text = readFileSync(page, 'utf8');
  const [from, to] = placeIn(text, name);
  const shown = `$ almanac prove\n${ran.stdout}`;
  if (process.env['UPDATE'] === '1') writeFileSync(page, text.slice(0, from) + shown + text.slice(to));
  else expect(text.slice(from, to)).toBe(shown);
});

test('the runs of the page have each verdict', () => {
  const text = readFileSync(page, 'utf8');
  const said = Object.keys(runs)
    .map((name) => text.slice(...placeIn(text, name)))
    .join('')
    .toLowerCase();
  const words = ['shows others', 'not limited', 'failed', 'busy, not tried', 'too large, not judged', 'cannot tell'];
  const more = ['names others', 'limited, values not compared', 'empty in both', 'limited', 'shared'];
  expect([...words, ...more]).toHaveLength(verdicts.length);
  expect([...words, ...more].filter((each) => !said.includes(each))).toEqual([]);
});
