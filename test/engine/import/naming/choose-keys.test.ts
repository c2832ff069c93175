// The keys of imported schedules: the name, and what differs where names collide.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseKeys, type KeyOptions } from '../../../../src/engine/import/naming/choose-keys.ts';
import type { NamedBySchedule } from '../../../../src/engine/import/naming/features.ts';
import { resourceKey } from '../../../../src/model/fields/patterns.ts';
import type { JsonObject } from '../../../../src/model/values/json.ts';
import { kebabOf } from '../../../../src/model/values/kebab.ts';

const standard = { destinationType: 'email', format: 'pdf', schedule: '0 9 ? * MON *', timezone: 'UTC' };

function named(name: string, dashboard: string, fields: JsonObject = {}): NamedBySchedule {
  const merged = { ...standard, ...fields };
  const id = JSON.stringify([name, dashboard, merged]);
  return { id, name, dashboard, identifier: `id-${kebabOf(dashboard)}`, fields: merged, createdAt: '' };
}

function keysOf(schedules: readonly NamedBySchedule[], options: Partial<KeyOptions> = {}): readonly string[] {
  const keys = chooseKeys({ schedules, ...options });
  return schedules.map(({ id }) => keys.get(id) ?? '');
}

test('a key is the name of the schedule, and never repeats the name of the dashboard', () => {
  expect(
    keysOf([
      named('Weekly KPI', 'Weekly KPI'),
      named('Alert threshold - Weekly KPI', 'Weekly KPI'),
      named('Copy of Weekly report Budget vs. actual', 'Budget vs. actual'),
    ]),
  ).toEqual(['weekly-kpi', 'alert-threshold-weekly-kpi', 'copy-of-weekly-report-budget-vs-actual']);
});

describe('schedules with one name on one dashboard', () => {
  const twins = (...fields: readonly JsonObject[]) => keysOf(fields.map((each) => named('Weekly', 'Sales', each)));

  test.each<[string, readonly JsonObject[], readonly string[]]>([
    ['the destination', [{}, { destinationType: 'slack' }], ['email', 'slack']],
    ['the day', [{}, { schedule: '0 9 L * ? *' }, { schedule: '0 9 ? * 2-6 *' }], ['monday', 'month-end', 'weekdays']],
    ['the time', [{ schedule: '0 08 ? * MON *' }, { schedule: '30 16 ? * 2 *' }], ['0800', '1630']],
    ['the zone', [{ timezone: 'America/New_York' }, { timezone: 'Europe/London' }], ['new-york', 'london']],
    ['the format', [{}, { format: 'csv' }], ['pdf', 'csv']],
    ['a filter', [{}, { filterConfig: { region: { kind: 'EQUALS', values: ['EMEA'] } } }], ['', 'emea']],
    ['the condition', [{}, { conditionType: 'RESULTS_PRESENT' }], ['', 'results-present']],
    ['the bucket', [{ bucketName: 'a.b' }, { bucketName: 'c' }], ['a-b', 'c']],
    ['the only recipient', [{ recipients: ['ana@x.org'] }, { recipients: ['bo@x.org'] }], ['ana', 'bo']],
  ])('%s tells them apart', (_, fields, suffixes) => {
    expect(twins(...fields)).toEqual(suffixes.map((suffix) => (suffix === '' ? 'weekly' : `weekly-${suffix}`)));
  });

  test('one difference is named if it is enough, otherwise several', () => {
    const slack = { destinationType: 'slack' };
    const friday = { schedule: '0 9 ? * FRI *' };
    expect(twins({}, { ...friday, format: 'csv' })).toEqual(['weekly-monday', 'weekly-friday']);
    expect(twins({}, friday, slack)).toEqual(['weekly-email-monday', 'weekly-email-friday', 'weekly-slack']);
    expect(twins({}, { ...slack, ...friday }, { ...slack, schedule: '0 9 ? * TUE *' })).toEqual([
      'weekly-monday',
      'weekly-friday',
      'weekly-tuesday',
    ]);
  });

  test('a word that the name holds already is repeated only where the keys would be the same without it', () => {
    const slack = { destinationType: 'slack' };
    expect(keysOf([named('Email digest', 'Sales'), named('Email digest', 'Sales', slack)])).toEqual([
      'email-digest',
      'email-digest-slack',
    ]);
    expect(keysOf([named('Slack or email', 'Sales'), named('Slack or email', 'Sales', slack)])).toEqual([
      'slack-or-email-email',
      'slack-or-email-slack',
    ]);
  });

  test('a number tells apart what differs in nothing, and the oldest has none', () => {
    const [first, second] = [
      { ...named('Weekly', 'Sales'), id: 'b', createdAt: '2026-01-01' },
      { ...named('Weekly', 'Sales'), id: 'a', createdAt: '2026-02-01' },
    ];
    expect(keysOf([second, first])).toEqual(['weekly-2', 'weekly']);
  });
});

describe('schedules with one name on several dashboards', () => {
  test('the dashboard tells them apart unless the name says it, without the words that the name holds', () => {
    expect(keysOf([named('Weekly report', 'Sales report'), named('Weekly report', 'Board Deck (CFO)')])).toEqual([
      'weekly-report-sales',
      'weekly-report-board-deck-cfo',
    ]);
    expect(keysOf([named('Weekly KPI', 'Weekly KPI'), named('Weekly KPI', 'Sales')])).toEqual([
      'weekly-kpi',
      'weekly-kpi-sales',
    ]);
  });

  test('no key begins or ends the words of a dashboard with a filler', () => {
    const dashboards = ['Actual vs. budget', 'Budget of Sales', 'Quota'];
    expect(keysOf(dashboards.map((dashboard) => named('Weekly budget', dashboard)))).toEqual([
      'weekly-budget-actual',
      'weekly-budget-sales',
      'weekly-budget-quota',
    ]);
  });

  test('twins on one of them also say what differs between them, and nothing twice', () => {
    const slack = { destinationType: 'slack' };
    const both = ['Sales', 'Email performance'].flatMap((dashboard) => [
      named('Weekly report', dashboard),
      named('Weekly report', dashboard, slack),
    ]);
    expect(keysOf([...both, named('Weekly report', 'Quota', slack)])).toEqual([
      'weekly-report-sales-email',
      'weekly-report-sales-slack',
      'weekly-report-email-performance',
      'weekly-report-email-performance-slack',
      'weekly-report-quota',
    ]);
  });

  test('dashboards of one name are told apart by their identifiers if nothing else differs', () => {
    const schedules = ['A1', 'b2'].map((identifier) => ({ ...named('Weekly', 'Sales'), id: identifier, identifier }));
    expect(keysOf(schedules)).toEqual(['weekly-sales-a1', 'weekly-sales-b2']);
  });
});

describe('keys that are in use', () => {
  test('a new schedule is told apart from one that has a key, which it keeps', () => {
    const before = [named('Weekly', 'Sales')];
    const after = named('Weekly', 'Sales', { destinationType: 'slack' });
    expect(keysOf([after], { named: before, taken: new Set(['weekly']) })).toEqual(['weekly-slack']);
  });

  test('a key that something else has is made longer by the dashboard, or by the destination', () => {
    const taken = new Set(['weekly', 'sales']);
    expect(keysOf([named('Weekly', 'Sales')], { taken })).toEqual(['weekly-sales']);
    expect(keysOf([named('Sales', 'Sales')], { taken })).toEqual(['sales-email']);
  });

  test('a schedule that is called so goes before one that needs more words for its key', () => {
    const slack = { destinationType: 'slack' };
    const newest = { ...named('Weekly Slack', 'Quota'), createdAt: '2026-11-22T00:00:00.000Z' };
    expect(keysOf([named('Weekly', 'Sales'), named('Weekly', 'Sales', slack), newest])).toEqual([
      'weekly-email',
      'weekly-slack-sales',
      'weekly-slack',
    ]);
  });
});

const words = fc.constantFrom('Weekly', 'KPI', 'sales', 'Report', 'Übersicht', 'vs.', '売上', '7', 'x'.repeat(40));
const text = fc.array(words, { maxLength: 4 }).map((list) => list.join(' '));
const schedules = fc
  .array(
    fc.record({
      name: text,
      dashboard: text,
      fields: fc.record({
        destinationType: fc.constantFrom('email', 'slack', 'sftp'),
        format: fc.constantFrom('pdf', 'csv'),
        schedule: fc.constantFrom('0 9 ? * MON *', '0 8 1 * ? *', 'not one', '0/5 8-18 ? * 2-6 *'),
        timezone: fc.constantFrom('UTC', 'Europe/London'),
        recipients: fc.constantFrom(['ana@example.com'], ['bo@example.com', 'cleo@example.com'], 'C012'),
        filterConfig: fc.constantFrom<JsonObject[]>(
          {},
          { a: { values: ['north'] } },
          { b: { values: [] } },
          { b: null },
        ),
      }),
    }),
    { maxLength: 25 },
  )
  .map((all) =>
    all.map((each, index) => ({
      ...each,
      id: `id-${index}`,
      identifier: `d${kebabOf(each.dashboard)}`,
      createdAt: '',
    })),
  );

const countOf = (word: string, key: string) => key.split('-').filter((each) => each === word).length;

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

test('a key holds no word of the dashboard more often than the name does, or once', () => {
  fc.assert(
    fc.property(schedules, (all) => {
      const keys = chooseKeys({ schedules: all });
      for (const { id, name, dashboard } of all)
        for (const word of kebabOf(dashboard)
          .split('-')
          .filter((each) => /[a-z]/.test(each)))
          expect(countOf(word, keys.get(id) ?? '')).toBeLessThanOrEqual(Math.max(1, countOf(word, kebabOf(name))));
    }),
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
