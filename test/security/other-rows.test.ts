// What a plan shows of changed, removed or missing filters of customers. Such a change once passed a review as one
// field among many. What a report shows is guarded as who receives it.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { seen, stateOf } from '../support/plan/planning.ts';
import { type Asked, dangersOf, server } from '../support/security/dangers.ts';
import { bucket, hook, mail, slack } from '../support/vocabulary.ts';

const inside = (fields: JsonObject = {}) => mail({ recipients: ['a@acme.com'], ...fields });
const outside = (fields: JsonObject = {}) => mail({ recipients: ['a@acme.com', 'cfo@beta.example'], ...fields });
const hookOn = (host: string, fields: JsonObject) => hook({ url: `https://${host}/`, ...fields });
const only = (...values: readonly string[]) => ({ filterConfig: { customer: { values } } });
const when = (condition: JsonObject) => ({ filterConfig: { customer: condition } });
const noDomains: Asked = { domains: [] };

type Resources = Readonly<Record<string, JsonObject>>;

/** `grave customer is removed (…)`, of what concerns the rows and the alerts. */
function rowsOf(after: Resources, before: Resources = {}, asked: Asked = {}): readonly string[] {
  const dangers = dangersOf(after, before, asked).filter(({ code }) => code === 'other-rows' || code === 'alert-off');
  return dangers.flatMap(({ gravity, items }) =>
    items.map(({ subject, detail }) => `${gravity} ${subject} (${detail})`),
  );
}

const one = (before: JsonObject, after: JsonObject, asked?: Asked) =>
  rowsOf({ 'schedules.a': after }, { 'schedules.a': before }, asked).map((each) => each.replace('`schedules.a`', 'a'));

/** The format of a field that tables do not have. */
const formatOf: Readonly<Record<string, string>> = { expandTablesToShowAllRows: 'pdf', showFilters: 'pdf' };

const acme = only('Acme');
const emptied = 'customer is emptied (a, was `["Acme"]`)';

describe('a report that shows other rows', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    ['loses a filter', acme, {}, 'customer is removed (a, was `["Acme"]`)'],
    ['has its filter emptied', acme, only(), emptied],
    ['has a filter of an empty text', acme, only(''), emptied],
    ['has a filter without values', acme, when({ label: 'All' }), emptied],
    ['has a filter of a list without values', acme, when({ values: [[]] }), emptied],
    ['has a filter of a map without values', acme, when({ values: [{}] }), emptied],
    ['has its filter emptied beside another change', acme, when({ values: [], case_insensitive: true }), emptied],
    ['has a filter of another type without values', acme, when({ type: 'boolean' }), emptied],
    [
      'has its range taken off',
      when({ kind: 'ON_OR_AFTER', left_side: '7 days ago' }),
      when({ kind: 'ON_OR_AFTER', left_side: '' }),
      'customer is emptied (a, was `{"left_side":"7 days ago"}`)',
    ],
    [
      'has one end of its range taken off',
      when({ kind: 'BETWEEN', left_side: '2026-01-01', right_side: '2026-02-01' }),
      when({ kind: 'BETWEEN', left_side: '2026-01-01', right_side: '' }),
      'customer changes (a, was `{"right_side":"2026-02-01"}`, now `{"right_side":""}`)',
    ],
    ['gets an empty filter of its own', {}, only(), 'customer is added (a, now `[]`)'],
    [
      'gets a range of its own that lacks an end',
      {},
      when({ kind: 'BETWEEN', left_side: '2026-01-01' }),
      'customer is added (a, now `{"kind":"BETWEEN","left_side":"2026-01-01"}`)',
    ],
    [
      'gets a filter of its own that leaves out what others pass',
      {},
      when({ values: ['Acme'], is_negative: true }),
      'customer is added (a, now `{"is_negative":true,"values":["Acme"]}`)',
    ],
    [
      'is no longer sent to each with their own rights',
      { fanOut: true },
      { fanOut: false },
      'fanOut is removed (a, was `true`)',
    ],
    [
      'shows what its filter left out',
      acme,
      when({ values: ['Acme'], is_negative: true }),
      'customer.is_negative is added (a, now `true`)',
    ],
    [
      'compares in another way',
      when({ values: ['Acme'], kind: 'EQUALS' }),
      when({ values: [], kind: 'CONTAINS' }),
      'customer.kind changes (a, was `EQUALS`, now `CONTAINS`)',
    ],
    [
      'combines its conditions in another way',
      when({ conjunction: 'AND', filters: [{ values: ['Acme'] }] }),
      when({ conjunction: 'OR', filters: [{ values: ['Acme'] }] }),
      'customer.conjunction changes (a, was `AND`, now `OR`)',
    ],
    [
      'has other conditions',
      when({ conjunction: 'AND', filters: [{ values: ['Acme'] }] }),
      when({ conjunction: 'AND', filters: [] }),
      'customer.filters changes (a, was `[{"values":["Acme"]}]`, now `[]`)',
    ],
    [
      'shows another dashboard',
      {},
      { identifier: 'ffff0000' },
      'identifier changes (a, was `12db1a0a`, now `ffff0000`)',
    ],
    [
      'shows one tile instead of the dashboard',
      {},
      { queryIdentifierMapKey: 'q1' },
      'queryIdentifierMapKey is added (a, now `q1`)',
    ],
    [
      'shows the dashboard instead of one tile',
      { queryIdentifierMapKey: 'q1' },
      {},
      'queryIdentifierMapKey is removed (a, was `q1`)',
    ],
    [
      'shows another tile',
      { queryIdentifierMapKey: 'q1' },
      { queryIdentifierMapKey: 'q2' },
      'queryIdentifierMapKey changes (a, was `q1`, now `q2`)',
    ],
    ...(
      [
        ['shows the columns that were hidden', 'hideHiddenFields', true, undefined, 'is removed', 'was `true`'],
        ['hides them by a value that is false', 'hideHiddenFields', true, false, 'is removed', 'was `true`'],
        ['gives numbers in full', 'enableFormatting', true, undefined, 'is removed', 'was `true`'],
        ['may have more rows', 'overrideRowLimit', undefined, true, 'is added', 'now `true`'],
        ['has a higher limit', 'maxRowLimit', 10, 2000, 'changes', 'was `10`, now `2000`'],
        ['has no limit any more', 'maxRowLimit', 10, undefined, 'is removed', 'was `10`'],
        ['shows all rows of its tables', 'expandTablesToShowAllRows', undefined, true, 'is added', 'now `true`'],
        ['shows the values of filters', 'showFilters', false, undefined, 'is removed', 'was `false`'],
        ['becomes a table', 'format', 'pdf', 'csv', 'changes', 'was `pdf`, now `csv`'],
        ['becomes a picture', 'format', 'link_only', 'png', 'changes', 'was `link_only`, now `png`'],
      ] as const
    ).map(([words, field, before, after, what, said]): [string, JsonObject, JsonObject, string] => {
      const fields = (value: Json | undefined) => ({
        format: formatOf[field] ?? 'csv',
        ...(value === undefined ? {} : { [field]: value }),
      });
      return [words, fields(before), fields(after), `${field} ${what} (a, ${said})`];
    }),
  ])('a report that %s is grave for somebody outside, and otherwise a caution', (_, before, after, expected) => {
    expect(one(outside(before), outside(after))).toEqual([`grave ${expected}`]);
    expect(one(outside(before), outside(after), noDomains)).toEqual([`grave ${expected}`]);
    expect(one(inside(before), inside(after))).toEqual([`caution ${expected}`]);
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    ['has another value', acme, only('Beta'), 'customer changes (a, was `["Acme"]`, now `["Beta"]`)'],
    ['has a new filter', {}, acme, 'customer is added (a, now `["Acme"]`)'],
    [
      'has a range instead of values',
      acme,
      when({ values: [], left_side: '7 days ago' }),
      'customer changes (a, was `["Acme"]`, now `{"left_side":"7 days ago","values":[]}`)',
    ],
    ['is asked in another zone', {}, { timezoneOverride: 'UTC' }, 'timezoneOverride is added (a, now `UTC`)'],
    [
      'has another key of a filter',
      when({ values: ['Acme'], case_insensitive: true }),
      acme,
      'customer changes (a, was `{"case_insensitive":true}`, now `{}`)',
    ],
  ])('a report that %s is a caution for somebody outside, and otherwise no danger', (_, before, after, expected) => {
    expect(one(outside(before), outside(after))).toEqual([`caution ${expected}`]);
    expect(one(outside(before), outside(after), noDomains)).toEqual([]);
    expect(one(inside(before), inside(after))).toEqual([]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['its subject', acme, { ...acme, subject: 'Another' }],
    ['the order of values', only('Acme', 'Beta'), only('Beta', 'Acme')],
    ['a number that was a text', only('7'), when({ values: [7] })],
    ['a key that says what is so without it', acme, when({ values: ['Acme'], is_negative: false, filters: [] })],
    ['the letters of a kind', when({ values: ['Acme'], kind: 'equals' }), when({ values: ['Acme'], kind: 'EQUALS' })],
    ['one spelling of no values', only(), only('')],
    ['that each gets it with their own rights', { fanOut: false }, { fanOut: true }],
    ['that hidden columns are left out', { format: 'csv' }, { format: 'csv', hideHiddenFields: true }],
    ['that it is limited to fewer rows', { format: 'csv', maxRowLimit: 20 }, { format: 'csv', maxRowLimit: 10 }],
    ['that it is a picture', { format: 'csv', hideHiddenFields: true }, { format: 'pdf' }],
    ['a default that is written', { format: 'pdf' }, { format: 'pdf', showFilters: true, hideTitle: true }],
  ])('a report of which nothing changes but %s shows no other rows', (_, before, after) => {
    expect(one(outside(before), outside(after))).toEqual([]);
  });

  test.each<[string, 'grave' | 'caution', (fields: JsonObject) => JsonObject]>([
    ['a server outside', 'grave', (fields) => server('sftp.beta.example', fields)],
    ['a server inside', 'caution', (fields) => server('sftp.acme.com', fields)],
    ['a webhook outside', 'grave', (fields) => hookOn('beta.example', fields)],
    ['a webhook inside', 'caution', (fields) => hookOn('hooks.acme.com', fields)],
    ['a bucket', 'grave', bucket],
    ['an address under extra', 'grave', (fields) => inside({ extra: { cc: 'cfo@beta.example' }, ...fields })],
    ['Slack', 'caution', slack],
  ])('a report without its filter that goes to %s is %s', (_, gravity, of) => {
    expect(one(of(acme), of({}))).toEqual([`${gravity} customer is removed (a, was \`["Acme"]\`)`]);
  });

  test('those who receive it once the plan is applied decide how grave other rows are', () => {
    expect(one(outside(acme), inside())).toEqual(['caution customer is removed (a, was `["Acme"]`)']);
    expect(one(inside(acme), outside())).toEqual(['grave customer is removed (a, was `["Acme"]`)']);
  });

  test('a filter that is taken off is found behind a move and in a replacement', () => {
    const moved: Asked = { entries: { moved: [['schedules.old', 'schedules.a']] } };
    expect(rowsOf({ 'schedules.a': outside() }, { 'schedules.old': outside(acme) }, moved)).toEqual([
      'grave customer is removed (`schedules.a`, was `["Acme"]`)',
    ]);
    expect(one(outside(acme), outside(), { operations: 'core' })).toEqual([
      'grave customer is removed (a, was `["Acme"]`)',
    ]);
  });

  test('after a look, filters are compared with what Omni has', () => {
    const found = (fields: JsonObject | undefined): Asked => ({ observed: seen({ 'schedules.a': fields }) });
    expect(one(outside(acme), outside(acme), found(only('Beta')))).toEqual([
      'caution customer changes (a, was `["Beta"]`, now `["Acme"]`)',
    ]);
    const own = { filterConfig: { customer: { values: ['Acme'] }, region: { values: ['Europe'] } } };
    expect(one(inside(acme), inside(acme), found(own))).toEqual(['caution region is removed (a, was `["Europe"]`)']);
    expect(one(outside(acme), outside(), found(undefined))).toEqual(['grave customer is removed (a, was `["Acme"]`)']);
  });

  test('many reports that lose the same filter are one item, with the values that all of them have', () => {
    const all = (of: (key: string) => JsonObject) =>
      Object.fromEntries(['a', 'b', 'c'].map((key) => [`schedules.usage.${key}`, outside(of(key))]));
    const before = all((key) => only(key));
    const rows = (of: (key: string) => JsonObject) => rowsOf(all(of), before);
    expect(rows(() => ({}))).toEqual(['grave customer is removed (`schedules.usage.a` and 2 others)']);
    expect(rows(() => acme)).toEqual(['caution customer changes (`schedules.usage.a` and 2 others, now `["Acme"]`)']);
    expect(rows((key) => only(key, 'more'))).toEqual(['caution customer changes (`schedules.usage.a` and 2 others)']);
  });

  test('a long value of a filter is only in the differences', () => {
    expect(one(outside(only('A', 'B')), outside())).toEqual(['grave customer is removed (a, was `["A", "B"]`)']);
    expect(one(outside(only('x'.repeat(100))), outside())).toEqual(['grave customer is removed (a)']);
  });
});

describe('the title', () => {
  const title = (of: (fields: JsonObject) => JsonObject, fields: JsonObject, asked?: Asked) =>
    dangersOf(
      { 'schedules.a': of(fields), 'schedules.b': of(fields) },
      { 'schedules.a': of(acme), 'schedules.b': of(acme) },
      asked,
    ).map(({ title }) => title);

  test('the title says that reports go outside only where somebody said what is inside', () => {
    expect(title(outside, {})).toEqual(['2 reports that go outside show different rows']);
    expect(title(outside, {}, noDomains)).toEqual(['2 reports show different rows']);
    expect(title(outside, only('Beta'))).toEqual(['2 reports show different rows']);
    expect(title(inside, {})).toEqual(['2 reports show different rows']);
  });

  test('the title counts reports, of which each may lose several filters', () => {
    const filterConfig = { customer: { values: ['Acme'] }, region: { values: ['Europe'] } };
    const dangers = dangersOf({ 'schedules.a': outside() }, { 'schedules.a': outside({ filterConfig }) });
    expect(dangers.map(({ title, items }) => [title, items.length])).toEqual([
      ['1 report that goes outside shows different rows', 2],
    ]);
  });

  test('other rows of both gravities are two dangers, the grave one behind what is deleted', () => {
    const dangers = dangersOf(
      {
        'schedules.a': outside(),
        'schedules.b': outside(only('Beta')),
        'schedules.new': mail({ recipients: ['eve@evil.example'], identifier: 'ffff0000' }),
      },
      { 'schedules.a': outside(acme), 'schedules.b': outside(acme), 'schedules.gone': inside({ name: 'Gone' }) },
    );
    expect(dangers.map(({ gravity, code, title }) => `${gravity} ${code}: ${title}`)).toEqual([
      'grave deleted: 1 resource is deleted',
      'grave other-rows: 1 report that goes outside shows different rows',
      'grave reaches-outside: 1 outside domain receives something for the first time',
      'caution other-rows: 1 report shows different rows',
      'caution new-receiver: 1 outside recipient gets new schedules',
    ]);
  });
});

describe('a new report that goes outside', () => {
  const others = { 'schedules.a': outside(only('A')), 'schedules.b': outside(only('B')) };
  const two = 'customer is missing (`schedules.new`, 2 of 2 other schedules of its dashboard have this filter)';
  const oneOther = 'customer is missing (`schedules.new`, 1 of 1 other schedules of its dashboard has this filter)';

  test.each<[string, Resources, Resources, readonly string[]]>([
    ['lacks a filter that two others have', others, { new: outside() }, [`grave ${two}`]],
    ['lacks it as two others of the same plan have it', {}, { ...others, new: outside() }, [`grave ${two}`]],
    [
      'lacks a filter that the only other one has',
      { 'schedules.a': outside(only('A')) },
      { new: outside() },
      [`caution ${oneOther}`],
    ],
    ['is the first of its dashboard', {}, { new: outside() }, []],
    ['is on another dashboard', others, { new: outside({ identifier: 'ffff0000' }) }, []],
    ['has its own', others, { new: outside(only('C')) }, []],
    ['stays inside', others, { new: inside() }, []],
    [
      'lacks what all others but one have',
      { ...others, 'schedules.c': outside() },
      { new: outside() },
      ['grave customer is missing (`schedules.new`, 2 of 3 other schedules of its dashboard have this filter)'],
    ],
    [
      'lacks what half of the others have',
      { ...others, 'schedules.c': outside(), 'schedules.d': outside() },
      { new: outside() },
      [],
    ],
    [
      'is compared with those that go outside',
      { ...others, 'schedules.c': inside() },
      { new: outside() },
      [`grave ${two}`],
    ],
    [
      'is compared with what was applied, also where the plan deletes it',
      others,
      { 'schedules.b': {}, new: outside() },
      [`grave ${two}`],
    ],
    [
      'is compared with what the plan makes of the others',
      others,
      { 'schedules.b': outside(), new: outside() },
      [
        'grave customer is removed (`schedules.b`, was `["B"]`, 1 of 1 other schedules of its dashboard has this filter)',
        `caution ${oneOther}`,
      ],
    ],
    ['has an empty filter', {}, { new: outside(only()) }, ['grave customer is empty (`schedules.new`)']],
    [
      'has a filter of an empty cell',
      others,
      { new: outside(only('')) },
      ['grave customer is empty (`schedules.new`, 2 of 2 other schedules of its dashboard have this filter)'],
    ],
    ['has a filter that needs no value', {}, { new: outside(when({ values: [], kind: 'IS_EMPTY' })) }, []],
    ['has a filter of a range', {}, { new: outside(when({ left_side: '7 days ago' })) }, []],
    ['has a filter that everything passes but nothing', {}, { new: outside(when({ is_negative: true })) }, []],
    ['has an empty filter and stays inside', others, { new: inside(only()) }, []],
  ])(
    'a new report for somebody outside that %s is judged by the others of its dashboard',
    (_, before, changed, expected) => {
      const after = Object.entries({ ...before, ...changed })
        .map(([key, attributes]) => [key.replace(/^new$/, 'schedules.new'), attributes] as const)
        .filter(([, attributes]) => Object.keys(attributes).length > 0);
      expect(rowsOf(Object.fromEntries(after), before)).toEqual(expected);
    },
  );

  test('a new report without the filter of the others is as grave where nobody said what is inside', () => {
    const dangers = dangersOf({ ...others, 'schedules.new': outside() }, others, noDomains);
    expect(dangers.filter(({ code }) => code === 'other-rows')).toMatchObject([
      { gravity: 'grave', title: '1 report lacks a filter, or its value' },
    ]);
  });

  test('a new report is compared with what stays as it is where the plan is limited', () => {
    const after = { ...others, 'schedules.b': outside(), 'schedules.new': outside() };
    expect(rowsOf(after, others, { targets: ['schedules.new'] })).toEqual([`grave ${two}`]);
  });

  test('an adopted report is compared as a new one, and one that moves or is made again because it is gone is not', () => {
    const after = { ...others, 'schedules.new': outside() };
    const moved: Asked = { entries: { moved: [['schedules.old', 'schedules.new']] } };
    expect(rowsOf(after, others, { entries: { adopt: [['schedules.new', 'an-id']] } })).toEqual([`grave ${two}`]);
    expect(rowsOf(after, { ...others, 'schedules.old': outside() }, moved)).toEqual([]);
    expect(rowsOf(after, after, { observed: seen({ 'schedules.new': undefined }) })).toEqual([]);
  });

  test('a new report is compared with what replaced another, and not with what that left', () => {
    const left = {
      id: 'old',
      address: 'schedules.b',
      identifier: '12db1a0a',
      name: 'B',
      since: '2026-03-01T00:00:00.000Z',
      replaced: true,
    };
    const state = stateOf(others, { orphans: [left as never] });
    const dangers = dangersOf({ ...others, 'schedules.new': outside() }, state);
    expect(dangers.find(({ code }) => code === 'other-rows')?.gravity).toBe('grave');
  });
});

describe('a filter that is usual on a dashboard', () => {
  /** So many reports that go outside and have the filter, and so many that lack it. */
  const those = (having: number, lacking = 0): Resources =>
    Object.fromEntries(
      Array.from({ length: having + lacking }, (_, at) => [
        `schedules.r${at}`,
        outside({ name: `R${at}`, ...(at < having ? only(`C${at}`) : {}) }),
      ]),
    );
  const without = (count: number, fields: JsonObject = {}): Resources =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`schedules.n${at}`, outside({ name: `N${at}`, ...fields })]),
    );
  const missing = (who: string, have: string) =>
    `customer is missing (${who}, ${have.replace(/(?=ha(?:s|ve)$)/, 'other schedules of its dashboard ')} this filter)`;

  test.each<[having: number, lacking: number, expected: string | undefined]>([
    [40, 0, 'grave 40 of 40 have'],
    [39, 1, 'grave 39 of 40 have'],
    [40, 4, 'grave 40 of 44 have'],
    [40, 5, undefined],
    [9, 1, 'grave 9 of 10 have'],
    [8, 2, undefined],
    [18, 2, 'grave 18 of 20 have'],
    [2, 1, 'grave 2 of 3 have'],
    [2, 0, 'grave 2 of 2 have'],
    [1, 0, 'caution 1 of 1 has'],
    [1, 1, undefined],
    [0, 3, undefined],
  ])('of the others %s have the filter and %s lack it: a new report without it is %s', (having, lacking, expected) => {
    const before = those(having, lacking);
    const [gravity = '', ...have] = expected?.split(' ') ?? [];
    expect(rowsOf({ ...before, ...without(1) }, before)).toEqual(
      expected === undefined ? [] : [`${gravity} ${missing('`schedules.n0`', have.join(' '))}`],
    );
  });

  test.each<[what: string, before: Resources, after: Resources, expected: readonly string[], asked?: Asked]>([
    [
      'two at once',
      those(3),
      { ...those(3), ...without(2) },
      [`grave ${missing('`schedules.n0` and 1 other', '3 of 3 have')}`],
    ],
    [
      'forty at once, and one that has lacked it for long',
      those(40, 1),
      { ...those(40, 1), ...without(40) },
      [`grave ${missing('`schedules.n0` and 39 others', '40 of 41 have')}`],
    ],
    [
      'as many as have it, in the first plan of all',
      {},
      { ...those(5), ...without(5) },
      [`grave ${missing('`schedules.n0` and 4 others', '5 of 5 have')}`],
    ],
    ['more than have it, in the first plan of all', {}, { ...those(2), ...without(30) }, []],
    [
      'one that is adopted',
      those(3),
      { ...those(3), ...without(1) },
      [`grave ${missing('`schedules.n0`', '3 of 3 have')}`],
      { entries: { adopt: [['schedules.n0', 'an-id']] } },
    ],
    [
      'one that begins to go outside',
      { ...those(3), 'schedules.n0': inside({ name: 'N0' }) },
      { ...those(3), ...without(1) },
      [`grave ${missing('`schedules.n0`', '3 of 3 have')}`],
    ],
    [
      'one that begins to go outside with an empty filter',
      { ...those(3), 'schedules.n0': inside({ name: 'N0', ...only() }) },
      { ...those(3), ...without(1, only()) },
      ['grave customer is empty (`schedules.n0`, 3 of 3 other schedules of its dashboard have this filter)'],
    ],
    [
      'one that moves to the dashboard',
      { ...those(3), ...without(1, { identifier: 'ffff0000' }) },
      { ...those(3), ...without(1) },
      [
        'grave identifier changes (`schedules.n0`, was `ffff0000`, now `12db1a0a`)',
        `grave ${missing('`schedules.n0`', '3 of 3 have')}`,
      ],
    ],
    [
      'one that loses it',
      those(40),
      { ...those(40), 'schedules.r0': outside({ name: 'R0' }) },
      [
        'grave customer is removed (`schedules.r0`, was `["C0"]`, 39 of 39 other schedules of its dashboard have this filter)',
      ],
    ],
    [
      'two that lose it',
      those(4),
      { ...those(4), 'schedules.r0': outside({ name: 'R0' }), 'schedules.r1': outside({ name: 'R1' }) },
      [
        'grave customer is removed (`schedules.r0` and 1 other, 2 of 2 other schedules of its dashboard have this filter)',
      ],
    ],
    ['one that lacked it before', those(3, 1), { ...those(3, 1), 'schedules.r3': outside({ name: 'Other' }) }, []],
    ['one that stays inside', those(3), { ...those(3), 'schedules.n0': inside({ name: 'N0' }) }, []],
    ['one that has it', those(3), { ...those(3), ...without(1, only('C9')) }, []],
  ])('%s: whoever lacks the filter by this plan is named, and nobody else', (_, before, after, expected, asked) => {
    expect(rowsOf(after, before, asked)).toEqual(expected);
    expect(rowsOf(after, after)).toEqual([]);
  });
});

describe('an alert that works otherwise', () => {
  const alert = { conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: 'q1' };
  const both = (done: string, when: string) => [
    `conditionQueryMapKey is ${done} (a, ${when} \`q1\`)`,
    `conditionType is ${done} (a, ${when} \`RESULTS_PRESENT\`)`,
  ];

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['is a report that is always sent', alert, {}, both('removed', 'was')],
    ['was one', {}, alert, both('added', 'now')],
    [
      'fires in another case',
      alert,
      { ...alert, conditionType: 'RESULTS_MISSING' },
      ['conditionType changes (a, was `RESULTS_PRESENT`, now `RESULTS_MISSING`)'],
    ],
    [
      'watches another query',
      alert,
      { ...alert, conditionQueryMapKey: 'q2' },
      ['conditionQueryMapKey changes (a, was `q1`, now `q2`)'],
    ],
    ['has another subject', alert, { ...alert, subject: 'Another' }, []],
  ])('an alert that %s is a caution, inside too', (_, before, after, expected) => {
    expect(one(inside(before), inside(after))).toEqual(expected.map((each) => `caution ${each}`));
  });

  test('a report that goes outside is grave where it is no longer an alert, and a caution where it becomes or stays one', () => {
    expect(one(outside(alert), outside())).toEqual([
      'grave conditionType is removed (a, was `RESULTS_PRESENT`)',
      'caution conditionQueryMapKey is removed (a, was `q1`)',
    ]);
    expect(one(outside(), outside(alert))).toEqual(both('added', 'now').map((each) => `caution ${each}`));
  });

  test('an alert of which two fields change is counted once, and a new one is no danger', () => {
    const all = (fields: JsonObject) => ({ 'schedules.a': inside(fields), 'schedules.b': inside(fields) });
    expect(dangersOf(all({}), all(alert)).map(({ title }) => title)).toEqual([
      '2 alerts fire under different conditions',
    ]);
    expect(rowsOf({ 'schedules.a': inside(alert) })).toEqual([]);
  });
});
