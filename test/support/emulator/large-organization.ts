// An organization as analytics teams have them after a few years: 300 schedules on 38 dashboards in folders, with names
// that repeat, twins that differ by destination, day or hour, one SFTP server for many reports, Slack hooks, and 90
// schedules that mail the same person. The same bytes each time.

import { demoOrganization } from '../../../src/emulator/demo-organization.ts';
import type { EmulatedDocument, EmulatedObject, EmulatorData, StoredSchedule } from '../../../src/emulator/store.ts';

/** Receives 90 of the schedules. */
export const leaver = 'dieter.voss@example.com';

const folders = [
  ['Board', 'board'],
  ['Finance', 'finance'],
  ['Month end', 'finance/month-end'],
  ['Marketing & Growth', 'marketing-growth'],
  ['Operations', 'operations'],
  ['Sales', 'sales'],
] as const;

/** By folder; the last stand in none. */
const dashboards: readonly (readonly [folder: string | null, names: readonly string[]])[] = [
  ['board', ['Board Deck (CFO)', 'Executive summary', 'Investor metrics']],
  ['finance', ['AP/AR ageing', 'Budget vs. actual', 'Cash position', 'FX exposure', 'Revenue waterfall', 'Tax & VAT']],
  ['finance/month-end', ['Accruals', 'Close checklist', 'Intercompany', 'Journal review']],
  [
    'marketing-growth',
    ['Attribution', 'Campaign ROI', 'Email performance', 'Marketing funnel', 'SEO', 'Web sessions', 'feature adoption'],
  ],
  [
    'operations',
    ['Carrier performance', 'Inventory levels', 'Orders in progress', 'Returns', 'Stock-outs', 'Warehouse throughput'],
  ],
  ['sales', ['Customer health', 'EMEA pipeline', 'Quota', 'Renewals', 'Sales overview', 'Win/loss', 'Weekly KPI']],
  [null, ['Data quality', 'dbt runs', 'Übersicht Vertrieb', 'Pricing scratchpad', 'Support backlog']],
];

/** Each with what makes its twins differ. */
const names = [
  'Weekly report',
  'Daily numbers',
  'Weekly report',
  'Alert threshold - {dashboard}',
  '{dashboard}',
  'Month end pack',
  'Copy of Weekly report {dashboard}',
  'Daily numbers',
] as const;

const expressions = [
  '0 9 ? * MON *',
  '30 7 ? * MON-FRI *',
  '0 9 ? * FRI *',
  '0 * * * ? *',
  '0 8 ? * MON *',
  '0 6 1 * ? *',
  '0 9 ? * 2 *',
  '30 16 ? * MON-FRI *',
] as const;

const zones = ['Europe/Berlin', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'Europe/Berlin'] as const;
const people = ['ana', 'bo', 'cleo', 'emil', 'farah', 'gita', 'hugo', 'ines', 'jonas', 'kim'] as const;
const partners = ['kpi@partner.example', 'reports@agency.example'] as const;

const count = 300;
const dashboardCount = dashboards.flatMap(([, titles]) => titles).length;
const withLeaver: ReadonlySet<number> = new Set(
  Array.from({ length: count }, (_, index) => index)
    .filter(isMailed)
    .filter((_, turn) => turn % 2 === 0)
    .slice(0, 90),
);
const madeAt = '2026-01-12T09:30:00.000Z';

export function largeOrganization(): EmulatorData {
  const data = demoOrganization();
  const owners = data.members.map(({ id }) => id);
  const tiles = data.documents[0]?.dashboard?.tiles ?? [];
  data.folders = folders.map(([name, path], index) => ({
    id: uuid('f01de4', index),
    name,
    path,
    scope: 'organization',
  }));
  data.documents = dashboards
    .flatMap(([path, titles]) => titles.map((name) => ({ path, name })))
    .map(
      ({ path, name }, index): EmulatedDocument => ({
        identifier: identifierOf(index),
        name,
        description: null,
        connectionId: 'e4eaaaf2-d142-11e1-b3e4-080027620cdd',
        folderId: data.folders.find((folder) => folder.path === path)?.id ?? null,
        ownerId: owners[index % owners.length] ?? '',
        scope: 'organization',
        labels: [],
        deleted: false,
        updatedAt: madeAt,
        views: index,
        favoriteOf: [],
        sharedWith: [],
        dashboard: {
          filters: { region: { type: 'string', kind: 'EQUALS', values: [], label: 'Region', description: '' } },
          controls: [],
          filterOrder: ['region'],
          tiles,
          draft: null,
        },
      }),
    );
  data.schedules = Array.from({ length: count }, (_, index) => scheduleAt(index, data.documents, owners));
  return data;
}

function scheduleAt(index: number, documents: readonly EmulatedDocument[], owners: readonly string[]): StoredSchedule {
  const document = documents[index % documents.length];
  const round = Math.floor(index / documents.length);
  const name = names[round % names.length] ?? '';
  const fields: EmulatedObject = {
    identifier: document?.identifier ?? '',
    name: name.replace('{dashboard}', document?.name ?? ''),
    schedule: expressions[round % expressions.length] ?? '',
    timezone: zones[index % zones.length] ?? '',
    ...deliveryOf(index, round),
  };
  // Every third dashboard sends its alerts at any time; the others report once a day.
  if (round === 3 && index % 2 === 0) fields['schedule'] = '15 9 ? * MON-FRI *';
  return {
    id: uuid('5c4ed0', index),
    ownerId: owners[index % owners.length] ?? null,
    createdAt: madeAt,
    updatedAt: madeAt,
    hasPassword: fields['destinationType'] === 'sftp',
    fields,
    disabledAt: index % 97 === 5 ? madeAt : undefined,
    lastRun: { at: '2026-11-20T08:00:00.000Z', status: 'COMPLETE' },
  };
}

function deliveryOf(index: number, round: number): EmulatedObject {
  if (round === 2)
    return { format: 'pdf', destinationType: 'slack', slackRecipientType: 'channel', recipients: channel(index) };
  if (round === 6 && index % 2 === 0) return { format: 'csv', destinationType: 'webhook', url: hook(index) };
  if (round === 5 || (round === 6 && index % 5 === 0)) {
    return {
      format: 'csv',
      destinationType: 'sftp',
      address: 'sftp.partner.example',
      port: 22,
      username: 'acme',
      path: `/in/${identifierOf(index % dashboardCount)}`,
    };
  }
  return {
    format: index % 4 === 0 ? 'xlsx' : 'pdf',
    destinationType: 'email',
    recipients: recipientsOf(index),
    subject: `Numbers of the day ${round + 1}`,
    ...(index % 7 === 0 ? { filterConfig: { region: { values: [index % 2 === 0 ? 'EMEA' : 'AMER'] } } } : {}),
    ...(index % 11 === 0 ? { textBody: 'Good morning,\n\nhere are the numbers: #1 and "two".\n' } : {}),
  };
}

/** Of the e-mails, 90 have the leaver among them. */
function recipientsOf(index: number): string[] {
  const team = [0, 1, 2].map((offset) => `${people[(index + offset * 3) % people.length]}@example.com`);
  const outside = index % 13 === 0 ? [partners[index % 2] ?? ''] : [];
  return [...(withLeaver.has(index) ? [leaver] : []), ...new Set(team), ...outside];
}

function isMailed(index: number): boolean {
  const round = Math.floor(index / dashboardCount);
  return round !== 2 && round !== 5 && !(round === 6 && (index % 2 === 0 || index % 5 === 0));
}

function channel(index: number): string {
  return `C${String(index % 9).padStart(10, '0')}`;
}

/** A Slack hook, an address with a key in its query, and a plain one; none of them is real. */
function hook(index: number): string {
  const kinds = [
    `https://hooks.slack.com/services/T0000000/B0000000/not-a-real-hook-${index}`,
    `https://hooks.example.com/in?token=not-a-real-token-${index % 3}`,
    `https://hooks.example.com/reports/${index}`,
  ];
  return kinds[index % kinds.length] ?? '';
}

function identifierOf(index: number): string {
  return (0x1a2b3c00 + index * 7919).toString(16).padStart(8, '0');
}

function uuid(kind: string, index: number): string {
  return `00000000-0000-4000-8000-${kind}${String(index).padStart(6, '0')}`;
}
