// What counts as a difference between two declarations, and how a plan shows it.

import { describe, expect, it } from 'vitest';
import type { FieldDiff } from '../../src/model/plan/plan.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { declare, plan, schedule, secret, stateOf } from '../support/plan/planning.ts';
import { aiJob, dashboard, hook, sftp, slack } from '../support/vocabulary.ts';

function diffOf(before: JsonObject, after: JsonObject, address = 'schedules.s'): readonly FieldDiff[] {
  const [desired, state] = [declare({ [address]: after }), stateOf({ [address]: before })];
  return plan(desired, state, { operations: 'full' }).changes[0]?.diff ?? [];
}

const users = (recipients: Json) => slack({ slackRecipientType: 'users', recipients });

/** `~ /name: "a" -> "b"`. */
function lines(diffs: readonly FieldDiff[]): readonly string[] {
  const signs = { add: '+', remove: '-', change: '~' };
  const shown = (value: unknown) => (value === undefined ? '' : JSON.stringify(value));
  return diffs.map(({ path, op, before, after, sensitive }) => {
    const arrow = op === 'change' ? ' -> ' : '';
    return `${signs[op]} ${path}: ${shown(before)}${arrow}${shown(after)}${sensitive ? ', a secret' : ''}`;
  });
}

describe('declarations that mean the same', () => {
  const png = schedule({ format: 'png' });
  it.each<[string, JsonObject, JsonObject]>([
    [
      'a default written out',
      png,
      { ...png, killJobsOnFailure: false, hideTitle: false, showFilters: true, fanOut: false },
    ],
    ['recipients in another order', schedule(), schedule({ recipients: ['bo@example.com', 'ana@example.com'] })],
    ['slack users as a text and as a list', users('U1,U2'), users(['U2', 'U1'])],
    [
      'a host in letters and in ASCII',
      hook({ url: 'https://bücher.example/in' }),
      hook({ url: 'https://xn--bcher-kva.example/in' }),
    ],
    [
      'a host and the same host as a URL',
      sftp({ address: 'SFTP.example.com' }),
      sftp({ address: 'sftp://sftp.example.com/' }),
    ],
    ['an IPv6 address in both forms', sftp({ address: '2001:DB8::1' }), sftp({ address: 'sftp://[2001:db8::1]' })],
    ['cron with names and without', schedule(), schedule({ schedule: '0 9 ? * 2 *' })],
    [
      'cron for every day in both day fields',
      schedule({ schedule: '0 9 * * ? *' }),
      schedule({ schedule: '0 9 ? * 1-7 *' }),
    ],
    ['a zone and its alias', schedule({ timezone: 'America/New_York' }), schedule({ timezone: 'US/Eastern' })],
    [
      'keys of a map in another order',
      schedule({ filterConfig: { a: { x: 1, y: 2 }, b: {} } }),
      schedule({ filterConfig: { b: {}, a: { y: 2, x: 1 } } }),
    ],
    [
      'no lifecycle and its defaults',
      schedule(),
      schedule({ lifecycle: { preventDestroy: false, ignoreChanges: [] } }),
    ],
    [
      'fields to ignore in another order',
      schedule({ lifecycle: { ignoreChanges: ['name', 'subject'] } }),
      schedule({ lifecycle: { ignoreChanges: ['subject', 'name'] } }),
    ],
  ])('declarations that mean the same have no difference: %s', (_, one, other) => {
    expect(lines(diffOf(one, other))).toEqual([]);
    expect(lines(diffOf(other, one))).toEqual([]);
  });
});

it('a create shows no field that says nothing: no default, and no map whose sets are empty', () => {
  const bare = schedule();
  const saysNothing = { hideTitle: false, meta: { tags: [] }, lifecycle: { ignoreChanges: [] }, extra: {} };
  const diffOfCreate = (attributes: JsonObject) =>
    plan(declare({ 'schedules.s': attributes }), undefined).changes[0]?.diff;
  expect(diffOfCreate({ ...bare, ...saysNothing })).toEqual(diffOfCreate(bare));
});

describe('declarations that differ', () => {
  it('a default that no longer applies is shown as a difference of the field itself', () => {
    const { format: _, ...rest } = schedule();
    expect(lines(diffOf({ ...rest, format: 'pdf' }, { ...rest, format: 'link_only' }))).toEqual([
      '~ /format: "pdf" -> "link_only"',
    ]);
  });

  it('a difference lists fields in the order of the table, whatever the order of the file', () => {
    const before = schedule({ subject: 'A', textBody: 'a', killJobsOnFailure: true });
    const { subject, textBody, killJobsOnFailure, ...rest } = schedule({
      subject: 'B',
      textBody: 'b',
      killJobsOnFailure: false,
    });
    const after = { killJobsOnFailure, textBody, ...rest, subject } as JsonObject;
    expect(diffOf(before, after).map(({ path }) => path)).toEqual(['/subject', '/textBody', '/killJobsOnFailure']);
  });

  it('lists differ by their elements, and their order matters', () => {
    const before = dashboard({ filterOrder: ['a', 'b', 'c'] });
    expect(lines(diffOf(before, dashboard({ filterOrder: ['a', 'x', 'c'] }), 'dashboards.d'))).toEqual([
      '- /filterOrder/1: "b"',
      '+ /filterOrder/1: "x"',
    ]);
    expect(diffOf(before, dashboard({ filterOrder: ['b', 'a', 'c'] }), 'dashboards.d')).not.toEqual([]);
  });

  it('nested maps differ entry by entry', () => {
    const before = schedule({ filterConfig: { region: { values: ['EU'], kind: 'EQUALS' }, gone: { values: [] } } });
    const after = schedule({
      filterConfig: { region: { values: ['EU', 'US'], kind: 'EQUALS' }, 'a/b~c': { values: ['x'] } },
    });
    expect(lines(diffOf(before, after))).toEqual([
      '+ /filterConfig/a~1b~0c: {"values":["x"]}',
      '- /filterConfig/gone: {"values":[]}',
      '+ /filterConfig/region/values/1: "US"',
    ]);
  });

  it('a difference shows a default that is overridden or restored', () => {
    expect(lines(diffOf(schedule({ showFilters: true }), schedule({ showFilters: false })))).toEqual([
      '+ /showFilters: false',
    ]);
    expect(lines(diffOf(schedule({ showFilters: false }), schedule()))).toEqual(['- /showFilters: false']);
  });

  it('a very long list differs as a whole', () => {
    const many = (name: string) => Array.from({ length: 3000 }, (_, index) => `${name}${index}@example.com`);
    const diff = diffOf(schedule({ recipients: many('a') }), schedule({ recipients: many('b') }));
    expect(diff).toHaveLength(1);
    expect(diff[0]).toMatchObject({ path: '/recipients', op: 'change' });
  });

  it('a difference shows a key called __proto__', () => {
    const hostile = (value: string) => JSON.parse(`{"__proto__": {"values": ["${value}"]}}`) as JsonObject;
    const diff = diffOf(schedule({ filterConfig: hostile('a') }), schedule({ filterConfig: hostile('b') }));
    expect(lines(diff)).toEqual(['- /filterConfig/__proto__/values/0: "a"', '+ /filterConfig/__proto__/values/0: "b"']);
  });
});

describe('secrets', () => {
  const text = '${env.SFTP_PASSWORD}';
  const login = (passwordUnencrypted: JsonObject | undefined, fields: JsonObject = {}) =>
    sftp({ passwordUnencrypted, ...fields });
  const passwords = (before: JsonObject | undefined, after: JsonObject | undefined) =>
    diffOf(login(before), login(after));
  const path = '/passwordUnencrypted';

  it('secrets of the same text do not differ if their values are equal or unknown', () => {
    expect(passwords(secret('one', text), secret('one', text))).toEqual([]);
    expect(passwords(secret('one', text), secret(null, text))).toEqual([]);
  });

  it('another value of the same text is a change that shows the text', () => {
    const diff = [{ path, op: 'change', before: text, after: text, sensitive: true }];
    expect(passwords(secret('one', text), secret('two', text))).toEqual(diff);
    expect(passwords(secret(null, text), secret('two', text))).toEqual(diff);
  });

  it.each([['one'], ['two'], [null]])('another text is a change, whatever is known of its value: %s', (value) => {
    const other = '${env.OTHER}';
    expect(passwords(secret('one', text), secret(value, other))).toEqual([
      { path, op: 'change', before: text, after: other, sensitive: true },
    ]);
    expect(passwords(secret('one', '(sensitive)'), secret(value, text))).toEqual([
      { path, op: 'change', before: '(sensitive)', after: text, sensitive: true },
    ]);
  });

  it('a secret whose text is not known and that becomes a plain text is one change, which shows the plain text', () => {
    expect(diffOf(schedule({ subject: secret('one') }), schedule({ subject: 'Weekly' }))).toEqual([
      { path: '/subject', op: 'change', before: '(sensitive)', after: 'Weekly', sensitive: true },
    ]);
    const recipients = [secret('one'), 'ana@example.com'];
    expect(
      lines(diffOf(schedule({ recipients }), schedule({ recipients: ['ana@example.com', 'bo@example.com'] }))),
    ).toEqual(['- /recipients/1: "(sensitive)", a secret', '+ /recipients/1: "bo@example.com"']);
    const job = (key: JsonObject | string) => aiJob({ webhookMetadata: { key, list: [1, key], team: 'data' } });
    expect(diffOf(job(secret('one')), job('plain'), 'aiJobs.j').map((each) => each.path)).toEqual([
      '/webhookMetadata/key',
      '/webhookMetadata/list/1',
      '/webhookMetadata/list/1',
    ]);
  });

  it('a change shows no fingerprint', () => {
    const { changes } = plan(
      declare({ 'schedules.s': login(secret('f1ngerprint-2', text), { name: 'x' }) }),
      stateOf({ 'schedules.s': login(secret('f1ngerprint-1', text)) }),
    );
    expect(changes).toHaveLength(1);
    expect(JSON.stringify(changes)).not.toContain('f1ngerprint');
    expect(changes[0]?.after).toMatchObject({ passwordUnencrypted: text });
    const [literal] = plan(declare({ 'schedules.s': login(secret('f1', '(sensitive)')) }), undefined).changes;
    expect(literal?.after).toMatchObject({ passwordUnencrypted: '(sensitive)' });
  });
});
