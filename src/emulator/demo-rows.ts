// The rows of the demo organization: a line for each order, with its customer and where it is in stock.

import type { EmulatorData } from './store.ts';

const columns = [
  ...['order_items.id', 'order_items.created_at', 'order_items.shipped_at', 'order_items.status'],
  ...['order_items.sale_price', 'order_items.currency', 'customers.name', 'customers.region', 'customers.segment'],
  ...['customers.created_at', 'customers.is_active', 'customers.channel'],
  ...['inventory.warehouse', 'inventory.category', 'inventory.units'],
] as const;

type Line = readonly (null | boolean | number | string)[];

const ago = (days: number) => `${days} days ago`;

const acme: Line = ['Acme', 'Europe', 'enterprise', ago(20), true, 'email'];
const beta: Line = ['Beta', 'Americas', 'enterprise', ago(10), true, 'social'];
const casa: Line = ['Casa', 'North Pine', 'enterprise', ago(25), true, 'email'];
const delta: Line = ['Delta', 'South Oak', 'enterprise', ago(5), true, 'search'];
const ember: Line = ['Ember', 'South Oak', 'startup', ago(15), false, 'email'];
const fjord: Line = ['Fjord', 'Europe', 'enterprise', ago(400), true, null];

/** Each region has complete orders of the last days, as the filters of the dashboards ask for them. */
const lines: readonly Line[] = [
  order(1001, 2, 'complete', 1200, 'USD', acme, ['Hamburg', 'Tents', 40]),
  order(1002, 9, 'complete', 800, 'EUR', acme, ['Hamburg', 'Stoves', 12]),
  order(1003, 45, 'complete', 950, 'USD', acme, ['Hamburg', 'Tents', 7]),
  order(1004, 3, 'complete', 640, 'USD', beta, ['Memphis', 'Boots', 25]),
  order(1005, 5, 'processing', 310, 'USD', beta, ['Memphis', 'Boots', 3]),
  order(1006, 4, 'complete', 420, 'USD', casa, ['Memphis', 'Stoves', 18]),
  order(1007, 6, 'shipped', 275, 'EUR', casa, ['Hamburg', 'Tents', 9]),
  order(1008, 7, 'complete', 1510, 'USD', delta, ['Osaka', 'Boots', 31]),
  order(1009, 8, 'shipped', 90, 'USD', delta, ['Osaka', 'Stoves', 2]),
  order(1010, 12, 'returned', 130, 'USD', ember, ['Osaka', 'Tents', 5]),
  order(1011, 1, 'complete', 700, 'USD', fjord, ['Hamburg', 'Boots', 14]),
];

function order(id: number, days: number, status: string, price: number, currency: string, customer: Line, stock: Line) {
  const shipped = status === 'processing' ? null : ago(days - 1);
  return [id, ago(days), shipped, status, price, currency, ...customer, ...stock];
}

/** A fresh copy each time. */
export function demoRows(): EmulatorData['rows'] {
  return lines.map((line) => Object.fromEntries(columns.map((column, index) => [column, line[index] ?? null])));
}
