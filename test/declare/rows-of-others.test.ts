// The check `rows-of-others`: what passes, and what is found where. How a table looks in a workspace, and what follows for a plan,
// is in transcripts/validate/rows-of-others.txt.

import { expect, test } from 'vitest';
import { diagnosticsOf, type LoadingOptions, loadFiles } from '../support/apply/loading.ts';

type Files = Readonly<Record<string, string>>;

const inside = 'internalDomains: [acme.com, bücher.com]';
const rule = (more = '') =>
  `safety: { ${inside}, rows: { filters: [customer, customer_2], allow: tenants.csv${more} } }\n`;
const lines = (...more: readonly string[]) =>
  ['shows,receiver', 'North Pine,cfo@northpine.example', 'South Oak,cfo@southoak.example', ...more, ''].join('\n');
const north = '{ customer: { values: [North Pine] } }';

interface Declared {
  readonly to?: string;
  readonly filters?: string;
  readonly more?: string;
  readonly identifier?: string;
  readonly key?: string;
}

const byMail = (to: string, groups = '') =>
  `destinationType: email, subject: x, recipients: [${to}]${groups && `, userGroups: [${groups}]`}`;
const byHook = (url: string) => `destinationType: webhook, url: "${url}"`;
const toBucket = (bucket: string, prefix: string) =>
  `destinationType: s3, region: eu-west-1, roleArn: "arn:aws:iam::123456789012:role/omni", bucketName: ${bucket}, keyPrefix: ${prefix}`;

/** One line of a file: the place of a finding is its column. */
function declared({
  to = byMail('cfo@northpine.example'),
  filters,
  more,
  identifier = '12db1a0a',
  key = 'a',
}: Declared) {
  const own = [filters && `filterConfig: ${filters}`, more].filter(Boolean).map((each) => `, ${each}`);
  return `  ${key}: { identifier: ${identifier}, name: ${key}, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, ${to}${own.join('')} }\n`;
}

async function found(files: Files, options?: LoadingOptions) {
  const all = await diagnosticsOf({ 'tenants.csv': lines(), 'almanac.yaml': rule(), ...files }, undefined, options);
  return all
    .filter(({ code }) => ['rows-of-others', 'rows-table', 'recipient-not-inside', 'waiver-in-defaults'].includes(code))
    .map(({ severity, file, line, column, message, accepted }) => {
      const text = files[file ?? '']?.split('\n')[(line ?? 1) - 1]?.slice((column ?? 1) - 1);
      const at = /^[\w@.-]+|^"[^"]*"|^[[{]/.exec(text ?? '')?.[0] ?? `${file}:${line}:${column}`;
      return `${accepted === undefined ? severity : 'accepted'} at ${at}: ${message}`;
    });
}

const one = (given: Declared) => ({ 'schedules/a.yaml': `schedules:\n${declared(given)}` });
const nobody = (whom: string) => `: Nobody says what ${whom} may receive.`;
const cannotTell = (what: string, key = 'cancel_query_filter') =>
  `: No filter limits what \`cfo@northpine.example\` receives: ${what ? what : `Almanac cannot tell what \`${key}\` of \`customer\` lets through`}.`;
const notTheirs = (shows: string) =>
  `\`cfo@northpine.example\` may receive \`North Pine\` (tenants.csv:2), and this shows ${shows}.`;
const twoTiles = declared({ key: 'b', to: byMail('ana@acme.com'), filters: '{ customer_2: { values: [South Oak] } }' });
const atCfo = 'error at cfo@northpine.example';
/** What limits nothing is a mistake of the declaration. */
const atKey = 'error at a';
const atFilters = 'error at filterConfig';

test.each<[string, Files, readonly string[]]>([
  ['1: an address with its value', one({ filters: north }), []],
  [
    '2: another value',
    one({ filters: '{ customer: { values: [South Oak] } }' }),
    [`${atCfo}: ${notTheirs('`South Oak`')}`],
  ],
  [
    '2: its value and another one',
    one({ filters: '{ customer: { values: [North Pine, South Oak] } }' }),
    [`${atCfo}: ${notTheirs('`South Oak`')}`],
  ],
  ['3: no filter of its own', one({}), [atKey + cannotTell('this does not set `customer` or `customer_2`')]],
  [
    '3: the value of the dashboard',
    {
      'schedules/a.yaml': `dashboards:\n  d: { identifier: 12db1a0a, filters: ${north} }\nschedules:\n${declared({})}`,
    },
    [atKey + cannotTell('this does not set `customer`')],
  ],
  ...[
    ['cancel_query_filter', '{ values: [North Pine], cancel_query_filter: true }'],
    ['ignore_if_unjoinable', '{ values: [North Pine], ignore_if_unjoinable: true }'],
    ['type', '{ type: user_attribute, values: [North Pine] }'],
    ['is_negative', '{ values: [North Pine], is_negative: true }'],
    ['kind', '{ values: [North Pine], kind: CONTAINS }'],
    ['kind', '{ values: [North Pine], kind: [EQUALS] }'],
    ['case_insensitive', '{ values: [North Pine], case_insensitive: true }'],
    ['conjunction', '{ values: [North Pine], conjunction: OR, filters: [] }'],
    ['constructor', '{ values: [North Pine], constructor: 1 }'],
  ].map(([key, filter]): [string, Files, readonly string[]] => [
    `4: a condition with ${key}`,
    one({ filters: `{ customer: ${filter} }` }),
    [`error at {${cannotTell('', key)}`],
  ]),
  ...['[North Pine, ""]', '[North Pine, null]', '[[North Pine]]'].map((values): [string, Files, readonly string[]] => [
    `4: the values ${values}`,
    one({ filters: `{ customer: { values: ${values} } }` }),
    [`error at {${cannotTell('a value of `customer` is blank, or neither a text nor a number')}`],
  ]),
  ...[
    ['{ values: [North Pine], type: number }', '`North Pine` is not a number'],
    [
      '{ values: [North Pine], kind: equals }',
      'Omni documents no kind `equals`, so it is not known which rows the filter lets through',
    ],
  ].map(([filter, odd]): [string, Files, readonly string[]] => [
    `4: a condition with another finding, ${filter}`,
    one({ filters: `{ customer: ${filter} }` }),
    [`error at {${cannotTell(`Almanac cannot tell what \`customer\` lets through. ${odd}`)}`],
  ]),
  [
    '4: any field in extra',
    one({ filters: north, more: 'extra: { filters: { customer: x } }' }),
    [
      `error at {${cannotTell('Almanac cannot tell whether `filters` of `extra` changes what `customer` lets through')}`,
    ],
  ],
  ['4: an empty extra', one({ filters: north, more: 'extra: {}' }), []],
  [
    '4: the value *, which is one finding, whoever receives it',
    one({
      to: byMail('cfo@northpine.example, b@partner.example'),
      filters: '{ customer: { values: [North Pine, "*"] } }',
    }),
    [
      'error at "*": `*` is a value of `customer`. Omni compares with that text, and in tenants.csv it stands for every row.',
    ],
  ],
  [
    '4: the value * for somebody who may see every row',
    { ...one({ filters: '{ customer: { values: ["*"] } }' }), 'tenants.csv': lines('*,cfo@northpine.example') },
    [],
  ],
  [
    '4: no value',
    one({ filters: '{ customer: { values: [] } }' }),
    [`error at {${cannotTell('`customer` has no value')}`],
  ],
  [
    '5: a user group without a line',
    one({ to: byMail('me@acme.com', 'Pine people'), filters: north }),
    [`error at Pine${nobody('the user group `Pine people`')}`],
  ],
  [
    '6: a host without a line',
    one({ to: byHook('https://hooks.evil.test/x') }),
    [`error at "https://hooks.evil.test/x"${nobody('`hooks.evil.test`')}`],
  ],
  ['6: a bucket without a line', one({ to: toBucket('acme', 'north') }), [`error at acme${nobody('`acme`')}`]],
  [
    '7: a bucket with a line for each prefix, and the prefix of another one',
    {
      ...one({ to: toBucket('acme', 'south-oak'), filters: north }),
      'tenants.csv': lines('North Pine,acme/north-pine', 'South Oak,acme/south-oak'),
    },
    ['error at acme: `acme` may receive `South Oak` (tenants.csv:5), and this shows `North Pine`.'],
  ],
  [
    '7: the same with a path that leads elsewhere than it says',
    {
      ...one({ to: byHook('https://hooks.example/north/%2e%2e/south'), filters: north }),
      'tenants.csv': lines('North Pine,hooks.example/north', 'South Oak,hooks.example/south'),
    },
    [`error at "https://hooks.example/north/%2e%2e/south"${nobody('`hooks.example`')}`],
  ],
  [
    '7: the longest line wins',
    {
      ...one({ to: byHook('https://Hooks.example/north/1?x=2'), filters: north }),
      'tenants.csv': lines('*,hooks.example', 'South Oak,hooks.example/north'),
    },
    [
      'error at "https://Hooks.example/north/1?x=2": `hooks.example` may receive `South Oak` (tenants.csv:5), and this shows `North Pine`.',
    ],
  ],
  ...(
    [
      ['north', '-oak/report', ['north/-oak/report', 'north-oak/report']],
      ['north/', '-oak/report', undefined],
      ['north', 'report', undefined],
    ] as const
  ).map(([prefix, name, places]): [string, Files, readonly string[]] => [
    `7: the key prefix ${prefix} and the file name ${name}`,
    {
      ...one({ to: `${toBucket('lake', prefix)}, filename: ${name}`, filters: north }),
      'tenants.csv': lines('North Pine,lake/north', 'South Oak,lake/north-oak'),
    },
    places === undefined
      ? []
      : [
          `error at lake: Almanac cannot tell who receives this in \`lake\`: \`keyPrefix\` and \`filename\` make \`${places[0]}\` or \`${places[1]}\`, and lines of tenants.csv tell the two apart.`,
        ],
  ]),
  ...(
    [
      ['two values of a server', ['North Pine,files.example', 'South Oak,files.example'], true],
      ['every row of a server, and a value', ['North Pine,files.example', '*,files.example'], true],
      ['one value of a server', ['North Pine,files.example'], false],
      ['two values of one folder', ['North Pine,files.example/in', 'South Oak,files.example/in'], true],
      ['a folder for each value', ['North Pine,files.example/in', 'South Oak,files.example/out'], false],
      ['its user', ['North Pine,np@FILES.example', 'South Oak,files.example', 'South Oak,NP@files.example'], false],
      ['its user with a folder', ['North Pine,np@files.example/in', 'South Oak,files.example'], false],
    ] as const
  ).map(([words, table, isDoubtful]): [string, Files, readonly string[]] => [
    `7: an SFTP server, with lines for ${words}`,
    {
      ...one({
        to: 'destinationType: sftp, address: files.example, port: 22, username: np, path: in/x',
        filters: north,
      }),
      'tenants.csv': lines(...table),
    },
    isDoubtful
      ? [
          'error at files.example: Almanac cannot tell who receives this in `files.example`: its lines in tenants.csv allow several values, and none names the user that logs in there.',
        ]
      : [],
  ]),
  ...(
    [
      ['hooks.example/in?customer=so', 'North Pine,hooks.example/in', true],
      ['hooks.example/in?customer=so', 'North Pine,hooks.example', true],
      ['hooks.example/in?customer=so', '*,hooks.example/in', false],
      ['hooks.example/in/?customer=so', 'North Pine,hooks.example/in?customer=so', false],
      ['hooks.example?customer=so', 'North Pine,hooks.example?customer=so', false],
      ['hooks.example/in?', 'North Pine,hooks.example/in', false],
      ['hooks.example/in#x?y', 'North Pine,hooks.example/in', false],
    ] as const
  ).map(([url, line, isDoubtful]): [string, Files, readonly string[]] => [
    `7: the URL ${url} and the line ${line}`,
    { ...one({ to: byHook(`https://${url}`), filters: north }), 'tenants.csv': lines(line) },
    isDoubtful
      ? [
          `error at "https://${url}": Almanac cannot tell who receives this in \`hooks.example\`: the URL has a query, and the line of tenants.csv has none.`,
        ]
      : [],
  ]),
  [
    '7: a host of which a part is behind a secret, which is an error of its own',
    {
      ...one({ to: byHook('https://hooks.example${env.HOST}/x'), filters: north }),
      'tenants.csv': lines('*,hooks.example', '*,https:'),
    },
    [],
  ],
  ['7: a host behind a secret, which is an error of its own', one({ to: byHook('${env.HOOK}'), filters: north }), []],
  [
    '8: who may see every row needs no filter',
    { ...one({ to: byMail('a@kpmg.example') }), 'tenants.csv': lines('*,a@kpmg.example') },
    [],
  ],
  [
    '9: two ids on one dashboard, and one of them is set',
    { 'schedules/a.yaml': `schedules:\n${declared({ filters: north })}${twoTiles}` },
    [atFilters + cannotTell('this does not set `customer_2`')],
  ],
  [
    '9: another id on another dashboard',
    {
      'schedules/a.yaml': `schedules:\n${declared({ filters: north })}${twoTiles.replace('12db1a0a', '99999999')}`,
    },
    [],
  ],
  [
    '10: fanOut does not limit',
    one({ more: 'fanOut: true' }),
    [atKey + cannotTell('this does not set `customer` or `customer_2`')],
  ],
  [
    '13: a value that differs by a blank',
    one({ filters: '{ customer: { values: ["North Pine "] } }' }),
    [
      `${atCfo}: ${notTheirs('`North Pine `')} \`North Pine \` differs from \`North Pine\` of the table only in case, blanks or form.`,
    ],
  ],
  [
    '14: a routine, which has no filters',
    {
      'almanac.yaml': `${rule()}api: { operations: full }\n`,
      'schedules/a.yaml':
        'routines:\n  r: { name: r, modelId: 770e8400-e29b-41d4-a716-446655440002, prompt: p, schedule: 0 9 ? * MON *, timezone: UTC, owner: ana@acme.com, destination: { type: email, recipientEmails: [cfo@northpine.example] } }\n',
    },
    [`error at r${cannotTell('this has no filters')}`],
  ],
  ...(
    [
      ['no line', '', 'tools.example/x'],
      ['a line', 'North Pine,tools.example', 'tools.example/x'],
      ['a line for another path', 'North Pine,tools.example/north', 'tools.example/x'],
      ['a line, and a dot at its end', 'North Pine,tools.example', 'tools.example./x'],
    ] as const
  ).map(([words, line, url]): [string, Files, readonly string[]] => [
    `15: an AI job whose host has ${words}`,
    {
      'schedules/a.yaml': `aiJobs:\n  j: { modelId: 770e8400-e29b-41d4-a716-446655440002, prompt: p, webhookUrl: "https://${url}", webhookSigningSecret: x }\n`,
      'tenants.csv': lines(...(line === '' ? [] : [line])),
    },
    line === ''
      ? []
      : [
          line.endsWith('/north')
            ? `error at "https://${url}"${nobody('`tools.example`')}`
            : `error at j: No filter limits what \`${url.replace('/x', '')}\` receives: this has no filters.`,
        ],
  ]),
  ...(['', 'South Oak,C0123456789'] as const).map((line): [string, Files, readonly string[]] => [
    `18: a channel of Slack that has ${line === '' ? 'no line' : 'one'}`,
    {
      ...one({ to: 'destinationType: slack, slackRecipientType: channel, recipients: [C0123456789]', filters: north }),
      'tenants.csv': lines(...(line === '' ? [] : [line])),
    },
    line === ''
      ? []
      : ['error at C0123456789: `C0123456789` may receive `South Oak` (tenants.csv:4), and this shows `North Pine`.'],
  ]),
  [
    'a shared dashboard, where everybody with a line may receive what it shows',
    { ...one({}), 'almanac.yaml': rule(', shared: [12db1a0a]') },
    [],
  ],
  [
    'a shared dashboard, and somebody without a line',
    { ...one({ to: byMail('b@partner.example') }), 'almanac.yaml': rule(', shared: [12db1a0a]') },
    [`error at b@partner.example${nobody('`b@partner.example`')}`],
  ],
  [
    'the line of a domain, which is not that of a domain below it',
    {
      ...one({ to: byMail('A@NorthPine.example, b@eu.northpine.example'), filters: north }),
      'tenants.csv': lines('North Pine,northpine.example'),
    },
    [`error at b@eu.northpine.example${nobody('`b@eu.northpine.example`')}`],
  ],
  [
    'an address with a way behind the domain of a line',
    {
      ...one({ to: byMail('x%evil.test@northpine.example'), filters: north }),
      'tenants.csv': lines('North Pine,northpine.example'),
    },
    [
      `error at x%evil.test@northpine.example${nobody('`x%evil.test@northpine.example`')}`.replace(
        'x%evil.test@northpine.example:',
        'x:',
      ),
    ],
  ],
  [
    'an address in extra',
    one({ to: byMail('a@acme.com'), more: 'extra: { cc: e@evil.test }' }),
    [`error at e@evil.test${nobody('`e@evil.test`')}`],
  ],
  ...['u=https://evil.test/x', "'https://evil.test/x'"].map((text): [string, Files, readonly string[]] => [
    `a URL inside of a word of extra: ${text}`,
    one({ to: byMail('a@acme.com'), more: `extra: { hook: "${text}" }` }),
    [`error at "${text}"${nobody('`evil.test`')}`],
  ]),
  [
    'an SFTP server of which two fields name a folder, and the second begins at the root',
    {
      ...one({
        to: 'destinationType: sftp, address: "sftp://files.example/north", port: 22, username: u, path: /south/x',
        filters: north,
      }),
      'tenants.csv': lines('North Pine,files.example/north', 'South Oak,files.example/south'),
    },
    [`error at "sftp://files.example/north"${nobody('`files.example`')}`],
  ],
  [
    '9: the same dashboard in other letters',
    { 'schedules/a.yaml': `schedules:\n${declared({ filters: north })}${twoTiles.replace('12db1a0a', '"12DB1A0A "')}` },
    [atFilters + cannotTell('this does not set `customer_2`')],
  ],
  [
    'lines of the address and of its domain, which add up',
    {
      ...one({ filters: '{ customer: { values: [North Pine, 7] } }' }),
      'tenants.csv': lines('7,northpine.example'),
    },
    [],
  ],
])('rows belong to receivers: %s', async (_, files, expected) => {
  expect(await found(files)).toEqual(expected);
});

const row = (n: number) => String(n).padStart(2, '0');
const customers = (slip?: (row: string) => string) =>
  [
    'code,customer,to,group',
    ...[...Array(40).keys()].map((n) => {
      const cells = `c${row(n)},Customer ${row(n)},cfo@c${row(n)}.example,Group ${row(n)}`;
      return n === 7 ? (slip?.(cells) ?? cells) : cells;
    }),
  ].join('\n');
const table = [
  'shows,receiver',
  ...[...Array(40).keys()].flatMap((n) => [
    `Customer ${row(n)},c${row(n)}.example`,
    `Customer ${row(n)},Group ${row(n)}`,
  ]),
].join('\n');
const loop: Files = {
  'tenants.csv': table,
  'almanac.yaml': `${rule()}api: { operations: full }\nchecks: { recipient-not-inside: error }\n`,
  'schedules/customers.csv': customers(),
  'schedules/a.yaml':
    'schedules:\n  alert:\n    forEachRow: { file: customers.csv, key: code }\n    identifier: 12db1a0a\n    name: "${each.customer}"\n    schedule: 0 9 ? * MON *\n    timezone: UTC\n    format: pdf\n    destinationType: email\n    subject: x\n    recipients: ["${each.to}"]\n    userGroups: ["${each.group}"]\n    filterConfig: { customer: { values: ["${each.customer}"] } }\n',
};

test('a right table of 40 needs no waiver, and no line beyond its own', async () => {
  expect(await diagnosticsOf(loop)).toEqual([]);
});

test.each([
  [
    'Customer 07',
    'Customer 08',
    [
      ['cfo@c07.example: `cfo@c07.example`', 16],
      ['Group: the user group `Group 07`', 17],
    ],
  ],
  ['cfo@c07.example', 'cfo@c08.example', [['cfo@c08.example: `cfo@c08.example`', 18]]],
  ['Group 07', 'Group 08', [['Group: the user group `Group 08`', 19]]],
])('a slip in one of 40 rows, %s for %s, is found at its cell', async (right, wrong, expected) => {
  const files = { ...loop, 'schedules/customers.csv': customers((cells) => cells.replace(right, wrong)) };
  const [shows, may] = wrong === 'Customer 08' ? ['08', '07'] : ['07', '08'];
  const all = await found(files);
  expect(all).toEqual(
    expected.map(
      ([words, line]) =>
        `error at ${words} may receive \`Customer ${may}\` (tenants.csv:${line}), and this shows \`Customer ${shows}\`.`,
    ),
  );
});

const outside = 'recipient-not-inside';
const wrong = { filters: '{ customer: { values: [South Oak] } }' };

test.each<[string, Files, number, number]>([
  ['a line and the right rows', one({ filters: north }), 0, 0],
  ['a line and other rows', one(wrong), 1, 0],
  ['no line', one({ to: byMail('b@partner.example'), filters: north }), 1, 0],
  [
    'one of two addresses without a line',
    one({ to: byMail('cfo@northpine.example, b@partner.example'), filters: north }),
    1,
    0,
  ],
  [
    'a lowered check',
    { ...one({ filters: north }), 'almanac.yaml': `${rule()}checks: { rows-of-others: warning, ${outside}: error }\n` },
    0,
    1,
  ],
  [
    'a check that is off',
    { ...one({ filters: north }), 'almanac.yaml': `${rule()}checks: { rows-of-others: "off", ${outside}: error }\n` },
    0,
    1,
  ],
  [
    'a waiver of other rows',
    one({ ...wrong, more: 'accept: { rows-of-others: { reason: r, until: 2027-03-31 } }' }),
    0,
    1,
  ],
  [
    'a waiver that has ended',
    one({ ...wrong, more: 'accept: { rows-of-others: { reason: r, until: 2026-03-31 } }' }),
    1,
    1,
  ],
  [
    'a line past its day',
    {
      ...one({ filters: north }),
      'tenants.csv': 'shows,receiver,until\nNorth Pine,cfo@northpine.example,2026-11-20\n',
    },
    0,
    0,
  ],
  [
    'a line on its last day',
    {
      ...one({ filters: north }),
      'tenants.csv': 'shows,receiver,until\nNorth Pine,cfo@northpine.example,2026-11-21\n',
    },
    0,
    0,
  ],
  ['a table with a mistake', { ...one({ filters: north }), 'tenants.csv': lines(',x') }, 0, 0],
])(
  'with %s, who receives it is judged by the table alone, unless its check is lowered or waived',
  async (_, files, rows, domains) => {
    const { findings } = await loadFiles(
      { 'tenants.csv': lines(), 'almanac.yaml': `${rule()}checks: { ${outside}: error }\n`, ...files },
      undefined,
      { ended: 'counts' },
    );
    const errors = findings.filter(
      ({ accepted, severity = 'error' }) => accepted === undefined && severity === 'error',
    );
    expect(errors.filter(({ code }) => code === 'rows-of-others')).toHaveLength(rows);
    expect(errors.filter(({ code }) => code === outside)).toHaveLength(domains);
  },
);

test.each([
  ['an accept without an end', one({ ...wrong, more: 'accept: { rows-of-others: r }' }), 'required-field'],
  [
    'a waiver in defaults',
    {
      'schedules/a.yaml': `defaults: { schedules: { accept: { rows-of-others: { reason: r, until: 2027-03-31 } } } }\nschedules:\n${declared(wrong)}`,
    },
    'waiver-in-defaults',
  ],
  [
    'a waiver of right rows',
    one({ filters: north, more: 'accept: { rows-of-others: { reason: r, until: 2027-03-31 } }' }),
    'accepted-nothing',
  ],
  [
    'no domain that is inside',
    { ...one({ filters: north }), 'almanac.yaml': rule().replace(inside, 'internalDomains: []') },
    'no-internal-domains',
  ],
  [
    'a check without rows',
    { ...one({ filters: north }), 'almanac.yaml': `safety: { ${inside} }\nchecks: { rows-of-others: error }\n` },
    'required-field',
  ],
  [
    'a table that a loop reads',
    {
      ...loop,
      'almanac.yaml': (loop['almanac.yaml'] ?? '').replace('tenants.csv', 'schedules/customers.csv'),
      'schedules/customers.csv': customers().replace('customer,to', 'shows,receiver').replaceAll('each.x', ''),
    },
    'rows-table',
  ],
  ['no table', { ...one({ filters: north }), 'almanac.yaml': rule().replace('tenants', 'nobody') }, 'rows-table'],
] as const)('%s is an error of its own', async (_, files, code) => {
  const all = await diagnosticsOf({ 'tenants.csv': lines(), 'almanac.yaml': rule(), ...files });
  expect(all.map((each) => each.code)).toContain(code);
});

test.each([
  ['', '1:1', 'no column `shows` and `receiver`'],
  ['shows,who\n', '1:1', 'no column `receiver`'],
  ['shows,receiver,shows\n', '1:1', 'two columns `shows`'],
  ['value,receiver,report\n', '1:1', 'This file is for an auditor'],
  ...[
    'Until',
    ' until',
    'unt\u0456l',
    '\uff55\uff4e\uff54\uff49\uff4c',
    'bis',
    'expires',
    'Valid to',
    'end_date',
    'Gültig bis',
  ].map((name) => [
    `shows,receiver,${name}\n`,
    '1:16',
    `The column \`${name}\` is not read, and people may take this column for \`until\``,
  ]),
  ['sh\u043ews,shows,receiver\n', '1:1', 'people may take this column for `shows`'],
  ['shows,receiver\nNorth Pine,acme.com\n', '2:12', '`acme.com` is one of `safety.internalDomains`'],
  ['shows,receiver\nNorth Pine,ana@eu.acme.com\n', '2:12', '`acme.com` is one of `safety.internalDomains`'],
  ['shows,receiver\nNorth Pine,xn--bcher-kva.com\n', '2:12', '`bücher.com` is one of `safety.internalDomains`'],
  ['shows,receiver\nNorth Pine,ana@eu.Bücher.com\n', '2:12', '`bücher.com` is one of `safety.internalDomains`'],
  ['shows,receiver\nNorth Pine\n', '2:1', 'The row has 1 value'],
  ['shows,receiver,until\n,,\n', '2:1', 'The line is blank'],
  ['shows,receiver\n , \n', '2:1', 'The line is blank'],
  ['shows,receiver\n,a@b.example\n', '2:1', 'does not say what `a@b.example` may see'],
  ['shows,receiver\nNorth Pine, \n', '2:12', 'names no receiver'],
  ['shows,receiver\nNorth Pine, a@b.example\n', '2:12', 'it has spaces around it'],
  ['shows,receiver\nNorth Pine,@b.example\n', '2:12', 'a domain is written without `@`'],
  ['shows,receiver\nNorth Pine,https://b.example\n', '2:12', 'a host is written without a scheme'],
  ['shows,receiver\nNorth Pine,*\n', '2:12', '`*` stands for rows'],
  ['shows,receiver,until\nNorth Pine,b.example,\n', '2:22', 'does not say when it ends'],
  ['shows,receiver,until\nNorth Pine,b.example,2026-02-30\n', '2:22', 'The day `2026-02-30` does not exist'],
])('a mistake in the table is found at its cell: %j', async (text, place, words) => {
  const all = await diagnosticsOf({ ...one({ filters: north }), 'tenants.csv': text, 'almanac.yaml': rule() });
  expect(all.map(({ code, file, line, column, message }) => `${code} ${file}:${line}:${column} ${message}`)).toEqual([
    expect.stringMatching(new RegExp(`^rows-table tenants.csv:${place} .*${words.replaceAll('*', '\\*')}`)),
  ]);
});

test.each(['owner', 'to', 'since', 'valid_from', 'contract', 'e-mail', 'Kunde', 'тариф'])(
  "a column called %s is nobody's business",
  async (name) => {
    const files = {
      ...one({ filters: north }),
      'tenants.csv': `shows,receiver,${name}\nNorth Pine,northpine.example,x\n`,
    };
    expect(await diagnosticsOf({ ...files, 'almanac.yaml': rule() })).toEqual([]);
  },
);

test.each([
  ['bücher.example', byMail('cfo@xn--bcher-kva.example')],
  ['cfo@Bücher.example', byMail('cfo@xn--bcher-kva.example')],
  ['xn--bcher-kva.example', byHook('https://bücher.example/in')],
  ['bücher.example/in', byHook('https://xn--bcher-kva.example/in')],
])('the line %s and a receiver with the same domain in another spelling are read as one', async (receiver, to) => {
  const of = (value: string) => found({ ...one({ to, filters: north }), 'tenants.csv': lines(`${value},${receiver}`) });
  expect(await of('North Pine')).toEqual([]);
  expect(await of('South Oak')).toEqual([expect.stringContaining('may receive `South Oak` (tenants.csv:4)')]);
});

test('the sink of an environment needs a line for every row', async () => {
  const config = `${rule()}environments: { staging: { deliver: { email: qa@partner.example } } }\n`;
  const of = (...more: readonly string[]) =>
    found(
      { ...one({ filters: north }), 'almanac.yaml': config, 'tenants.csv': lines(...more) },
      { environmentName: 'staging' },
    );
  expect(await of()).toEqual([
    expect.stringContaining('`qa@partner.example` receives whatever the environment staging delivers'),
  ]);
  expect(await of('*,partner.example')).toEqual([]);
});
