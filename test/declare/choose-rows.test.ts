// `only`, `except` and `empty` of `forEachRow`: which rows a loop takes, what it reads in blank cells, which two loops share no
// row, and where mistakes are reported.

import { expect, test } from 'vitest';
import { areSplit } from '../../src/declare/expand/choose-rows.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import type { RowChoice } from '../../src/model/workspace/resource.ts';
import { diagnosticsOf, loadFiles } from '../support/apply/loading.ts';
import { mail } from '../support/vocabulary.ts';

const table = `code,format,plan,language,mail
acme,pdf,gold,,a@acme.example
beta,,gold,de,b@beta.example
gamma,xlsx,basic,  ,c@gamma.example
delta,xlsx,gold,$\${x},d@delta.example
`;

const filesOf = (forEachRow: Json, fields: JsonObject = {}) => ({
  'schedules/c.csv': table,
  'schedules/a.yaml': JSON.stringify({
    schedules: { a: { ...mail({ subject: '${each.language}.', ...fields }), name: '${each.key}', forEachRow } },
  }),
});

const source = { file: 'c.csv', key: 'code' };

async function loaded(forEachRow: JsonObject) {
  const { desired } = await loadFiles(filesOf({ ...source, ...forEachRow }));
  return desired;
}

test.each<readonly [kind: string, choice: JsonObject, keys: readonly string[]]>([
  ['nothing takes all rows', {}, ['acme', 'beta', 'gamma', 'delta']],
  ['only with a text', { only: { format: 'xlsx' } }, ['gamma', 'delta']],
  ['only with a list', { only: { format: ['pdf', 'xlsx'] } }, ['acme', 'gamma', 'delta']],
  ['only with two columns needs both', { only: { format: 'xlsx', plan: 'gold' } }, ['delta']],
  ['except with a text keeps blank cells', { except: { format: 'xlsx' } }, ['acme', 'beta']],
  ['except leaves out what only would take', { except: { format: 'xlsx', plan: 'gold' } }, ['acme', 'beta', 'gamma']],
  ['both', { only: { plan: 'gold' }, except: { format: 'pdf' } }, ['beta', 'delta']],
  ['only compares what empty gives', { only: { format: 'pdf' }, empty: { format: 'pdf' } }, ['acme', 'beta']],
  ['a value that only empty gives', { only: { language: 'en' }, empty: { language: 'en' } }, ['acme', 'gamma']],
  ['an escaped reference', { only: { language: '$${x}' } }, ['delta']],
  ['the column of the keys', { except: { code: ['acme', 'beta'] } }, ['gamma', 'delta']],
])('%s', async (_, choice, keys) => {
  const { loops, resources } = await loaded(choice);
  expect(loops?.[0]?.keys).toEqual(keys);
  expect(resources.map(({ address }) => address)).toEqual(keys.map((key) => `schedules.a.${key}`));
});

test('empty gives the text of a blank cell, also of one with spaces, and no other', async () => {
  const { resources } = await loaded({ empty: { language: 'en' } });
  expect(resources.map(({ attributes }) => attributes['subject'])).toEqual(['en.', 'de.', 'en.', '${x}.']);
});

test.each<readonly [kind: string, forEachRow: Json, path: string, code: string, hint: string]>([
  [
    'a column that only misspells',
    { only: { formt: 'xlsx' } },
    '/only/formt',
    'for-each-rows',
    'Did you mean `format`?',
  ],
  [
    'a column that except misspells',
    { except: { Format: 'xlsx' } },
    '/except/Format',
    'for-each-rows',
    'Did you mean `format`?',
  ],
  [
    'a column that empty misspells',
    { empty: { langage: 'en' } },
    '/empty/langage',
    'for-each-rows',
    'Did you mean `language`?',
  ],
  [
    'a column unlike any other',
    { only: { owner: 'x' } },
    '/only/owner',
    'for-each-rows',
    'Its columns are `code`, `format`',
  ],
  ['a value that no row has', { only: { format: 'xslx' } }, '/only/format', 'for-each-rows', 'Did you mean `xlsx`?'],
  [
    'a value in other letters',
    { except: { format: 'XLSX' } },
    '/except/format',
    'for-each-rows',
    'Did you mean `xlsx`?',
  ],
  [
    'a value of a list',
    { except: { format: ['xlsx', 'cvs'] } },
    '/except/format/1',
    'for-each-rows',
    'Its values are `pdf`, `xlsx`.',
  ],
  ['a number', { only: { plan: 42 } }, '/only/plan', 'for-each-rows', 'Quote it: "42".'],
  ['true', { only: { plan: true } }, '/only/plan', 'for-each-rows', 'Quote it: "true".'],
  ['a number in a list', { only: { plan: ['gold', 1] } }, '/only/plan/1', 'for-each-rows', 'Quote it: "1".'],
  ['nothing', { only: { plan: null } }, '/only/plan', 'for-each-rows', 'Write a text'],
  ['an empty list', { only: { plan: [] } }, '/only/plan', 'for-each-rows', 'Write a text'],
  ['a list for empty', { empty: { plan: ['gold'] } }, '/empty/plan', 'for-each-rows', 'Write a text'],
  ['a blank text', { only: { format: ' ' } }, '/only/format', 'for-each-rows', '`empty: { format: pdf }`'],
  ['a blank text for empty', { empty: { format: '' } }, '/empty/format', 'for-each-rows', 'Write a text'],
  ['a list in place of a map', { only: ['xlsx'] }, '/only', 'for-each-rows', 'Write `only: { format: xlsx }`'],
  ['a map without an entry', { except: {} }, '/except', 'for-each-rows', 'Write `except: { format: xlsx }`'],
  ['a text in place of a map', { empty: 'en' }, '/empty', 'for-each-rows', 'Write `empty: { language: en }`'],
  ['the keys for empty', { empty: { code: 'x' } }, '/empty/code', 'for-each-rows', 'give each row a key'],
  ['a reference', { only: { format: '${var.format}' } }, '/only/format', 'not-interpolated', 'Write the text itself'],
  [
    'a reference for empty',
    { empty: { language: '${var.l}' } },
    '/empty/language',
    'not-interpolated',
    'Write the text itself',
  ],
  ['a misspelled name', { excpet: { format: 'xlsx' } }, '/excpet', 'for-each-rows', 'Did you mean `except`?'],
  ['rows that no loop can take', { only: { format: 'pdf', plan: 'basic' } }, '', 'for-each-empty', 'Add an item'],
])('%s is one finding, at its place', async (_, forEachRow, path, code, hint) => {
  const found = await diagnosticsOf(filesOf({ ...source, ...(forEachRow as JsonObject) }, { subject: 'Sales' }));
  expect(found.map((each) => [each.code, each.path])).toEqual([[code, `/schedules/a/forEachRow${path}`]]);
  expect(found[0]?.hint).toContain(hint);
});

test('a wrong text of empty is reported there, and a wrong cell in the table', async () => {
  const [found, ...others] = await diagnosticsOf(
    filesOf(
      { ...source, only: { code: 'acme' }, empty: { language: 'no address' } },
      { recipients: '${each.language}' },
    ),
  );
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: 'invalid-email', path: '/schedules/a/forEachRow/empty/language/0' });
});

test('a column that is never blank may have a text for blank cells, as a default may be needed tomorrow', async () => {
  expect(await diagnosticsOf(filesOf({ ...source, empty: { plan: 'gold' } }, { subject: 'Sales' }))).toEqual([]);
});

interface Written extends Partial<Pick<RowChoice, 'file' | 'key'>> {
  readonly only?: Readonly<Record<string, readonly string[]>>;
  readonly except?: Readonly<Record<string, readonly string[]>>;
  readonly empty?: Readonly<Record<string, string>>;
}

const choiceOf = ({ only = {}, except = {}, empty = {}, ...rest }: Written): RowChoice => ({
  ...source,
  ...rest,
  only: new Map(Object.entries(only)),
  except: new Map(Object.entries(except)),
  empty: new Map(Object.entries(empty)),
});

const xlsx = { format: ['xlsx'] };

test.each<readonly [kind: string, one: Written, other: Written, areSplit: boolean]>([
  ['only and except on the same column', { only: xlsx }, { except: xlsx }, true],
  ['only and a longer except', { only: xlsx }, { except: { format: ['csv', 'xlsx'] } }, true],
  ['only and a shorter except', { only: { format: ['csv', 'xlsx'] } }, { except: xlsx }, false],
  ['two different texts', { only: xlsx }, { only: { format: ['csv'] } }, true],
  ['two lists with a text in common', { only: { format: ['csv', 'xlsx'] } }, { only: xlsx }, false],
  ['two columns', { only: xlsx }, { only: { plan: ['gold'] } }, false],
  ['except of two columns', { only: xlsx }, { except: { ...xlsx, plan: ['gold'] } }, false],
  [
    'only and except of the same two columns',
    { only: { ...xlsx, plan: ['gold'] } },
    { except: { ...xlsx, plan: ['gold'] } },
    true,
  ],
  ['two that leave out', { except: xlsx }, { except: { format: ['csv'] } }, false],
  ['all rows and some', {}, { only: xlsx }, false],
  ['another table', { only: xlsx }, { except: xlsx, file: 'd.csv' }, false],
  ['another column of keys', { only: xlsx }, { except: xlsx, key: 'mail' }, false],
  ['blank cells that they read differently', { only: xlsx, empty: { format: 'xlsx' } }, { except: xlsx }, false],
  [
    'blank cells that they read alike',
    { only: xlsx, empty: { format: 'pdf' } },
    { except: xlsx, empty: { format: 'pdf' } },
    true,
  ],
])('two loops share no row, whichever is first: %s', (_, one, other, expected) => {
  expect(areSplit(choiceOf(one), choiceOf(other))).toBe(expected);
  expect(areSplit(choiceOf(other), choiceOf(one))).toBe(expected);
});

test('a table of 10,000 rows is split by loops, each of which takes at most 5,000', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => `c${index},${index % 2 === 0 ? 'xlsx' : ''}`);
  const files = (value: string) => ({
    'schedules/c.csv': `code,format\n${rows.join('\n')}\n`,
    'schedules/a.yaml': JSON.stringify({
      schedules: {
        a: { ...mail(), name: '${each.code}', forEachRow: { ...source, only: { format: value } } },
        b: { ...mail(), name: '${each.code}', forEachRow: { ...source, except: { format: value } } },
      },
    }),
  });
  const { desired, findings } = await loadFiles(files('xlsx'));
  expect(desired.resources.length).toBe(10_000);
  expect(findings.map(({ code }) => code)).toEqual(['for-each-many', 'for-each-many']);
});

test('a cell that is nearly a text of only or except is one warning at the cell, however many loops share the table', async () => {
  const loop = (name: string, choice: JsonObject) => ({
    ...mail({ subject: name }),
    name: `${name} \${each.key}`,
    forEachRow: { file: 'c.csv', key: 'code', ...choice },
  });
  const found = await diagnosticsOf({
    'schedules/a.yaml': JSON.stringify({
      schedules: { a: loop('A', { except: { format: 'xlsx' } }), b: loop('B', { only: { format: 'xlsx' } }) },
    }),
    'schedules/c.csv': 'code,format\na,xlsx\nb,XLSX\nc, xlsx\nd,xlsx \ne,xls\nf,\n',
  });
  expect(found.map(({ code, severity, file, line }) => `${severity} ${code} ${file}:${line}`)).toEqual(
    [3, 4, 5].map((line) => `warning for-each-nearly schedules/c.csv:${line}`),
  );
});
