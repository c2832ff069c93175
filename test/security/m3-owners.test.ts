// M3, of owners: a schedule runs with the rights of its owner, so another owner must not pass a review as one field among
// many.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { schedule } from '../support/plan/planning.ts';
import { dangersOf } from '../support/security/dangers.ts';

const someId = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
const otherId = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';
const mail = (fields: JsonObject = {}) => schedule({ recipients: ['a@acme.com'], ...fields });

/** `outside-owner: eve@evil.example`, one for each item that is about owners. */
function found(after: JsonObject, before: JsonObject | undefined, operations?: 'core' | 'full'): readonly string[] {
  const dangers = dangersOf({ 'schedules.a': after }, before && { 'schedules.a': before }, { operations });
  return dangers.flatMap(({ code, items }) =>
    code.includes('owner') ? items.map(({ subject, detail }) => `${code}: ${subject} ${detail}`) : [],
  );
}

describe('an owner who is new to a schedule is a danger', () => {
  test.each<[string, JsonObject, JsonObject | undefined, readonly string[]]>([
    ['another colleague', mail({ owner: 'b@acme.com' }), mail({ owner: 'a@acme.com' }), ['new-owner: b@acme.com']],
    ['a colleague of a new schedule', mail({ owner: 'a@acme.com' }), undefined, ['new-owner: a@acme.com']],
    ['the first declared one', mail({ owner: 'b@acme.com' }), mail(), ['new-owner: b@acme.com']],
    ['a membership id', mail({ owner: someId }), mail({ owner: 'a@acme.com' }), [`new-owner: ${someId}`]],
    [
      'a stranger',
      mail({ owner: 'eve@evil.example' }),
      mail({ owner: 'a@acme.com' }),
      ['outside-owner: eve@evil.example'],
    ],
    [
      'a stranger of a new schedule',
      mail({ owner: 'eve@evil.example' }),
      undefined,
      ['outside-owner: eve@evil.example'],
    ],
    [
      'a stranger whose colleague owns it',
      mail({ owner: 'eve@p.example' }),
      mail({ owner: 'kim@p.example' }),
      ['new-owner: eve@p.example'],
    ],
  ])('%s', (_, after, before, expected) => {
    expect(found(after, before)).toEqual(expected.map((item) => `${item} \`schedules.a\``));
  });

  test('a schedule that is replaced may get one through userId', () => {
    const before = mail({ userId: otherId });
    expect(found(mail({ userId: someId, name: 'Other' }), before, 'core')).toEqual([
      `new-owner: ${someId} \`schedules.a\``,
    ]);
    expect(found(mail({ userId: someId, name: 'Other' }), before, 'full')).toEqual([]);
  });
});

test.each<[string, JsonObject, JsonObject | undefined]>([
  ['the same owner in other letters', mail({ owner: 'A@Acme.com', name: 'Other' }), mail({ owner: 'a@acme.com' })],
  ['an owner who is declared no more', mail(), mail({ owner: 'a@acme.com' })],
  ['an owner who was declared before', mail({ owner: 'a@acme.com', name: 'Other' }), mail({ owner: 'a@acme.com' })],
])('%s is no danger', (_, after, before) => {
  expect(found(after, before)).toEqual([]);
});
