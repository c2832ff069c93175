// What a proof says of each kind of file: as it is, with a row of another customer, and with a row that stands in the file for
// nobody too.

import { describe, expect, test } from 'vitest';
import type { Comparison, Verdict } from '../../src/commands/prove/prove-document.ts';
import type { TileQuery } from '../../src/model/service/documents.ts';
import { judged, others, type Scene } from '../support/prove/judging.ts';

const [name, total, month] = ['customers.name', 'order_items.total', 'order_items.month'];
const asking = (fields: readonly string[], more: Partial<TileQuery> = {}): TileQuery => ({
  fields,
  pivots: [],
  ...more,
});
const list = asking([name, total]);
const heads = 'Name,Total\n';
const own = `${heads}North Pine,12\n`;
const other = 'South Oak,5\n';

const scenes: Readonly<Record<string, Scene & { readonly compared?: Comparison; readonly named?: boolean }>> = {
  commas: { query: list, own, nobody: heads, other },
  semicolons: { query: list, own: 'Name;Total\nNorth Pine;12,50\n', nobody: 'Name;Total\n', other: 'South Oak;5,00\n' },
  'semicolons and nothing in German': {
    query: list,
    own: 'Name;Total\nNorth Pine;12\n',
    nobody: 'Name;Total\nTotal;0,00\n',
    other: 'South Oak;5\n',
  },
  tabs: { query: list, own: 'Name\tTotal\nNorth Pine\t12\n', nobody: 'Name\tTotal\n', other: 'South Oak\t5\n' },
  'a mark of the byte order': { query: list, own: `\ufeff${own}`, nobody: `\ufeff${heads}`, other },
  'quotes with line ends': {
    query: list,
    own: '"Name","Total"\r\n"North Pine","1\n2"\r\n',
    nobody: '"Name","Total"\r\n',
    other: '"South Oak","a ""b"",\nc"\r\n',
  },
  'a calculation, which is one column more': {
    query: list,
    own: 'Name,Total,Share\nNorth Pine,12,1\n',
    nobody: 'Name,Total,Share\n',
    other: 'South Oak,5,2\n',
  },
  'a calculation of a name': {
    query: list,
    own: 'Client,Total\nNorth Pine,12\n',
    nobody: 'Client,Total\n',
    other,
    compared: 'values-of-the-table',
  },
  'a hidden column and a calculation': {
    query: asking([month, name, total]),
    own: 'Name,Total,Share\nNorth Pine,12,1\n',
    nobody: 'Name,Total,Share\n',
    other: 'South Oak,5,2\n',
  },
  'a pivot by month': {
    query: asking([name, month, total], { pivots: [month] }),
    own: 'Name,2026-01,2026-02\nNorth Pine,12,5\n',
    nobody: 'Name\n',
    other: 'South Oak,1,2\n',
  },
  'a pivot with two lines of heads': {
    query: asking([name, month, total], { pivots: [month] }),
    own: ',2026-01,2026-02\nName,Total,Total\nNorth Pine,12,5\n',
    nobody: ',2026-01,2026-02\nName,Total,Total\n',
    other: 'South Oak,1,2\n',
  },
  'a pivot by customer': {
    query: asking([month, name, total], { pivots: [name] }),
    own: 'Month,North Pine\n2026-01,12\n',
    nobody: 'Month\n',
    other: '',
    withOther: 'Month,North Pine,South Oak\n2026-01,12,5\n',
  },
  'a pivot by customer in heads of its own': {
    query: asking([month, name, total], { pivots: [name] }),
    own: ',North Pine\nMonth,Total\n2026-01,12\n',
    nobody: 'Month\n',
    other: '',
    withOther: ',North Pine,South Oak\nMonth,Total,Total\n2026-01,12,5\n',
  },
  'a pivot by customer with the label of a measure': {
    query: asking([month, name, total], { pivots: [name] }),
    own: 'Month,North Pine Total\n2026-01,12\n',
    nobody: 'Month\n',
    other: '',
    withOther: 'Month,North Pine Total,South Oak Total\n2026-01,12,5\n',
  },
  SQL: { query: asking([name, total], { userEditedSQL: 'select 1' }), own, nobody: heads, other },
  'a query of which Omni does not say the fields': {
    query: undefined,
    own,
    nobody: heads,
    other,
    compared: 'values-of-the-table',
  },
  'a field that stands in it twice': {
    query: asking([name, name, total]),
    own: 'Name,Name,Total\nNorth Pine,North Pine,1\n',
    nobody: 'Name,Name,Total\n',
    other: 'North Pine,South Oak,5\n',
  },
  'a customer of another view': {
    query: asking([name, 'shops.keeper', total]),
    own: 'Name,Keeper,Total\nNorth Pine,North Pine,1\n',
    nobody: 'Name,Keeper,Total\n',
    other: 'North Pine,South Oak,5\n',
    named: true,
  },
  'two fields of one label': {
    query: asking([name, 'shops.name', total]),
    own: 'Name,Name,Total\nNorth Pine,x,1\n',
    nobody: 'Name,Name,Total\n',
    other: 'South Oak,x,5\n',
    compared: 'values-of-the-table',
  },
  'a link in a column without a name': {
    query: list,
    own: 'Name,Total,More\nNorth Pine,1,https://crm.example/North%20Pine\n',
    nobody: 'Name,Total,More\n',
    other: 'North Pine,1,https://crm.example/?customer=South%20Oak\n',
  },
  'columns in another order': {
    query: asking([name, 'customers.parent', total]),
    own: 'Parent,Name,Total\nNorth Pine,North Pine,12\n',
    nobody: 'Parent,Name,Total\n',
    other: 'North Pine,South Oak,12\n',
  },
  'a title before the heads': { query: list, own: `Sales in March\n${own}`, nobody: `Sales in March\n${heads}`, other },
  'heads with their view, in other letters': {
    query: list,
    own: 'CUSTOMERS NAME,order_items.total\nNorth Pine,12\n',
    nobody: 'CUSTOMERS NAME,order_items.total\n',
    other,
  },
  totals: { query: list, own: `${own}Total,12\n`, nobody: `${heads}Total,0\n`, other },
  'totals in another language': { query: list, own: `${own}Gesamt,12\n`, nobody: `${heads}Gesamt,0\n`, other },
  'gaps that Omni fills': {
    query: asking([month, total]),
    own: 'Month,Total\n2026-01,12\n2026-02,0\n',
    nobody: 'Month,Total\n2026-01,0\n2026-02,\n',
    other: '',
    withOther: undefined as never,
    compared: 'nothing-to-compare',
  },
};
for (const nothing of ['0', '0.00', '0,00', '0E0', '$0', '0 %', '0 kg', '""', 'null', 'NaN', 'N/A', '-', '–', '—', '∅'])
  Object.assign(scenes, {
    [`a measure of no rows that reads ${nothing}`]: {
      query: asking([total]),
      own: 'Total;\n12;\n',
      nobody: `Total;\n${nothing};\n`,
      other: '',
      compared: 'values-of-the-table',
    },
  });

describe.each(Object.entries(scenes))('of a file with %s', (_, scene) => {
  const { own: mine, nobody, other: row, withOther = mine + row, compared = 'column', named = false } = scene;
  test('a right one is limited', () => {
    const found = judged(mine, nobody, scene);
    expect(found).toMatchObject({ verdict: 'limited', compared });
    expect([found.valuesOfOthers.size, found.named.size, found.spelledOtherwise.size]).toEqual([0, 0, 0]);
  });
  test.runIf(withOther !== mine)('a row of another customer is found', () => {
    const found = judged(withOther, nobody, scene);
    if (named)
      expect(found).toMatchObject({ verdict: 'names-others', named: new Map([['Keeper', new Set([others])]]) });
    else {
      expect(found.verdict).toBe('shows-others');
      expect([...found.valuesOfOthers]).toContain(others);
    }
  });
  test.runIf(row !== '')('a row that nobody should have is not limited', () => {
    expect(judged(mine + row, nobody + row, scene).verdict).toBe('not-limited');
    expect(judged(nobody + row, nobody + row, scene).verdict).toBe('not-limited');
  });
});

const verdicts: readonly (readonly [string, string, string, Verdict, Partial<Scene>])[] = [
  ['a file without a byte for nobody', own, '', 'cannot-tell', {}],
  ['a sentence for nobody', own, 'Error: cannot run the query\n', 'cannot-tell', {}],
  ['other heads for nobody', own, 'Name,Count\n', 'cannot-tell', {}],
  ['a file without a byte', '', heads, 'cannot-tell', {}],
  ['no rows in both', heads, heads, 'empty', {}],
  ['an unknown customer in the dividing column', `${own}Hidden Yew,1\n`, heads, 'shows-others', {}],
  [
    'an unknown customer among the heads of a pivot',
    'Month,North Pine,Hidden Yew\n2026-01,1,2\n',
    'Month\n',
    'shows-others',
    { query: asking([month, name, total], { pivots: [name] }) },
  ],
  ['another customer as the first line of a file without heads', 'South Oak,5\n', 'South Oak,5\n', 'shows-others', {}],
  [
    'a number that is an account, in a column without a name',
    'Client,Sum\n1001,1001\n',
    'Client,Sum\n',
    'not-compared',
    { values: ['1000', '1001'] },
  ],
  [
    'numbers that are compared in their column',
    'Name,Total\n1000,1001\n',
    heads,
    'limited',
    { values: ['1000', '1001'] },
  ],
  ['an account of another in its column', 'Name,Total\n1001,1\n', heads, 'shows-others', { values: ['1000', '1001'] }],
  [
    'no dividing field, where each head names a field',
    'Month,Total\n2026-01,12\n',
    'Month,Total\n',
    'limited',
    { query: asking([month, total]), values: ['1000'] },
  ],
  [
    'fields that Omni does not say to divide the rows',
    own + other,
    heads,
    'shows-others',
    { dividing: undefined as never },
  ],
  ['a missing number in one row of two', own, `${heads},null\n,null\n`, 'not-limited', {}],
  ['a missing number in the dividing column', own, `${heads}null,0\n`, 'not-limited', {}],
  ['a date beside a number', own, `${heads}2026-01,5\n`, 'not-limited', {}],
  ['a customer called as totals are', `${own}Total,3\n`, heads, 'cannot-tell', { values: ['North Pine', 'Total'] }],
];

test.each(verdicts)('%s: the verdict is right', (_, mine, nobody, verdict, more) => {
  expect(judged(mine, nobody, { query: list, ...more }).verdict).toBe(verdict);
});

test('a waiver of a column waives that column, and nothing else', () => {
  const query = asking([name, 'orders.ship_to', total]);
  const file = 'Name,Ship-to,Total,Seen by\nNorth Pine,South Oak,1,x\n';
  const empty = 'Name,Ship-to,Total,Seen by\n';
  expect(judged(file, empty, { query }).verdict).toBe('names-others');
  expect(judged(file, empty, { query }, ['Ship-to']).verdict).toBe('limited');
  expect(judged(`${file}South Oak,x,1,x\n`, empty, { query }, ['Ship-to', 'Name']).verdict).toBe('shows-others');
  expect(judged(`${file}North Pine,x,1,South Oak\n`, empty, { query }, ['Ship-to']).verdict).toBe('shows-others');
});

test('a value in other letters, blanks or form takes nothing for another customer, and is counted', () => {
  const found = judged(`${heads}NORTH  PINE,1\nnorth\u00a0pine,2\n`, heads, { query: list });
  expect(found).toMatchObject({ verdict: 'limited', spelledOtherwise: new Set(['NORTH  PINE', 'north\u00a0pine']) });
});
