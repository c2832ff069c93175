// Whatever a file of a tile looks like: a row of another is found, a row that stands in the file for nobody too is not limited,
// and a right file is never an alarm.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judged } from '../support/prove/judging.ts';
import { runs } from '../support/runs/runs.ts';

const field = 'customers.name';
const measures = ['order_items.total_sale_price', 'order_items.count'];
const places = ['orders.ship_to_country', 'orders.status'];
const months = ['2026-01', '2026-02', '2026-03'];

/** Texts that are customers: no number, day, total or word for nothing. */
const customer = fc
  .tuple(
    fc.constantFrom('North', 'South', 'Öst', '西', 'Al "B"', 'X, Y', 'M;N', 'T\tT', 'Line\nEnd'),
    fc.constantFrom('Pine', 'Oak', 'Elm & Co', 'Åsh', 'Works'),
    fc.integer({ min: 1, max: 99 }),
  )
  .map(([first, last, number]) => `${first} ${last} ${number}`);
const customers = fc.uniqueArray(customer, {
  minLength: 3,
  maxLength: 8,
  selector: (text) => text.normalize('NFKC').toLowerCase().replaceAll(/\s/g, ''),
});
const totals = fc.constantFrom(
  'Total',
  'Gesamt',
  'Sous-total',
  'Totale',
  'Suma',
  'Totaal',
  'Razem',
  'Totalt',
  '合計',
  'Soma',
);
const nothing = fc.constantFrom('0', '0.00', '0,00', '', '0E0', '$0', '0 %', '0 kg');

interface World {
  readonly customers: readonly string[];
  readonly separator: string;
  readonly lineEnd: string;
  readonly mark: string;
  readonly title: boolean;
  readonly hasQuery: boolean;
  readonly pivot: 'none' | 'month' | 'customer';
  /** How the head of the dividing column is written. */
  readonly head: string;
  readonly order: readonly number[];
  readonly total: string | undefined;
  readonly nothing: string;
  readonly rows: number;
}

const worlds: fc.Arbitrary<World> = fc.record({
  customers,
  separator: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  mark: fc.constantFrom('', '\ufeff'),
  title: fc.boolean(),
  hasQuery: fc.boolean(),
  pivot: fc.constantFrom('none', 'none', 'month', 'customer'),
  head: fc.constantFrom('Name', 'NAME', 'Customers Name', 'customers.name', 'Client'),
  order: fc.constantFrom([0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0]),
  total: fc.option(totals, { nil: undefined }),
  nothing,
  rows: fc.integer({ min: 1, max: 4 }),
});

function fileOf(world: World, shown: readonly string[], figure: string, isForNobody: boolean): string {
  const { separator, lineEnd, mark, title, pivot, head, order, total, nothing: none, rows } = world;
  const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells: readonly string[]) => cells.map(quoted).join(separator);
  const ordered = (cells: readonly string[]) => order.map((at) => cells[at] ?? '');
  const lines: string[] =
    title && pivot === 'none' && head !== 'Client' && world.hasQuery ? ['Sales of this spring'] : [];
  if (pivot === 'customer') {
    lines.push(line(['Status', ...shown]));
    if (shown.length > 0) lines.push(line(['open', ...shown.map(() => figure)]));
  } else if (pivot === 'month') {
    lines.push(line([head, ...(isForNobody && shown.length === 0 ? [] : months)]));
    lines.push(...shown.map((each) => line([each, ...months.map(() => figure)])));
  } else {
    lines.push(line(ordered([head, 'Ship To Country', 'Total Sale Price'])));
    for (const each of shown)
      for (let row = 0; row < rows; row += 1) lines.push(line(ordered([each, `Place ${row}x`, figure])));
    if (total !== undefined) lines.push(line(ordered([total, '', shown.length > 0 ? figure : none])));
  }
  return mark + lines.map((each) => each + lineEnd).join('');
}

const sceneOf = ({ customers: shows, hasQuery, pivot }: World) => {
  const pivots = { none: [], month: ['orders.month'], customer: [field] }[pivot];
  const fields =
    pivot === 'none' ? [field, ...places, ...measures] : [field, 'orders.month', 'orders.status', measures[0] ?? ''];
  return { query: hasQuery ? { fields, pivots } : undefined, values: shows };
};

const often = { numRuns: runs(6000) };

test('a right file is limited, and names nobody', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const [theirs = ''] = world.customers;
      const found = judged(fileOf(world, [theirs], '12.5', false), fileOf(world, [], '', true), sceneOf(world));
      expect(found).toMatchObject({ verdict: 'limited', valuesOfOthers: new Set(), named: new Map() });
    }),
    often,
  );
});

test('a row of a customer of the table whom the receivers may not see shows others', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const [theirs = '', other = ''] = world.customers;
      const found = judged(fileOf(world, [theirs, other], '12.5', false), fileOf(world, [], '', true), sceneOf(world));
      expect(found.verdict).toBe('shows-others');
      expect([...found.valuesOfOthers]).toContain(other);
    }),
    often,
  );
});

test('a row that stands in both files is not limited, whosever it is', () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: 0, max: 2 }), (world, whose) => {
      const [theirs = ''] = world.customers;
      const both = world.customers[whose] ?? '';
      const mine = fileOf(world, [...new Set([theirs, both])], '7', false);
      const found = judged(mine, fileOf(world, [both], '7', true), sceneOf(world));
      expect(found.verdict).toBe('not-limited');
    }),
    often,
  );
});
