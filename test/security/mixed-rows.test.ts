// Customers who get the rows of each other. The threat: a table whose column slipped, or an address pasted over another
// one. All receivers are known, so no rule about new places speaks.

import { describe, expect, test } from 'vitest';
import { divisionOf, type RowRules } from '../../src/declare/rows/judge-rows.ts';
import { readPermissions } from '../../src/declare/rows/read-permissions.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { seen, stateOf } from '../support/plan/planning.ts';
import { processorTime } from '../support/processor-time.ts';
import { atFullSize } from '../support/runs/runs.ts';
import { type Asked, dangersOf, server } from '../support/security/dangers.ts';
import { bucket, hook, mail, slack } from '../support/vocabulary.ts';

type Resources = Readonly<Record<string, JsonObject>>;

const only = (...values: readonly string[]) => ({ filterConfig: { customer: { values } } });
const to = (...recipients: readonly string[]) => ({ recipients });

/** A report for each: `[value, address…]`. */
function reports(rows: readonly (readonly string[])[], fields: JsonObject = {}): Resources {
  return Object.fromEntries(
    rows.map(([value = '', ...recipients], index) => [
      `schedules.r${index}`,
      mail({ name: `R${index}`, ...only(value), ...to(...recipients), ...fields }),
    ]),
  );
}

const customers = (count: number, by = 0) =>
  Array.from({ length: count }, (_, index) => [`C${index}`, `cfo@cust${(index + by) % count}.example`]);
const four = customers(4);
const swapped = four.map(([value = ''], index) => [value, `cfo@cust${[1, 0, 2, 3][index]}.example`]);

const codes = ['mixed-rows', 'last-receiver', 'new-rows'];

/** The danger's title with its items, of what concerns the rows of receivers. */
function mixedIn(after: Resources, before: Resources | ReturnType<typeof stateOf>, asked: Asked = {}) {
  const dangers = dangersOf(after, before, asked).filter(({ code }) => codes.includes(code));
  return dangers.flatMap(({ gravity, title, items }) => [
    `${gravity} ${title}`,
    ...items.map(({ subject, detail }) => `${subject} (${detail})`),
  ]);
}

const swap = [
  'grave 2 receivers outside get rows that other receivers got',
  'cfo@cust0.example (had `C0` and gets `C1`, in `schedules.r1`)',
  'cfo@cust1.example (had `C1` and gets `C0`, in `schedules.r0`)',
];

describe('receivers who get the rows of others', () => {
  test.each<[what: string, before: Resources, after: Resources, expected: readonly string[]]>([
    ['two addresses that are exchanged', reports(four), reports(swapped), swap],
    [
      'two values that are exchanged',
      reports(four),
      reports([['C1', 'cfo@cust0.example'], ['C0', 'cfo@cust1.example'], ...four.slice(2)]),
      [
        'grave 2 receivers outside get rows that other receivers got',
        'cfo@cust0.example (had `C0` and gets `C1`, in `schedules.r0`)',
        'cfo@cust1.example (had `C1` and gets `C0`, in `schedules.r1`)',
      ],
    ],
    [
      'an address that is pasted over another one',
      reports(four),
      reports([...four.slice(0, 3), ['C3', 'cfo@cust0.example']]),
      [
        'grave 1 receiver outside gets rows that other receivers got',
        'cfo@cust0.example (had `C0` and gets `C3`, in `schedules.r3`)',
      ],
    ],
    [
      'a value that is pasted over another one',
      reports(four),
      reports([...four.slice(0, 3), ['C0', 'cfo@cust3.example']]),
      [
        'grave 1 receiver outside gets rows that other receivers got',
        'cfo@cust3.example (had `C3` and gets `C0`, in `schedules.r3`)',
        'caution 1 value loses its last receiver outside',
        'C3 (`cust3.example` had this value, and no receiver outside gets it by a filter now)',
      ],
    ],
    [
      'one of many that gets an address more',
      reports(customers(40)),
      reports([...customers(40).slice(0, 39), ['C39', 'cfo@cust39.example', 'cfo@cust7.example']]),
      [
        'grave 1 receiver outside gets rows that other receivers got',
        'cfo@cust7.example (had `C7` and gets `C39`, in `schedules.r39`)',
      ],
    ],
    [
      'a new receiver beside the old one',
      reports(four),
      reports([['C0', 'cfo@cust0.example', 'eve@new.example'], ...four.slice(1)]),
      [
        'grave 1 receiver outside gets rows that other receivers got',
        'eve@new.example (gets `C0`, which only `cust0.example` had, in `schedules.r0`)',
      ],
    ],
    [
      'a new report for somebody who is known',
      reports(four),
      { ...reports(four), 'schedules.new': mail({ name: 'New', ...only('C1', 'C2'), ...to('cfo@cust1.example') }) },
      [
        'grave 1 receiver outside gets rows that other receivers got',
        'cfo@cust1.example (had `C1` and gets `C2`, in `schedules.new`)',
      ],
    ],
    [
      'two addresses of free mail that are exchanged',
      reports([
        ['C0', 'ann@gmail.com'],
        ['C1', 'bo@gmail.com'],
        ['C2', 'cy@gmail.com'],
      ]),
      reports([
        ['C0', 'bo@gmail.com'],
        ['C1', 'ann@gmail.com'],
        ['C2', 'cy@gmail.com'],
      ]),
      [
        'grave 2 receivers outside get rows that other receivers got',
        'ann@gmail.com (had `C0` and gets `C1`, in `schedules.r1`)',
        'bo@gmail.com (had `C1` and gets `C0`, in `schedules.r0`)',
      ],
    ],
    [
      'a second contact of a customer',
      reports(four),
      reports([['C0', 'cfo@cust0.example', 'bo@cust0.example'], ...four.slice(1)]),
      [],
    ],
    ['another contact of a customer', reports(four), reports([['C0', 'new@cust0.example'], ...four.slice(1)]), []],
    ['somebody inside', reports(four), reports([['C0', 'cfo@cust0.example', 'ana@acme.com'], ...four.slice(1)]), []],
    ['a new customer with a new value', reports(four), reports([...four, ['C4', 'cfo@cust4.example']]), []],
    [
      'values of which only two belong to somebody',
      reports(customers(2)),
      reports([
        ['C0', 'cfo@cust1.example'],
        ['C1', 'cfo@cust0.example'],
      ]),
      [],
    ],
    [
      'a value that several customers had',
      reports([...four, ['EUR', 'cfo@cust0.example'], ['EUR', 'cfo@cust1.example']]),
      reports([...four, ['EUR', 'cfo@cust0.example'], ['EUR', 'cfo@cust1.example', 'cfo@cust2.example']]),
      [],
    ],
    [
      'a receiver who had all rows',
      { ...reports(four), 'schedules.all': mail({ name: 'All', ...to('boss@kpmg.example') }) },
      {
        ...reports([['C0', 'cfo@cust0.example', 'boss@kpmg.example'], ...four.slice(1)]),
        'schedules.all': mail({ name: 'All', ...to('boss@kpmg.example') }),
      },
      [],
    ],
    [
      'a domain that takes over all that another one had',
      reports([...four, ['D1', 'cfo@cust0.example']]),
      reports([['C0', 'a@new.example'], ...four.slice(1), ['D1', 'b@new.example']]),
      [
        'caution 1 new receiver outside takes over all rows of another receiver',
        'new.example (gets what `cust0.example` had: 2 values, in `schedules.r0` and 1 other)',
      ],
    ],
    [
      'a new domain that gets some of what another one had',
      reports([...four, ['D1', 'cfo@cust0.example']]),
      reports([['C0', 'a@new.example'], ...four.slice(1), ['D1', 'cfo@cust0.example']]),
      [
        'grave 1 receiver outside gets rows that other receivers got',
        'a@new.example (gets `C0`, which only `cust0.example` had, in `schedules.r0`)',
      ],
    ],
    [
      'a report that is deleted',
      reports(four),
      reports(four.slice(0, 3)),
      [
        'caution 1 value loses its last receiver outside',
        'C3 (`cust3.example` had this value, and no receiver outside gets it by a filter now)',
      ],
    ],
    [
      'the last receiver outside who is taken off',
      reports([['C0', 'cfo@cust0.example', 'ana@acme.com'], ...four.slice(1)]),
      reports([['C0', 'ana@acme.com'], ...four.slice(1)]),
      [
        'caution 1 value loses its last receiver outside',
        'C0 (`cust0.example` had this value, and no receiver outside gets it by a filter now)',
      ],
    ],
    ['reports that lose their filter', reports(four), reports(four, { filterConfig: {} }), []],
    [
      'reports that go to another dashboard and are exchanged',
      { ...reports(four), 'schedules.x': mail({ name: 'X', identifier: 'ffff0000', ...to('cfo@cust0.example') }) },
      { ...reports(four), 'schedules.x': mail({ name: 'X', ...only('C1'), ...to('cfo@cust0.example') }) },
      [
        'grave 1 receiver outside gets rows that other receivers got',
        'cfo@cust0.example (had `C0` and gets `C1`, in `schedules.x`)',
      ],
    ],
  ])('%s: a plan says whose rows go to whom, and nothing else', (_, before, after, expected) => {
    expect(mixedIn(after, before)).toEqual(expected);
    expect(mixedIn(after, after)).toEqual([]);
  });

  test('a column of addresses that slips by one row names each receiver', () => {
    const [title, ...items] = mixedIn(reports(customers(40, 1)), reports(customers(40)));
    expect(title).toBe('grave 40 receivers outside get rows that other receivers got');
    expect(items).toHaveLength(40);
    expect(items).toContain('cfo@cust1.example (had `C1` and gets `C0`, in `schedules.r0`)');
  });

  test.each<[string, (index: number) => JsonObject, (index: number) => string]>([
    ['webhooks', (at) => hook({ url: `https://hooks.cust${at}.example/omni` }), (at) => `hooks.cust${at}.example`],
    ['webhooks of one host', (at) => hook({ url: `https://hooks.zap.example/c${at}` }), () => 'hooks.zap.example'],
    ['servers', (at) => server(`sftp.cust${at}.example`), (at) => `sftp.cust${at}.example`],
    ['buckets', (at) => bucket({ bucketName: `bucket-cust${at}` }), (at) => `bucket-cust${at}`],
    [
      'addresses under extra',
      (at) => mail({ ...to('a@acme.com'), extra: { cc: `x@cust${at}.example` } }),
      (at) => `x@cust${at}.example`,
    ],
  ])('values that are exchanged between %s are named as those of addresses', (_, of, shown) => {
    const all = (order: readonly number[]) =>
      Object.fromEntries(
        order.map((at, index) => [`schedules.r${index}`, { ...of(at), name: `R${index}`, ...only(`C${index}`) }]),
      );
    const [title, ...items] = mixedIn(all([1, 0, 2, 3]), all([0, 1, 2, 3]));
    expect(title).toMatch(/^grave [12] receivers? outside gets? rows that other receivers got$/);
    expect(items[0]?.startsWith(`${shown(0)} (`)).toBe(true);
  });

  test('Slack is never outside, so nothing is mixed up there', () => {
    const all = (order: readonly number[]) =>
      Object.fromEntries(
        order.map((at, index) => [`schedules.r${index}`, slack({ recipients: [`C0${at}`], ...only(`C${index}`) })]),
      );
    expect(mixedIn(all([1, 0, 2, 3]), all([0, 1, 2, 3]))).toEqual([]);
  });

  test('user groups with somebody outside are named as those of addresses', () => {
    const groups = [0, 1, 2].map((at) => ({
      text: `Customer ${at}`,
      id: `2abba91d-9bec-41a0-8a8d-00000000000${at}`,
      name: `Customer ${at}`,
      people: 2,
      outside: true as const,
    }));
    const all = (order: readonly number[]) =>
      Object.fromEntries(
        order.map((at, index) => [
          `schedules.r${index}`,
          mail({ name: `R${index}`, recipients: [], userGroups: [`Customer ${at}`], ...only(`C${index}`) }),
        ]),
      );
    const before = stateOf(all([0, 1, 2]));
    const resources = Object.entries(before.resources).map(
      ([address, resource], index) => [address, { ...resource, groups: groups.slice(index, index + 1) }] as const,
    );
    expect(mixedIn(all([1, 0, 2]), { ...before, resources: Object.fromEntries(resources) })).toEqual([
      'grave 2 receivers outside get rows that other receivers got',
      'Customer 0 (had `C0` and gets `C1`, in `schedules.r1`)',
      'Customer 1 (had `C1` and gets `C0`, in `schedules.r0`)',
    ]);
  });

  test('after a look, what Omni has says whose a value is, and not what was applied', () => {
    // Somebody has exchanged them in Omni, and somebody takes one off.
    const observed = seen({
      'schedules.r0': to('cfo@cust1.example'),
      'schedules.r1': to('cfo@cust0.example'),
    });
    expect(mixedIn(reports(four), reports(four), { observed })).toEqual([
      'grave 2 receivers outside get rows that other receivers got',
      'cfo@cust0.example (had `C1` and gets `C0`, in `schedules.r0`)',
      'cfo@cust1.example (had `C0` and gets `C1`, in `schedules.r1`)',
    ]);
    expect(mixedIn(reports(swapped), reports(four), { observed })).toEqual([]);
  });

  test('what is adopted counts as new, and what a plan leaves out stays as it is', () => {
    const adopted = {
      ...reports(four),
      'schedules.new': mail({ name: 'N', ...only('C1'), ...to('cfo@cust0.example') }),
    };
    expect(mixedIn(adopted, reports(four), { entries: { adopt: [['schedules.new', 'an-id']] } })).toEqual([
      'grave 1 receiver outside gets rows that other receivers got',
      'cfo@cust0.example (had `C0` and gets `C1`, in `schedules.new`)',
    ]);
    expect(mixedIn(reports(swapped), reports(four), { targets: ['schedules.r0'] })).toEqual([
      swap[0]?.replace('2 receivers outside get', '1 receiver outside gets'),
      swap[2],
    ]);
  });

  test('without internal domains every receiver counts, and nothing is called outside', () => {
    expect(mixedIn(reports(swapped), reports(four), { domains: [] })[0]).toBe(
      'grave 2 receivers get rows that other receivers got',
    );
  });
});

describe('with a table of permissions', () => {
  const rulesOf = (lines: readonly string[], filters: readonly string[] = ['customer']): RowRules => ({
    ...divisionOf({ filters, allow: 'tenants.csv', shared: ['aaaa0000'] } as never, [], ['acme.com']),
    permissions: tableOf(lines),
  });
  const tableOf = (lines: readonly string[], header = 'shows,receiver') =>
    readPermissions({ path: 'tenants.csv', text: [header, ...lines, ''].join('\n') }, '2026-11-21').value;
  const lines = four.map((line) => line.join(','));
  const crossed = ['C1,cfo@cust0.example', 'C0,cfo@cust1.example'];
  const rows = rulesOf([...lines, ...crossed]);

  test('rows that other receivers got are grave, and are not said again as new rows', () => {
    expect(mixedIn(reports(swapped), reports(four), { rows })).toEqual(swap);
    expect(mixedIn(reports(swapped), reports(four), { rows, baseRows: tableOf(lines) })).toEqual(swap);
  });

  test('a line that the base branch has lets its receiver get the value', () => {
    const base = tableOf([...lines, ...crossed]);
    expect(mixedIn(reports(swapped), reports(four), { rows, baseRows: base })).toEqual([
      'caution 2 receivers get rows that no report showed them before',
      'cfo@cust1.example (gets `C0`, in `schedules.r0`)',
      'cfo@cust0.example (gets `C1`, in `schedules.r1`)',
    ]);
    const one = tableOf([...lines, '*,cfo@cust0.example']);
    expect(mixedIn(reports(swapped), reports(four), { rows, baseRows: one })[0]).toBe(
      'grave 1 receiver outside gets rows that other receivers got',
    );
  });

  test.each([
    ['of the values', crossed],
    ['for every row', ['*,cfo@cust0.example', '*,cust1.example']],
  ])('lines %s that have ended on the base branch let nobody get the value', (_, more) => {
    const ended = more.map((line) => `${line},2026-11-20`);
    const base = tableOf([...lines.map((line) => `${line},9999-12-31`), ...ended], 'shows,receiver,until');
    expect(mixedIn(reports(swapped), reports(four), { rows, baseRows: base })).toEqual(swap);
  });

  test('a line of the base branch that counts is enough beside one that has ended', () => {
    const all = [...lines, ...crossed].map((line) => `${line},9999-12-31`);
    const ended = ['*,cust0.example,2026-11-20', ...crossed.map((line) => `${line},2026-11-20`)];
    const base = tableOf([...all, ...ended], 'shows,receiver,until');
    expect(mixedIn(reports(swapped), reports(four), { rows, baseRows: base })[0]).toBe(
      'caution 2 receivers get rows that no report showed them before',
    );
  });

  test('what nothing showed before is grave where the line of the base branch has ended', () => {
    const fresh = { ...reports(four), 'schedules.new': mail({ name: 'N', ...only('C9'), ...to('cfo@cust0.example') }) };
    const now = rulesOf([...lines, 'C9,cfo@cust0.example']);
    const base = (until: string) => tableOf([`C9,cfo@cust0.example,${until}`], 'shows,receiver,until');
    const first = (until: string) => mixedIn(fresh, reports(four), { rows: now, baseRows: base(until) })[0];
    expect(first('2026-11-21')).toBe('caution 1 receiver gets rows that no report showed them before');
    expect(first('2026-11-20')).toBe('grave 1 receiver gets rows by a line that the base branch does not have');
  });

  test('only the filters of safety.rows are compared, and no dashboard that is shared', () => {
    expect(mixedIn(reports(swapped), reports(four), { rows: rulesOf(lines, ['region']) }).join()).not.toContain(
      'others',
    );
    const shared = { identifier: 'aaaa0000' };
    expect(mixedIn(reports(swapped, shared), reports(four, shared), { rows })).toEqual([]);
  });
});

atFullSize('what a plan of 10,000 reports takes grows with their number, and not with its square', () => {
  const timeOf = (count: number) => {
    const [before, after] = [stateOf(reports(customers(count))), reports(customers(count, 1))];
    const start = processorTime();
    expect(mixedIn(after, before)).toHaveLength(count + 1);
    return processorTime() - start;
  };
  timeOf(500);
  expect(timeOf(10_000) / timeOf(2500)).toBeLessThan(4 * 2);
});
