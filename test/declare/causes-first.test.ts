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
const inRows = (text: string) => rowsFile.replace('North Pine', text);
/** The table with a right day in each other line. */
const oneDay = (text: string) =>
  text
    .split('\n')
    .map((line, at) => (at > 1 && line !== '' ? line.replace(/[^,]*$/, '2027-12-31') : line))
    .join('\n');

const secretOf = {
  passwordUnencrypted: 'hunter2x',
  url: 'https://hooks.slack.com/services/T0000001/B0000001/abcdefghijklmnopqrstuvwx',
} as const;
const secretRows = (field: string) => ({
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
    workspace({ rows: inRows('{{ name }}') }),
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
        workspace({ rows: inRows(reference) }),
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
              schedules: { feed: { ...(field === 'url' ? hook() : sftp()), ...secretRows(field) } },
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
      rows: inRows('Cafe\u0301'),
      table: tableFile.replace('North Pine', 'Caf\u00e9'),
    }),
    'schedules/c.csv:2',
    '`Cafe\\u{301}` differs from `Caf\u00e9`',
  ],
  ['an id of another tool', workspace({ team: { id: '12' } }), 'schedules/c.yaml', 'almanac import'],
];

/** One finding beside notes, at the place of the mistake. */
async function expectOnce([, files, place, says]: (typeof cases)[number]) {
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
}

test.each(cases)('%s: one mistake, where it is made', (...row) => expectOnce(row));

const withTable = (text: string) => workspace({ table: text });
const column = (name: string, cell: string) =>
  withTable(
    tableFile
      .split('\n')
      .map((line, at) => (line === '' ? '' : `${line},${at === 0 ? name : cell}`))
      .join('\n'),
  );
const settings = (config: object) => workspace({ config });
const inSafety = (more: object) =>
  settings({
    safety: { internalDomains: ['example.com'], rows: { filters: ['customer'], allow: 'tenants.csv' }, ...more },
  });
const staging = (more: object) => settings({ environments: { production: {}, staging: more } });
const ofRows = (more: object) => workspace({ loop: { forEachRow: { file: 'c.csv', key: 'code', ...more } } });
const named = (name: string) => workspace({ loop: { name } });

/** Mistakes in tables, in almanac.yaml, and in what joins them with declarations: as above. */
const ofTablesAndSettings: typeof cases = [
  ['a line of Excel above the header', workspace({ rows: `sep=,\n${rowsFile}` }), 'schedules/c.csv:1', 'Remove line 1'],
  [
    'the same above semicolons',
    workspace({ rows: `sep=;\n${rowsFile.replaceAll(',', ';')}` }),
    'schedules/c.csv:1',
    'Remove line 1',
  ],
  ['the same in the table of permissions', withTable(`sep=,\n${tableFile}`), 'tenants.csv:1', 'Remove line 1'],
  ['JSON', workspace({ rows: '[{"code":"np"}]\n' }), 'schedules/c.csv:1', 'not a CSV file but JSON'],
  ['a page of HTML', workspace({ rows: '<!doctype html>\n<p>Sign in' }), 'schedules/c.csv:1', 'page of HTML'],
  ['columns between bars', workspace({ rows: rowsFile.replaceAll(',', ' | ') }), 'schedules/c.yaml', 'sign `|`'],
  ['columns between bars in the table', withTable(tableFile.replaceAll(',', '|')), 'tenants.csv:1', 'sign `|`'],
  ...["'North, Pine'", '\u201CNorth, Pine\u201D', '\u201ENorth, Pine\u201C'].map(
    (text) =>
      [
        `other quotes: ${text}`,
        workspace({ rows: inRows(text) }),
        'schedules/c.csv:2',
        'straight double quotes',
      ] as const,
  ),
  ['blanks on a line', workspace({ rows: rowsFile.replace('so,', '  \nso,') }), 'schedules/c.csv:3', 'Remove line 3'],
  [
    'a title above the header',
    workspace({ rows: `Customers,,\n${rowsFile}` }),
    'schedules/c.csv:1',
    'A title has no place',
  ],
  [
    'a header in capitals',
    workspace({ rows: rowsFile.replace('code', 'Code') }),
    'schedules/c.yaml',
    'Did you mean `Code`?',
  ],
  ['a column of names as the keys', ofRows({ key: 'customer' }), 'schedules/c.yaml', 'Leave `customer` as it is'],
  ['a column of addresses as the keys', ofRows({ key: 'to' }), 'schedules/c.yaml', 'Leave `to` as it is'],
  ...(['where', 'filter', 'include'] as const).map(
    (word) => [`\`${word}\` of rows`, ofRows({ [word]: {} }), 'schedules/c.yaml', 'Did you mean `only`?'] as const,
  ),
  ['`exclude` of rows', ofRows({ exclude: {} }), 'schedules/c.yaml', 'Did you mean `except`?'],
  ['`delimiter` of rows', ofRows({ delimiter: ';' }), 'schedules/c.yaml', 'Leave it out'],
  ...['c.csv', '${file.c.csv}', { file: 'c.csv', key: 'code' }].map(
    (forEach) =>
      [
        `${JSON.stringify(forEach)} as the items of a loop`,
        workspace({ loop: { forEach, forEachRow: undefined } }),
        'schedules/c.yaml',
        'forEachRow: { file: c.csv',
      ] as const,
  ),
  ...['${customer}', '${row.customer}', '${each["customer"]}', '${item.customer}'].map(
    (text) =>
      [
        `${text} for a column`,
        named(`Usage of ${text}`),
        'schedules/c.yaml',
        'Did you mean `${each.customer}`?',
      ] as const,
  ),
  ...['{customer}', '<Customer>', '[CUSTOMER]', '{ Customer }'].map(
    (text) =>
      [
        `${text} for a column, in a subject`,
        workspace({ loop: { subject: `Usage of ${text}` } }),
        'schedules/c.yaml',
        'Did you mean `${each.customer}`?',
      ] as const,
  ),
  ['the same in a name', named('Usage of {customer}'), 'schedules/c.yaml', 'Did you mean `${each.customer}`?'],
  ...['(blank)', "'North Pine", '=A2&B2'].map(
    (text) =>
      [
        `${text} of a spreadsheet`,
        { ...workspace({ rows: inRows(text), config: { safety: {} } }) },
        'schedules/c.csv:2',
        'Correct the cell',
      ] as const,
  ),
  ...['a@northpine.example|b@northpine.example', 'a@northpine.example and b@northpine.example'].map(
    (text) =>
      [
        `${text} in a cell`,
        workspace({ rows: rowsFile.replace('cfo@northpine.example', text) }),
        'schedules/c.csv:2',
        'write `recipients: ${each.to}`, and `;` between them',
      ] as const,
  ),
  ...['weekly', 'daily'].map(
    (word) =>
      [`${word} as a schedule`, workspace({ team: { schedule: word } }), 'schedules/c.yaml', 'Write `0 9 '] as const,
  ),
  [
    'n/a as a receiver',
    workspace({ rows: rowsFile.replace('cfo@northpine.example', 'n/a') }),
    'schedules/c.csv:2',
    'Leave the cell empty',
  ],
  ...['Shows,Receiver', 'shows, receiver'].map(
    (header) =>
      [
        `the header ${header}`,
        withTable(tableFile.replace('shows,receiver', header)),
        'tenants.csv:1',
        'in small letters',
      ] as const,
  ),
  ...(
    [
      ['from', '2999-01-01'],
      ['valid_from', '2999-01-01'],
      ['Start Date', '2999-01-01'],
      ['status', 'revoked'],
      ['active', 'no'],
      ['Enabled', 'FALSE'],
      ['effect', 'deny'],
      ['revoked', 'x'],
    ] as const
  ).map(
    ([name, cell]) =>
      [
        `a column \`${name}\` that turns a line off`,
        {
          ...workspace(),
          'tenants.csv': `shows,receiver,${name}\nNorth Pine,northpine.example,${cell}\nSouth Oak,southoak.example,\n`,
        },
        'tenants.csv:2',
        'the line counts today',
      ] as const,
  ),
  ...['dashboard', 'filter', 'Filters'].map(
    (name) =>
      [
        `a column \`${name}\` that is to limit a line`,
        column(name, 'x'),
        'tenants.csv:1',
        'for every dashboard',
      ] as const,
  ),
  ...['a@northpine.example; b@northpine.example', 'a@northpine.example, b@northpine.example'].map(
    (text) =>
      [
        `${text} as one receiver`,
        withTable(tableFile.replace('northpine.example', `"${text}"`)),
        'tenants.csv:2',
        'a line for each',
      ] as const,
  ),
  ['a name of a channel', withTable(`${tableFile}North Pine,#north\n`), 'tenants.csv:4', 'by its id'],
  ...['31.12.2027', '12/31/2027', '46752', '2027-12-31 00:00:00']
    .map((day) => [`the day ${day}`, column('until', day), 'tenants.csv:2', 'Write `2027-12-31`'] as const)
    .map(
      ([mistake, files, place, says]) =>
        [mistake, { ...files, 'tenants.csv': oneDay(files['tenants.csv'] ?? '') }, place, says] as const,
    ),
  [
    'a field of a view among the filters',
    inSafety({ rows: { filters: ['orders.customer'], allow: 'tenants.csv' } }),
    'almanac.yaml:1',
    'Did you mean `customer`?',
  ],
  ...(['targets', 'profiles', 'stages', 'workspaces'] as const).map(
    (word) =>
      [
        `\`${word}\` in almanac.yaml`,
        settings({ [word]: {} }),
        'almanac.yaml:1',
        'Did you mean `environments`?',
      ] as const,
  ),
  ['a field of `api` beside it', settings({ baseUrl: 'https://acme.omniapp.co' }), 'almanac.yaml:1', 'below `api`'],
  ['a field of `api` in an environment', staging({ operations: 'core' }), 'almanac.yaml:1', 'below `api`'],
  ['a field of `state` beside it', settings({ bucket: 'acme' }), 'almanac.yaml:1', 'below `state`'],
  [
    '`internalDomains` at the top',
    settings({ safety: { rows: { filters: ['customer'], allow: 'tenants.csv' } }, internalDomains: ['example.com'] }),
    'almanac.yaml:1',
    'below `safety`',
  ],
  [
    'a field of schedules at the top',
    settings({ timezone: 'UTC' }),
    'almanac.yaml:1',
    '`defaults: { schedules: { timezone: … } }`',
  ],
  ['`deliver` at the top', settings({ deliver: {} }), 'almanac.yaml:1', 'in an environment'],
  ['`safety` in an environment', staging({ safety: {} }), 'almanac.yaml:1', 'the same in every environment'],
  ['`recipients` in an environment', staging({ recipients: ['qa@example.com'] }), 'almanac.yaml:1', '`deliver: {'],
  ['`moved` in almanac.yaml', settings({ moved: [] }), 'almanac.yaml:1', 'in a source file'],
  [
    '`variables` in a source file',
    { ...workspace(), 'schedules/v.yaml': 'variables: { a: b }\n' },
    'schedules/v.yaml:1',
    'in almanac.yaml',
  ],
  ['a list of who is outside', inSafety({ externalDomains: ['x.example'] }), 'almanac.yaml:1', 'is outside'],
  [
    'a table by another word',
    inSafety({ rows: { filters: ['customer'], table: 'tenants.csv' } }),
    'almanac.yaml:1',
    'Did you mean `allow`?',
  ],
  [
    'a token from the environment',
    settings({ api: { token: '${env.OMNI_API_TOKEN}' } }),
    'almanac.yaml:1',
    'does not belong in a file',
  ],
  [
    '`type` of the state',
    settings({ state: { type: 's3', bucket: 'acme' } }),
    'almanac.yaml:1',
    'Did you mean `backend`?',
  ],
  ['a backend alone', settings({ state: 'git' }), 'almanac.yaml:1', '`state: { backend: git }`'],
  [
    'an unknown backend of several environments',
    settings({ state: { backend: 'gcs', path: 'x.json' }, environments: { a: {}, b: {} } }),
    'almanac.yaml:1',
    'can be `local`',
  ],
  ...['states/', 'almanac.yaml', 'tenants.csv'].map(
    (path) => [`${path} as the state`, settings({ state: { path } }), 'almanac.yaml:1', 'JSON file'] as const,
  ),
  [
    'an address of a database',
    settings({ state: { backend: 'postgres', conn_str: 'postgres://db/x' } }),
    'almanac.yaml:1',
    'ALMANAC_STATE_URL',
  ],
  [
    'milliseconds',
    settings({ api: { operations: 'full', timeout: 60_000 } }),
    'almanac.yaml:1',
    'at most 3600 seconds',
  ],
  ...(['none', false] as const).map(
    (email) =>
      [`a sink that is ${email}`, staging({ deliver: { email } }), 'almanac.yaml:1', '`refuse` or `skip`'] as const,
  ),
  ['a text for a map', inSafety({ rows: 'tenants.csv' }), 'almanac.yaml:1', 'Its fields are `filters`, `allow`'],
  [
    'an alias without an anchor below `<<`',
    { ...workspace(), 'schedules/r.yaml': 'schedules:\n  r:\n    <<: *mail\n' },
    'schedules/r.yaml:3',
    'No anchor',
  ],
];

test.each(ofTablesAndSettings)('%s: once, at its cause, with what to write', (...row) => expectOnce(row));

test('a mistake in a table that two loops read is said once', async () => {
  const files = workspace({ rows: conflict(rowsFile, '=======') });
  const two = JSON.stringify({ schedules: { monthly: loop(), daily: loop({ name: 'Daily ${each.customer}' }) } });
  expect(await diagnosticsOf({ ...files, 'schedules/c.yaml': two })).toHaveLength(1);
});
