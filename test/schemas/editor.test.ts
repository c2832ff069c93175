// What people see when they edit a source file with schemas/resources.schema.json in an editor.

import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getLanguageService, type JSONSchema, TextDocument } from 'vscode-json-languageservice';
import { kindsInSchemas } from '../../scripts/schemas/kinds.ts';
import { inOneText } from '../../scripts/schemas/shape-schema.ts';
import { publishedSourceSchema } from '../../scripts/schemas/source-schema.ts';
import { minuteMs, zoneClock } from '../../src/cron/time-zone.ts';
import { load } from '../../src/declare/load/load.ts';
import { commonFields, loopFields } from '../../src/model/fields/common-fields.ts';
import { exampleSchedules } from '../../src/model/fields/example-schedules.ts';
import {
  backends,
  type Destination,
  destinations,
  type Field,
  type Format,
  formats,
} from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { conditionFields, filterKinds, filterTypes } from '../../src/model/fields/filter-keys.ts';
import { awsRegions, suggestedCrons, suggestedZones } from '../../src/model/fields/suggestions.ts';
import { kindOfSection, sections } from '../../src/model/values/address.ts';
import { acceptableCodes, codes } from '../../src/model/workspace/codes.ts';
import { formatYaml } from '../../src/yaml/format/format-yaml.ts';
import { sourceOrder } from '../../src/yaml/format/source-order.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { openEditor } from '../support/editor.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

const published = publishedSourceSchema();
const editor = openEditor(resolve('schemas/resources.schema.json'));
/** Of almanac.yaml. */
const settings = openEditor(resolve('schemas/almanac.schema.json'));

const offeredIn = async (text: string, server = editor) => (await server.complete(text)).map(({ label }) => label);

const names = Object.keys(fieldsOf.schedule);
const field = (name: string): Field => fieldsOf.schedule[name] as Field;

interface Given {
  readonly destinationType?: Destination;
  readonly format?: Format;
}

/** A schedule of which the first line is `schedules:`, the second its key. */
function schedule(lines: readonly string[], { destinationType, format }: Given = {}): string {
  const common = ['identifier: 12db1a0a', 'name: Weekly', 'schedule: 0 9 ? * MON *', 'timezone: UTC'];
  const given = Object.entries({ format, destinationType }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return declared('schedules', [...common, ...given, ...lines]);
}

function declared(section: string, lines: readonly string[]): string {
  return [`${section}:`, '  weekly:', ...lines.map((line) => `    ${line}`), ''].join('\n');
}

/** The line of a text with this start. */
const lineOf = (text: string, start: string) => text.split('\n').findIndex((line) => line.trim().startsWith(start));

describe('completion', () => {
  test('an editor offers the warnings that may be accepted, with what each means, and asks for a reason', async () => {
    const offered = await editor.complete(schedule(['accept:', '  █'], { destinationType: 'email', format: 'pdf' }));
    expect(offered.map(({ label }) => label).sort()).toEqual([...acceptableCodes].sort());
    const twin = offered.find(({ label }) => label === 'duplicate-schedule');
    expect(twin?.documentation).toContain(codes['duplicate-schedule'].summary);
    expect(twin?.inserted).toMatch(/^duplicate-schedule:/);
    const lines = ['accept:', '  duplicate-schedule:', '    █'];
    const inside = await offeredIn(schedule(lines, { destinationType: 'email', format: 'pdf' }));
    expect(inside).toEqual(expect.arrayContaining(['reason', 'until']));
  });

  test('an editor offers the keys of a filter, and more of them for a filter of a dashboard', async () => {
    const given = ['filterConfig:', '  region:', '    █'];
    const delivery = await offeredIn(schedule(given, { destinationType: 'email', format: 'pdf' }));
    expect(delivery).toEqual(expect.arrayContaining(['values', 'kind', 'left_side', 'right_side']));
    expect(delivery).not.toContain('hidden');
    const dashboard = await offeredIn(declared('dashboards', ['filters:', '  region:', '    █']));
    expect(dashboard).toEqual(expect.arrayContaining([...delivery, 'hidden']));
  });

  test.each([
    ['schedule', (lines: readonly string[]) => schedule(['filterConfig:', ...lines], { format: 'csv' })],
    ['dashboard', (lines: readonly string[]) => declared('dashboards', ['filters:', ...lines])],
  ] as const)('an editor offers the kinds and types of a filter of a %s, and marks no other', async (_, text) => {
    const labels = async (line: string) =>
      (await offeredIn(text(['  region:', `    ${line}: █`]))).map((label) => label.replaceAll('"', ''));
    expect(await labels('kind')).toEqual([...filterKinds]);
    expect(await labels('type')).toEqual([...filterTypes]);
    const shown = await editor.diagnose(text(['  region: { kind: VENDOR_KIND, type: vendor, vendor_key: 1 }']));
    expect(shown.filter(({ message }) => !message.endsWith('is missing.'))).toEqual([]);
  });

  const fieldsIn = async (given: Given) =>
    (await offeredIn(schedule(['█'], given))).filter((label) => names.includes(label)).sort();
  const written = ['identifier', 'name', 'schedule', 'timezone', 'format', 'destinationType'];

  test.each<readonly [Destination, Format]>([
    ...destinations.map((destination) => [destination, 'pdf'] as const),
    ...formats.map((format) => ['webhook', format] as const),
  ])('an editor offers the fields of destination %s with format %s and no other', async (destinationType, format) => {
    const fitting = names.filter(
      (name) =>
        (field(name).destinations ?? [destinationType]).includes(destinationType) &&
        (field(name).formats ?? [format]).includes(format),
    );
    expect(await fieldsIn({ destinationType, format })).toEqual(
      fitting.filter((name) => !written.includes(name)).sort(),
    );
  });

  test('an editor offers no field that depends on a destination or a format before they are known', async () => {
    const offered = await fieldsIn({});
    expect(offered.filter((name) => field(name).destinations ?? field(name).formats)).toEqual([]);
    expect(offered).toContain('destinationType');
  });

  test('an editor offers the types of the destination of a routine, and then the fields of that one', async () => {
    const labels = async (...lines: readonly string[]) =>
      (await offeredIn(declared('routines', ['destination:', ...lines])))
        // The server also offers whole values, under the title or the types of their schema.
        .filter((label) => /^[a-z][A-Za-z]*$/.test(label));
    expect(await labels('  █')).toEqual(['type']);
    expect(await labels('  type: █')).toEqual(['email', 'slack']);
    expect(await labels('  type: email', '  █')).toEqual(['recipientEmails', 'userGroupIds']);
    expect(await labels('  type: slack', '  █')).toEqual(['recipientId', 'slackRecipientType']);
  });

  test('an editor offers the sections of a file', async () => {
    expect(await offeredIn('█\n')).toEqual([
      'schedules',
      'dashboards',
      'routines',
      'aiJobs',
      'audiences',
      'moved',
      'adopt',
      'removed',
      'defaults',
    ]);
  });

  test('an editor offers the values of a field with their meaning', async () => {
    const { shape } = field('paperFormat');
    const offered = await editor.complete(schedule(['paperFormat: █'], { destinationType: 'email', format: 'pdf' }));
    expect(Object.fromEntries(offered.map(({ label, documentation }) => [label, documentation]))).toEqual(
      shape.type === 'choice' && shape.choices,
    );
  });
});

describe('suggested values', () => {
  const given = { destinationType: 's3', format: 'csv' } as const;
  const offeredFor = (line: string) =>
    editor.complete(schedule([line], given).replace('timezone: UTC', 'name: Weekly'));

  test.each<[line: string, meanings: Readonly<Record<string, string>>]>([
    ['timezone: █', suggestedZones],
    ['timezoneOverride: █', suggestedZones],
    ['region: █', awsRegions],
    ['schedule: █', suggestedCrons],
  ])('an editor offers frequent answers with their meaning at %j', async (line, meanings) => {
    const offered = await offeredFor(line);
    expect(Object.fromEntries(offered.map(({ label, documentation }) => [label, documentation]))).toEqual(meanings);
    expect(offered.map(({ inserted }) => inserted)).toEqual(Object.keys(meanings));
  });

  test.each([
    ...Object.keys(suggestedZones).map((zone) => ['timezone', zone, given] as const),
    ...Object.keys(suggestedCrons).map((cron) => ['schedule', cron, given] as const),
  ])('what is offered for %s is valid: %s', async (name, value, to) => {
    const text = schedule([...complete.s3], to).replace(new RegExp(`    ${name}: .*`), `    ${name}: ${value}`);
    const files = { 'schedules/a.yaml': text, 'almanac.yaml': 'api: { baseUrl: https://acme.example.com }\n' };
    expect(text).toContain(`${name}: ${value}`);
    expect(await diagnosticsOf(files)).toEqual([]);
  });

  test.each(Object.entries(suggestedZones))('the clocks of %s are %s', (zone, words) => {
    const ahead = [0, 6].map((month) => {
      const instant = Date.UTC(2026, month, 15);
      return (zoneClock(zone).wallAt(instant) - instant) / minuteMs;
    });
    const [winter = 0, summer = 0] = ahead.sort((a, b) => a - b);
    const utc = (minutes: number) =>
      `UTC${minutes < 0 ? '-' : '+'}${Math.floor(Math.abs(minutes) / 60)}${minutes % 60 === 0 ? '' : `:${minutes % 60}`}`;
    expect(words).toBe(winter === summer ? `${utc(winter)} all year` : `${utc(winter)}, in summer ${utc(summer)}`);
  });

  test('hovering over the kind of a filter shows its words alone', async () => {
    const shown = await editor.hover(schedule(['filterConfig: { region: { ki█nd: EQUALS } }'], given));
    expect(shown).toContain(conditionFields['kind']?.words);
    expect(shown.split('\n').length).toBeLessThan(10);
  });
});

describe('what completion writes', () => {
  const below = (...path: readonly string[]) =>
    [...path, '█'].map((name, depth) => `${'  '.repeat(depth)}${name}`).join(':\n');
  const within = (section: string, ...path: readonly string[]) => below(section, 'weekly', ...path);
  const inSources = [
    ...['█\n', below('defaults'), ...sections.map((section) => below('defaults', section))],
    ...[...sections, 'audiences'].map((section) => within(section)),
    ...['lifecycle', 'meta', 'accept', 'forEachRow'].map((name) => within('schedules', name)),
    ...destinations.map((destinationType) => schedule(['█'], { destinationType, format: 'csv' })),
    ...formats.map((format) => schedule(['█'], { destinationType: 'email', format })),
    ...[within('schedules', 'filterConfig', 'region'), within('dashboards', 'filters', 'region')],
    ...[within('routines', 'destination'), 'moved:\n  - █\n', 'adopt:\n  - █\n'],
    ...['email', 'slack'].map((type) => declared('routines', ['destination:', `  type: ${type}`, '  █'])),
  ];
  const parts = ['api', 'state', 'defaults', 'deliver'];
  const inConfig = [
    ...['█\n', 'ignore:\n  - █\n', below('safety'), below('safety', 'rows'), below('environments', 'staging')],
    ...['api', 'state', 'defaults', 'checks'].map((name) => below(name)),
    ...sections.map((section) => below('defaults', section)),
    ...parts.map((name) => below('environments', 'staging', name)),
    ...backends.map((backend) => `state:\n  backend: ${backend}\n  █\n`),
  ];

  /** The lines of an offer that hold more than a name, the start of an entry, and an empty place to fill in. */
  const valuesIn = ({ inserted }: { readonly inserted: string }) =>
    inserted
      .replaceAll(/\$(?:\d+|\{\d+\})/g, '')
      .split('\n')
      .filter((line) => !/^[ -]*(?:"?[\w-]+"?:?)? *$/.test(line));

  test.each([
    ...inSources.map((text) => [text, editor] as const),
    ...inConfig.map((text) => [text, settings] as const),
  ])('an editor writes no value that nobody chose at %j', async (text, server) => {
    const offered = await server.complete(text);
    const written = offered.filter(({ label }) => !label.startsWith('new ')).flatMap(valuesIn);
    expect(written).toEqual([]);
  });

  test('an editor writes the name alone where a section has defaults', async () => {
    const lines = async (text: string, server = editor) =>
      Object.fromEntries((await server.complete(text)).map(({ label, inserted }) => [label, inserted.trim()]));
    expect(await lines(below('defaults'))).toEqual(
      Object.fromEntries(sections.map((section) => [section, `${section}:`])),
    );
    expect(await lines(below('safety'), settings)).toMatchObject({
      maxDeletePercent: 'maxDeletePercent:',
      rows: 'rows:',
    });
    expect(await lines(below('dashboards', 'sales'))).toMatchObject({ filters: 'filters:' });
  });
});

describe('snippets', () => {
  const filledIn = (snippet: string) =>
    snippet
      .replace(/\$\{\d+\|([^,|]+)[^|]*\|\}/g, '$1')
      .replace(/\$\{\d+:([^}]*)\}/g, '$1')
      .replaceAll('\\$', '$');

  test.each<readonly [string, string, string, readonly string[]]>([
    ...destinations.map((destination): [string, string, string, string[]] => [
      'schedules',
      `new ${destination} schedule`,
      `destinationType: ${destination}\n`,
      [`schedules.${exampleSchedules[destination].key}`],
    ]),
    [
      'schedules',
      'new schedule for each item',
      '${each.key}',
      ['schedules.weekly-report.emea', 'schedules.weekly-report.apac'],
    ],
    ['schedules', 'new schedule for each line of a table', 'key: code', ['schedules.weekly-report.north']],
    ['dashboards', 'new dashboard', 'values: [Europe]', ['dashboards.sales']],
    ['aiJobs', 'new AI job', 'prompt: Which', ['aiJobs.growth']],
    ['audiences', 'new audience', 'ana@example.com', []],
  ])('a snippet of %s is valid and laid out as fmt does: %s', async (section, label, words, addresses) => {
    const offered = await editor.complete(`${section}:\n  █\n`);
    const { inserted, documentation } = offered.find((each) => each.label === label) ?? {};
    expect(documentation).toMatch(/\.$/);
    const lines = filledIn(inserted ?? '').split('\n');
    const text = `${section}:\n${lines.map((line) => `  ${line}\n`).join('')}`;
    expect(text).toContain(words);
    expect(await editor.diagnose(text)).toEqual([]);
    const { desired, findings } = await load({
      workspace: makeMemoryWorkspace({
        'schedules/new.yaml': text,
        'schedules/customers.csv': 'code,to\nnorth,ana@example.com\n',
      }),
      environment: (name) => (name === 'ALMANAC_STATE_PLACE' ? undefined : 'https://acme.example.com'),
      clock: makeInstantClock(0),
    });
    expect(findings.filter(({ code }) => code !== 'unused-audience')).toEqual([]);
    expect(desired.resources.map(({ address }) => address)).toEqual(addresses);
    expect(formatYaml(text, sourceOrder)).toBe(text);
  });

  test('snippets do not hide the sections', async () => {
    const offered = await editor.complete('█\n');
    expect(offered.find(({ label }) => label === 'schedules')?.inserted).toBe('schedules:\n  ');
  });
});

test('an editor offers no snippet behind the name of a section, and none in a JSON file', async () => {
  const service = getLanguageService({});
  const schemas = [{ uri: 'file:///schema.json', fileMatch: ['*.json'], schema: published as JSONSchema }];
  service.configure({ schemas });
  for (const section of [...sections, 'audiences']) {
    expect(await offeredIn(`${section}: █\n`), section).toEqual([]);
    const document = TextDocument.create('file:///a.json', 'json', 1, `{ "${section}": {  } }`);
    for (const character of [document.getText().indexOf('{  }'), document.getText().indexOf('{  }') + 2]) {
      const offered = await service.doComplete(document, { line: 0, character }, service.parseJSONDocument(document));
      expect(
        offered?.items.filter(({ label }) => label.startsWith('new ')),
        section,
      ).toEqual([]);
    }
  }
});

test('a misspelled field has no quick fix that puts another field in its place', async () => {
  const text = schedule(['recipients: [ana@example.com]', 'subjekt: Weekly'], {
    destinationType: 'email',
    format: 'pdf',
  });
  const fixes = await editor.quickFixes(text);
  expect(fixes).toEqual([]);
  expect(await editor.quickFixes(webhook('pdf', 'paperFormat: a44'))).toContain('a4');
});

test.each(sections)('the text of each field that %s need begins with that', (section) => {
  const { properties } = (
    published.definitions as Record<string, { properties: Record<string, { description: string }> }>
  )[kindOfSection[section]] ?? { properties: {} };
  const marked = Object.keys(properties).filter((name) =>
    properties[name]?.description.startsWith('Required, here or in defaults.'),
  );
  const rows = Object.entries<Field>(fieldsOf[kindOfSection[section]]);
  expect(marked).toEqual(
    rows.flatMap(([name, row]) => (row.required && !row.destinations && !row.formats ? [name] : [])),
  );
});

describe('hover', () => {
  test.each<readonly [string, Pick<Field, 'words' | 'default'> | undefined, string]>([
    ['schedules', fieldsOf.schedule['hideTitle'], 'hideTitle█: ${var.x}'],
    ['schedules', { ...loopFields, ...commonFields }['forEachRow'], 'forEachRow█: {}'],
    ['schedules', { ...loopFields, ...commonFields }['in'], 'in█: {}'],
    ['dashboards', fieldsOf.dashboard['filterOrder'], 'filterOrder█: ${var.x}'],
    ['aiJobs', fieldsOf.aiJob['prompt'], 'prompt█: ${var.x}'],
    ['routines', fieldsOf.routine['destination'], 'destination█: ${var.x}'],
  ])('hovering in %s shows the documentation of a field, with its default', async (section, row, line) => {
    const shown = await editor.hover(
      declared(section, ['destinationType: webhook', 'format: pdf', 'name: Weekly', line]),
    );
    expect(shown).toContain(row?.words);
    if (row?.default !== undefined) expect(shown).toContain(`Default: \`${JSON.stringify(row.default)}\`.`);
  });

  test('hovering shows the meaning of each value once', async () => {
    const given = { destinationType: 'webhook', format: 'pdf' } as const;
    const shown = await editor.hover(schedule(['paperFormat: a█4'], given));
    const { shape } = field('paperFormat');
    if (shape.type !== 'choice') throw new Error('paperFormat is a choice');
    for (const [value, words] of Object.entries(shape.choices)) {
      expect(shown.split(`\`${value}\`: ${words}`)).toHaveLength(2);
    }
    expect(await editor.hover(schedule([], given).replace('destinationType: web', 'destinationType: web█'))).toContain(
      'an HTTP POST to `url`',
    );
  });
});

const complete = {
  webhook: ['url: https://hooks.example.com/omni'],
  email: ['recipients: [ana@example.com]', 'subject: Weekly'],
  slack: ['recipients: C0123456789', 'slackRecipientType: channel'],
  sftp: ['address: sftp.example.com', 'port: 22', 'username: reports', 'path: /in'],
  s3: ['bucketName: acme-reports', 'region: eu-west-1', 'roleArn: arn:aws:iam::123456789012:role/omni'],
} as const satisfies Record<Destination, readonly string[]>;

function webhook(format: Format, ...lines: string[]): string {
  return schedule([...complete.webhook, ...lines], { destinationType: 'webhook', format });
}

function slack(...lines: string[]): string {
  return schedule([...lines, 'slackRecipientType: channel'], { destinationType: 'slack', format: 'csv' });
}

describe('problems', () => {
  test.each(destinations)('an editor names each field that a schedule to %s lacks', async (destinationType) => {
    const problems = await editor.diagnose(schedule([], { destinationType, format: 'csv' }));
    expect(problems.map(({ message }) => message)).toEqual(
      complete[destinationType].map((line) => {
        const [name = ''] = line.split(':');
        return `\`${name}\` is missing: destinationType ${destinationType} requires it.`;
      }),
    );
  });

  const rules = Object.values(kindsInSchemas).flatMap(({ conditions }) => conditions);
  /** The words of the one rule that has these. */
  const rule = (words: RegExp): string => {
    const [found = '', ...others] = new Set(
      rules.map((each) => inOneText(each.words)).filter((each) => words.test(each)),
    );
    expect(others).toEqual([]);
    return found;
  };
  const items =
    'A map of items, or one `${var.NAME}` that is a map. The key of an item starts with a letter or a digit, followed by letters, digits, `_` and `-`, with at most 64 characters.';
  const loop = (line: string) => slack('recipients: C0123456789', line);

  // A broken file, the line that is underlined, and what is said.
  test.each<readonly [text: string, at: string, message: string | RegExp]>([
    [webhook('csv', 'conditionType: RESULTS_PRESENT'), 'weekly:', /conditionQueryMapKey is missing/],
    [webhook('xlsx', 'overrideRowLimit: true'), 'weekly:', /With format xlsx, overrideRowLimit/],
    [schedule([...complete.s3, 'testNow: true'], { destinationType: 's3', format: 'csv' }), 'testNow:', /to S3/],
    [slack('recipients: C1,C2'), 'recipients:', /exactly one Slack channel/],
    [slack('recipients: ["C1,C2"]'), 'recipients:', /exactly one Slack channel/],
    [declared('dashboards', ['identifier: 12db1a0a', 'filters: {}']), 'filters:', /Nothing is declared/],
    [
      webhook('csv', 'subject: Sales'),
      'subject',
      '`subject` applies only to destinationType `email`: remove it, or change destinationType.',
    ],
    [
      webhook('pdf', 'paperFormat: a44'),
      'paperFormat',
      'Value is not accepted. Valid values: "a3", "a4", "letter", "legal", "fit_page", "tabloid".',
    ],
    [
      schedule(['destinationType: webhok', ...complete.webhook], { format: 'csv' }),
      'destinationType',
      'Value is not accepted. Valid values: "webhook", "email", "sftp", "slack", "s3".',
    ],
    [
      webhook('pdf', 'hideTitle: "false"'),
      'hideTitle',
      'True or false, without quotes, or a reference such as ${var.NAME}.',
    ],
    [webhook('csv', 'filterConfig: region'), 'filterConfig', 'A map, or a reference such as ${var.NAME}.'],
    [webhook('csv', 'meta: { team: a }'), 'meta', 'Property team is not allowed.'],
    [
      webhook('csv', 'in: [production, "${var.x}"]'),
      'in:',
      'The name of an environment, which cannot be interpolated.',
    ],
    [
      declared('dashboards', ['identifier: 12db1a0a', 'filterOrder: [a]', 'lifecycle: { ignoreChanges: [filters] }']),
      'lifecycle',
      'Nothing here can be ignored.',
    ],
    [
      declared('routines', [
        ...['modelId: 770e8400-e29b-41d4-a716-446655440002', 'name: A', 'prompt: B', 'timezone: UTC'],
        ...['schedule: 0 9 ? * MON *', 'destination: { type: email, recipientEmails: [ana@example.com] }'],
        'lifecycle: { ignoreChanges: [prompt] }',
      ]),
      'lifecycle',
      'One of `name`, `description`, `schedule` and `timezone`: nothing else can be ignored.',
    ],
    [
      webhook('csv', 'forEach: { emea: Europe }', 'forEachRow: { file: a.csv, key: code }'),
      'forEachRow',
      'The items come from `forEach` or from `forEachRow`, not from both: remove one of the two.',
    ],
    [loop('forEach: { north america: America }'), 'forEach', items],
    [loop('forEach: [emea, apac]'), 'forEach', items],
    [loop('forEach: emea'), 'forEach', 'A map, or a reference such as ${var.NAME}.'],
    [loop('forEachRow: { file: customers.csv }'), 'forEachRow', '`key` is missing.'],
    [loop('forEachRow: { file: customers.csv, key: code, sheet: 1 }'), 'forEachRow', 'Property sheet is not allowed.'],
    ['schedules: [a]\n', 'schedules', 'Incorrect type. Expected one of object, null.'],
    [
      schedule(complete.webhook, { destinationType: 'webhook', format: 'csv' }).replace('weekly', '1weekly'),
      '1weekly',
      'A key starts with a letter, followed by letters, digits, `_` and `-`, with at most 64 characters. It names the resource in every plan.',
    ],
  ])('an editor shows one problem, in the words of its rule (%$)', async (text, at, words) => {
    const message = typeof words === 'string' ? words : rule(words);
    expect(await editor.diagnose(text)).toEqual([{ line: lineOf(text, at), column: expect.any(Number), message }]);
  });

  test('an editor shows no problem in a complete file', async () => {
    const meta = 'meta: { owner: "@acme/finance", tags: [board], ticket: "${var.ticket}", note: For the board }';
    const text = [
      webhook('csv', 'extra: { colour: blue }', 'lifecycle: { ignoreChanges: [name, "${var.kept}"] }', meta),
      declared('dashboards', ['identifier: 12db1a0a', 'filters: { region: { values: ["EMEA"], left_side: 1 } }']),
      'moved: [{ from: schedules.old, to: schedules.weekly }]',
      'adopt: [{ to: schedules.weekly, id: 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7 }]',
      'removed: [{ from: schedules.legacy, keep: true }]',
      'defaults: { schedules: { format: pdf, recipients: [ana@example.com] } }',
      'x-anchors: [1]',
      '',
    ].join('\n');
    expect(await editor.diagnose(text)).toEqual([]);
  });
});

describe('defaults of the file', () => {
  const given = {
    identifier: '12db1a0a',
    timezone: 'UTC',
    format: 'pdf',
    recipients: '[ana@example.com]',
  };
  const lines = ['name: Weekly', 'schedule: 0 9 ? * MON *', 'destinationType: email', 'subject: Weekly'];
  const withDefaults = (defaults: object, own: readonly string[]) => {
    const shared = Object.entries(defaults).map(([name, value]) => `    ${name}: ${value}\n`);
    return `defaults:\n  schedules:\n${shared.join('')}${declared('schedules', own)}`;
  };

  test('an editor does not miss what the defaults of the file give', async () => {
    expect(await editor.diagnose(withDefaults(given, lines))).toEqual([]);
  });

  test.each([...Object.keys(given)])(
    'an editor misses %s at the schedule where the defaults of the file do not give it',
    async (name) => {
      const text = withDefaults(Object.fromEntries(Object.entries(given).filter(([other]) => other !== name)), lines);
      expect(await editor.diagnose(text)).toEqual([
        {
          line: lineOf(text, 'weekly:'),
          column: expect.any(Number),
          message:
            name === 'recipients'
              ? '`recipients` is missing: destinationType email requires it.'
              : `\`${name}\` is missing.`,
        },
      ]);
    },
  );

  test('the defaults of one section give nothing to another', async () => {
    const text = `defaults: { schedules: { identifier: 12db1a0a } }\n${declared('dashboards', ['filterOrder: [a]'])}`;
    expect((await editor.diagnose(text)).map(({ message }) => message)).toEqual(['`identifier` is missing.']);
  });

  test('defaults take nothing from what an editor offers', async () => {
    const offered = async (text: string) => (await offeredIn(text)).sort();
    const own = ['destinationType: email', '█'];
    const written = await offered(declared('schedules', ['format: pdf', ...own]));
    expect((await offered(withDefaults(given, own))).filter((label) => label !== 'format')).toEqual(written);
    const byDestination = await offered(withDefaults({ ...given, destinationType: 'email' }, ['█']));
    expect(byDestination.filter((label) => !['format', 'destinationType'].includes(label))).toEqual(written);
  });
});

describe('almanac.yaml', () => {
  test('an editor completes what an environment may override in almanac.yaml, and the values of a choice', async () => {
    const below = 'environments:\n  staging:\n    ';
    expect(await offeredIn(`${below}█\n`, settings)).toEqual(['api', 'state', 'variables', 'deliver', 'defaults']);
    expect(await offeredIn(`${below}api:\n      operations: █\n`, settings)).toEqual(['core', 'full']);
  });

  test('an editor offers the warnings whose severity can be set in almanac.yaml, and the severities', async () => {
    const offered = await settings.complete('checks:\n  █\n');
    expect(offered.map(({ label }) => label).sort()).toEqual(
      [...acceptableCodes, 'csv-of-tiles', 'filter-shape', 'rows-unused', 'same-state-place', 'unknown-option'].sort(),
    );
    const often = offered.find(({ label }) => label === 'cron-too-frequent');
    expect(often?.documentation).toContain(codes['cron-too-frequent'].summary);
    // In quotes, because older readers of YAML take a plain off for false.
    const values = ['"off"', 'warning', 'error'];
    expect(await offeredIn('checks:\n  cron-too-frequent: █\n', settings)).toEqual(values);
  });

  const shared = ['backend', 'lease'];
  test.each([
    ['', ['backend', 'path']],
    ['backend: local', ['path']],
    ['backend: git', ['branch', 'lease', 'remote']],
    ['backend: s3', ['bucket', 'endpoint', 'lease', 'prefix', 'region']],
    ['backend: postgres', ['lease', 'name', 'schema', 'table']],
  ])('an editor offers the fields of the state with %j and of no other backend', async (line, expected) => {
    const offered = async (head: readonly string[], indent: string) => {
      const lines = [...head, ...(line === '' ? [] : [`${indent}${line}`]), `${indent}█`, ''];
      return (await offeredIn(lines.join('\n'), settings)).sort();
    };
    expect(await offered(['state:'], '  ')).toEqual(expected);
    const inEnvironment = await offered(['environments:', '  staging:', '    state:'], '      ');
    // Without a backend of its own, an environment may hold a field of whichever backend the rest of the file names.
    if (line === '')
      expect(inEnvironment).toEqual(expect.arrayContaining([...shared, 'branch', 'path', 'prefix', 'table']));
    else expect(inEnvironment).toEqual(expected);
  });

  test('an editor offers the backends, and marks a field of another one once', async () => {
    expect(await offeredIn('state:\n  backend: █\n', settings)).toEqual(['local', 'git', 's3', 'postgres']);
    const marked = async (text: string) =>
      (await settings.diagnose(text)).map(({ line, message }) => `${line} ${message}`);
    expect(await marked('state:\n  backend: git\n  path: s.json\n')).toEqual([
      '2 `path` applies only to backend `local`: remove it, or change backend.',
    ]);
    expect(await marked('state:\n  branch: a\n')).toEqual([
      '1 `branch` applies only to backend `git`: remove it, or change backend.',
    ]);
    expect(await marked('environments:\n  staging:\n    state:\n      branch: a\n')).toEqual([]);
    expect(await marked('state:\n  backend: s3\n  bucket: Not A Bucket\n')).toEqual([
      '2 The name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens.',
    ]);
    expect(await marked('state:\n  backend: git\n  lease: soon\n')).toHaveLength(1);
  });

  test('an editor marks a misspelt environment and an out-of-range value in almanac.yaml', async () => {
    const problems = await settings.diagnose('environments:\n  1st: {}\napi:\n  concurrency: 0\n');
    expect(problems.map(({ line, message }) => `${line} ${message}`).sort()).toEqual([
      '1 The name of an environment starts with a letter, followed by letters, digits, `_` and `-`.',
      '3 Value is below the minimum of 1.',
    ]);
  });
});

describe('loops', () => {
  const loop = ['forEach:', '  emea: { region: Europe }', '  4711: Asia'];
  const given = { destinationType: 'slack', format: 'csv' } as const;

  test('an editor completes the declaration of a loop as that of a single schedule', async () => {
    const labels = async (before: readonly string[]) => {
      const offered = await offeredIn(schedule([...before, '█'], given));
      return offered.filter((label) => label !== 'forEach' && label !== 'forEachRow');
    };
    const alone = await labels([]);
    expect(alone).toContain('slackRecipientType');
    expect((await labels(loop)).sort()).toEqual([...alone].sort());
    const rows = ['forEachRow: { file: customers.csv, key: code }'];
    expect((await labels(rows)).sort()).toEqual([...alone].sort());
  });

  test('an editor reports nothing in a loop whose fields use its items', async () => {
    const text = schedule(
      [
        ...loop.slice(0, 2),
        'recipients: ${each.to}',
        'slackRecipientType: ${each.type}',
        'maxRowLimit: ${each.rows}',
        'overrideRowLimit: true',
      ],
      given,
    );
    expect(await editor.diagnose(text)).toEqual([]);
  });
});
