// The organization that the emulator starts with: its people, dashboards, model and tokens.

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
        order_status: stringFilter('Order status', ['complete']),
        order_date: dateFilter('Order date'),
        region: stringFilter('Region', []),
      },
      controls: [makeControl('metric', 'Metric', 'order_items.total_sale_price', ['total_sale_price', 'order_count'])],
      queryKeys: ['Jmn2r3KV', '1', '2'],
    }),
    makeDocument('3f9c2b71', 'Orders in progress', 230, {
      folderId: operationsFolder,
      labels: ['operations'],
      ownerId: bo,
      favoriteOf: [bo],
      filters: {
        order_status: stringFilter('Order status', ['processing', 'shipped']),
        warehouse: stringFilter('Warehouse', []),
        order_date: dateFilter('Order date'),
      },
      queryKeys: ['Qw8Zt4Lp', '1', '2'],
    }),
    makeDocument('7ae01c55', 'Customer health', 187, {
      folderId: salesFolder,
      labels: ['verified'],
      favoriteOf: [cleo],
      sharedWithGroups: [salesTeam],
      filters: {
        segment: stringFilter('Segment', ['enterprise']),
        region: stringFilter('Region', []),
        signup_date: dateFilter('Signed up'),
        customer: stringFilter('Customer', []),
      },
      controls: [makeControl('grain', 'Grain', 'customers.created_at', ['week', 'month'])],
      queryKeys: ['h7Bx2mNe', '1'],
    }),
    makeDocument('b4d86e20', 'Finance month end', 64, {
      folderId: financeFolder,
      labels: ['finance', 'verified'],
      ownerId: cleo,
      scope: 'restricted',
      sharedWith: [ana],
      filters: {
        fiscal_month: dateFilter('Fiscal month'),
        currency: stringFilter('Currency', ['USD']),
        region: stringFilter('Region', []),
      },
      queryKeys: ['Ty5Kd9Rs', '1', '2', '3'],
    }),
    makeDocument('c90f7713', 'Inventory levels', 98, {
      folderId: operationsFolder,
      labels: ['operations'],
      ownerId: bo,
      filters: { warehouse: stringFilter('Warehouse', []), category: stringFilter('Category', []) },
      queryKeys: ['1', '2'],
    }),
    makeDocument('e5521fd8', 'Executive summary', 301, {
      labels: ['verified'],
      favoriteOf: [ana, bo, cleo],
      filters: {},
      queryKeys: ['Zk3Pv6Wc', '1'],
    }),
    makeDocument('d3ad91f6', 'Marketing funnel', 45, {
      folderId: salesFolder,
      ownerId: bo,
      filters: { channel: stringFilter('Channel', ['email']) },
      draft: { memberId: bo, createdAt: '2026-02-02T16:20:00.000Z' },
    }),
    makeDocument('a17b3e94', 'Pricing scratchpad', 7, { ownerId: cleo, scope: 'restricted' }),
    makeDocument('0ddba115', 'Sales overview (old)', 12, {
      folderId: salesFolder,
      deleted: true,
      filters: { region: stringFilter('Region', []) },
    }),
  ];
}

type Details = Partial<EmulatedDocument & Omit<Dashboard, 'filterOrder'>>;

/** With a dashboard if it has filters, even if these are none. */
function makeDocument(identifier: string, name: string, views: number, details: Details): EmulatedDocument {
  const { filters, controls = [], queryKeys = ['1'], draft = null, ...others } = details;
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
    dashboard: filters === undefined ? null : { filters, controls, filterOrder, queryKeys, draft },
    ...others,
  };
}

function stringFilter(label: string, values: string[]): EmulatedObject {
  return { type: 'string', kind: 'EQUALS', values, label, description: '', required: false, hidden: false };
}

function dateFilter(label: string): EmulatedObject {
  return { type: 'date', kind: 'WITHIN_RANGE', left_side: '30 days ago', right_side: '30 days', label, hidden: false };
}

function makeControl(id: string, label: string, field: string, values: string[]): Control {
  const options = values.map((value) => ({ label: value.replaceAll('_', ' '), value }));
  return { id, type: 'FIELD_SELECTION', kind: 'FIELD', label, description: '', hidden: false, field, options };
}
