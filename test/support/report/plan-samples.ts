// Sample plans for tests of the renderers, one change of each action.

import type { Change, Plan, PlanDocument, PlanSummary } from '../../../src/model/plan/plan.ts';
import type { JsonObject } from '../../../src/model/values/json.ts';
import { findDangers } from '../../../src/plan/dangers/find-dangers.ts';
import { type CronWords, type TimedPlan, timePlan } from '../../../src/report/plan/timed-plan.ts';
import { stateOf, stepsOf } from '../plan/planning.ts';

export const cron: CronWords = {
  words: (expression) => `at 0${expression.split(' ')[1]}:00 on Monday`,
  nextRun: (expression) => `2026-11-23T0${expression.split(' ')[1]}:00`,
  clockWords: () => undefined,
};

export const oldId = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';

export const weeklySales: JsonObject = {
  identifier: '12db1a0a',
  name: 'Weekly sales report',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com', 'bo@example.com', 'cy@example.com'],
  subject: 'Weekly sales',
  textBody: 'Hello all,\nhere are the numbers of the week.\n\nThe data team\n',
  paperFormat: 'a4',
};

const nothing: PlanSummary = {
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  forget: 0,
  move: 0,
  adopt: 0,
  run: 0,
  left: 0,
  noop: 0,
};

/** Ten in the file of most changes, and one in each of 90 other files. */
export const manyFindings: PlanDocument['diagnostics'] = Array.from({ length: 100 }, (_, index) => ({
  severity: 'warning',
  code: 'duplicate-schedule',
  summary: 'x',
  message: 'Two schedules send the same.',
  ...(index < 10
    ? { file: 'schedules/sales.yaml', address: 'schedules.weekly-sales' }
    : { file: `schedules/other-${index}.yaml`, address: `schedules.other-${index}` }),
  line: index + 1,
}));

/** As reports get it. */
export function planOf(changes: readonly Change[], rest: Partial<PlanDocument> = {}): TimedPlan {
  const summary = { ...nothing };
  for (const { action, left } of changes) {
    const name = left === undefined ? action : 'left';
    Object.assign(summary, { [name]: summary[name] + 1 });
  }
  const plan = {
    formatVersion: 1,
    toolVersion: '0.1.0',
    digest: '4f0c1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeef',
    baseUrl: 'https://acme.omniapp.co/api',
    operations: 'core',
    state: { lineage: 'a1b2', serial: 7 },
    summary,
    requests: changes.reduce((sum, { requests }) => sum + requests, 0),
    diagnostics: [],
    orphans: [],
    unresolved: [],
    drift: [],
    changes,
    ...rest,
  } as const;
  return timePlan({ ...plan, dangers: rest.dangers ?? dangersOf(plan) }, cron);
}

/** Judged against a state that holds what the changes begin with. */
function dangersOf(plan: Plan): PlanDocument['dangers'] {
  const held = plan.changes.flatMap(({ address, before }) => (before === null ? [] : [[address, before] as const]));
  const state = stateOf(Object.fromEntries(held));
  return findDangers({ plan, steps: stepsOf(plan.changes) }, { state, internalDomains: ['example.com'] });
}

export const createChange: Change = {
  address: 'schedules.weekly-sales',
  kind: 'schedule',
  action: 'create',
  reason: 'not-in-state',
  file: 'schedules/sales.yaml',
  line: 12,
  before: null,
  after: weeklySales,
  diff: [],
  requests: 1,
};

export const updateChange: Change = {
  address: 'schedules.weekly-sales',
  kind: 'schedule',
  action: 'update',
  reason: 'changed',
  id: oldId,
  file: 'schedules/sales.yaml',
  line: 12,
  before: { ...weeklySales, name: 'Weekly sales', subject: 'Sales' },
  after: { ...weeklySales, schedule: '0 8 ? * MON *' },
  requests: 1,
  diff: [
    { path: '/schedule', op: 'change', before: '0 9 ? * MON *', after: '0 8 ? * MON *', sensitive: false },
    { path: '/name', op: 'change', before: 'Weekly sales', after: 'Weekly sales report', sensitive: false },
    {
      path: '/recipients',
      op: 'change',
      before: ['ana@example.com', 'cy@example.com', 'di@example.com'],
      after: ['ana@example.com', 'bo@example.com', 'di@example.com'],
      sensitive: false,
    },
    {
      path: '/textBody',
      op: 'change',
      before: 'Hello all,\nhere are the numbers of the week.\n\nThe data team\n',
      after: 'Hello all,\nhere are the numbers of last week.\n\nThe data team\n',
      sensitive: false,
    },
    { path: '/paperFormat', op: 'add', after: 'a4', sensitive: false },
    { path: '/subject', op: 'remove', before: 'Sales', sensitive: false },
  ],
};

/** Updates by which every report loses the same person; nothing else in the lists of recipients is equal. */
export function losesRecipient(person: string, count: number): readonly Change[] {
  return Array.from({ length: count }, (_, index) => {
    const others = Array.from({ length: 1 + (index % 3) }, (_, other) => `person-${index}-${other}@example.com`);
    const after = { ...weeklySales, name: `Report ${index}`, recipients: others };
    return {
      ...updateChange,
      address: `schedules.report-${index}`,
      file: `schedules/team-${index % 12}.yaml`,
      line: 3 + index,
      before: { ...after, recipients: [...others, person] },
      after,
      diff: [{ path: `/recipients/${others.length}`, op: 'remove', before: person, sensitive: false }],
    };
  });
}

/** The same change of several resources, each with an id of its own in a line of its own. */
export function numbered(change: Change, count: number): readonly Change[] {
  return Array.from({ length: count }, (_, index) => ({
    ...change,
    address: `${change.address}-${index}`,
    previousAddress: change.previousAddress && `${change.previousAddress}-${index}`,
    id: change.id && `${change.id.slice(0, -4)}${String(index).padStart(4, '0')}`,
    line: change.line && 3 + index,
  }));
}

export const replaceChange: Change = {
  ...updateChange,
  action: 'replace',
  reason: 'cannot-update',
  diff: updateChange.diff.slice(0, 2),
};

export const deleteChange: Change = {
  address: 'schedules.legacy',
  kind: 'schedule',
  action: 'delete',
  reason: 'not-declared',
  id: oldId,
  before: { identifier: '12db1a0a', name: 'Legacy', schedule: '0 9 ? * MON *', timezone: 'Europe/London' },
  after: null,
  diff: [],
  requests: 1,
};

export const forgetChange: Change = { ...deleteChange, action: 'forget', requests: 0 };

export const moveChange: Change = {
  address: 'schedules.daily-orders',
  previousAddress: 'schedules.orders',
  kind: 'schedule',
  action: 'move',
  reason: 'equal-content',
  id: oldId,
  file: 'schedules/orders.yaml',
  line: 3,
  before: weeklySales,
  after: weeklySales,
  diff: [],
  requests: 0,
};

export const adoptChange: Change = {
  address: 'schedules.to-slack',
  kind: 'schedule',
  action: 'adopt',
  reason: 'adopt-entry',
  id: oldId,
  file: 'schedules/orders.yaml',
  line: 30,
  before: null,
  after: {
    identifier: '12db1a0a',
    name: 'To Slack',
    schedule: '0 9 ? * MON *',
    timezone: 'Europe/London',
    recipients: 'C0123456789',
  },
  diff: [],
  requests: 0,
};

export const runChange: Change = {
  address: 'aiJobs.q3-summary',
  kind: 'aiJob',
  action: 'run',
  reason: 'new-content',
  file: 'schedules/ai.yaml',
  line: 2,
  before: null,
  after: {
    prompt:
      'Summarise sales by region for the third quarter, compare them with the second, and name the three products that grew most.',
    modelId: '770e8400-e29b-41d4-a716-446655440002',
    webhookUrl: 'https://hooks.example.com/services/almanac/q3-summary',
    webhookSigningSecret: '(sensitive)',
    webhookMetadata: { team: 'data', 'cost centre': 12 },
  },
  diff: [],
  requests: 1,
};

export const dashboardChange: Change = {
  address: 'dashboards.sales',
  kind: 'dashboard',
  action: 'update',
  reason: 'changed',
  previousAddress: 'dashboards.old-sales',
  file: 'schedules/sales.yaml',
  line: 40,
  before: { identifier: '12db1a0a', filters: {}, filterOrder: [] },
  after: { identifier: '12db1a0a', filters: {}, filterOrder: [] },
  requests: 1,
  diff: [
    {
      path: '/filters/order_status',
      op: 'change',
      before: { values: ['shipped'], label: 'Status' },
      after: { values: ['shipped', 'delivered'], label: 'Order status' },
      sensitive: false,
    },
    {
      path: '/filterOrder',
      op: 'change',
      before: ['region', 'order_status', 'channel', 'a', 'b', 'c', 'd'],
      after: ['order_status', 'region', 'channel', 'a', 'b', 'c', 'd'],
      sensitive: false,
    },
  ],
};

export const secretChange: Change = {
  ...updateChange,
  address: 'schedules.to-sftp',
  diff: [{ path: '/passwordUnencrypted', op: 'change', sensitive: true }],
  blocked: 'the outcome of an earlier create is not known. Run: almanac state resolve schedules.to-sftp --done',
};

export const orphan = {
  id: '0d2f4c5b-1111-4222-8333-444455556666',
  address: 'schedules.legacy',
  identifier: '12db1a0a',
  name: 'Legacy',
  since: '2026-11-01T09:00:00Z',
};

export const bigPlan = planOf(
  [
    dashboardChange,
    createChange,
    replaceChange,
    updateChange,
    secretChange,
    deleteChange,
    forgetChange,
    moveChange,
    adoptChange,
    runChange,
  ],
  {
    orphans: [orphan],
    unresolved: [{ address: 'schedules.to-sftp', action: 'create', since: '2026-11-01T09:00:00Z' }],
    drift: [
      {
        address: 'schedules.weekly-sales',
        diff: [{ path: '/name', op: 'change', before: 'Weekly', after: 'Weekly!', sensitive: false }],
      },
    ],
  },
);
