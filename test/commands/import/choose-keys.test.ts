// The keys of imported schedules: the name, and what differs where names collide; and the order of names.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyFrom, takeName, withSuffix } from '../../../src/commands/base/kebab.ts';
import {
  byNature,
  chooseKeys,
  type KeyOptions,
  type NamedBySchedule,
} from '../../../src/commands/import/choose-keys.ts';
import { resourceKey } from '../../../src/model/fields/patterns.ts';

function named(name: string, dashboard: string, destination = 'email'): NamedBySchedule {
  return { id: JSON.stringify([name, dashboard, destination]), name, dashboard, destination, createdAt: '' };
}

function keysOf(schedules: readonly NamedBySchedule[], options: Partial<KeyOptions> = {}): readonly string[] {
  const keys = chooseKeys({ schedules, ...options });
  return schedules.map(({ id }) => keys.get(id) ?? '');
}

const at = (id: string, createdAt: string) => ({ ...named('Weekly', 'Sales'), id, createdAt });
const slack = (name: string, dashboard = 'Sales') => named(name, dashboard, 'slack');
const onMany = (name: string, ...dashboards: string[]) => dashboards.map((dashboard) => named(name, dashboard));
const taken = new Set(['weekly', 'sales']);

test.each<[string, readonly NamedBySchedule[], readonly string[], Partial<KeyOptions>?]>([
  [
    'the name of the schedule, and never repeats the name of the dashboard',
    [
      named('Weekly KPI', 'Weekly KPI'),
      named('Alert threshold - Weekly KPI', 'Weekly KPI'),
      named('Copy of Weekly report Budget vs. actual', 'Budget vs. actual'),
    ],
    ['weekly-kpi', 'alert-threshold-weekly-kpi', 'copy-of-weekly-report-budget-vs-actual'],
  ],
  ['told apart by the destination', [named('Weekly', 'Sales'), slack('Weekly')], ['weekly-email', 'weekly-slack']],
  [
    'told apart by the destination without words that the name holds',
    [named('Email digest', 'Sales'), slack('Email digest')],
    ['email-digest', 'email-digest-slack'],
  ],
  [
    'told apart by a number for those of one destination, and the oldest has none',
    [at('a', '2026-03-01'), at('b', '2026-02-01'), at('c', '2026-01-01')],
    ['weekly-3', 'weekly-2', 'weekly'],
  ],
  [
    'told apart by the dashboard, without the words that the name holds',
    onMany('Weekly report', 'Sales report', 'Board Deck (CFO)'),
    ['weekly-report-sales', 'weekly-report-board-deck-cfo'],
  ],
  [
    'told apart by the dashboard unless the name says it',
    onMany('Weekly KPI', 'Weekly KPI', 'Sales'),
    ['weekly-kpi', 'weekly-kpi-sales'],
  ],
  [
    'without a filler at the ends of the words of a dashboard',
    onMany('Weekly budget', 'Actual vs. budget', 'Budget of Sales', 'Quota'),
    ['weekly-budget-actual', 'weekly-budget-sales', 'weekly-budget-quota'],
  ],
  [
    'told apart by the destination as well for twins on one of several dashboards, and says nothing twice',
    [
      ...['Sales', 'Email performance'].flatMap((on) => [named('Weekly report', on), slack('Weekly report', on)]),
      slack('Weekly report', 'Quota'),
    ],
    [
      'weekly-report-sales-email',
      'weekly-report-sales-slack',
      'weekly-report-email-performance',
      'weekly-report-email-performance-slack',
      'weekly-report-quota',
    ],
  ],
  ['told apart by a number where dashboards have one name', [at('A1', ''), at('b2', '')], ['weekly', 'weekly-2']],
  [
    'told apart from that of a schedule that has a key, which it keeps',
    [slack('Weekly')],
    ['weekly-slack'],
    { named: [named('Weekly', 'Sales')], taken: new Set(['weekly']) },
  ],
  ['made longer by the dashboard where something else has it', [named('Weekly', 'Sales')], ['weekly-sales'], { taken }],
  ['made longer by the destination where the dashboard is said', [named('Sales', 'Sales')], ['sales-email'], { taken }],
  [
    'that of the schedule that is called so before one that needs more words for its key',
    [
      named('Weekly', 'Sales'),
      slack('Weekly'),
      { ...named('Weekly Slack', 'Quota'), createdAt: '2026-11-22T00:00:00.000Z' },
    ],
    ['weekly-email', 'weekly-slack-2', 'weekly-slack'],
  ],
])('a key is %s', (_, schedules, keys, options = {}) => {
  expect(keysOf(schedules, options)).toEqual(keys);
});

const words = fc.constantFrom('Weekly', 'KPI', 'sales', 'Report', 'Übersicht', 'vs.', '売上', '7', 'x'.repeat(40));
const text = fc.oneof(
  fc.array(words, { maxLength: 4 }).map((list) => list.join(' ')),
  fc.string({ unit: 'binary', maxLength: 100 }),
);
const schedules = fc
  .array(fc.record({ name: text, dashboard: text, destination: fc.constantFrom('email', 'slack', 'sftp') }), {
    maxLength: 25,
  })
  .map((all) => all.map((each, index) => ({ ...each, id: `id-${index}`, createdAt: '' })));

test('keys are valid and unique, whatever the names, and do not depend on the order of the schedules', () => {
  fc.assert(
    fc.property(
      schedules.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const keys = chooseKeys({ schedules: all });
        expect(keys.size).toBe(all.length);
        expect(new Set(keys.values()).size).toBe(all.length);
        for (const key of keys.values()) expect(key).toMatch(new RegExp(resourceKey, 'u'));
        const again = chooseKeys({ schedules: shuffled });
        expect(all.map(({ id }) => again.get(id))).toEqual(all.map(({ id }) => keys.get(id)));
      },
    ),
  );
});

test('an import that is repeated later with more schedules keeps every key and adds unique ones', () => {
  fc.assert(
    fc.property(schedules, fc.nat(25), (all, split) => {
      const [before, after] = [all.slice(0, split), all.slice(split)];
      const first = chooseKeys({ schedules: before });
      const second = chooseKeys({ schedules: after, named: before, taken: new Set(first.values()) });
      expect(second.size).toBe(after.length);
      expect(new Set([...first.values(), ...second.values()]).size).toBe(all.length);
    }),
  );
});

test.each([
  ["  Someone's “alert”!! ", 'someones-alert'],
  ['Umsätze: Süd & Straße', 'umsatze-sud-strasse'],
  ['12 months', 'schedule-12-months'],
  ['売上', 'schedule'],
  ['', 'schedule'],
  ['ﬁnance ①', 'finance-1'],
  [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
])('the key for the name %j is %s', (name, key) => {
  expect(keyFrom(name, 'schedule')).toBe(key);
});

test('the first free key of several names is used, or else a key with a number', () => {
  const taken = new Set(['a', 'b-2']);
  expect(['a b', 'a b', 'b'].map((names) => takeName(names.split(' '), taken))).toEqual(['b', 'a-2', 'b-3']);
});

test('a suffix is whole as long as the key keeps its beginning, and the key stays short enough', () => {
  expect(withSuffix('weekly', 'sales')).toBe('weekly-sales');
  expect(withSuffix('a'.repeat(64), 'slack')).toBe(`${'a'.repeat(58)}-slack`);
  expect(withSuffix('a'.repeat(64), `${'b'.repeat(40)}-monday-0800`)).toBe(`${'a'.repeat(20)}-monday-0800`);
});

test('names are sorted as people would: by letters, whatever their case and accents, and by numbers', () => {
  const sorted = ['2 a', '10 a', 'apples', 'Bananas', 'Report', 'report 09', 'report 9', 'Report 10', 'Übersicht', 'z'];
  expect([...sorted].sort().sort(byNature)).toEqual(sorted);
  expect([...sorted].reverse().sort(byNature)).toEqual(sorted);
});
