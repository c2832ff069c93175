// Each mistake is said once, at its cause, wherever it is made.

import { expect, test } from 'vitest';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { hook, mail, sftp } from '../support/vocabulary.ts';

type Files = Readonly<Record<string, string>>;

const loop = (more: object = {}) => ({
  ...mail({ name: 'Usage of ${each.customer}', recipients: '${each.to}' as never }),
  ...{ forEachRow: { file: 'c.csv', key: 'code' }, filterConfig: { customer: { values: ['${each.customer}'] } } },
  ...more,
});
const plain = (more: object = {}) => ({ ...mail({ name: 'Team' }), ...more });

/** A workspace with a loop over customers, a table of permissions, and a report inside. */
function workspace(
  change: { loop?: object; team?: object; config?: object; rows?: string; table?: string } = {},
): Files {
  const rows = { filters: ['customer'], allow: 'tenants.csv' };
  return {
    'almanac.yaml': JSON.stringify({
      api: { operations: 'full' },
      safety: { internalDomains: ['example.com'], rows },
      ...change.config,
    }),
    'schedules/c.yaml': JSON.stringify({ schedules: { monthly: loop(change.loop), team: plain(change.team) } }),
    'schedules/c.csv':
      change.rows ?? 'code,customer,to\nnp,North Pine,cfo@northpine.example\nso,South Oak,cfo@southoak.example\n',
    'tenants.csv': change.table ?? 'shows,receiver\nNorth Pine,northpine.example\nSouth Oak,southoak.example\n',
  };
}

const rowsFile = 'code,customer,to\nnp,North Pine,cfo@northpine.example\nso,South Oak,cfo@southoak.example\n';
const tableFile = 'shows,receiver\nNorth Pine,northpine.example\nSouth Oak,southoak.example\n';
const filtered = (value: string) => ({ filterConfig: { customer: { values: [value] } } });
const conflict = (text: string, marker: string) => text.replace('\n', `\n${marker}\n`);
const inCells = (value: string) => rowsFile.replace('North Pine', value);

const secretOf = {
  passwordUnencrypted: 'hunter2x',
  url: 'https://hooks.slack.com/services/T0000001/B0000001/abcdefghijklmnopqrstuvwx',
} as const;
const ofRows = (field: string) => ({
  ...{ name: 'F ${each.code}', forEachRow: { file: 'c.csv', key: 'code' } },
  [field]: '${each.secret}',
});

const cases: readonly (readonly [mistake: string, files: Files, place: string, says: string])[] = [
  ...['<<<<<<< HEAD', '=======', '>>>>>>> branch', '||||||| base'].flatMap((marker) => [
    [
      `the marker ${marker} in the rows of a loop`,
      workspace({ rows: conflict(rowsFile, marker) }),
      'schedules/c.csv:2',
      'merge conflict',
    ] as const,
    [
      `the marker ${marker} in the table of permissions`,
      workspace({ table: conflict(tableFile, marker) }),
      'tenants.csv:2',
      'merge conflict',
    ] as const,
  ]),
  [
    'a blank behind a comma',
    workspace({ team: { schedule: '0 9 ? * MON, WED *' } }),
    'schedules/c.yaml',
    '`0 9 ? * MON,WED *`',
  ],
  [
    'blanks around a comma of hours',
    workspace({ team: { schedule: '0 9 , 17 * * ? *' } }),
    'schedules/c.yaml',
    '`0 9,17 * * ? *`',
  ],
  [
    'braces of a template in a subject',
    workspace({ team: { subject: 'Of {{ var.month }}' } }),
    'schedules/c.yaml',
    '`${var.month}`',
  ],
  [
    'a word for every second week',
    workspace({ team: { biweekly: true } }),
    'schedules/c.yaml',
    'No expression means every second week',
  ],
  [
    'every second week as the value of a word',
    workspace({ team: { frequency: 'biweekly' } }),
    'schedules/c.yaml',
    'No expression means every second week',
  ],
  [
    'braces of a template in a filter',
    workspace({ loop: filtered('{{ each.customer }}') }),
    'schedules/c.yaml',
    '${each.customer}',
  ],
  [
    'a variable of Jinja',
    workspace({ loop: filtered("{{ var('customer') }}") }),
    'schedules/c.yaml',
    '${var.customer}',
  ],
  [
    'a variable of a shell',
    workspace({ loop: filtered('$customer') }),
    'schedules/c.yaml',
    'reference of another tool',
  ],
  ['a tag of ERB', workspace({ loop: filtered('<%= customer %>') }), 'schedules/c.yaml', 'reference of another tool'],
  [
    'a template in the cells',
    workspace({ rows: inCells('{{ name }}') }),
    'schedules/c.csv',
    'reference of another tool',
  ],
  [
    'a reference of ours in another form, in a subject',
    workspace({ team: { subject: 'For {{ each.customer }}' } }),
    'schedules/c.yaml',
    'reference of another tool',
  ],
  [
    'a variable of a shell in a subject',
    workspace({ team: { subject: 'Sales $REGION' } }),
    'schedules/c.yaml',
    'reference of another tool',
  ],
  [
    'a misspelled filter in almanac.yaml',
    workspace({
      config: { safety: { internalDomains: ['example.com'], rows: { filters: ['customers'], allow: 'tenants.csv' } } },
    }),
    'almanac.yaml:1',
    'Did you mean `customer`?',
  ],
  [
    'a misspelled domain in the table',
    workspace({ table: tableFile.replace('southoak', 'suothoak') }),
    'schedules/c.csv:3',
    'tenants.csv:3',
  ],
  ['a name as an owner', workspace({ team: { owner: 'Ana Smith' } }), 'schedules/c.yaml', 'not valid for `owner`'],
  [
    'a text in place of a list of groups',
    workspace({ team: { userGroups: 'Board' } }),
    'schedules/c.yaml',
    'must be a list',
  ],
  [
    'a map in place of receivers',
    workspace({ team: { recipients: { to: 'x@other.example' } } }),
    'schedules/c.yaml',
    'x@other.example',
  ],
  [
    'a domain beside an internal one',
    workspace({ team: { recipients: ['ana@exmaple.com'] } }),
    'schedules/c.yaml',
    'Did you mean `ana@example.com`',
  ],
  [
    'the same without a table',
    {
      'almanac.yaml': JSON.stringify({
        safety: { internalDomains: ['example.com'] },
        checks: { 'recipient-not-inside': 'error' },
      }),
      'schedules/a.yaml': JSON.stringify({ schedules: { a: plain({ recipients: ['ana@exampel.com'] }) } }),
    },
    'schedules/a.yaml',
    'Did you mean `ana@example.com`?',
  ],
  [
    'a misspelled code below checks',
    workspace({ config: { checks: { 'recipient-not-internal': 'error' } } }),
    'almanac.yaml:1',
    '`recipient-not-inside`',
  ],
  [
    'a misspelled code below accept',
    workspace({ team: { accept: { 'recipient-not-internal': 'x' } } }),
    'schedules/c.yaml',
    '`recipient-not-inside`',
  ],
  [
    'an address in place of an entry of removed',
    { ...workspace(), 'schedules/r.yaml': 'removed:\n  - schedules.z\n' },
    'schedules/r.yaml:2',
    '{ from: schedules.z, keep: true }',
  ],
  [
    'an address in place of an entry of adopt',
    { ...workspace(), 'schedules/r.yaml': 'adopt:\n  - schedules.z\n' },
    'schedules/r.yaml:2',
    '{ to: schedules.z, id: ID }',
  ],
  ...['28-31', '28,29,30,31', '29-31', '30-31', '28-31/1'].map(
    (days) =>
      [
        `the days ${days} in place of the last one`,
        workspace({ team: { schedule: `0 18 ${days} * ? *` } }),
        'schedules/c.yaml',
        '`0 18 L * ? *`',
      ] as const,
  ),
  [
    'customers of several companies in one e-mail',
    workspace({
      team: { recipients: ['ana@north.example', 'bo@south.example'] },
      config: { safety: { internalDomains: ['example.com'] } },
      loop: { recipients: ['cfo@example.com'] },
      rows: 'code,customer\nnp,North Pine\n',
    }),
    'schedules/c.yaml',
    'one e-mail goes to all of them',
  ],
  ...['${env.NORTH}', '${var.north}', '${file.a.txt}'].map(
    (reference) =>
      [
        `${reference} in the cell that divides the rows`,
        workspace({ rows: inCells(reference) }),
        'schedules/c.csv:2',
        'forEach',
      ] as const,
  ),
  [
    'a reference in the cell of a receiver',
    workspace({ rows: rowsFile.replace('cfo@northpine.example', '${env.TO}') }),
    'schedules/c.csv:2',
    'A table holds no secrets',
  ],
  ...(['passwordUnencrypted', 'url'] as const).flatMap((field) =>
    (['${env.NORTH}', secretOf[field]] as const).map(
      (cell) =>
        [
          `${cell} in the cell of ${field}`,
          {
            'almanac.yaml': 'api: { operations: full }\n',
            'schedules/c.yaml': JSON.stringify({
              schedules: { feed: { ...(field === 'url' ? hook() : sftp()), ...ofRows(field) } },
            }),
            'schedules/c.csv': `code,secret\nnp,${cell}\n`,
          },
          'schedules/c.csv:2',
          'se `forEach` instead of `forEachRow`',
        ] as const,
    ),
  ),
  [
    'a secret in an item of a loop',
    {
      'almanac.yaml': 'api: { operations: full }\n',
      'schedules/c.yaml': JSON.stringify({
        schedules: {
          feed: { ...sftp(), name: 'F ${each.key}', forEach: { np: 'hunter2x' }, passwordUnencrypted: '${each.value}' },
        },
      }),
    },
    'schedules/c.yaml',
    'Write `${env.NAME}` into the item',
  ],
  [
    'a cell with an accent behind its letter, where the table has one letter',
    workspace({
      rows: inCells('Cafe\u0301'),
      table: tableFile.replace('North Pine', 'Caf\u00e9'),
    }),
    'schedules/c.csv:2',
    '`Cafe\\u{301}` differs from `Caf\u00e9`',
  ],
  ['an id of another tool', workspace({ team: { id: '12' } }), 'schedules/c.yaml', 'almanac import'],
];

test.each(cases)('%s: one mistake, where it is made', async (_, files, place, says) => {
  const found = (await diagnosticsOf(files)).filter(({ severity }) => severity !== 'note');
  const shown = found.map(({ file, line, message, hint }) => `${file}:${line}: ${message} ${hint}`);
  const [first = ''] = shown;
  expect(
    new Set(found.map(({ file, line, path, message }) => `${file}:${line}:${path}:${message}`)).size,
    shown.join('\n'),
  ).toBe(1);
  expect(first).toContain(place);
  expect(`${first}`).toContain(says);
  expect(shown.join('\n')).not.toMatch(/adds the line/);
});

test('a mistake in a table that two loops read is said once', async () => {
  const files = workspace({ rows: conflict(rowsFile, '=======') });
  const two = JSON.stringify({ schedules: { monthly: loop(), daily: loop({ name: 'Daily ${each.customer}' }) } });
  expect(await diagnosticsOf({ ...files, 'schedules/c.yaml': two })).toHaveLength(1);
});
