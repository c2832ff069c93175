// What passed a review as one field among many: a new destination, another owner, a secret that goes elsewhere, a password
// that is lost. What a reviewer must see first is found in the plan, all declarations and the state, and opens every report.

import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/model/plan/plan.ts';
import type { State, StateResource } from '../../src/model/plan/state.ts';
import type { RecordedGroup } from '../../src/model/plan/user-groups.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { sensitive } from '../../src/model/values/secret.ts';
import { findDangers } from '../../src/plan/dangers/find-dangers.ts';
import { at, declare, plan, secret, stateOf, stepsOf } from '../support/plan/planning.ts';
import { type Asked, dangersOf, found, internalDomains, server, withKind } from '../support/security/dangers.ts';
import { aiJob, bucket, dashboard, hook, mail, routine, slack } from '../support/vocabulary.ts';

const to = (...recipients: readonly string[]) => mail({ recipients });
const mine = (fields: JsonObject = {}) => mail({ recipients: ['a@acme.com'], ...fields });
const account = (id: string) => ({ roleArn: `arn:aws:iam::${id}:role/omni` });
const host = 'sftp.partner.example';
const password = { passwordUnencrypted: secret('f', '${env.SFTP_PASSWORD}') };
const inFile = { passwordUnencrypted: { $secret: 'f', text: '(sensitive)' } };
const someId = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
const otherId = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';
const core: Asked = { operations: 'core' };
const adopted: Asked = { entries: { adopt: [['schedules.a', 'an-id']] } };
/** Delivers to two domains outside. */
const known = { 'schedules.known': to('x@partner.example', 'y@other.example', 'z@acme.com') };
const newRecipient = 'new-receiver outside recipient: b@partner.example';

const of = (before: JsonObject | undefined): Readonly<Record<string, JsonObject>> =>
  before === undefined ? {} : { 'schedules.a': before };
/** Of the schedule `a`: `reaches-outside outside domain: evil.example, …`. */
const changed = (before: JsonObject | undefined, after: JsonObject, asked?: Asked) =>
  found(dangersOf({ 'schedules.a': after }, of(before), asked)).join(', ');

describe('a danger of a plan is a place that receives something for the first time', () => {
  test.each([
    ['another one', 'eve@Evil.example', 'evil.example'],
    ['one that only ends like ours', 'eve@evil-acme.com', 'evil-acme.com'],
    ['one that a relay of ours would send to', 'Eve%evil.example@acme.com', 'eve%evil.example@acme.com'],
    ['one before that of a relay', 'evil.example!eve@mail.acme.com', 'evil.example!eve@mail.acme.com'],
  ])('the domain of an added recipient is a new place: %s', (_, recipient, domain) => {
    const dangers = `reaches-outside outside domain: ${domain}, new-receiver recipient: ${recipient}`;
    expect(changed(mine(), to('a@acme.com', recipient))).toBe(dangers);
  });

  test.each([
    [
      'that only looks like the old one',
      'https://hooks.acme.com.evil.example/a',
      'outside',
      'hooks.acme.com.evil.example',
    ],
    ['behind user information', 'https://hooks.acme.com@evil.example/a', 'outside', 'evil.example'],
    ['inside', 'https://new.acme.com/a', 'inside', 'new.acme.com'],
  ])('the host of a webhook is a new place: one %s', (_, url, where, named) => {
    expect(changed(hook({ url: 'https://hooks.acme.com/a' }), hook({ url }))).toBe(
      `${where === 'inside' ? 'new-receiver' : 'reaches-outside'} ${where} host: ${named}`,
    );
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    [
      'a host and a domain under extra',
      mine(),
      mine({ extra: { webhookUrl: 'https://evil.example/x', copies: [{ email: 'eve@bad.example' }] } }),
      'reaches-outside outside domain: bad.example, reaches-outside outside host: evil.example, new-receiver recipient: eve@bad.example',
    ],
    [
      'a domain in a key under extra',
      mine(),
      mine({ extra: { copies: { 'eve@evil.example': true } } }),
      'reaches-outside outside domain: evil.example, new-receiver recipient: eve@evil.example',
    ],
    ['an SFTP server', server(host), server('sftp.evil.example'), 'reaches-outside outside host: sftp.evil.example'],
    [
      'another path of a known server',
      server(`sftp://${host}/in`),
      server(`sftp://${host}/other`),
      `reaches-outside outside host: ${host}/other`,
    ],
    [
      'a known server without its path',
      server(`sftp://${host}/in`),
      server(host),
      `reaches-outside outside host: ${host}`,
    ],
    [
      'a path of a server inside',
      server('sftp.acme.com'),
      server('sftp://sftp.acme.com/in'),
      'new-receiver inside host: sftp.acme.com/in',
    ],
    [
      'an address that cannot be read',
      server('sftp://eve@evil.example:22/.acme.com'),
      server('sftp://evil.example'),
      'reaches-outside outside host: evil.example',
    ],
    ['a bucket', bucket(), bucket({ bucketName: 'other' }), 'reaches-outside bucket: other'],
    [
      'an AWS account',
      bucket(account('111111111111')),
      bucket(account('222222222222')),
      'reaches-outside AWS account: 222222222222',
    ],
    [
      'a Slack channel',
      slack({ recipients: 'C01' }),
      slack({ recipients: 'C02' }),
      'new-receiver recipient: C02, new-receiver Slack channel: C02, recipient-removed: C01',
    ],
  ])('%s is a new place', (_, before, after, expected) => {
    expect(changed(before, after)).toBe(expected);
  });

  test.each([
    ['a@acme.com e@evil.example', 'reaches-outside outside domain: evil.example'],
    ['Eve <e@evil.example>', 'reaches-outside outside domain: evil.example'],
    ['a@acme.com;e@evil.example', 'reaches-outside outside domain: evil.example'],
    ['(e@evil.example)', 'reaches-outside outside domain: evil.example'],
    ['mailto:e@evil.example', 'reaches-outside outside domain: evil.example'],
    ['see https://evil.example/x, please', 'reaches-outside outside host: evil.example'],
    ['//evil.example/x', 'reaches-outside outside host: evil.example'],
    ['https://hooks.acme.com,@evil.example/x', 'reaches-outside outside host: evil.example'],
    ['sftp://evil.example', 'reaches-outside outside host: evil.example'],
    ['sftp://evil.example/in', 'reaches-outside outside host: evil.example/in'],
    ['sftp://evil.example:22/.acme.com', 'reaches-outside outside host: sftp://evil.example:22/.acme.com'],
    ['//evil.example:99999/.acme.com', 'reaches-outside outside host: //evil.example:99999/.acme.com'],
    ['https://hooks.acme.com\t@evil.example/x', 'reaches-outside outside host: evil.example'],
    ['evil.example/x', undefined],
    ['at noon @ the office', undefined],
    ['1/2', undefined],
  ])('a place is found somewhere in a text under extra, if it has the sign of one: %j', (note, expected) => {
    const before = mine({ extra: { note: 'https://hooks.acme.com/' } });
    const dangers = dangersOf({ 'schedules.a': { ...before, extra: { note } } }, { 'schedules.a': before });
    expect(found(dangers).filter((each) => each.startsWith('reaches-outside'))).toEqual(expected ? [expected] : []);
  });

  test('the host that an AI job reports to is a new place', () => {
    const dangers = dangersOf({ 'aiJobs.q': aiJob({ webhookUrl: 'https://evil.example/x' }) });
    expect(found(dangers)).toEqual(['reaches-outside outside host: evil.example']);
  });

  test('a place is not new where an unchanged schedule delivers there, and is where another is only declared', () => {
    const other = { 'schedules.other': to('x@partner.example') };
    const declared = { ...other, 'schedules.a': to('b@partner.example') };
    expect(found(dangersOf(declared, other))).toEqual([newRecipient]);
    expect(found(dangersOf(declared, {}, { targets: ['schedules.a'] }))).toEqual([
      'reaches-outside outside domain: partner.example',
      newRecipient,
    ]);
  });

  test('the place of an adopted schedule is new, because nobody has looked', () => {
    expect(changed(undefined, to('b@evil.example'), adopted)).toBe('reaches-outside outside domain: evil.example');
  });

  test.each([
    ['a new domain is named as loudly', 'eve@evil.example', 'grave reaches-outside: evil.example'],
    ['of a known domain the recipients are counted', 'b@partner.example', 'caution new-receiver:'],
  ])('without safety.internalDomains %s, with the way to name one’s own', (_, recipient, expected) => {
    const declared = { ...known, 'schedules.n-1': to(recipient), 'schedules.n-2': to(recipient, 'n@acme.com') };
    const state = { ...known, 'schedules.mine': to('n@acme.com') };
    const dangers = dangersOf({ ...declared, 'schedules.mine': to('n@acme.com') }, state, { domains: [] });
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

describe('outside recipients', () => {
  const [b, c] = ['b@partner.example', 'c@acme.com'];

  test.each<[string, JsonObject | undefined, JsonObject, string, Asked?]>([
    ['of a new schedule are a danger, although their domain is known', undefined, to(b), newRecipient],
    ['are a danger without those inside', undefined, to(b, c), newRecipient],
    ['are none where all are inside', undefined, to(c, 'd@acme.com'), ''],
    ['of a schedule that only runs once are a danger', undefined, { ...to(b), testNow: true }, newRecipient],
    ['are a danger under extra', undefined, { ...to(c), extra: { cc: b } }, newRecipient],
    [
      'are a danger besides their domain where that is new',
      undefined,
      to('eve@evil.example'),
      'reaches-outside outside domain: evil.example, new-receiver outside recipient: eve@evil.example',
    ],
    ['of an adopted schedule, which delivers to them, are none', undefined, to(b), '', adopted],
    ['are none where an update spells them in other letters', to(b), to('B@Partner.example'), ''],
    [
      'whom an update adds are named instead of all',
      to(b),
      to('c@other.example'),
      `new-receiver recipient: c@other.example, recipient-removed: ${b}`,
    ],
    [
      'whom an update adds under extra are named as well',
      to(c),
      { ...to(c), extra: { cc: b } },
      `new-receiver recipient: ${b}`,
    ],
  ])('outside recipients %s', (_, before, after, expected, asked) => {
    const dangers = dangersOf({ ...known, 'schedules.a': after }, { ...known, ...of(before) }, asked);
    expect(found(dangers).join(', ')).toBe(expected);
    const title = dangers.find(({ title }) => title.includes('outside recipient'))?.title;
    if (title !== undefined) expect(title).toBe('1 outside recipient gets new schedules');
  });
});

describe('the owner, whose rights are used', () => {
  const [a, stranger] = [{ owner: 'a@acme.com' }, { owner: 'eve@evil.example' }];

  test.each<[string, JsonObject | undefined, JsonObject, string | undefined, Asked?]>([
    ['another colleague is new', a, { owner: 'b@acme.com' }, 'new-owner: b@acme.com'],
    ['a colleague of a new schedule is new', undefined, a, 'new-owner: a@acme.com'],
    ['the first declared one is new', {}, { owner: 'b@acme.com' }, 'new-owner: b@acme.com'],
    ['a membership id is new', a, { owner: someId }, `new-owner: ${someId}`],
    ['a stranger is outside', a, stranger, 'outside-owner: eve@evil.example'],
    ['a stranger of a new schedule is outside', undefined, stranger, 'outside-owner: eve@evil.example'],
    [
      'a stranger whose colleague owns it is new',
      { owner: 'kim@evil.example' },
      stranger,
      'new-owner: eve@evil.example',
    ],
    [
      'whoever gives a schedule their rights through userId is new where it is replaced',
      { userId: otherId },
      { userId: someId, name: 'Other' },
      `new-owner: ${someId}`,
      core,
    ],
    ['but not where it is updated', { userId: otherId }, { userId: someId, name: 'Other' }, undefined],
    ['nobody is new in other letters', a, { owner: 'A@Acme.com', name: 'Other' }, undefined],
    ['nobody is new who is no longer declared', a, {}, undefined],
    ['nobody is new who was declared before', a, { ...a, name: 'O' }, undefined],
  ])('%s to a schedule', (_, before, after, expected, asked) => {
    const dangers = dangersOf({ 'schedules.a': mine(after) }, of(before && mine(before)), asked);
    const ofOwners = dangers.filter(({ code }) => code.includes('owner'));
    expect(found(ofOwners)).toEqual(expected === undefined ? [] : [expected]);
    for (const { items } of ofOwners) expect(items).toMatchObject([{ detail: '`schedules.a`' }]);
  });

  const userId = { userId: someId };
  const nobody = mail({ recipients: [], ...userId });
  test.each<[string, Readonly<Record<string, JsonObject>>, string | undefined, Readonly<Record<string, JsonObject>>?]>([
    ['a new schedule', { 'schedules.a': nobody }, 'schedules'],
    ['a test delivery', { 'schedules.a': { ...nobody, testNow: true } }, 'schedules'],
    ['a new AI job', { 'aiJobs.a': aiJob(userId) }, 'AI jobs'],
    ['both at once', { 'schedules.a': nobody, 'aiJobs.a': aiJob(userId) }, 'schedules and AI jobs'],
    [
      'no AI job that runs again for the same user',
      { 'aiJobs.q': aiJob({ ...userId, prompt: 'More.' }) },
      undefined,
      { 'aiJobs.q': aiJob(userId) },
    ],
    ['no dashboard, whose filters are everybody’s', { 'dashboards.d': dashboard(userId) }, undefined],
  ])('the user is named once for %s', (_, after, what, before = {}) => {
    const title = `1 owner gets ${what}, which then run with their rights`;
    const expected = [expect.objectContaining({ code: 'new-owner', gravity: 'caution', title })];
    const dangers = dangersOf(after, before);
    expect(dangers).toEqual(what === undefined ? [] : expected);
    expect(dangers.flatMap(({ items }) => items.map(({ subject }) => subject))).toEqual(what ? [someId] : []);
  });

  test('the user is not named for an adoption, which sends nothing', () => {
    expect(dangersOf({ 'schedules.a': nobody }, {}, adopted)).toEqual([]);
  });
});

test('deletes and new outside places are graver than the rest, and come first', () => {
  const dangers = dangersOf(
    {
      'schedules.a': to('a@acme.com', 'eve@evil.example'),
      'schedules.b': hook({ url: 'https://sub.acme.com/x' }),
      'schedules.c': slack({ recipients: 'C02' }),
    },
    { 'schedules.a': to('a@acme.com', 'old@acme.com'), 'schedules.gone': mine() },
  );
  expect(dangers.map((each) => `${each.gravity} ${withKind(each)}`)).toEqual([
    'grave deleted',
    'grave reaches-outside outside domain',
    'caution new-receiver recipient',
    'caution new-receiver inside host',
    'caution new-receiver Slack channel',
    'caution recipient-removed',
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
  const board = { text: 'Board', id: someId, people: 12 };

  test('user groups are named where they are added or removed, with the people that were counted', () => {
    const changed = { 'schedules.a': mine({ userGroups: ['Sales team'] }) };
    expect(found(dangersOf(changed, state([board], ['Board'])))).toEqual([
      'new-receiver recipient: Sales team (a group)',
      'recipient-removed: Board (a group of 12 people)',
    ]);
  });
  test('user groups are the same by their name and by their id', () => {
    expect(found(dangersOf({ 'schedules.a': mine({ userGroups: [someId] }) }, state([board], ['Board'])))).toEqual([]);
  });
  test('user groups are outside where the last read saw somebody outside', () => {
    const filtered = (values: readonly string[]) =>
      mine({ userGroups: ['Board'], filterConfig: { customer: { values: [...values] } } });
    const gravityOf = (group: RecordedGroup) => {
      const known = stateOf({ 'schedules.a': filtered(['Acme']) });
      const [a] = Object.values(known.resources);
      const before = { ...known, resources: { 'schedules.a': { ...(a as StateResource), groups: [group] } } };
      const added = { 'schedules.a': filtered([]), 'schedules.b': mine({ userGroups: ['Board'] }) };
      return dangersOf(added, before).map((each) => `${each.gravity} ${withKind(each)}`);
    };
    expect(gravityOf(board)).toEqual(['caution other-rows']);
    expect(gravityOf({ ...board, outside: true })).toEqual([
      'grave other-rows',
      'caution new-receiver outside recipient',
    ]);
  });
});

test('a recipient that is hidden behind a secret counts as added', () => {
  const hidden = mail({ recipients: ['a@acme.com', { $secret: 'a-fingerprint' }] });
  expect(found(dangersOf({ 'schedules.a': hidden }, { 'schedules.a': mine() }))).toEqual([
    `new-receiver recipient: ${sensitive}`,
  ]);
  const created = dangersOf({ 'schedules.a': mail({ recipients: [{ $secret: null }] }) });
  expect(found(created)).toEqual([`new-receiver recipient: ${sensitive}`]);
});

test('a secret that goes to another server is a danger, and one whose path alone changes is none', () => {
  const dangersTo = (after: JsonObject) =>
    found(dangersOf({ 'schedules.a': after }, { 'schedules.a': server(host, inFile) }));
  expect(dangersTo(server('sftp.evil.example', inFile))).toContain('secret-elsewhere: passwordUnencrypted');
  expect(dangersTo(server(host, { ...inFile, path: '/other' }))).toEqual([]);
});

test('a variable that another schedule takes to another host is a grave danger', () => {
  const state = stateOf({ 'schedules.a': server(host, password) });
  const { plan: created } = plan(declare({ 'schedules.b': hook({ url: 'https://evil.example/' }) }), undefined);
  const change = { ...created.changes[0], after: hook({ url: 'https://evil.example/${env.SFTP_PASSWORD}' }) } as Change;
  const dangers = findDangers({ plan: created, steps: stepsOf([change]) }, { state, internalDomains });
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

describe('a field that Omni does not return is a danger of what sends the whole schedule', () => {
  const lost = { address: 'schedules.a', action: 'update', since: at } as const;
  const groups = (...userGroups: readonly string[]) => mine({ userGroups });

  test.each<[string, JsonObject, JsonObject, readonly string[], Partial<State>?]>([
    ['a change of its user groups sends no field', groups('Sales'), groups('Board'), []],
    ['a pause sends no field', mine({ paused: true }), mine(), []],
    ['a transfer sends no field', mine({ owner: 'a@acme.com' }), mine(), []],
    [
      'an update whose answer was lost is sent again',
      mine(),
      mine(),
      ['subject'],
      { unresolved: [{ ...lost, attributes: mine({ name: 'Other' }) }] },
    ],
    ['another name is sent with all others', mine({ name: 'Other' }), mine(), ['subject']],
  ])('%s', (_, after, before, expected, rest = {}) => {
    const state = { ...unreadState({ 'schedules.a': before }, ['subject']), ...rest };
    const unread = dangersOf({ 'schedules.a': after }, state).filter(({ code }) => code === 'unread');
    expect(unread.flatMap(({ items }) => items.map(({ subject }) => subject))).toEqual(expected);
  });

  test('a routine is patched, and a patch sends no field that did not change', () => {
    const before = unreadState({ 'routines.r': routine() }, ['description']);
    expect(dangersOf({ 'routines.r': routine({ name: 'Other' }) }, before)).toEqual([]);
  });
});

describe('a filter that may be that of the dashboard', () => {
  const region = { type: 'string', kind: 'EQUALS', values: ['open', 'done'] };
  const range = { type: 'date', kind: 'BETWEEN', left_side: '7 days ago', ui_type: 'PAST', label: 'Date' };
  const with_ = (fields: JsonObject = {}) => mine({ filterConfig: { region, 'a/b': range }, ...fields });
  const before = { 'schedules.a': with_(), 'schedules.b': with_(), 'schedules.c': with_() };
  const unread = ['/filterConfig/region', '/filterConfig/a~1b'];
  const found = (after: Readonly<Record<string, JsonObject>>, of = unread, asked?: Asked) =>
    dangersOf({ ...before, ...after }, unreadState(before, of), asked).filter(({ code }) => code === 'unread');

  test('a filter of the dashboard becomes a danger at the first update that sends it, with its value, in one line for equal ones', () => {
    const sent = with_({ killJobsOnFailure: true });
    expect(found({ 'schedules.a': sent })).toEqual([
      {
        code: 'unread',
        gravity: 'caution',
        title: "2 filters that may be the dashboard's are set",
        items: [
          {
            subject: 'filterConfig.region',
            detail: '`schedules.a` gets `region: open, done` as its own filter',
          },
          {
            subject: 'filterConfig.a/b',
            detail: '`schedules.a` gets `a/b: BETWEEN 7 days ago, ui_type PAST` as its own filter',
          },
        ],
      },
    ]);
    const other = { filterConfig: { region: { ...region, values: ['lost'] } } };
    expect(found({ 'schedules.a': sent, 'schedules.b': sent, 'schedules.c': with_(other) })).toMatchObject([
      {
        title: "3 filters that may be the dashboard's are set",
        items: [
          { detail: '2 schedules get `region: open, done` as their own filter' },
          { subject: 'filterConfig.a/b' },
          { detail: '`schedules.c` gets `region: lost` as its own filter' },
        ],
      },
      {
        title: "1 filter that may be the dashboard's is left to the dashboard",
        items: [{ subject: 'filterConfig.a/b' }],
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
  ])('a filter is said in words: %s', (words, filter) => {
    const set = (fields: JsonObject = {}) => mine({ filterConfig: { x: filter }, ...fields });
    const state = unreadState({ 'schedules.a': set() }, ['/filterConfig/x']);
    expect(dangersOf({ 'schedules.a': set({ format: 'png' }) }, state)).toMatchObject([
      { items: [{ detail: `\`schedules.a\` gets \`x: ${words}\` as its own filter` }] },
    ]);
  });

  test('filters are counted apart from fields that the service does not return', () => {
    const titles = found({ 'schedules.a': with_({ format: 'png' }) }, [...unread, 'subject']).map(({ title }) => title);
    expect(titles).toEqual([
      '1 field that Omni does not return is set',
      "2 filters that may be the dashboard's are set",
    ]);
  });

  test('a filter is no danger while nothing sends it', () => {
    expect(found({})).toEqual([]);
    expect(found({ 'schedules.a': with_({ paused: true, owner: someId }) })).toEqual([]);
  });

  test('taking one out sends nothing and is no danger, also where the schedule is paused or transferred', () => {
    const state = unreadState({ 'schedules.a': with_() }, unread);
    const without: readonly JsonObject[] = [
      { filterConfig: {} },
      { paused: true },
      { owner: someId },
      { filterConfig: { region } },
    ];
    for (const fields of without) {
      const desired = { 'schedules.a': mine(fields) };
      const codes = dangersOf(desired, state).map(({ code }) => code);
      expect(codes.filter((code) => !['paused', 'new-owner'].includes(code))).toEqual([]);
      const sends = plan(declare(desired), state).steps.flatMap(({ calls }) => calls);
      expect(sends).not.toContain('put');
    }
  });

  test.each([
    ['somebody outside', ['cfo@northpine.example'], 'grave', ' in reports that go outside'],
    ['members', ['ana@acme.com'], 'caution', ''],
  ])('what is sent after that makes it follow the dashboard: with %s as receivers', (_, recipients, gravity, where) => {
    const to = (fields: JsonObject) => mine({ recipients, ...fields });
    const state = unreadState({ 'schedules.a': to({ filterConfig: { region } }) }, ['/filterConfig/region']);
    expect(dangersOf({ 'schedules.a': to({ format: 'png' }) }, state)).toEqual([
      {
        code: 'unread',
        gravity,
        title: `1 filter that may be the dashboard's is left to the dashboard${where}`,
        items: [
          {
            subject: 'filterConfig.region',
            detail: '`schedules.a`: from now on `region` follows the dashboard, so far it was `open, done`',
          },
        ],
      },
    ]);
  });

  test('a filter is a danger of a replacement, which sends all although nothing differs', () => {
    expect(found({}, unread, { replace: ['schedules.a'] })).toMatchObject([{ items: [{}, {}] }]);
    expect(found({ 'schedules.a': with_({ format: 'png' }) }, unread, core)).toMatchObject([{ items: [{}, {}] }]);
  });
});

describe('an update that may remove the password', () => {
  const expected = {
    code: 'password-removed',
    gravity: 'caution',
    title: '1 change may remove the password',
    items: [{ subject: host, detail: '`schedules.a`' }],
  };
  const maybe = ['passwordUnencrypted'];

  test.each<[boolean, string, JsonObject, JsonObject, (readonly string[])?, 'core'?]>([
    [true, 'no longer declares the password that was applied', server(host), server(host, password)],
    [
      true,
      'no longer declares the one that was recorded without its text',
      server(host),
      server(host, { passwordUnencrypted: secret(null) }),
    ],
    [true, 'replaces the schedule without the one that was applied', server(host), server(host, password), [], 'core'],
    [
      true,
      'is the first of an adopted schedule that may have one',
      server(host, { path: '/out' }),
      server(host),
      maybe,
    ],
    [false, 'still declares it', server(host, { ...password, path: '/out' }), server(host, password)],
    [false, 'never sent one', server(host, { path: '/out' }), server(host)],
    [false, 'no longer goes to a server', mine(), server(host, password)],
    [false, 'is the first of an adopted schedule and declares one', server(host, password), server(host), maybe],
    [false, 'only pauses it', server(host, { paused: true }), server(host), maybe],
    [false, 'only gives it another owner', server(host, { owner: 'a@acme.com' }), server(host), maybe],
  ])(
    'an update that may remove the password is reported (%s) where it %s',
    (isReported, _, after, before, unread = [], operations = undefined) => {
      const dangers = dangersOf({ 'schedules.a': after }, unreadState({ 'schedules.a': before }, unread), {
        operations,
      });
      const reported = dangers.filter(({ code }) => code === 'password-removed');
      expect(reported).toEqual(isReported ? [expected] : []);
    },
  );

  test('a test delivery leaves nothing without a password', () => {
    const ran = { id: undefined, attributes: server(host, { ...password, testNow: true }) };
    const state = stateOf({ 'schedules.a': ran });
    expect(dangersOf({ 'schedules.a': server(host, { testNow: true }) }, state)).toEqual([]);
  });

  test('a password that may be removed is not also a warning that it may stay, as another field may', () => {
    const before = stateOf({ 'schedules.a': server(host, { ...password, queryIdentifierMapKey: '1' }) });
    const { findings } = plan(declare({ 'schedules.a': server(host) }), before, { operations: 'full' });
    expect(findings).toMatchObject([
      { code: 'removed-may-stay', message: expect.stringContaining('`queryIdentifierMapKey`') },
    ]);
  });

  test('updates that may remove a password are one line for all schedules that go to one server', () => {
    const all = (fields: JsonObject) => ({ 'schedules.a': server(host, fields), 'schedules.b': server(host, fields) });
    const items = [{ subject: host, detail: '`schedules.a` and 1 other' }];
    expect(dangersOf(all({}), all(password))).toEqual([
      { ...expected, title: '2 changes may remove the password', items },
    ]);
  });
});
