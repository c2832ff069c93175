// Numbers that YAML does not keep as written: where they are an error, for every place and every form.

import { describe, expect, test } from 'vitest';
import { formatYaml } from '../../src/yaml/format/format-yaml.ts';
import { sourceOrder } from '../../src/yaml/format/source-order.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';

const forms = ['0042', '1.10', '1e5', '0x1F', '1.', '.5', '+12', '12345678901234567890'];

type Files = Readonly<Record<string, string>>;

const defaults =
  'identifier: 12db1a0a, schedule: 0 9 ? * MON *, timezone: UTC, format: csv, subject: Sales, destinationType: email, recipients: [ana@example.com]';
const toServer =
  'identifier: 12db1a0a, schedule: 0 9 ? * MON *, timezone: UTC, format: csv, destinationType: sftp, address: sftp.example.com, port: 22, path: /in, username: almanac';

function filesOf(
  weekly: string,
  more: { config?: string; source?: string; common?: string; csv?: string } = {},
): Files {
  const { config = '', source = '', common = defaults, csv } = more;
  return {
    'almanac.yaml': `${config}defaults: { schedules: { ${common} } }\n`,
    'schedules/a.yaml': `${source}schedules:\n  weekly: { name: Weekly, ${weekly} }\n`,
    ...(csv === undefined ? {} : { 'schedules/rows.csv': csv }),
  };
}

const filter = (values: string, words = 'type: string, kind: EQUALS, ') =>
  `filterConfig: { code: { ${words}values: [${values}] } }`;
const loop = (value: string, use: string) => filesOf(`forEach: { north: { code: ${value} } }, ${use}`);

const jobWith = (metadata: string, number: string): Files => ({
  'almanac.yaml': `variables: { n: ${number} }\n`,
  'schedules/a.yaml': `aiJobs: { job: { modelId: 5f0b2c9e-3a1d-4c57-9c1b-0a1b2c3d4e5f, prompt: Summarise., webhookUrl: https://hooks.example.com/in, webhookMetadata: ${metadata} } }\n`,
});

const places: readonly (readonly [place: string, files: (number: string) => Files, expected: string])[] = [
  ['a text field', (it) => filesOf(`subject: ${it}`), 'wrong-type'],
  ['the value of a filter', (it) => filesOf(filter(it)), 'inexact-number'],
  ['the value of a filter of numbers', (it) => filesOf(filter(it, 'type: number, ')), 'inexact-number'],
  ['a filter that is no map', (it) => filesOf(`filterConfig: { code: [${it}] }`), 'inexact-number'],
  [
    'a condition within a filter',
    (it) =>
      filesOf(`filterConfig: { any: { conjunction: OR, filters: [{ type: string, kind: EQUALS, values: [${it}] }] } }`),
    'inexact-number',
  ],
  [
    'a variable within the text of a filter',
    (it) => filesOf(filter('"v${var.n}"'), { config: `variables: { n: ${it} }\n` }),
    'inexact-number',
  ],
  [
    'a variable that a filter compares with',
    (it) => filesOf(filter('"${var.n}"'), { config: `variables: { n: ${it} }\n` }),
    'inexact-number',
  ],
  [
    'a variable within a text',
    (it) => filesOf('subject: "Page ${var.n}"', { config: `variables: { n: ${it} }\n` }),
    'inexact-number',
  ],
  [
    'a variable that is a text field',
    (it) => filesOf('subject: "${var.n}"', { config: `variables: { n: ${it} }\n` }),
    'wrong-type',
  ],
  ['an item within a text', (it) => loop(it, 'subject: "Page ${each.code}"'), 'inexact-number'],
  ['an item that a filter compares with', (it) => loop(it, filter('"${each.code}"')), 'inexact-number'],
  [
    'a default',
    (it) => filesOf('in: [prod]', { common: `${defaults}, ${filter(it)}`, config: 'environments: { prod: {} }\n' }),
    'inexact-number',
  ],
  ['an alias', (it) => filesOf(filter('*n'), { source: `x-n: &n ${it}\n` }), 'inexact-number'],
  [
    'a merge',
    (it) =>
      filesOf('filterConfig: { code: { <<: *n, type: string, kind: EQUALS } }', {
        source: `x-n: &n { values: [${it}] }\n`,
      }),
    'inexact-number',
  ],
  [
    'a filter of a dashboard',
    (it) => ({
      'schedules/a.yaml': `dashboards: { sales: { identifier: 12db1a0a, filters: { code: { values: [${it}] } } } }\n`,
    }),
    'wrong-type',
  ],
  ['a secret', (it) => filesOf(`passwordUnencrypted: ${it}`, { common: toServer }), 'wrong-type'],
  [
    'a secret behind an alias',
    (it) => filesOf('passwordUnencrypted: *pw', { common: toServer, source: `x-pw: &pw ${it}\n` }),
    'wrong-type',
  ],
  [
    'a variable within a secret',
    (it) => filesOf('passwordUnencrypted: "pw${var.n}"', { common: toServer, config: `variables: { n: ${it} }\n` }),
    'inexact-number',
  ],
  ['only a key that Almanac does not read', (it) => filesOf('subject: Sales', { source: `x-n: ${it}\n` }), ''],
  ['only a variable', (it) => filesOf('subject: Sales', { config: `variables: { n: ${it} }\n` }), ''],
  ['a remark', (it) => filesOf('meta: { note: "Page ${var.n}" }', { config: `variables: { n: ${it} }\n` }), ''],
  [
    'a field that Almanac does not know',
    (it) => filesOf(`extra: { size: ${it}, page: "p\${var.n}" }`, { config: `variables: { n: ${it} }\n` }),
    '',
  ],
  ['metadata of a webhook', (it) => jobWith(`{ size: ${it} }`, it), ''],
  ['a text in metadata of a webhook', (it) => jobWith('{ size: "${var.n} MB" }', it), 'inexact-number'],
  [
    'a cell of a table',
    (it) =>
      filesOf(
        `forEachRow: { file: rows.csv, key: region }, subject: "Page \${each.code}", ${filter('"${each.code}"')}`,
        {
          csv: `region,code\nnorth,${it}\n`,
        },
      ),
    '',
  ],
];

/** `code: words` of each error, and what stands at its place. */
async function errorsIn(files: Files) {
  const found = (await diagnosticsOf(files)).filter(({ severity }) => severity === 'error');
  return found.map(({ code, file = '', line = 0, column = 0, endColumn = 0, message, hint }) => ({
    code,
    at: files[file]?.split('\n')[line - 1]?.slice(column - 1, endColumn - 1),
    words: `${message} ${hint}`,
  }));
}

describe.each(places)('%s', (place, files, expected) => {
  test.each(forms)(`the number %s in ${place} has the one finding that it needs`, async (number) => {
    const found = await errorsIn(files(number));
    expect(found.map(({ code }) => code)).toEqual(expected === '' ? [] : [expected]);
    if (expected === 'inexact-number') expect(found[0]?.at).toBe(number);
    if (place.includes('secret'))
      for (const shown of [number, String(Number(number))])
        expect(found[0]?.words.replaceAll('15 digits', '')).not.toContain(shown);
    const text = files(number)['schedules/a.yaml'] ?? '';
    if (text.includes(number)) expect(formatYaml(text, sourceOrder)).toContain(number);
  });
});

test('a number that stays a number counts as that number', async () => {
  for (const rows of ['1e3', '01000', '0x3E8', '1000.', '+1000'])
    expect(await errorsIn(filesOf(`overrideRowLimit: true, maxRowLimit: ${rows}`))).toEqual([]);
  expect(
    await errorsIn(filesOf('overrideRowLimit: true, maxRowLimit: "${var.n}"', { config: 'variables: { n: 1e3 }\n' })),
  ).toEqual([]);
});

test('one number that several declarations take over is one finding, and a secret among them hides it', async () => {
  const schedules = `schedules:
  a: { name: "A \${var.n}", ${defaults} }
  b: { name: "B \${var.n}", ${defaults}, ${filter('"${var.n}"')} }
`;
  const config = 'variables: { n: 7.70 }\n';
  const [shown, ...others] = await errorsIn({ 'almanac.yaml': config, 'schedules/a.yaml': schedules });
  expect(others).toEqual([]);
  expect(shown?.words).toContain('`"7.70"` with `type: string`');
  const secret = `${schedules}  c: { name: C, ${toServer}, passwordUnencrypted: "\${var.n}-pw" }\n`;
  const [hidden, ...more] = await errorsIn({ 'almanac.yaml': config, 'schedules/a.yaml': secret });
  expect([hidden?.words, ...more]).toEqual(['YAML reads this as a number. Quote it if it is a text.']);
});

test('all of a text that a variable gives as a number leads to the number', async () => {
  const config = 'variables: { n: 7.70 }\n';
  for (const files of [
    filesOf('subject: "${var.n}"', { config }),
    filesOf('forEach: { x: { s: "${var.n}" } }, subject: "${each.s}"', { config }),
  ]) {
    const [found, ...others] = await diagnosticsOf(files);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'wrong-type', hint: 'Quote it where the variable is set.' });
    expect(found?.related).toContainEqual(
      expect.objectContaining({
        file: 'almanac.yaml',
        line: 1,
        column: 17,
        message: 'This is the value of the variable.',
      }),
    );
  }
});
