// Audiences: what a reference to one stands for, and where their mistakes are reported.

import { describe, expect, test } from 'vitest';
import { diagnosticsOf, loadFiles } from '../support/apply/loading.ts';

type Files = Readonly<Record<string, string>>;

const fields = 'identifier: 12db1a0a, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf';
/** In braces a reference needs quotes. */
const quoted = (value: string) => (value.startsWith('$') ? `"${value}"` : value);
const email = (key: string, recipients: string) =>
  `  ${key}: { ${fields}, name: ${key}, destinationType: email, subject: x, recipients: ${quoted(recipients)} }\n`;
const slack = (key: string, recipients: string, type = 'channel') =>
  `  ${key}: { ${fields}, name: ${key}, destinationType: slack, slackRecipientType: ${type}, recipients: ${quoted(recipients)} }\n`;
const finance = 'audiences:\n  finance: { emails: [ana@example.com, bo@example.com], slack: C0123456789 }\n';

const reported = async (files: Files) =>
  (await diagnosticsOf(files)).map(({ code, file, line, message }) => [code, `${file}:${line}`, message] as const);
const codesOf = async (files: Files) => (await reported(files)).map(([code, place]) => `${code} ${place}`);
const recipientsOf = async (files: Files) => {
  const { desired, findings } = await loadFiles(files);
  expect(findings).toEqual([]);
  return Object.fromEntries(desired.resources.map(({ address, attributes }) => [address, attributes['recipients']]));
};

describe('what an audience stands for', () => {
  test('an audience is its e-mails or its Slack id, as the destination of the schedule needs it', async () => {
    const files = {
      'schedules/a.yaml': `schedules:\n${email('mail', '${audience.finance}')}${slack('chat', '${audience.finance}')}`,
      'schedules/lists.yaml': finance,
    };
    expect(await recipientsOf(files)).toEqual({
      'schedules.mail': ['ana@example.com', 'bo@example.com'],
      'schedules.chat': 'C0123456789',
    });
  });

  test('an audience in a list is spliced, and nobody is in the list twice', async () => {
    const files = {
      'schedules/a.yaml': `${finance.replace('C0', 'U0')}schedules:\n${email('mail', "['${audience.finance}', BO@example.com, cfo@example.com]")}${slack('chat', "['${audience.finance}', U1]", 'users')}`,
    };
    expect(await recipientsOf(files)).toEqual({
      'schedules.mail': ['ana@example.com', 'bo@example.com', 'cfo@example.com'],
      'schedules.chat': ['U0123456789', 'U1'],
    });
  });

  test('an audience in the defaults of a file suits each schedule that takes it over', async () => {
    const files = {
      'schedules/a.yaml': `audiences:\n  ops: { emails: [ana@example.com], slack: C9 }\ndefaults:\n  schedules: { ${fields}, destinationType: email, subject: x, recipients: '\${audience.ops}' }\nschedules:\n  a: { name: a }\n  b: { name: b, destinationType: slack, slackRecipientType: channel }\n  c: { name: c, destinationType: webhook, url: 'https://example.com/x' }\n`,
    };
    expect(await recipientsOf(files)).toEqual({
      'schedules.a': ['ana@example.com'],
      'schedules.b': 'C9',
      'schedules.c': undefined,
    });
  });

  test('an audience may take its people from a variable and from a file of its own folder', async () => {
    const files = {
      'almanac.yaml': 'variables: { core: [ana@example.com, bo@example.com], cfo: cfo@example.com }\n',
      'schedules/a.yaml': `audiences:\n  all: { emails: ["\${var.core}", "\${var.cfo}"], note: "\${file.note.txt}" }\nschedules:\n${email('mail', '${audience.all}')}`,
      'schedules/note.txt': 'Data agreement 7',
    };
    expect(await recipientsOf(files)).toEqual({
      'schedules.mail': ['ana@example.com', 'bo@example.com', 'cfo@example.com'],
    });
  });
});

describe('an audience in a loop', () => {
  const loop = (items: string, recipients: string) =>
    `schedules:\n  l:\n    forEach:\n${items}    ${fields.replaceAll(', ', '\n    ')}\n    name: L \${each.key}\n    destinationType: email\n    subject: x\n    recipients: ${recipients}\n`;

  test('an item may name audiences, as its whole value or in a list', async () => {
    const items = "      a: { to: '${audience.finance}' }\n      b: { to: ['${audience.finance}', cy@example.com] }\n";
    const people = ['ana@example.com', 'bo@example.com'];
    expect(await recipientsOf({ 'schedules/a.yaml': finance + loop(items, '${each.to}') })).toEqual({
      'schedules.l.a': people,
      'schedules.l.b': [...people, 'cy@example.com'],
    });
    expect(
      await recipientsOf({ 'schedules/a.yaml': finance + loop(items, '[dora@example.com, "${each.to}"]') }),
    ).toEqual({
      'schedules.l.a': ['dora@example.com', ...people],
      'schedules.l.b': ['dora@example.com', ...people, 'cy@example.com'],
    });
  });

  test('what is wrong with an audience in an item is reported at the item', async () => {
    const items = "      a: { to: '${audience.finnace}' }\n      b: { to: ['${audience.finance}', bad] }\n";
    expect(await codesOf({ 'schedules/a.yaml': finance + loop(items, '${each.to}') })).toEqual([
      'unknown-audience schedules/a.yaml:6',
      'invalid-email schedules/a.yaml:7',
    ]);
  });
});

describe('what is wrong with an audience', () => {
  test('an audience without the half that a schedule needs is an error at the use', async () => {
    const files = {
      'schedules/a.yaml': `audiences:\n  mail: { emails: [ana@example.com] }\n  chat: { slack: C1 }\nschedules:\n${email('a', '["${audience.mail}", "${audience.chat}"]')}${slack('b', '${audience.mail}')}  c: { ${fields}, name: "\${audience.chat}", destinationType: webhook, url: 'https://example.com/x' }\ndashboards:\n  d: { identifier: x, filterOrder: ["\${audience.chat}"] }\n`,
    };
    expect(await reported(files)).toEqual([
      ['audience-incomplete', 'schedules/a.yaml:5', expect.stringContaining('`chat` has no e-mail addresses')],
      ['audience-incomplete', 'schedules/a.yaml:6', expect.stringContaining('`mail` has no Slack id')],
      ['audience-incomplete', 'schedules/a.yaml:7', expect.stringContaining('`webhook` has no recipients')],
      ['audience-incomplete', 'schedules/a.yaml:9', expect.stringContaining('the kind dashboard has no recipients')],
    ]);
  });

  test.each([
    ['has no item', 'forEach: {}', 'for-each-empty'],
    ['cannot be read', 'forEach: [Europe]', 'for-each-list'],
  ])('an audience that a loop names counts as used, also where the loop %s', async (_, items, code) => {
    const loop = `  a: { ${items}, ${fields}, name: a, destinationType: email, subject: s, recipients: "\${audience.finance}" }`;
    expect(await codesOf({ 'schedules/a.yaml': `${finance}schedules:\n${loop}\n` })).toEqual([
      `${code} schedules/a.yaml:4`,
    ]);
  });

  test('a mistake in an audience is reported there once, however many schedules use it', async () => {
    const users = `schedules:\n${email('a', '${audience.x}')}${email('b', '["${audience.x}", bo@example.com]')}${email('c', '["${audience.x}", bad]')}`;
    const found = (audience: string) =>
      codesOf({ 'schedules/a.yaml': users, 'schedules/b.yaml': `audiences:\n  x: ${audience}\n` });
    const own = 'invalid-email schedules/a.yaml:4';
    expect(await found('{ emails: [ana@example.com, "ana@ex ample.com"] }')).toEqual([
      own,
      'invalid-email schedules/b.yaml:2',
    ]);
    expect(await found('{ emails: ana@example.com }')).toEqual([own, 'wrong-type schedules/b.yaml:2']);
    expect(await found('{ emails: [ana@example.com, "${var.x}"] }')).toEqual([
      own,
      'unknown-variable schedules/b.yaml:2',
    ]);
    expect(await found('{ emails: [ana@example.com], emial: x }')).toEqual([own, 'unknown-field schedules/b.yaml:2']);
    expect(await found('{ emails: [ana@example.com, "${audience.y}"] }')).toEqual([
      own,
      'invalid-interpolation schedules/b.yaml:2',
    ]);
    expect(await found('{ emails: [ana@example.com, Ana@example.com] }')).toEqual([
      own,
      'duplicate-recipient schedules/b.yaml:2',
    ]);
  });

  test('an audience that has a bad name or several channels, or is declared twice is an error', async () => {
    expect(await codesOf({ 'schedules/a.yaml': 'audiences:\n  1a: { slack: C1 }\n' })).toContain(
      'invalid-key schedules/a.yaml:2',
    );
    expect(await codesOf({ 'schedules/a.yaml': 'audiences:\n  a: { slack: "C1,C2" }\n' })).toContain(
      'one-slack-channel schedules/a.yaml:2',
    );
    const users = `schedules:\n${slack('a', '${audience.a}')}`;
    const twice = {
      'schedules/a.yaml': `audiences:\n  a: { slack: C1 }\n${users}`,
      'schedules/b.yaml': 'audiences:\n  a: { slack: C2 }\n',
    };
    expect(await codesOf(twice)).toEqual(['duplicate-address schedules/b.yaml:2']);
  });

  test.each(['{ note: the board }', '{ emails: }', '{ emial: ana@example.com }'])(
    'the audience %s, which is nobody, is reported there and not at its uses',
    async (audience) => {
      const users = `schedules:\n${email('a', '${audience.x}')}${email('b', '["${audience.x}", bo@example.com]')}${slack('c', '${audience.x}')}`;
      const found = await codesOf({ 'schedules/a.yaml': users, 'schedules/b.yaml': `audiences:\n  x: ${audience}\n` });
      expect(found).not.toEqual([]);
      expect(found.filter((each) => !each.endsWith(' schedules/b.yaml:2'))).toEqual([]);
    },
  );

  test('with a file that cannot be read nothing is said about audiences that it may declare or use', async () => {
    const files = {
      'schedules/a.yaml': `${finance}schedules:\n${email('a', '${audience.other}')}`,
      'schedules/b.yaml': 'a: [',
    };
    expect(await codesOf(files)).toEqual(['yaml-syntax schedules/b.yaml:1']);
  });
});

describe('an audience of addresses and user groups', () => {
  const full = { 'almanac.yaml': 'api: { operations: full }\nvariables: { managers: [Sales, "Sales, EMEA"] }\n' };
  const board = 'audiences:\n  board: { emails: [ana@example.com], userGroups: [Board, "${var.managers}"] }\n';
  const both = (key: string, recipients: string, userGroups: string) =>
    email(key, recipients).replace(' }\n', `, userGroups: ${quoted(userGroups)} }\n`);

  test('`recipients` takes its addresses and `userGroups` its groups, in lists, defaults and items as well', async () => {
    const reference = '${audience.board}';
    const { desired, findings } = await loadFiles({
      ...full,
      'schedules/a.yaml': `${board}schedules:\n${both('a', reference, reference)}${both('b', reference, `['${reference}', sales, Board]`)}`,
      'schedules/b.yaml': `defaults:\n  schedules: { recipients: '${reference}', userGroups: '${reference}' }\nschedules:\n${email('c', 'x').replace(', recipients: x', '')}`,
      'schedules/c.yaml': `schedules:\n  d: { forEach: { k: { to: '${reference}' } }, ${fields}, name: d, destinationType: email, subject: x, recipients: '\${each.to}', userGroups: ['\${each.to}'] }\n`,
    });
    expect(findings).toEqual([]);
    const groups = ['Board', 'Sales', 'Sales, EMEA'];
    expect(
      Object.fromEntries(desired.resources.map(({ address, attributes }) => [address, attributes['userGroups']])),
    ).toEqual({
      'schedules.a': groups,
      // Names are exact: `sales` may be another group than `Sales`.
      'schedules.b': [...groups, 'sales'],
      'schedules.c': groups,
      'schedules.d.k': groups,
    });
    expect(desired.resources.map(({ attributes }) => attributes['recipients'])).toEqual(
      Array(4).fill(['ana@example.com']),
    );
  });

  test('a schedule that takes one of the two gets a warning at its use, unless the audience has only one', async () => {
    const files = {
      ...full,
      'schedules/a.yaml': `${board}  people: { emails: [bo@example.com] }\n  sales: { userGroups: [Sales] }\nschedules:\n${email('a', '${audience.board}')}${both('b', "['${audience.people}']", '${audience.board}')}${both('c', '${audience.people}', '${audience.sales}')}`,
    };
    expect(await codesOf(files)).toEqual([
      'audience-in-part schedules/a.yaml:6',
      'audience-in-part schedules/a.yaml:7',
    ]);
  });

  test('an audience without groups in `userGroups`, one of groups in `recipients` and a group twice are found', async () => {
    const files = {
      ...full,
      'schedules/a.yaml': `audiences:\n  people: { emails: [bo@example.com] }\n  sales: { userGroups: [Sales, Sales] }\nschedules:\n${both('a', '${audience.people}', '${audience.people}')}${both('b', '${audience.sales}', '[A, A]')}`,
    };
    expect(await codesOf(files)).toEqual([
      'duplicate-recipient schedules/a.yaml:3',
      'audience-incomplete schedules/a.yaml:5',
      'audience-incomplete schedules/a.yaml:6',
      'duplicate-recipient schedules/a.yaml:6',
    ]);
  });

  test('groups need operations full, receive no test delivery, and none of a sink', async () => {
    const file = { 'schedules/a.yaml': `schedules:\n${both('a', '[ana@example.com]', '[Board]')}` };
    expect(await codesOf(file)).toEqual(['groups-need-full schedules/a.yaml:2']);
    const test = file['schedules/a.yaml'].replace(' }', ', testNow: true }');
    expect(await codesOf({ ...full, 'schedules/a.yaml': test })).toContain('test-not-supported schedules/a.yaml:2');
  });
});
