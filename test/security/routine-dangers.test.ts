// Dangers in what an AI routine delivers, to whom and with whose rights. The prompt and the model of a routine are what
// it shows. Schedules are guarded in the same way.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { dangersOf, withKind } from '../support/security/dangers.ts';
import { routine } from '../support/vocabulary.ts';

const to = (...recipientEmails: readonly string[]) => ({ destination: { type: 'email', recipientEmails } });
const monday = (fields: JsonObject = {}) => routine({ owner: 'ana@acme.com', ...to('a@acme.com'), ...fields });
const outside = to('a@acme.com', 'cfo@beta.example');
const otherModel = { modelId: '880e8400-e29b-41d4-a716-446655440002' };

test.each<[string, JsonObject | undefined, JsonObject, readonly string[]]>([
  ['another prompt inside is none', {}, { prompt: 'What else?' }, []],
  ['another model inside only replaces it', {}, otherModel, ['caution replaced: routines.r']],
  [
    'another prompt for somebody outside shows other rows',
    outside,
    { ...outside, prompt: 'What else?' },
    ['grave other-rows: prompt changes'],
  ],
  [
    'another model for somebody outside',
    outside,
    { ...outside, ...otherModel },
    ['grave other-rows: modelId changes', 'caution replaced: routines.r'],
  ],
  [
    'a branch for somebody outside',
    outside,
    { ...outside, branchId: 'b' },
    ['grave other-rows: branchId is added', 'caution replaced: routines.r'],
  ],
  [
    'a topic for somebody outside',
    { ...outside, topicName: 't' },
    outside,
    ['grave other-rows: topicName is removed', 'caution replaced: routines.r'],
  ],
  [
    'somebody outside is added',
    {},
    outside,
    ['grave reaches-outside outside domain: beta.example', 'caution new-receiver recipient: cfo@beta.example'],
  ],
  ['another owner', {}, { owner: 'bo@acme.com' }, ['caution new-owner: bo@acme.com', 'caution replaced: routines.r']],
  [
    'a new routine for somebody outside',
    undefined,
    { ...outside, owner: 'bo@acme.com' },
    [
      'grave reaches-outside outside domain: beta.example',
      'caution new-receiver outside recipient: cfo@beta.example',
      'caution new-owner: bo@acme.com',
    ],
  ],
])('%s', (_, before, after, expected) => {
  const known = { 'routines.other': monday({ name: 'Other' }) };
  const was = before === undefined ? known : { ...known, 'routines.r': monday(before) };
  const dangers = dangersOf({ ...known, 'routines.r': monday(after) }, was);
  const found = dangers.flatMap(({ gravity, ...of }) =>
    of.items.map(({ subject }) => `${gravity} ${withKind(of)}: ${subject}`),
  );
  expect(found.toSorted()).toEqual(expected.toSorted());
});

test('what new routines and owners get has the words of the kind', () => {
  const dangers = dangersOf({ 'routines.r': monday({ ...outside, owner: 'bo@acme.com' }) }, {});
  expect(dangers.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      '1 outside recipient gets new routines',
      expect.stringContaining('1 owner gets routines,'),
    ]),
  );
});
