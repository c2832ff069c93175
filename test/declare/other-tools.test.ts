// What conditions of other tools get as advice: one finding each, with the form that Omni takes, and never one that lets a row
// pass which the other tool held back.

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { mail } from '../support/vocabulary.ts';

type Files = Readonly<Record<string, string>>;
const codes = new Set(['filter-value', 'filter-opposite', 'filter-spelling', 'filter-shape', 'not-a-value']);

/** The findings about each of these filters, in their order. */
async function found(filters: readonly Json[], files: Files = {}) {
  const schedules = Object.fromEntries(
    filters.map((filter, at) => [`s${at}`, mail({ name: `N${at}`, filterConfig: { f: filter } })]),
  );
  const all = await diagnosticsOf({ 'schedules/a.yaml': JSON.stringify({ schedules }), ...files });
  return filters.map((_, at) => all.filter(({ code, address }) => address === `schedules.s${at}` && codes.has(code)));
}

const text = (...values: readonly Json[]) => ({ type: 'string', kind: 'EQUALS', values });

/** Values by what a hint must have. */
const values: readonly (readonly [value: string, ...has: readonly string[]])[] = [
  ['-cancelled', 'values: [cancelled], is_negative: true'],
  ['-FOO,-BAR', 'values: [FOO, BAR], is_negative: true'],
  ['-"Smith, John"', 'values: ["Smith, John"], is_negative: true'],
  ['-%acme%', 'kind: CONTAINS, values: [acme], is_negative: true'],
  ['%acme%', 'kind: CONTAINS, values: [acme]'],
  ['acme%', 'kind: STARTS_WITH, values: [acme]'],
  ['%acme', 'kind: ENDS_WITH, values: [acme]'],
  ['F%D', 'kind: SQL_LIKE, values: [F%D]'],
  ['FOO%,-FOOD', 'conjunction: AND', 'STARTS_WITH', 'values: [FOOD], is_negative: true'],
  ['NOT 5', 'values: [5], is_negative: true'],
  ['!=5', 'values: [5], is_negative: true'],
  ['NOT Europe', 'values: [Europe], is_negative: true'],
  ['5,NOT 6', 'is_negative: true'],
  ['NOT NULL', 'type: "null", is_negative: true'],
  ['-NULL', 'type: "null", is_negative: true'],
  ['IS NOT NULL', 'type: "null", is_negative: true'],
  ['<NULL>', 'type: "null"'],
  ['is_not_set', 'type: "null"'],
  ['EMPTY', 'IS_EMPTY', 'type: "null"', 'conjunction: OR'],
  ['-EMPTY', 'IS_EMPTY, is_negative: true', 'type: "null", is_negative: true', 'conjunction: AND'],
  ['>=5', 'kind: GREATER_THAN, values: [5], is_inclusive: true'],
  ['<5', 'kind: LESS_THAN, values: [5]'],
  ['>5 AND <10', 'conjunction: AND', 'GREATER_THAN', 'LESS_THAN'],
  ['5 OR 7', 'values: [5, 7]'],
  ['5 to 10', 'kind: BETWEEN, values: [5, 10], is_inclusive: true'],
  ['[1,5)', 'GREATER_THAN, values: [1], is_inclusive: true', 'LESS_THAN, values: [5] }'],
  ['2026/01/01 to 2026/02/01', 'kind: BETWEEN, left_side: "2026-01-01", right_side: "2026-02-01"'],
  ['2026-01-01 : 2026-02-01', 'right_side: "2026-02-01"'],
  ['2026-01-01~2026-01-31', 'right_side: "2026-02-01"'],
  ['~2026-01-31', 'kind: BEFORE, right_side: "2026-02-01"'],
  ['before 2026/01/01', 'kind: BEFORE, right_side: "2026-01-01"'],
  ['after 2026/01/01', 'kind: ON_OR_AFTER, left_side: "2026-01-01"'],
  ...[
    ...['last 7 days', '7 days ago', '7 days ago for 7 days', 'this month', 'Last week', 'previous calendar month'],
    ...[
      'past7days',
      'past7days~',
      'past30days-from-1years',
      'thismonth',
      '-7d',
      '-1mStart',
      'mStart',
      'now-7d',
      'now-1d/d',
    ],
    ...['now/M', 'd_last_7_days', 'd_now', 'DATEADD(DATETIME("today"), -7, day)', 'Current quarter'],
  ].map((value) => [value, 'TIME_FOR_INTERVAL_DURATION', 'running day'] as const),
  ...['%', '$__all', 'No filter', 'All', 'all', 'is any value'].map(
    (value) => [value, 'the dashboard itself'] as const,
  ),
];

test('a value in the language of another tool is one warning with the form that Omni takes', async () => {
  const all = await found(values.map(([value]) => text(value)));
  const wrong = all.flatMap((own, at) => {
    const [value = '', ...has] = values[at] ?? [];
    const [only, ...others] = own;
    const isRight =
      only?.severity === 'warning' && others.length === 0 && has.every((part) => only.hint?.includes(part));
    return isRight ? [] : [`${value}: ${own.map(({ message, hint }) => `${message} ${hint}`).join(' | ')}`];
  });
  expect(wrong).toEqual([]);
});

test('the same value in a table of the workspace, or accepted, is none', async () => {
  const config = {
    'almanac.yaml': JSON.stringify({
      safety: { internalDomains: ['example.com'], rows: { filters: ['f'], allow: 't.csv' } },
    }),
    't.csv': `shows,receiver\n${values.map(([value]) => `"${value.replaceAll('"', '""')}",cfo@np.example\n`).join('')}`,
  };
  expect(
    (
      await found(
        values.map(([value]) => text(value)),
        config,
      )
    )
      .flat()
      .map(({ message }) => message),
  ).toEqual([]);
  const accepted = await diagnosticsOf({
    'schedules/a.yaml': JSON.stringify({
      schedules: { a: mail({ filterConfig: { f: text('-x') }, accept: { 'filter-value': 'A code.' } }) },
    }),
  });
  expect(accepted.map(({ code, accepted: reason }) => [code, reason])).toEqual([['filter-value', 'A code.']]);
});

const kinds: readonly (readonly [condition: JsonObject, has: string])[] = [
  ...['In', 'IN', 'exact', '==', '=', 'Is', 'oneOf'].map((kind) => [{ kind, values: ['a'] }, '`EQUALS`'] as const),
  ...['include', 'includes'].map((kind) => [{ kind, values: ['a'] }, '`CONTAINS`'] as const),
  [{ kind: 'icontains', values: ['a'] }, 'kind: CONTAINS, case_insensitive: true'],
  [{ kind: 'LIKE', values: ['a'] }, '`SQL_LIKE`'],
  [{ kind: 'ILIKE', values: ['a'] }, 'kind: SQL_LIKE, case_insensitive: true'],
  [{ type: 'number', kind: 'gt', values: [5] }, '`GREATER_THAN`'],
  [{ type: 'number', kind: 'gte', values: [5] }, 'kind: GREATER_THAN, is_inclusive: true'],
  [{ kind: '>=', values: [5] }, 'type: number, kind: GREATER_THAN, is_inclusive: true'],
  [{ type: 'number', kind: 'lessThanOrEqual', values: [5] }, 'kind: LESS_THAN, is_inclusive: true'],
  [{ type: 'date', kind: '>=', left_side: '2026-01-01' }, '`ON_OR_AFTER`'],
  [{ type: 'number', kind: 'inBetween', values: [1, 5] }, 'kind: BETWEEN, is_inclusive: true'],
  [{ type: 'date', kind: 'is_date_before', right_side: '2027-01-01' }, '`BEFORE`'],
  ...['inThePast', 'InLast', 'TEMPORAL_RANGE', 'inTheCurrent'].map(
    (kind) => [{ type: 'date', kind, values: [7] }, 'TIME_FOR_INTERVAL_DURATION'] as const,
  ),
  ...['regex', '=~'].map((kind) => [{ kind, values: ['^E'] }, 'no regular expressions'] as const),
  [{ type: 'string/contains', values: ['a'] }, 'type: string, kind: CONTAINS'],
  [{ type: 'number/>=', values: [5] }, 'type: number, kind: GREATER_THAN, is_inclusive: true'],
  [{ type: 'number/between', values: [1, 5] }, 'type: number, kind: BETWEEN, is_inclusive: true'],
  [{ type: 'date/range', values: ['x'] }, 'type: date, kind: BETWEEN'],
  [{ type: 'date/relative', values: ['x'] }, 'TIME_FOR_INTERVAL_DURATION'],
  [{ type: 'category', kind: 'EQUALS', values: ['a'] }, '`string`'],
  [{ type: 'filter_select', kind: 'EQUALS', values: ['a'] }, '`string`'],
  [{ type: 'datetime', kind: 'BEFORE', right_side: '2027-01-01' }, '`date`'],
  [{ kind: 'is_set' }, 'type: "null", is_negative: true'],
  [{ kind: 'isNull' }, 'type: "null"'],
  [{ type: null }, 'type: "null"'],
];

test('a kind or a type of another tool is one warning with that of Omni, and never keeps the foreign one', async () => {
  const all = await found(kinds.map(([condition]) => condition));
  const wrong = all.flatMap((own, at) => {
    const [condition, has] = kinds[at] ?? [{}, ''];
    const isRight = own.length === 1 && own[0]?.hint?.includes(has);
    return isRight
      ? []
      : [`${JSON.stringify(condition)}: ${own.map(({ message, hint }) => `${message} ${hint}`).join(' | ')}`];
  });
  expect(wrong).toEqual([]);
});

/** Each negation that a tool has, around the value `a`, with the values that it holds back. */
const negatingKinds = [
  ...[
    '!=',
    '<>',
    'NOT IN',
    'not in',
    'NotIn',
    'nin',
    'ne',
    'neq',
    'not',
    'is_not',
    'isNot',
    'IsNot',
    'notEquals',
    'NOT_EQUALS',
  ],
  ...[
    'notContains',
    'DoesNotContain',
    'doesNotInclude',
    'not_icontains',
    'NOT LIKE',
    'notLike',
    'unlike',
    'doesNotStartWith',
  ],
  ...['doesNotEndWith', 'exclude', 'excludes', 'except', 'without', 'notBetween', 'not_between'],
];
const negatingKeys: readonly JsonObject[] = [
  ...[
    'not',
    'is_not',
    'isNot',
    'isNegated',
    'is_excluded',
    'exclude',
    'excluded',
    'negate',
    'negation',
    'inverse',
    'invert',
  ].map((key) => ({ [key]: true })),
  ...['is', 'include', 'included', 'isIncluded'].map((key) => ({ [key]: false })),
];
const operatorKeys = ['op', 'operator', 'comparator', 'condition'];
const negations: readonly Json[] = [
  ...negatingKinds.map((kind) => ({ kind, values: ['a'] })),
  ...negatingKinds.flatMap((name) => operatorKeys.map((key) => ({ [key]: name, values: ['a'] }))),
  ...negatingKinds.flatMap((name) =>
    operatorKeys.flatMap((key) => ['val', 'value'].map((of) => ({ [key]: name, [of]: 'a' }))),
  ),
  ...negatingKeys.flatMap((keys) => [
    { ...keys, values: ['a'] },
    { ...text('a'), ...keys },
  ]),
  ...negatingKeys.flatMap((keys) => [
    { ...keys, val: 'a' },
    { ...keys, value: ['a'] },
  ]),
  ...['not', 'exclude', 'is_not', '!=', 'ne', 'NOT IN', 'nin'].flatMap((key) => [{ [key]: 'a' }, { [key]: ['a'] }]),
  ...['string/!=', 'string/does-not-contain', 'number/!='].map((type) => ({ type, values: ['a'] })),
  ...['not_regex', '!~', 'notMatches'].map((kind) => ({ kind, values: ['a'] })),
  ...['-a', '-"a"', '-%a%', '-a%', 'NOT a', '!=a', '<> a', "x ne 'a'", 'NOT IN (a)'].flatMap((value) => [
    value,
    [value],
    text(value),
    { values: [value] },
  ]),
  text('b', '-a'),
  text('-a', '-b'),
  { ...text('-a'), is_negative: true },
  { ...text('%'), is_negative: true },
  { ...text('last 7 days'), is_negative: true },
  { type: null, is_negative: true },
];

/** The conditions that a hint writes: what stands in backticks. */
function conditionsIn(hint: string): readonly JsonObject[] {
  return [...hint.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => {
    const read: unknown = (() => {
      try {
        return parse(code.startsWith('{') ? code : `{ ${code} }`);
      } catch {
        return undefined;
      }
    })();
    const map = (read ?? {}) as JsonObject;
    return Object.keys(map).some((key) => key !== 'accept') ? [map] : [];
  });
}

/** True if a condition, as a hint writes it, lets a row with this value pass. Keys that it does not name stay as they are. */
function passes(written: JsonObject, value: string): boolean {
  const {
    filters,
    conjunction,
    is_negative: negative = false,
    kind = 'EQUALS',
    values = ['a'],
    type = 'string',
  } = written;
  if (Array.isArray(filters)) {
    const each = filters.map((one) => passes(one as JsonObject, value));
    return conjunction === 'OR' ? each.some(Boolean) : each.every(Boolean);
  }
  const list = (values as readonly Json[]).map(String);
  const isLike =
    type === 'null' || kind === 'IS_EMPTY' ? value === '' : list.some((one) => value.includes(one.replaceAll('%', '')));
  const isEqual = kind === 'EQUALS' && type !== 'null' ? list.includes(value) : isLike;
  return isEqual !== (negative === true);
}

test('no hint about a negation drops it or keeps its word: what it writes lets no row pass that was held back', async () => {
  const all = await found(negations);
  const wrong = all.flatMap((own, at) => {
    const condition = negations[at] ?? null;
    const hints = own.map(({ hint = '' }) => hint);
    const conditions = hints.flatMap(conditionsIn);
    // What is asked may name the other form beside it, and a key that is only renamed is told apart from what negates.
    const isKept = hints.some((hint) => hint.includes('is_negative: true'));
    const isLess = conditions.some((each) => ('is_negative' in each || 'filters' in each ? passes(each, 'a') : false));
    // An example of a pattern, and the question whether there is a value, say nothing of this one.
    const isOther = hints.some((hint) => /regular expressions|YAML reads/.test(hint));
    return own.length > 0 && isKept && (isOther || !isLess)
      ? []
      : [`${JSON.stringify(condition)}: ${hints.join(' | ') || 'nothing'}`];
  });
  expect(wrong).toEqual([]);
});

test('an operator without a value never becomes a condition without one', async () => {
  const all = await found([{ operator: 'is_not_null' }, { op: 'is_null' }, { isNotNull: true }, { exclude: true }]);
  for (const own of all) expect(own.map(({ hint = '' }) => hint).join()).not.toMatch(/filters: \[\]|AND/);
  expect(all[0]?.map(({ hint = '' }) => hint).join()).toContain('is_negative: true');
});

test('a day that was left out stays left out: the days around a bound are asked', async () => {
  const dates = { type: 'date', left_side: '2026-01-01', right_side: '2026-01-31' };
  const all = await found(['not_between', 'not_lte', '!<=', 'gt'].map((kind) => ({ ...dates, kind })));
  for (const own of all) expect(own.map(({ hint = '' }) => hint).join()).toMatch(/day after|first day that passes/);
});

test('a long list in one text is read in no time', async () => {
  const codes = Array.from({ length: 60 }, (_, index) => String.fromCharCode(65 + (index % 26)));
  expect(await found([text(codes.join(', '))])).toHaveLength(1);
});

test('a cell that gives an expression is told to hold a value, and what it means is a declaration of its own', async () => {
  const schedules = {
    s: {
      ...mail({ filterConfig: { f: text('${each.v}') } }),
      name: '${each.code}',
      forEachRow: { file: 'c.csv', key: 'code' },
    },
  };
  const all = await diagnosticsOf({
    'schedules/a.yaml': JSON.stringify({ schedules }),
    'schedules/c.csv': 'code,v\na,-cancelled\nb,Europe\nc,last 7 days\n',
  });
  expect(all.map(({ code, file, line, hint }) => `${code} ${file}:${line} ${hint}`)).toEqual([
    'filter-value schedules/c.csv:2 A cell holds one value. If an expression is meant, it is a declaration of its own, with `{ type: string, kind: EQUALS, values: [cancelled], is_negative: true }`.',
    expect.stringMatching(/^filter-value schedules\/c\.csv:4 A cell holds one value\. Tools differ/),
  ]);
});

/** Names of companies that are easily taken for something else, and states of things. */
const companies = [
  ...[
    '3M',
    'AT&T',
    'Yahoo!',
    'E*TRADE',
    '7-Eleven',
    'Beta, Inc.',
    'Smith, John',
    "O'Reilly Media",
    'Toys "R" Us',
    'X',
    'Ernst & Young',
  ],
  ...[
    '20th Century Studios',
    'Next plc',
    'All Nippon Airways',
    'All-Hands',
    '100% Pure',
    '1-800-Flowers',
    '1&1',
    'Procter & Gamble',
  ],
  ...[
    'Marks & Spencer',
    '(Other)',
    'Now',
    'A~B',
    '7d Works',
    '24 Hour Fitness',
    'Last Minute GmbH',
    'This Is It',
    'Past Times',
    'C&A',
  ],
  ...[
    'Current',
    'Previous Owner LLC',
    'Null Ltd.',
    'Empty',
    'Blank Street',
    'In-N-Out Burger',
    'Is Bank',
    'Equals Group',
    'Notion',
  ],
  ...[
    'Before Breakfast',
    'After Hours',
    'Sinceri-Tea',
    'Between the Lines',
    '5 to Go',
    'Forever 21',
    'Motel 6',
    'Six Flags',
    'H&M',
  ],
  ...[
    'Dunkin’ Donuts',
    'Crédit Agricole',
    'Österreichische Post',
    'Société Générale',
    'L’Oréal',
    'Citroën',
    'Nestlé',
    'São Paulo',
    'A/S',
  ],
  ...[
    'Ørsted A/S',
    'Škoda Auto',
    'Łódź',
    'İstanbul',
    'Αθήνα',
    'Москва',
    '東京',
    '서울',
    'Würth',
    'Kühne + Nagel',
    'Fuß & Co.',
    'Ångström',
  ],
  ...[
    'NOT STARTED',
    'Not Applicable',
    'Not started',
    'not set',
    'In progress',
    'On hold',
    'Next Day',
    'Same Day',
    'Weekly',
    'Monthly',
  ],
  ...[
    '50%',
    '-5',
    '5.00',
    '2.0',
    'v1.2',
    '24/7',
    '+49',
    '#1',
    '1,000+',
    '10-19',
    '65+',
    'Q1-2026',
    '2026-01',
    'FY26',
    'AAA',
    'B2B',
    'n.a.',
  ],
];

/**
 * Companies of the S&P 500, the Euro Stoxx and beside them; models of makers; numbers of parts, batteries, threads and tyres; codes of the
 * Harmonized System, and of ISBN, EAN, NDC, CAS, ISIN, CUSIP, ASIN and UNSPSC.
 */
const listed = `
3M|AbbVie|adidas AG|Airbus SE|Allianz SE|Alphabet Inc. (Class A)|Amazon.com|American Express|Anheuser-Busch InBev SA/NV|A.P. Møller – Mærsk|Aston Martin Lagonda|AT&T|BASF SE
Bath & Body Works|Bayer AG|Berkshire Hathaway Inc.|BHP Group|BNP Paribas S.A.|Brown-Forman|C.H. Robinson|Caterpillar Inc.|Charter Communications|Coca-Cola Co.|Crédit Agricole
CVS Health|D.R. Horton|Danone S.A.|Deutsche Börse AG|Deutsche Telekom|eBay|Electronic Arts|Eli Lilly|Estée Lauder|F5 Networks|Fifth Third Bancorp|Five Below|Gap Inc.|GE HealthCare
H&M|H&R Block|Häagen-Dazs|Hermès International|Hewlett-Packard|Home Depot|Iberdrola, S.A.|ING Groep N.V.|Intesa Sanpaolo|J.B. Hunt|J.M. Smucker|JPMorgan Chase & Co.|Kering|L'Oréal|Lloyds Banking Group plc
LVMH Moët Hennessy Louis Vuitton|M&T Bank|McDonald's|Mercedes-Benz Group|Münchener Rück|Nestlé S.A.|NextEra Energy|Nokia Oyj|Not On The High Street|Novo Nordisk A/S|NVR, Inc.|O'Reilly Automotive|Old Dominion
PACCAR|Past Times|Philip Morris International|Procter & Gamble|Quarterhill|Raízen|Royal Dutch Shell|S&P Global|Saint-Gobain|SAP SE|Siemens Energy|Société Générale|T. Rowe Price|T-Mobile US|Tesco|This Works
TotalEnergies|TJX|Toyota Motor|Unilever|Vodafone|W.W. Grainger|Walgreens Boots Alliance|Weekday|Yum! Brands|YTL Corporation|Zürich Insurance
iPhone 15 Pro|WH-1000XM5|ThinkPad X1 Carbon|RTX 4090|PS5|Galaxy S24+|MacBook Air 13"|Surface Pro 9|EOS 5D Mark IV|D850|DJI Mini 4 Pro|HERO12|Kindle (11th Generation)|LG C3|QE55QN95C|XPS 13
NE555|LM7805|LM317T|2N2222|BC547|1N4148|1N4007|IRFZ44N|TL072|ATmega328P|STM32F103C8T6|ESP32-WROOM-32|74HC595|MAX232|BSS138|AMS1117-3.3|CD4017BE|PC817|IRLZ44N|TIP120
CR2032|LR44|AAA|18650|6204-2RS|608ZZ|M8x40|GU10|E27|NEMA 5-15P|IEC 60320 C13|RJ45|DE-9|USB-C|A4|DIN 912|ISO 4762|2.5/1.5 mm²|1/2"|3/8 UNC|R134a|E471|5W-30|205/55 R16
0901.21|8471.30|8703.23.19|2204.21.42|6109.10.00|3004.90|8517.13.00|9403.60|4011.10.00|0101.21.00|8542.31.90|7113.19
978-3-16-148410-0|0-306-40615-2|4006381333931|0002-8215-01|50242-040-62|7732-18-5|64-17-5|50-00-0|US0378331005|DE000BASF111|GB00B03MLX29|037833100|B0CHX1W1XY|43211503|14111507
`
  .trim()
  .split(/[|\n]/);

const namesOf = (type: 'region' | 'currency' | 'language', ids: readonly string[]) => {
  const names = new Intl.DisplayNames('en', { type });
  return ids.flatMap((id) => [id, names.of(id) ?? id]);
};
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

test('more than 500 names of countries, regions, currencies, companies and products are no expressions', async () => {
  const regions = letters.flatMap((one) => letters.map((other) => one + other));
  const known = regions.filter(
    (id) => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(id) !== undefined,
  );
  const currencies = Intl.supportedValuesOf('currency');
  const all = [
    ...[...namesOf('region', known), ...namesOf('currency', currencies), ...Intl.supportedValuesOf('timeZone')],
    ...[...companies, ...listed],
  ];
  expect(all.length).toBeGreaterThan(500);
  const diagnostics = await diagnosticsOf({
    'schedules/a.yaml': JSON.stringify({
      schedules: Object.fromEntries(
        [...new Set(all)].map((value, at) => [`s${at}`, mail({ name: `N${at}`, filterConfig: { f: text(value) } })]),
      ),
    }),
  });
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
});

const changed: readonly (readonly [cell: string, meant: string])[] = [
  ['Caf\uFFFD Ltd', 'the value that is meant'],
  ['CafÃ© Ltd', '`Café Ltd`'],
  ['Ã–sterreich', '`Österreich`'],
  ['Pine &amp; Sons', '`Pine & Sons`'],
  ['O&#39;Brien', "`O'Brien`"],
  ['"""North Pine"""', '`North Pine`'],
];

test('a cell that an export has changed is one warning at the cell with what was meant, however many loops read it', async () => {
  const loop = (name: string) => ({
    ...mail({ filterConfig: { f: text('${each.v}') } }),
    name: `${name} \${each.code}`,
    forEachRow: { file: 'c.csv', key: 'code' },
  });
  const filesWith = (cells: readonly string[]) => ({
    'schedules/a.yaml': JSON.stringify({ schedules: { one: loop('One'), two: loop('Two') } }),
    'schedules/c.csv': `code,v\n${cells.map((cell, at) => `k${at},${cell}\n`).join('')}`,
  });
  const all = await diagnosticsOf(filesWith(changed.map(([cell]) => cell)));
  expect(
    all.map(({ code, line, hint = '' }) => `${code} ${line} ${/^Write (.*) into the cell/.exec(hint)?.[1]}`),
  ).toEqual(changed.map(([, meant], at) => `filter-value ${at + 2} ${meant}`));
  const lines = async (...cells: readonly string[]) => (await diagnosticsOf(filesWith(cells))).map(({ line }) => line);
  expect(await lines('42.0', '43.0', '')).toEqual([2, 3, 4]);
  expect(await lines('42.0', '43.5')).toEqual([]);
});

test('a value that is nearly one of the table of permissions is a warning for those inside, and part of the error for others', async () => {
  const config = {
    'almanac.yaml': JSON.stringify({
      safety: { internalDomains: ['example.com'], rows: { filters: ['f'], allow: 't.csv' } },
    }),
    't.csv': 'shows,receiver\nNorth Pine,cfo@np.example\n',
  };
  const codesOf = async (value: string, to: string) =>
    (
      await diagnosticsOf({
        ...config,
        'schedules/a.yaml': JSON.stringify({
          schedules: { a: mail({ recipients: [to], filterConfig: { f: text(value) } }) },
        }),
      })
    )
      .filter(({ code }) => code !== 'rows-unused')
      .map(({ code }) => code);
  for (const value of ['north pine', 'North  Pine', ' North Pine', 'North\u00A0Pine', 'Ｎorth Pine'])
    expect([value, await codesOf(value, 'ana@example.com'), await codesOf(value, 'cfo@np.example')]).toEqual([
      value,
      ['filter-value'],
      ['rows-of-others'],
    ]);
  expect(await codesOf('South Oak', 'ana@example.com')).toEqual([]);
});
