// A workspace with reports for customers, and `almanac prove` run on it. The workspace is applied to the double. The
// program and the double share a clock on which every wait passes at once.

import { expect } from 'vitest';
import type { Outside } from '../../../src/commands/base/world.ts';
import type { ProveDocument, Verdict } from '../../../src/commands/prove/prove-document.ts';
import { expectDocument } from '../schemas.ts';
import { makeFolder, type Ran, start, type Workspace, workspaceIn } from '../workspace.ts';
import { type Condition, type Dashboard, type Fact, passes, type Tile } from './dashboards.ts';
import {
  type Answer,
  type Asked,
  ana,
  type Double,
  type DoubleOptions,
  organizationKey,
  startDouble,
} from './double.ts';

/** Whose rows are whose: a value, and the domain of those who may see it. */
export const customers = {
  'North Pine': 'northpine.example',
  'South Oak': 'southoak.example',
  'East Elm': 'eastelm.example',
  'West Ash': 'westash.example',
  'Mid Fir': 'midfir.example',
} as const;
/** In the data, and not in the table. */
export const unknown = 'Hidden Yew';
/** Cells that nothing may print. */
export const cells = ['Gasket 77121', '87654.25'];

/** An order of each customer; the parent of East Elm and of the unknown one is North Pine. */
export const orders: readonly Fact[] = [...Object.keys(customers), unknown].map((customer, index) => ({
  'orders.id': 9100 + index,
  'orders.customer': customer,
  'orders.parent': ['East Elm', unknown].includes(customer) ? 'North Pine' : customer,
  'orders.account': 1000 + index,
  'orders.region': index % 2 === 0 ? 'Europe' : 'Asia',
  'orders.product': cells[0] as string,
  'orders.amount': Number(cells[1]),
}));

const labelOf = (field: string) => field.replace(/^\w+\./, '').replace(/^./, (letter) => letter.toUpperCase());

/** A row for each order that passes, with these fields. */
export function list(key: string, fields: readonly string[], more: Partial<Tile> = {}, facts = orders): Tile {
  const rows = (inEffect: readonly Condition[]) =>
    facts.filter((fact) => passes(fact, inEffect)).map((fact) => fields.map((field) => fact[field] ?? null));
  return { key, name: `Orders ${key}`, columns: fields.map(labelOf), fields, rows, ...more };
}

/** One number, also where nothing passes: `none`, then. */
export function total(key: string, none: number | null, more: Partial<Tile> = {}): Tile {
  const rows = (inEffect: readonly Condition[]) => {
    const passing = orders.filter((fact) => passes(fact, inEffect));
    return [[passing.length === 0 ? none : passing.length * Number(cells[1])]];
  };
  return { key, name: `Total ${key}`, columns: ['Total'], fields: ['orders.total_amount'], rows, ...more };
}

/** Hand-written: no filter reaches it. */
export function bySql(tile: Tile): Tile {
  return { ...tile, sql: 'SELECT * FROM orders', rows: () => tile.rows([]) };
}

export const sales = '7ae01c55';
export const customerAndAmount = ['orders.customer', 'orders.product', 'orders.amount'];

/** A dashboard whose filter `customer` divides the rows. */
export function dashboardOf(tiles: readonly Tile[], more: Partial<Dashboard> = {}): Dashboard {
  return { identifier: sales, name: 'Sales', filters: { customer: { field: 'orders.customer' } }, tiles, ...more };
}

/** A list that the filter limits. */
export const good = list('good', customerAndAmount);

type Fields = Readonly<Record<string, unknown>>;

/** A report for a customer, as CSV. */
export function report(customer: string, more: Fields = {}): Fields {
  const domain = customers[customer as keyof typeof customers] ?? 'example.com';
  return {
    identifier: sales,
    name: `Sales of ${customer}`,
    schedule: '0 8 1 * ? *',
    timezone: 'Europe/London',
    format: 'csv',
    destinationType: 'email',
    recipients: [`cfo@${domain}`],
    subject: 'Sales',
    owner: ana.email,
    filterConfig: { customer: { type: 'string', kind: 'EQUALS', values: [customer] } },
    ...more,
  };
}

export interface ProofOptions extends DoubleOptions {
  /** By key; the first two customers unless told otherwise. */
  readonly reports?: Readonly<Record<string, Fields>>;
  /** More sections of what is declared. */
  readonly declared?: Fields;
  /** The lines of the table. */
  readonly table?: readonly string[];
  /** Of safety.rows. */
  readonly rows?: Fields;
  readonly api?: Fields;
  readonly token?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly outside?: Partial<Outside>;
  /** Nothing was applied. */
  readonly isDeclaredOnly?: boolean;
}

export interface Proof extends Workspace {
  readonly double: Double;
  /** Milliseconds that the program waited since it was applied. */
  readonly waited: () => number;
  /** Everything that was asked since it was applied. */
  readonly asked: () => readonly Asked[];
  /** The downloads that were asked for since then. */
  readonly renderings: () => readonly Asked[];
  /** As JSON, which fits its schema. */
  readonly proved: (...argv: readonly string[]) => Promise<Proved>;
}

export interface Proved extends Ran {
  readonly document: ProveDocument;
  /** By tile of the only dashboard, or by DASHBOARD/TILE. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** By address: proven, or why not. */
  readonly reports: Readonly<Record<string, string | undefined>>;
}

export const table = Object.entries(customers).map(([customer, domain]) => `${customer},${domain}`);

/** An apply leaves the reports of a dashboard that it sees to be wrong. So a dashboard gets the layout of a test after it. */
const classic: Answer = { status: 422, body: { error: 'The document has the classic layout' } };

export async function openProof(options: ProofOptions): Promise<Proof> {
  const { table: lines = table, rows, api, token = organizationKey, isDeclaredOnly, declared } = options;
  const { reports = { a: report('North Pine'), b: report('South Oak') } } = options;
  let time = start;
  let waited = 0;
  const clock: Outside['clock'] = {
    now: () => time,
    monotonic: () => time,
    sleep: async (milliseconds, signal) => {
      if (signal?.aborted) return;
      time += milliseconds;
      waited += milliseconds;
    },
  };
  let isApplied = false;
  const { instead } = options;
  const double = await startDouble({
    now: () => time,
    ...options,
    instead: (asked) => (isApplied ? instead?.(asked) : asked.path.startsWith('/v2/') ? classic : undefined),
  });
  const folder = makeFolder({
    'almanac.yaml': {
      api: { baseUrl: double.baseUrl, operations: 'full', rateLimit: 0, ...api },
      safety: { internalDomains: ['example.com'], rows: { filters: ['customer'], allow: 'tenants.csv', ...rows } },
    },
    'tenants.csv': `shows,receiver\n${lines.map((line) => `${line}\n`).join('')}`,
    'schedules/all.yaml': { schedules: reports, ...declared },
  });
  const environment = { OMNI_API_TOKEN: token, ...options.environment };
  const workspace = workspaceIn(folder, environment, { clock, ...options.outside });
  if (!isDeclaredOnly) await workspace.apply(...(token === organizationKey ? [] : ['--first-apply']));
  isApplied = true;
  const before = double.asked.length;
  time += 10 * 60_000;
  waited = 0;
  const asked = () => double.asked.slice(before);
  const renderings = () => asked().filter(({ method, path }) => method === 'POST' && path.endsWith('/download'));
  const proved = async (...argv: readonly string[]): Promise<Proved> => {
    const ran = await workspace.run('prove', '--format', 'json', ...argv);
    const document = expectDocument<ProveDocument>('prove', ran.stdout);
    const isOne = document.dashboards.length === 1;
    const verdicts = document.dashboards.flatMap(({ identifier, tiles }) =>
      tiles.map(({ tile, verdict }) => [isOne ? tile : `${identifier}/${tile}`, verdict]),
    );
    const rows = [...document.dashboards.flatMap(({ reports: own }) => own), ...document.withoutDashboard];
    const found = rows.map(({ address, proven, reason }) => {
      expect(proven, `${address} has a reason, or is proven: ${ran.stdout}`).toBe(reason === undefined);
      return [address.replace('schedules.', ''), proven ? 'proven' : reason];
    });
    return { ...ran, document, verdicts: Object.fromEntries(verdicts), reports: Object.fromEntries(found) };
  };
  return { ...workspace, double, waited: () => waited, asked, renderings, proved };
}

/** The value of the filter that a download was asked for. */
export function filterOf({ body }: Asked, id = 'customer'): string | undefined {
  const config = Object(body['filterConfig']) as Record<string, { readonly values?: readonly unknown[] }>;
  return config[id]?.values?.map(String).join('|');
}

export const isNobody = (value: string | undefined) => value?.startsWith('almanac-prove-') === true;
