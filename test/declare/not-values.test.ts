// Which texts are no values, in which fields, and how severe that is.

import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { mail, routine, slack } from '../support/vocabulary.ts';

const spreadsheet = [
  ...['#N/A', '#N/D', '#NV', '#REF!', '#DIV/0!', '#NAME?', '#NULL!', '#VALUE!', '#BEZUG!', '#¡VALOR!', '#ЗНАЧ!'],
  ...['Err:508', '1.23E+71', '1,79E+308', '-4.5E-12'],
];
const absent = ['NULL', 'null', '(null)', 'nan', 'NaN', 'None', 'undefined', 'TODO'];
const programs = ['{North,South}', '[North, South]', '\\N', '<NA>', 'inf', '-inf', '1e+05', '1.0E7', '3.4E2', '.5e3'];
const blanks = ['-', '%', 'N/A'];
const values: readonly string[] = [
  ...['#1', '#SALES', '#1 North', 'North #2', 'A#N/A', '#N/AB', 'Err:50', 'Errata', '1.23', 'E+71', '1.5.E+3'],
  ...[
    'Nan',
    'none',
    'Todo',
    'NA',
    'Null Ltd.',
    'North {1}',
    '(North)',
    'Infinity',
    '--',
    '50 %',
    '*',
    'All',
    '01e',
    '1e5',
    '12E3',
    '12345e67',
    'Beta, Inc.',
  ],
];

const kinds = {
  spreadsheet,
  absent,
  programs,
  blanks,
  values,
} as const;

type Severity = 'error' | 'warning' | 'none';

const fields: Readonly<Record<string, Readonly<Record<keyof typeof kinds, Severity>>>> = {
  identifier: { spreadsheet: 'error', absent: 'none', programs: 'none', blanks: 'none', values: 'none' },
  name: { spreadsheet: 'error', absent: 'none', programs: 'none', blanks: 'none', values: 'none' },
  recipients: { spreadsheet: 'error', absent: 'none', programs: 'none', blanks: 'none', values: 'none' },
  userGroups: { spreadsheet: 'error', absent: 'warning', programs: 'none', blanks: 'none', values: 'none' },
  dividing: { spreadsheet: 'error', absent: 'warning', programs: 'warning', blanks: 'warning', values: 'none' },
  filter: { spreadsheet: 'warning', absent: 'warning', programs: 'warning', blanks: 'none', values: 'none' },
  subject: { spreadsheet: 'warning', absent: 'none', programs: 'none', blanks: 'none', values: 'none' },
  textBody: { spreadsheet: 'warning', absent: 'none', programs: 'none', blanks: 'none', values: 'none' },
};

function scheduleWith(field: string, value: string) {
  if (field === 'recipients') return { ...mail(), recipients: [value] };
  if (field === 'userGroups') return { ...mail(), userGroups: [value] };
  if (field === 'dividing') return { ...mail(), filterConfig: { customer: { type: 'string', values: [value] } } };
  if (field === 'filter')
    return { ...mail(), filterConfig: { region: { type: 'string', kind: 'EQUALS', values: [value] } } };
  return { ...mail(), [field]: value };
}

const rows = { filters: ['customer'], allow: 'tenants.csv' };
const config = {
  'almanac.yaml': JSON.stringify({ api: { operations: 'full' }, safety: { internalDomains: ['example.com'], rows } }),
  'tenants.csv': 'shows,receiver\n*,cfo@northpine.example\n',
};

type Files = Readonly<Record<string, string>>;

const sources = {
  written: (field: string, texts: readonly string[]): Files => ({
    'schedules/a.yaml': JSON.stringify(
      { schedules: Object.fromEntries(texts.map((text, at) => [`s${at}`, scheduleWith(field, text)])) },
      null,
      1,
    ),
  }),
  'a cell': (field: string, texts: readonly string[]): Files => tableOf(scheduleWith(field, '${each.v}'), texts),
} as const;

const table = 'schedules/rows.csv';

function tableOf(fields: object, texts: readonly string[]): Files {
  const loop = { forEachRow: { file: 'rows.csv', key: 'code' }, ...fields };
  return {
    'schedules/a.yaml': JSON.stringify({ schedules: { s: loop } }),
    [table]: `code,v\n${texts.map((text, at) => `r${at},"${text}"\n`).join('')}`,
  };
}

const cases = Object.entries(fields).flatMap(([field, byKind]) =>
  Object.entries(sources).flatMap(([source, write]) =>
    Object.entries(byKind).map(([kind, severity]) => [severity, kind, field, source, write] as const),
  ),
);

test.each(cases)('there is %s for each of the %s in %s that is %s, and nothing else of that value', async (...row) => {
  const [severity, kind, field, , write] = row;
  const texts = kinds[kind as keyof typeof kinds];
  const found = await diagnosticsOf({ ...config, ...write(field, texts) });
  const own = found.filter(({ code }) => code === 'not-a-value');
  expect(own.map((each) => each.severity)).toEqual(severity === 'none' ? [] : texts.map(() => severity));
  if (write === sources['a cell'])
    expect(own.map(({ file, line }) => `${file}:${line}`)).toEqual(own.map((_, at) => `${table}:${at + 2}`));
  const placeOf = ({ file, line, column }: Diagnostic) => `${file}:${line}:${column}`;
  const places = new Set(own.map(placeOf));
  // A warning silences no error: who may have the rows is another question.
  const others = found.filter((each) => places.has(placeOf(each)) && each.code !== 'not-a-value');
  expect(others.filter((each) => severity === 'error' || each.severity !== 'error')).toEqual([]);
});

const shown = async (files: Files) =>
  (await diagnosticsOf({ ...config, ...files })).map(
    ({ severity, code, file, line, column }) => `${severity} ${code} ${file}:${line}:${column}`,
  );

test('a cell that is used in several fields is reported once, at the cell, as severe as the gravest', async () => {
  const fields = {
    ...mail(),
    name: 'Sales for ${each.v}, ${each.key}',
    filterConfig: { region: { values: ['${each.v}'] } },
    subject: 'Sales, ${each.v}',
  };
  expect(await shown(tableOf(fields, ['Europe', '#N/A', '1.23E+71']))).toEqual([
    `error not-a-value ${table}:3:4`,
    `error not-a-value ${table}:4:4`,
  ]);
});

test('a cell within a text is reported, and a text that somebody wrote may speak of it', async () => {
  const fields = { ...mail(), name: 'Sales ${each.key}', textBody: 'A cell with #N/A is empty. ${each.v}' };
  expect(await shown(tableOf(fields, ['Thanks.', '#REF!']))).toEqual([`warning not-a-value ${table}:3:4`]);
});

test('a receiver of an audience, of a routine or in Slack is an error too, and the audience has it once', async () => {
  const audiences = { board: { emails: ['#REF!', 'ana@example.com'], userGroups: ['None'] } };
  const users = { ...mail(), recipients: '${audience.board}', userGroups: '${audience.board}' };
  const files = {
    'schedules/a.yaml': JSON.stringify({ audiences, schedules: { a: users, b: { ...users, name: 'B' } } }),
  };
  expect((await shown(files)).filter((each) => each.includes('not-a-value'))).toEqual([
    'error not-a-value schedules/a.yaml:1:34',
    'warning not-a-value schedules/a.yaml:1:75',
  ]);
  const inSlack = { 'schedules/a.yaml': JSON.stringify({ schedules: { a: { ...slack(), recipients: 'Err:508' } } }) };
  expect((await shown(inSlack)).filter((each) => each.includes('not-a-value'))).toHaveLength(1);
  const destination = { type: 'email', recipientEmails: ['#N/A'] };
  const routines = { a: { ...routine(), destination } };
  expect((await shown({ 'schedules/a.yaml': JSON.stringify({ routines }) }))[0]).toMatch(/^error not-a-value/);
});

test('what only people read may be any text', async () => {
  const remarks = { meta: { note: '#N/A' }, accept: { 'filter-empty': '#N/A' } };
  const schedules = { a: { ...mail(), ...remarks } };
  const found = await shown({ 'schedules/a.yaml': JSON.stringify({ schedules }) });
  expect(found.filter((each) => each.includes('not-a-value'))).toEqual([]);
});
