// A PUT carries the whole schedule, so one without the password may remove it: an SFTP delivery then fails, or whoever runs
// the server lets everybody in.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { declare, plan, secret, stateOf } from '../support/plan/planning.ts';
import { dangersOf, mail, sftp } from '../support/security/dangers.ts';

const host = 'sftp.acme.com';
const password = { passwordUnencrypted: secret('f', '${env.SFTP_PASSWORD}') };

/** Undefined where the plan says nothing of it. */
function danger(after: JsonObject, before: JsonObject, unread: readonly string[] = [], operations?: 'core') {
  const state = stateOf({ 'schedules.a': before });
  const [tracked] = Object.values(state.resources);
  const known = { ...state, resources: { 'schedules.a': { ...tracked, unread } } } as typeof state;
  return dangersOf({ 'schedules.a': after }, known, { operations }).find(({ code }) => code === 'password-removed');
}

describe('an update that may remove the password', () => {
  const expected = {
    code: 'password-removed',
    gravity: 'caution',
    title: '1 change may remove the password',
    items: [{ subject: host, detail: '`schedules.a`' }],
  };

  test.each<[string, JsonObject, JsonObject, readonly string[], 'core' | undefined]>([
    ['no longer declares the password that was applied', sftp(host), sftp(host, password), [], undefined],
    [
      'no longer declares the one that a former version recorded without its text',
      sftp(host),
      sftp(host, { passwordUnencrypted: secret(null) }),
      [],
      undefined,
    ],
    ['replaces the schedule without the one that was applied', sftp(host), sftp(host, password), [], 'core'],
    [
      'is the first of an adopted schedule that may have one',
      sftp(host, { path: '/out' }),
      sftp(host),
      ['passwordUnencrypted'],
      undefined,
    ],
  ])('%s', (_, after, before, unread, operations) => {
    expect(danger(after, before, unread, operations)).toEqual(expected);
  });

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['where it is still declared', sftp(host, { ...password, path: '/out' }), sftp(host, password), []],
    ['where none was ever sent', sftp(host, { path: '/out' }), sftp(host), []],
    ['where the schedule no longer goes to a server', mail('a@acme.com'), sftp(host, password), []],
    [
      'where the first update of an adopted schedule declares one',
      sftp(host, password),
      sftp(host),
      ['passwordUnencrypted'],
    ],
    ['where it is only paused', sftp(host, { paused: true }), sftp(host), ['passwordUnencrypted']],
    ['where it only gets another owner', sftp(host, { owner: 'a@acme.com' }), sftp(host), ['passwordUnencrypted']],
  ])('is not reported %s', (_, after, before, unread) => {
    expect(danger(after, before, unread)).toBeUndefined();
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
    expect(dangersOf(all({}), all(password))).toEqual([
      {
        ...expected,
        title: '2 changes may remove the password',
        items: [{ subject: host, detail: '`schedules.a` and 1 other' }],
      },
    ]);
  });
});
