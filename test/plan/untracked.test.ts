// Which schedules of the service nothing knows.

import { expect, test } from 'vitest';
import type { ListedSchedule } from '../../src/model/service/remote.ts';
import { findUntracked } from '../../src/plan/untracked.ts';
import { lostCreate, orphanOf, stateOf } from '../support/engine/declared.ts';

const row = (id: string, more: Partial<ListedSchedule> = {}): ListedSchedule => ({
  id,
  identifier: '12db1a0a',
  name: id,
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'pdf',
  destinationType: 'email',
  paused: false,
  ...more,
});
const none = { adoptions: [] };

test('untracked schedules are sorted by dashboard, name and id, and leave out what the service does not tell', () => {
  const rows = [
    row('c', { identifier: 'b', name: 'A' }),
    row('b', { identifier: 'a', name: 'B' }),
    row('a', { identifier: 'a', name: 'B', ownerName: 'Ana', lastCompletedAt: '2026-02-27T09:00:00Z' }),
    row('d', { identifier: '', name: '', dashboardName: 'Sales' }),
  ];
  expect(findUntracked(rows, undefined, none)).toEqual([
    { id: 'd', dashboardName: 'Sales' },
    { id: 'a', identifier: 'a', name: 'B', owner: 'Ana', lastRunAt: '2026-02-27T09:00:00Z' },
    { id: 'b', identifier: 'a', name: 'B' },
    { id: 'c', identifier: 'b', name: 'A' },
  ]);
});

test('what the state, an orphan, an adopt entry or a lost create may know is not untracked', () => {
  const attributes = { identifier: '12db1a0a', name: 'lost' };
  const state = stateOf(
    { 'schedules.a': { id: 'tracked' }, 'schedules.ran': {} },
    {
      orphans: [orphanOf('orphan', attributes)],
      unresolved: [
        lostCreate('schedules.lost', attributes),
        lostCreate('schedules.b', { name: 'new' }, { action: 'replace', replaced: 'old' }),
        lostCreate('schedules.c', { ...attributes, name: 'twin' }, { action: 'update' }),
      ],
    },
  );
  const rows = ['tracked', 'orphan', 'adopted', 'lost', 'old', 'twin', 'other'].map((id) => row(id));
  const origin = { file: 'a.yaml', document: 0, pointer: '' };
  const found = findUntracked(rows, state, { adoptions: [{ to: 'schedules.d', id: 'adopted', origin }] });
  expect(found.map(({ id }) => id)).toEqual(['other', 'twin']);
});
