// What passed a review as one field among many: a new destination, another owner, a secret that goes elsewhere, a password
// that is lost. What a reviewer must see first is found in the plan, all declarations and the state, and opens every report.

import { describe, expect, test } from 'vitest';
import type { RecordedGroup, StateResource } from '../../src/model/plan/state.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { sensitive } from '../../src/model/values/secret.ts';
import { findDangers } from '../../src/plan/dangers/find-dangers.ts';
import { aiJob, dashboard, declare, plan, schedule, secret, slack, stateOf } from '../support/plan/planning.ts';
import { type Asked, bare, dangersOf, found, internalDomains, mail, sftp } from '../support/security/dangers.ts';

const hook = (url: string) => ({ ...bare, destinationType: 'webhook', url });
const bucket = (bucketName: string, account: string) => {
  const roleArn = `arn:aws:iam::${account}:role/omni`;
  return { ...bare, destinationType: 's3', bucketName, region: 'eu-west-1', roleArn };
};
const channel = (id: string) => slack(id, { slackRecipientType: 'channel' });
const to = (recipients: readonly string[], fields: JsonObject = {}) => schedule({ recipients, ...fields });
const mine = (fields: JsonObject = {}) => to(['a@acme.com'], fields);
const server = 'sftp.partner.example';
const password = { passwordUnencrypted: secret('f', '${env.SFTP_PASSWORD}') };
const inFile = { passwordUnencrypted: { $secret: 'f', text: '(sensitive)' } };
const someId = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
const otherId = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';

type Row = [string, JsonObject | undefined, JsonObject, readonly string[], Asked?];
const core: Asked = { operations: 'core' };

const places: Row[] = [
  [
    'a host and a domain under extra',
    mine(),
    { ...mine(), extra: { webhookUrl: 'https://evil.example/x', copies: [{ email: 'eve@bad.example' }] } },
    ['outside-domain: bad.example', 'outside-host: evil.example'],
  ],
  [
    'a domain',
    mine(),
    to(['a@acme.com', 'eve@Evil.example']),
    ['outside-domain: evil.example', 'recipient-added: eve@Evil.example'],
  ],
  [
    'a domain that only ends like one of ours',
    mine(),
    to(['a@acme.com', 'eve@evil-acme.com']),
    ['outside-domain: evil-acme.com', 'recipient-added: eve@evil-acme.com'],
  ],
  [
    'a domain that a relay of ours would send to',
    mine(),
    to(['a@acme.com', 'Eve%evil.example@acme.com']),
    ['outside-domain: eve%evil.example@acme.com', 'recipient-added: Eve%evil.example@acme.com'],
  ],
  [
    'a domain before that of a relay',
    mine(),
    to(['a@acme.com', 'evil.example!eve@mail.acme.com']),
    ['outside-domain: evil.example!eve@mail.acme.com', 'recipient-added: evil.example!eve@mail.acme.com'],
  ],
  [
    'a domain in a key under extra',
    mine(),
    { ...mine(), extra: { copies: { 'eve@evil.example': true } } },
    ['outside-domain: evil.example'],
  ],
  [
    'a host that only looks like the old one',
    hook('https://hooks.acme.com/a'),
    hook('https://hooks.acme.com.evil.example/a'),
    ['outside-host: hooks.acme.com.evil.example'],
  ],
  [
    'a host behind user information',
    hook('https://hooks.acme.com/a'),
    hook('https://hooks.acme.com@evil.example/a'),
    ['outside-host: evil.example'],
  ],
  ['an inside host', hook('https://hooks.acme.com/a'), hook('https://new.acme.com/a'), ['inside-host: new.acme.com']],
  ['an SFTP server', sftp(server), sftp('sftp.evil.example'), ['outside-host: sftp.evil.example']],
  ['a bucket', bucket('reports', '111111111111'), bucket('other', '111111111111'), ['new-bucket: other']],
  [
    'an AWS account',
    bucket('reports', '111111111111'),
    bucket('reports', '222222222222'),
    ['new-aws-account: 222222222222'],
  ],
  [
    'a Slack channel',
    channel('C01'),
    channel('C02'),
    ['recipient-added: C02', 'recipient-removed: C01', 'new-slack-channel: C02'],
  ],
];

const known = { 'schedules.known': mail('x@partner.example', 'y@other.example', 'z@acme.com') };
const newRecipient = ['outside-recipient: b@partner.example'];
const adopted: Asked = { entries: { adopt: [['schedules.a', 'an-id']] } };

/** Beside a schedule that delivers to these domains. */
const recipients: Row[] = [
  ['of a new schedule, although its domain is known', undefined, to(['b@partner.example']), newRecipient],
  ['without those inside', undefined, to(['b@partner.example', 'c@acme.com']), newRecipient],
  ['unless all are inside', undefined, to(['c@acme.com', 'd@acme.com']), []],
  ['of a schedule that only runs once', undefined, to(['b@partner.example'], { testNow: true }), newRecipient],
  ['under extra', undefined, to(['c@acme.com'], { extra: { cc: 'b@partner.example' } }), newRecipient],
  [
    'besides their domain where that is new',
    undefined,
    to(['eve@evil.example']),
    ['outside-domain: evil.example', 'outside-recipient: eve@evil.example'],
  ],
  ['but not of an adopted schedule, which delivers to them', undefined, to(['b@partner.example']), [], adopted],
  [
    'whom an update adds, instead of all',
    to(['b@partner.example']),
    to(['c@other.example']),
    ['recipient-added: c@other.example', 'recipient-removed: b@partner.example'],
  ],
];

const owners: Row[] = [
  ['another colleague', mine({ owner: 'a@acme.com' }), mine({ owner: 'b@acme.com' }), ['new-owner: b@acme.com']],
  ['a colleague of a new schedule', undefined, mine({ owner: 'a@acme.com' }), ['new-owner: a@acme.com']],
  ['the first declared one', mine(), mine({ owner: 'b@acme.com' }), ['new-owner: b@acme.com']],
  ['a membership id', mine({ owner: 'a@acme.com' }), mine({ owner: someId }), [`new-owner: ${someId}`]],
  [
    'a stranger',
    mine({ owner: 'a@acme.com' }),
    mine({ owner: 'eve@evil.example' }),
    ['outside-owner: eve@evil.example'],
  ],
  ['a stranger of a new schedule', undefined, mine({ owner: 'eve@evil.example' }), ['outside-owner: eve@evil.example']],
  [
    'a stranger whose colleague owns it',
    mine({ owner: 'kim@p.example' }),
    mine({ owner: 'eve@p.example' }),
    ['new-owner: eve@p.example'],
  ],
  [
    'whose rights a schedule gets through userId where it is replaced',
    mine({ userId: otherId }),
    mine({ userId: someId, name: 'Other' }),
    [`new-owner: ${someId}`],
    core,
  ],
  ['but not where it is updated', mine({ userId: otherId }), mine({ userId: someId, name: 'Other' }), []],
  ['but not in other letters', mine({ owner: 'a@acme.com' }), mine({ owner: 'A@Acme.com', name: 'Other' }), []],
  ['but not one who is declared no more', mine({ owner: 'a@acme.com' }), mine(), []],
  ['but not one who was declared before', mine({ owner: 'a@acme.com' }), mine({ owner: 'a@acme.com', name: 'O' }), []],
];

describe('a danger of a plan', () => {
  const of = (before: JsonObject | undefined): Readonly<Record<string, JsonObject>> =>
    before === undefined ? {} : { 'schedules.a': before };

  test.each(places)('is a place that receives something for the first time: %s', (_, before, after, expected) => {
    expect(found(dangersOf({ 'schedules.a': after }, of(before)))).toEqual(expected);
  });

  test.each(recipients)('are outside recipients %s', (_, before, after, expected, asked) => {
    const dangers = dangersOf({ ...known, 'schedules.a': after }, { ...known, ...of(before) }, asked);
    expect(found(dangers)).toEqual(expected);
    const title = dangers.find(({ code }) => code === 'outside-recipient')?.title;
    if (title !== undefined) expect(title).toBe('1 outside recipient gets new schedules');
  });

  test.each(owners)('is an owner who is new to a schedule: %s', (_, before, after, expected, asked) => {
    const dangers = dangersOf({ 'schedules.a': after }, of(before), asked).filter(({ code }) => code.includes('owner'));
    expect(found(dangers)).toEqual(expected);
    for (const { items } of dangers) expect(items).toMatchObject([{ detail: '`schedules.a`' }]);
  });
});

describe('a place that receives something for the first time', () => {
  test.each([
    ['a@acme.com e@evil.example', 'outside-domain: evil.example'],
    ['Eve <e@evil.example>', 'outside-domain: evil.example'],
    ['a@acme.com;e@evil.example', 'outside-domain: evil.example'],
    ['(e@evil.example)', 'outside-domain: evil.example'],
    ['mailto:e@evil.example', 'outside-domain: evil.example'],
    ['see https://evil.example/x, please', 'outside-host: evil.example'],
    ['//evil.example/x', 'outside-host: evil.example'],
    ['https://hooks.acme.com,@evil.example/x', 'outside-host: evil.example'],
    ['https://hooks.acme.com\t@evil.example/x', 'outside-host: evil.example'],
    ['evil.example/x', undefined],
    ['at noon @ the office', undefined],
    ['1/2', undefined],
  ])('is found somewhere in a text under extra, if it has the sign of one: %j', (note, expected) => {
    const before = { ...mine(), extra: { note: 'https://hooks.acme.com/' } };
    const dangers = dangersOf({ 'schedules.a': { ...before, extra: { note } } }, { 'schedules.a': before });
    expect(found(dangers).filter((each) => each.startsWith('outside'))).toEqual(expected ? [expected] : []);
  });

  test('is the host that an AI job reports to', () => {
    const dangers = dangersOf({ 'aiJobs.q': aiJob({ webhookUrl: 'https://evil.example/x' }) });
    expect(found(dangers)).toEqual(['outside-host: evil.example']);
  });

  test('is none where an unchanged schedule delivers there, and one where another is only declared', () => {
    const other = { 'schedules.other': mail('x@partner.example') };
    const declared = { ...other, 'schedules.a': mail('b@partner.example') };
    expect(found(dangersOf(declared, other))).toEqual(newRecipient);
    expect(found(dangersOf(declared, {}, { targets: ['schedules.a'] }))).toEqual([
      'outside-domain: partner.example',
      ...newRecipient,
    ]);
  });

  test('is one also where it is adopted, because nobody has looked', () => {
    const dangers = dangersOf({ 'schedules.a': mail('b@evil.example') }, {}, adopted);
    expect(found(dangers)).toEqual(['outside-domain: evil.example']);
  });

  test.each([
    ['is named as loudly, and not called outside', 'eve@evil.example', 'grave outside-domain: evil.example'],
    ['is none where its domain is known: then their number is said', 'b@partner.example', 'caution outside-recipient:'],
  ])('without safety.internalDomains %s, with the way to name one’s own', (_, recipient, expected) => {
    const declared = { ...known, 'schedules.n-1': mail(recipient), 'schedules.n-2': mail(recipient, 'n@acme.com') };
    const state = { ...known, 'schedules.mine': mail('n@acme.com') };
    const dangers = dangersOf({ ...declared, 'schedules.mine': mail('n@acme.com') }, state, { domains: [] });
    const [danger] = dangers;
    const subjects = danger?.items.map(({ subject }) => ` ${subject}`).join() ?? '';
    expect(`${danger?.gravity} ${danger?.code}:${subjects}`).toBe(expected);
    expect(danger?.title).toBe(
      danger?.gravity === 'grave'
        ? '1 domain receives something for the first time. To see what is outside, list your own domains under safety.internalDomains in almanac.yaml'
        : 'Recipients at 2 known domains get new schedules. To see who is outside, list your own domains under safety.internalDomains in almanac.yaml',
    );
    const renamed = { ...known, 'schedules.known': { ...known['schedules.known'], name: 'Renamed' } };
    expect(dangersOf(renamed, known, { domains: [] })).toEqual([]);
  });
});

describe('the user whose rights are used', () => {
  const userId = { userId: someId };
  test.each<[string, Readonly<Record<string, JsonObject>>, string | undefined, Readonly<Record<string, JsonObject>>?]>([
    ['a new schedule', { 'schedules.a': to([], userId) }, 'schedules'],
    ['a test delivery', { 'schedules.a': to([], { ...userId, testNow: true }) }, 'schedules'],
    ['a new AI job', { 'aiJobs.a': aiJob(userId) }, 'AI jobs'],
    ['both at once', { 'schedules.a': to([], userId), 'aiJobs.a': aiJob(userId) }, 'schedules and AI jobs'],
    [
      'no AI job that runs again for the same user',
      { 'aiJobs.q': aiJob({ ...userId, prompt: 'More.' }) },
      undefined,
      { 'aiJobs.q': aiJob(userId) },
    ],
    ['no dashboard, whose filters are everybody’s', { 'dashboards.d': dashboard(userId) }, undefined],
  ])('is named once for %s', (_, after, what, before = {}) => {
    const title = `1 owner gets ${what}, which then run with their rights`;
    const expected = [expect.objectContaining({ code: 'new-owner', gravity: 'caution', title })];
    const dangers = dangersOf(after, before);
    expect(dangers).toEqual(what === undefined ? [] : expected);
    expect(dangers.flatMap(({ items }) => items.map(({ subject }) => subject))).toEqual(what ? [someId] : []);
  });

  test('is not named for an adoption, which sends nothing', () => {
    expect(dangersOf({ 'schedules.a': to([], userId) }, {}, adopted)).toEqual([]);
  });
});

test('deletes and new outside places are graver than the rest, and come first', () => {
  const dangers = dangersOf(
    {
      'schedules.a': mail('a@acme.com', 'eve@evil.example'),
      'schedules.b': hook('https://sub.acme.com/x'),
      'schedules.c': channel('C02'),
    },
    { 'schedules.a': mail('a@acme.com', 'old@acme.com'), 'schedules.gone': mine() },
  );
  expect(dangers.map(({ gravity, code }) => `${gravity} ${code}`)).toEqual([
    'grave deleted',
    'grave outside-domain',
    'caution recipient-added',
    'caution recipient-removed',
    'caution inside-host',
    'caution new-slack-channel',
  ]);
});

test('schedules that a plan pauses or resumes are a danger', () => {
  const dangers = dangersOf(
    { 'schedules.a': mine(), 'schedules.b': mine({ paused: true }) },
    { 'schedules.a': mine({ paused: true }), 'schedules.b': mine() },
  );
  expect(found(dangers)).toEqual(['paused: schedules.b', 'resumed: schedules.a']);
});

describe('user groups', () => {
  const state = (groups: readonly RecordedGroup[], names: readonly string[]) => {
    const known = stateOf({ 'schedules.a': mine({ userGroups: [...names] }) });
    const [a] = Object.values(known.resources);
    return { ...known, resources: { 'schedules.a': { ...(a as StateResource), groups } } };
  };
  const board = { name: 'Board', id: someId, people: 12 };

  test('are named where they are added or removed, with the people that were counted', () => {
    const changed = { 'schedules.a': mine({ userGroups: ['Sales team'] }) };
    expect(found(dangersOf(changed, state([board], ['Board'])))).toEqual([
      'recipient-added: Sales team (a group)',
      'recipient-removed: Board (a group of 12 people)',
    ]);
  });
  test('are the same by their name and by their id', () => {
    expect(found(dangersOf({ 'schedules.a': mine({ userGroups: [someId] }) }, state([board], ['Board'])))).toEqual([]);
  });
  test('are outside where the last read saw somebody outside', () => {
    const filtered = (values: readonly string[]) =>
      mine({ userGroups: ['Board'], filterConfig: { customer: { values: [...values] } } });
    const gravityOf = (group: RecordedGroup) => {
      const known = stateOf({ 'schedules.a': filtered(['Acme']) });
      const [a] = Object.values(known.resources);
      const before = { ...known, resources: { 'schedules.a': { ...(a as StateResource), groups: [group] } } };
      const added = { 'schedules.a': filtered([]), 'schedules.b': mine({ userGroups: ['Board'] }) };
      return dangersOf(added, before).map(({ gravity, code }) => `${gravity} ${code}`);
    };
    expect(gravityOf(board)).toEqual(['caution other-rows']);
    expect(gravityOf({ ...board, outside: true })).toEqual(['grave other-rows', 'caution outside-recipient']);
  });
});

test('a recipient that is hidden behind a secret counts as added', () => {
  const hidden = schedule({ recipients: ['a@acme.com', { $secret: 'a-fingerprint' }] });
  expect(found(dangersOf({ 'schedules.a': hidden }, { 'schedules.a': mine() }))).toEqual([
    `recipient-added: ${sensitive}`,
  ]);
  const created = dangersOf({ 'schedules.a': schedule({ recipients: [{ $secret: null }] }) });
  expect(found(created)).toEqual([`recipient-added: ${sensitive}`]);
});

test('a secret that goes to another server is a danger, and one whose path alone changes is none', () => {
  const dangersTo = (after: JsonObject) =>
    found(dangersOf({ 'schedules.a': after }, { 'schedules.a': sftp(server, inFile) }));
  expect(dangersTo(sftp('sftp.evil.example', inFile))).toContain('secret-elsewhere: passwordUnencrypted');
  expect(dangersTo(sftp(server, { ...inFile, path: '/other' }))).toEqual([]);
});

test('a variable that another schedule takes to another host is a grave danger', () => {
  const state = stateOf({ 'schedules.a': sftp(server, password) });
  const { plan: created } = plan(declare({ 'schedules.b': hook('https://evil.example/') }), undefined);
  const change = { ...created.changes[0], after: hook('https://evil.example/${env.SFTP_PASSWORD}') };
  const { plan: empty } = plan(declare({}), undefined);
  const dangers = findDangers({ ...empty, changes: [change as never] }, { state, internalDomains });
  expect(dangers.find(({ code }) => code === 'secret-elsewhere')).toMatchObject({
    gravity: 'grave',
    items: [
      { subject: 'SFTP_PASSWORD', detail: 'to `evil.example`, so far to `sftp.partner.example`, in `schedules.b`' },
    ],
  });
});

/** Applied, with fields of which nobody knows what Omni holds. */
function unreadState(resources: Readonly<Record<string, JsonObject>>, unread: readonly string[]) {
  const state = stateOf(resources);
  const all = Object.entries(state.resources).map(([address, resource]) => [address, { ...resource, unread }]);
  return { ...state, resources: Object.fromEntries(all) as typeof state.resources };
}

test('a field that Omni does not return is a danger at the first update that sends it, in one line for many', () => {
  const before = { 'schedules.a': mine(), 'schedules.b': mine() };
  const itemsFor = (after: typeof before) => dangersOf(after, unreadState(before, ['subject']))[0]?.items;
  const changed = mine({ name: 'Another' });
  expect(itemsFor({ ...before, 'schedules.a': changed })).toEqual([
    { subject: 'subject', detail: '`schedules.a`: sets subject, which Omni does not return, to `Weekly sales`' },
  ]);
  expect(itemsFor({ 'schedules.a': changed, 'schedules.b': changed })).toEqual([
    { subject: 'subject', detail: '2 schedules: sets subject, which Omni does not return' },
  ]);
});

describe('a filter that may be that of the dashboard', () => {
  const region = { type: 'string', kind: 'EQUALS', values: ['open', 'done'] };
  const range = { type: 'date', kind: 'BETWEEN', left_side: '7 days ago', ui_type: 'PAST', label: 'Date' };
  const with_ = (fields: JsonObject = {}) => mine({ filterConfig: { region, 'a/b': range }, ...fields });
  const before = { 'schedules.a': with_(), 'schedules.b': with_(), 'schedules.c': with_() };
  const unread = ['/filterConfig/region', '/filterConfig/a~1b'];
  const found = (after: Readonly<Record<string, JsonObject>>, of = unread, asked?: Asked) =>
    dangersOf({ ...before, ...after }, unreadState(before, of), asked).filter(({ code }) => code === 'unread');

  test('becomes a danger at the first update that sends it, with its value, in one line for equal ones', () => {
    const sent = with_({ killJobsOnFailure: true });
    expect(found({ 'schedules.a': sent })).toEqual([
      {
        code: 'unread',
        gravity: 'caution',
        title: "2 filters that may be the dashboard's are set",
        items: [
          {
            subject: 'filterConfig.region',
            detail: '`schedules.a`: from now on it has `region: open, done` of its own',
          },
          {
            subject: 'filterConfig.a/b',
            detail: '`schedules.a`: from now on it has `a/b: BETWEEN 7 days ago, ui_type PAST` of its own',
          },
        ],
      },
    ]);
    const other = { filterConfig: { region: { ...region, values: ['lost'] } } };
    expect(found({ 'schedules.a': sent, 'schedules.b': sent, 'schedules.c': with_(other) })).toMatchObject([
      {
        title: "3 filters that may be the dashboard's are set",
        items: [
          { detail: '2 schedules: from now on they have `region: open, done` of their own' },
          { subject: 'filterConfig.a/b' },
          { detail: '`schedules.c`: from now on it has `region: lost` of its own' },
        ],
      },
    ]);
  });

  test.each<[string, Json]>([
    ['open, 7', { values: ['open', 7], type: 'string', label: 'Status', case_insensitive: false }],
    ['not open', { values: ['open'], is_negative: true }],
    ['GREATER_THAN 5, is_inclusive true', { kind: 'GREATER_THAN', values: [5], is_inclusive: true }],
    ['not IS_EMPTY', { kind: 'IS_EMPTY', is_negative: true }],
    ['false', { type: 'boolean', is_negative: true }],
    ['null', { type: 'null' }],
    ['conjunction OR, filters [{"values":["a"]}]', { conjunction: 'OR', filters: [{ values: ['a'] }] }],
    ['no value', { values: [] }],
    ['open', ['open']],
  ])('is said in words: %s', (words, filter) => {
    const set = (fields: JsonObject = {}) => mine({ filterConfig: { x: filter }, ...fields });
    const state = unreadState({ 'schedules.a': set() }, ['/filterConfig/x']);
    expect(dangersOf({ 'schedules.a': set({ format: 'png' }) }, state)).toMatchObject([
      { items: [{ detail: `\`schedules.a\`: from now on it has \`x: ${words}\` of its own` }] },
    ]);
  });

  test('is counted apart from fields that the service does not return', () => {
    const titles = found({ 'schedules.a': with_({ format: 'png' }) }, [...unread, 'subject']).map(({ title }) => title);
    expect(titles).toEqual([
      '1 field that Omni does not return is set',
      "2 filters that may be the dashboard's are set",
    ]);
  });

  test('is no danger while nothing sends it, or it is no longer declared', () => {
    expect(found({})).toEqual([]);
    expect(found({ 'schedules.a': with_({ paused: true, owner: someId }) })).toEqual([]);
    expect(found({ 'schedules.a': mine({ filterConfig: {} }) })).toEqual([]);
  });

  test('is a danger of a replacement, which sends all although nothing differs', () => {
    expect(found({}, unread, { replace: ['schedules.a'] })).toMatchObject([{ items: [{}, {}] }]);
    expect(found({ 'schedules.a': with_({ format: 'png' }) }, unread, core)).toMatchObject([{ items: [{}, {}] }]);
  });
});

describe('an update that may remove the password', () => {
  const host = 'sftp.acme.com';
  const expected = {
    code: 'password-removed',
    gravity: 'caution',
    title: '1 change may remove the password',
    items: [{ subject: host, detail: '`schedules.a`' }],
  };
  const maybe = ['passwordUnencrypted'];

  test.each<[boolean, string, JsonObject, JsonObject, (readonly string[])?, 'core'?]>([
    [true, 'no longer declares the password that was applied', sftp(host), sftp(host, password)],
    [
      true,
      'no longer declares the one that was recorded without its text',
      sftp(host),
      sftp(host, { passwordUnencrypted: secret(null) }),
    ],
    [true, 'replaces the schedule without the one that was applied', sftp(host), sftp(host, password), [], 'core'],
    [true, 'is the first of an adopted schedule that may have one', sftp(host, { path: '/out' }), sftp(host), maybe],
    [false, 'still declares it', sftp(host, { ...password, path: '/out' }), sftp(host, password)],
    [false, 'never sent one', sftp(host, { path: '/out' }), sftp(host)],
    [false, 'no longer goes to a server', mine(), sftp(host, password)],
    [false, 'is the first of an adopted schedule and declares one', sftp(host, password), sftp(host), maybe],
    [false, 'only pauses it', sftp(host, { paused: true }), sftp(host), maybe],
    [false, 'only gives it another owner', sftp(host, { owner: 'a@acme.com' }), sftp(host), maybe],
  ])('is reported (%s) where it %s', (isReported, _, after, before, unread = [], operations = undefined) => {
    const dangers = dangersOf({ 'schedules.a': after }, unreadState({ 'schedules.a': before }, unread), { operations });
    const reported = dangers.filter(({ code }) => code === 'password-removed');
    expect(reported).toEqual(isReported ? [expected] : []);
  });

  test('is not also a warning that the password may stay, as another field may', () => {
    const before = stateOf({ 'schedules.a': sftp(host, { ...password, queryIdentifierMapKey: '1' }) });
    const { findings } = plan(declare({ 'schedules.a': sftp(host) }), before, { operations: 'full' });
    expect(findings).toMatchObject([
      { code: 'removed-may-stay', message: expect.stringContaining('`queryIdentifierMapKey`') },
    ]);
  });

  test('is one line for all schedules that go to one server', () => {
    const all = (fields: JsonObject) => ({ 'schedules.a': sftp(host, fields), 'schedules.b': sftp(host, fields) });
    const items = [{ subject: host, detail: '`schedules.a` and 1 other' }];
    expect(dangersOf(all({}), all(password))).toEqual([
      { ...expected, title: '2 changes may remove the password', items },
    ]);
  });
});
