// Which schedules of the service nothing knows.

import { expect, test } from 'vitest';
import { asNeighbour, noNeighbours } from '../../src/model/plan/neighbours.ts';
import type { ListedSchedule } from '../../src/model/service/remote.ts';
import type { Config } from '../../src/model/workspace/config.ts';
import type { Finding } from '../../src/model/workspace/diagnostic.ts';
import { findUntracked, lacksState } from '../../src/plan/untracked.ts';
import { lostCreate, orphanOf, stateOf } from '../support/apply/declared.ts';
import { declare } from '../support/plan/planning.ts';
import { mail } from '../support/vocabulary.ts';

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
const nothingMore = { ignore: [], neighbours: noNeighbours };

test('untracked schedules are sorted by dashboard, name and id, and leave out what the service does not tell', () => {
  const rows = [
    row('c', { identifier: 'b', name: 'A' }),
    row('b', { identifier: 'a', name: 'B' }),
    row('a', { identifier: 'a', name: 'B', ownerName: 'Ana', lastCompletedAt: '2026-02-27T09:00:00Z' }),
    row('d', { identifier: '', name: '', dashboardName: 'Sales' }),
  ];
  expect(findUntracked(rows, undefined, none, nothingMore).schedules).toEqual([
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
  const found = findUntracked(rows, state, { adoptions: [{ to: 'schedules.d', id: 'adopted', origin }] }, nothingMore);
  expect(found.schedules.map(({ id }) => id)).toEqual(['other', 'twin']);
});

test('what another state tracks or has left behind is not untracked, and is not counted as ignored', () => {
  const other = stateOf({ 'schedules.a': { id: 'theirs' } }, { orphans: [orphanOf('left', { name: 'left' })] });
  const neighbours = { ...noNeighbours, ...asNeighbour(other, 'the environment staging', ['--env', 'staging']) };
  const rows = ['theirs', 'left', 'mine'].map((id) => row(id));
  const { schedules, ignored, trackedBy } = findUntracked(rows, undefined, none, {
    ignore: [{ state: { backend: 'local', path: 'a.json' } }],
    neighbours,
  });
  expect(trackedBy).toEqual([{ who: 'the environment staging', count: 2 }]);
  expect(schedules.map(({ id }) => id)).toEqual(['mine']);
  expect(ignored).toBe(0);
});

function ignoredBy(...ignore: Parameters<typeof findUntracked>[3]['ignore']) {
  const rows = [
    row('tmp one', { ownerName: 'Ana Ortiz' }),
    row('tmp', { ownerName: 'Ana Ortiz' }),
    row('Weekly tmp report', { identifier: 'b', ownerName: 'Bo' }),
    row('', { identifier: 'c' }),
  ];
  const { schedules, ignored } = findUntracked(rows, undefined, none, { ignore, neighbours: noNeighbours });
  expect(schedules.length + ignored).toBe(rows.length);
  const kept = new Set(schedules.map(({ id }) => id));
  return rows.map(({ id }) => id).filter((id) => !kept.has(id));
}

test('an entry of ignore matches whole texts, and a star in it any text', () => {
  expect(ignoredBy()).toEqual([]);
  expect(ignoredBy({ name: 'tmp *' })).toEqual(['tmp one']);
  expect(ignoredBy({ name: '*tmp*' })).toEqual(['tmp one', 'tmp', 'Weekly tmp report']);
  expect(ignoredBy({ name: 'tmp' }, { identifier: 'b' })).toEqual(['tmp', 'Weekly tmp report']);
});

test('every field of an entry of ignore must match', () => {
  expect(ignoredBy({ owner: 'Ana *' })).toEqual(['tmp one', 'tmp']);
  expect(ignoredBy({ owner: 'Ana *', name: 'tmp ?ne' })).toEqual([]);
  expect(ignoredBy({ owner: 'Ana *', name: 'tmp *', identifier: '12db1a0a' })).toEqual(['tmp one']);
});

const noState = { neverApplied: true, existing: [] };
const broken: readonly Finding[] = [{ code: 'yaml-syntax', message: 'Broken.' }];
const declared = declare({ 'schedules.a': mail() });
const nothing = declare({});
const inFile = { state: { backend: 'local', path: 'almanac.state.json' } } as Config;
const inBranch = { state: { backend: 'git', remote: 'origin', branch: 'almanac-state' } } as Config;

test.each([
  ['a schedule is declared', declared, [], inFile],
  ['a backend is configured, though nothing is declared', nothing, [], inBranch],
  ['the declarations cannot be read', nothing, broken, inFile],
])('a check without a state fails where %s', (_, desired, findings, config) => {
  expect(lacksState({ noState }, { desired, findings, config })).toBe(true);
});

test('a check does not fail where nothing is declared and nobody has configured a backend, nor where there is a state', () => {
  expect(lacksState({ noState }, { desired: nothing, findings: [], config: inFile })).toBe(false);
  expect(lacksState({}, { desired: declared, findings: [], config: inBranch })).toBe(false);
});
