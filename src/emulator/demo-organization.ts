// The organization at the start: people, dashboards, model, tokens, and rows of tiles. Each row is an order with its
// customer and the warehouse that has it in stock.

import type { Control, Dashboard, EmulatedDocument, EmulatedObject, EmulatorData } from './store.ts';

/**
 * The ids are fixed: the demo workspace and the tests name them.
 *
 * members     987fcdeb-51a2-43d7-9b56-254415f67890 Ana, 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed Bo, 6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b Cleo
 * groups      a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31 Board (Ana and Cleo), b27d5e80-1c49-4f6a-9d3b-84a0c1e2f567 Sales team (Ana and Bo)
 * tokens      omni_osk_demo_organization_key, omni_osk_demo_second_key; omni_pat_demo_personal_token (Ana's)
 * dashboards  12db1a0a sales, 3f9c2b71 orders, 7ae01c55 customers, b4d86e20 finance, c90f7713 inventory,
 *             e5521fd8 summary (no filters), d3ad91f6 marketing (has an open draft)
 * others      a17b3e94 a workbook without a dashboard, 0ddba115 deleted
 * model       770e8400-e29b-41d4-a716-446655440002, branch 880e8400-e29b-41d4-a716-446655440003
 * conversation 660e8400-e29b-41d4-a716-446655440001, with one job that is complete
 */
const ana = '987fcdeb-51a2-43d7-9b56-254415f67890';
const bo = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';
const cleo = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';

const board = 'a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31';
const salesTeam = 'b27d5e80-1c49-4f6a-9d3b-84a0c1e2f567';

const salesFolder = '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d';
const operationsFolder = '9c858901-8a57-4791-81fe-4c455b099bc9';
const financeFolder = '16fd2706-8baf-433b-82eb-8c7fada847da';

const modelId = '770e8400-e29b-41d4-a716-446655440002';

/** A fresh copy each time. */
export function demoOrganization(): EmulatorData {
  return {
    organization: {
      id: '550e8400-e29b-41d4-a716-446655440000',
      url: 'https://demo.omniapp.co',
      delivererRoleArn: 'arn:aws:iam::529831494235:role/OmniSchedulerDelivererRole',
      slackConnected: true,
    },
    tokens: [
      { kind: 'organization', token: 'omni_osk_demo_organization_key' },
      { kind: 'organization', token: 'omni_osk_demo_second_key' },
      { kind: 'personal', token: 'omni_pat_demo_personal_token', memberId: ana },
    ],
    members: [
      { id: ana, name: 'Ana Ortiz', email: 'ana@example.com' },
      { id: bo, name: 'Bo Lindqvist', email: 'bo@example.com' },
      { id: cleo, name: 'Cleo Marsh', email: 'cleo@example.com' },
    ],
    userGroups: [
      { id: board, name: 'Board', memberIds: [ana, cleo] },
      { id: salesTeam, name: 'Sales team', memberIds: [ana, bo] },
    ],
    folders: [
      { id: salesFolder, name: 'Sales', path: 'sales', scope: 'organization' },
      { id: operationsFolder, name: 'Operations', path: 'operations', scope: 'organization' },
      { id: financeFolder, name: 'Finance', path: 'finance', scope: 'restricted' },
    ],
    documents: makeDocuments(),
    rows: demoRows(),
    models: [
      {
        id: modelId,
        name: 'Commerce',
        branches: [{ id: '880e8400-e29b-41d4-a716-446655440003', name: 'returns-rework' }],
        topics: ['order_items', 'customers', 'inventory'],
      },
    ],
    schedules: [],
    deliveries: [],
    jobs: [
      {
        id: '440e8400-e29b-41d4-a716-446655440004',
        conversationId: '660e8400-e29b-41d4-a716-446655440001',
        status: 'COMPLETE',
        ownerId: ana,
        createdAt: '2026-01-12T09:30:00.000Z',
        hasSigningSecret: false,
        fields: { modelId, prompt: 'Which regions grew last quarter?' },
        executionStartedAt: '2026-01-12T09:30:02.000Z',
        completedAt: '2026-01-12T09:30:20.000Z',
        resultSummary: 'Europe and the Americas grew.',
      },
    ],
  };
}

function makeDocuments(): EmulatedDocument[] {
  return [
    makeDocument('12db1a0a', 'Sales overview', 412, {
      folderId: salesFolder,
      labels: ['verified', 'sales'],
      favoriteOf: [ana, bo],
      sharedWithGroups: [board],
      filters: {
        order_status: stringFilter('Order status', 'order_items.status', ['complete']),
        order_date: dateFilter('Order date', 'order_items.created_at'),
        region: stringFilter('Region', 'customers.region', []),
      },
      controls: [makeControl('metric', 'Metric', 'order_items.total_sale_price', ['total_sale_price', 'order_count'])],
      tiles: [
        makeTile('Jmn2r3KV', ['customers.region', sales]),
        makeTile('1', [...order, 'customers.name', 'customers.region', 'order_items.sale_price']),
        makeTile('2', [sales]),
      ],
    }),
    makeDocument('3f9c2b71', 'Orders in progress', 230, {
      folderId: operationsFolder,
      labels: ['operations'],
      ownerId: bo,
      favoriteOf: [bo],
      filters: {
        order_status: stringFilter('Order status', 'order_items.status', ['processing', 'shipped']),
        warehouse: stringFilter('Warehouse', 'inventory.warehouse', []),
        order_date: dateFilter('Order date', 'order_items.created_at'),
      },
      // The last tile shows all warehouses, whatever is chosen, and the second one the days of shipping.
      maps: { warehouse: { 2: false }, order_date: { 1: 'order_items.shipped_at' } },
      tiles: [
        makeTile('Qw8Zt4Lp', ['order_items.status', 'order_items.count']),
        makeTile('1', ['order_items.id', 'order_items.shipped_at', 'order_items.status', 'inventory.warehouse']),
        makeTile('2', ['inventory.warehouse', 'order_items.count']),
      ],
    }),
    makeDocument('7ae01c55', 'Customer health', 187, {
      folderId: salesFolder,
      labels: ['verified'],
      favoriteOf: [cleo],
      sharedWithGroups: [salesTeam],
      filters: {
        segment: stringFilter('Segment', 'customers.segment', ['enterprise']),
        region: stringFilter('Region', 'customers.region', []),
        signup_date: dateFilter('Signed up', 'customers.created_at'),
        customer: stringFilter('Customer', 'customers.name', []),
      },
      controls: [makeControl('grain', 'Grain', 'customers.created_at', ['week', 'month'])],
      tiles: [
        makeTile('h7Bx2mNe', ['customers.name', 'customers.region', 'customers.segment', 'customers.created_at']),
        makeTile('1', ['customers.name', sales]),
      ],
    }),
    makeDocument('b4d86e20', 'Finance month end', 64, {
      folderId: financeFolder,
      labels: ['finance', 'verified'],
      ownerId: cleo,
      scope: 'restricted',
      sharedWith: [ana],
      filters: {
        fiscal_month: dateFilter('Fiscal month', 'order_items.created_at'),
        currency: stringFilter('Currency', 'order_items.currency', ['USD']),
        region: stringFilter('Region', 'customers.region', []),
      },
      tiles: [
        makeTile('Ty5Kd9Rs', ['order_items.currency', sales]),
        makeTile('1', ['customers.region', sales]),
        makeTile('2', [...order, 'order_items.currency', 'order_items.sale_price']),
        makeTile('3', ['customers.region', sales], {
          userEditedSQL:
            'SELECT region, SUM(sale_price) FROM order_items JOIN customers USING (customer_id) GROUP BY 1',
        }),
      ],
    }),
    makeDocument('c90f7713', 'Inventory levels', 98, {
      folderId: operationsFolder,
      labels: ['operations'],
      ownerId: bo,
      filters: {
        warehouse: stringFilter('Warehouse', 'inventory.warehouse', []),
        category: stringFilter('Category', 'inventory.category', []),
      },
      tiles: [
        { ...makeTile('1', ['inventory.warehouse', 'inventory.total_units']), page: 'Stock' },
        { ...makeTile('2', ['inventory.category', 'inventory.total_units']), page: 'Categories' },
      ],
    }),
    makeDocument('e5521fd8', 'Executive summary', 301, {
      labels: ['verified'],
      favoriteOf: [ana, bo, cleo],
      filters: {},
      tiles: [
        makeTile('Zk3Pv6Wc', [sales]),
        makeTile('1', ['customers.region', sales], { filters: { 'order_items.status': equals(['complete']) } }),
      ],
    }),
    makeDocument('d3ad91f6', 'Marketing funnel', 45, {
      folderId: salesFolder,
      ownerId: bo,
      filters: { channel: stringFilter('Channel', 'customers.channel', ['email']) },
      tiles: [makeTile('1', ['customers.channel', 'order_items.count'])],
      draft: { memberId: bo, createdAt: '2026-02-02T16:20:00.000Z' },
    }),
    makeDocument('a17b3e94', 'Pricing scratchpad', 7, { ownerId: cleo, scope: 'restricted' }),
    makeDocument('0ddba115', 'Sales overview (old)', 12, {
      folderId: salesFolder,
      deleted: true,
      filters: { region: stringFilter('Region', 'customers.region', []) },
    }),
  ];
}

const order = ['order_items.id', 'order_items.created_at'];
const sales = 'order_items.total_sale_price';

type Tile = Dashboard['tiles'][number];

/** A tile of one topic, named by its first field. Omni has more keys in a query. */
function makeTile(key: string, fields: string[], others: Partial<Tile['query']> = {}): Tile {
  const table = fields[0]?.split('.')[0] ?? '';
  const topic = { table, join_paths_from_topic_name: table, modelId, fields };
  const empty = { filters: {}, sorts: [], pivots: [], calculations: [], limit: 1000, userEditedSQL: '' };
  const query = { ...topic, ...empty, ...others };
  return { key, query };
}

type Details = Partial<EmulatedDocument & Omit<Dashboard, 'filterOrder'>>;

/** Has a dashboard if `filters` is given, even if that is empty. */
function makeDocument(identifier: string, name: string, views: number, details: Details): EmulatedDocument {
  const { filters, controls = [], maps, draft = null, ...rest } = details;
  const { tiles = [makeTile('1', ['customers.region', sales])], ...others } = rest;
  const filterOrder = [...Object.keys(filters ?? {}), ...controls.map(({ id }) => id)];
  return {
    identifier,
    name,
    description: null,
    connectionId: 'e4eaaaf2-d142-11e1-b3e4-080027620cdd',
    folderId: null,
    ownerId: ana,
    scope: 'organization',
    labels: [],
    deleted: false,
    updatedAt: '2026-02-01T08:00:00.000Z',
    views,
    favoriteOf: [],
    sharedWith: [],
    dashboard: filters === undefined ? null : { filters, controls, filterOrder, maps, tiles, draft },
    ...others,
  };
}

function equals(values: string[]): EmulatedObject {
  return { type: 'string', kind: 'EQUALS', values };
}

function stringFilter(label: string, fieldName: string, values: string[]): EmulatedObject {
  return { ...equals(values), fieldName, label, description: '', required: false, hidden: false };
}

function dateFilter(label: string, fieldName: string): EmulatedObject {
  const range = { type: 'date', kind: 'WITHIN_RANGE', left_side: '30 days ago', right_side: '30 days' };
  return { ...range, fieldName, label, hidden: false };
}

function makeControl(id: string, label: string, field: string, values: string[]): Control {
  const options = values.map((value) => ({ label: value.replaceAll('_', ' '), value }));
  return { id, type: 'FIELD_SELECTION', kind: 'FIELD', label, description: '', hidden: false, field, options };
}

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
  rowOf(1001, 2, 'complete', 1200, 'USD', acme, ['Hamburg', 'Tents', 40]),
  rowOf(1002, 9, 'complete', 800, 'EUR', acme, ['Hamburg', 'Stoves', 12]),
  rowOf(1003, 45, 'complete', 950, 'USD', acme, ['Hamburg', 'Tents', 7]),
  rowOf(1004, 3, 'complete', 640, 'USD', beta, ['Memphis', 'Boots', 25]),
  rowOf(1005, 5, 'processing', 310, 'USD', beta, ['Memphis', 'Boots', 3]),
  rowOf(1006, 4, 'complete', 420, 'USD', casa, ['Memphis', 'Stoves', 18]),
  rowOf(1007, 6, 'shipped', 275, 'EUR', casa, ['Hamburg', 'Tents', 9]),
  rowOf(1008, 7, 'complete', 1510, 'USD', delta, ['Osaka', 'Boots', 31]),
  rowOf(1009, 8, 'shipped', 90, 'USD', delta, ['Osaka', 'Stoves', 2]),
  rowOf(1010, 12, 'returned', 130, 'USD', ember, ['Osaka', 'Tents', 5]),
  rowOf(1011, 1, 'complete', 700, 'USD', fjord, ['Hamburg', 'Boots', 14]),
];

function rowOf(id: number, days: number, status: string, price: number, currency: string, customer: Line, stock: Line) {
  const shipped = status === 'processing' ? null : ago(days - 1);
  return [id, ago(days), shipped, status, price, currency, ...customer, ...stock];
}

/** A fresh copy each time. */
function demoRows(): EmulatorData['rows'] {
  return lines.map((line) => Object.fromEntries(columns.map((column, index) => [column, line[index] ?? null])));
}
