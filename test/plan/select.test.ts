// What selectors choose: addresses add up, labels of one kind add up, and different kinds narrow each other.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { Secret } from '../../src/model/values/secret.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { DeclaredObject, Resource } from '../../src/model/workspace/resource.ts';
import { resolve, resolveOrAll, selectablesAt } from '../../src/plan/select.ts';
import { stateOf } from '../support/plan/planning.ts';

const resource = (address: string, attributes: DeclaredObject, sink?: Resource['sink']): Resource => ({
  kind: address.startsWith('dashboards.') ? 'dashboard' : 'schedule',
  ...{ address, attributes, sink, line: 1, origin: { file: 'all.yaml', document: 0, pointer: '' } },
});
const hook = new Secret('https://hooks.example.com/t0ken', ['T'], ['t0ken'], 'https://hooks.example.com/${env.T}');

const resources = [
  resource('schedules.sales', {
    ...{ identifier: '12db1a0a', destinationType: 'email', recipients: ['Ana@example.com', 'kim@partner.com'] },
    meta: { tags: ['board', 'daily'], owner: '@acme/sales' },
  }),
  resource('schedules.stock', {
    ...{ identifier: '12db1a0a', destinationType: 'slack', recipients: 'U0123456789, U0AAAAAAAAA' },
    meta: { tags: ['daily'] },
  }),
  resource('schedules.export', { identifier: '77aa88bb', destinationType: 'webhook', url: hook }),
  resource(
    'schedules.board',
    { identifier: '77aa88bb', destinationType: 'email', recipients: ['sink@test.example'], meta: { tags: ['board'] } },
    { environment: 'staging', declared: { recipients: ['bo@example.com'] } },
  ),
  resource('schedules.regions.emea', { identifier: '77aa88bb', destinationType: 's3', bucketName: 'drop' }),
  resource('dashboards.sales', { identifier: '12db1a0a' }),
];
const applied = (attributes: JsonObject) => ({ id: 'a', attributes });
const state = stateOf({
  'schedules.sales': applied({
    ...{ identifier: '0ld0ld00', destinationType: 'email', recipients: ['former@example.com'] },
    meta: { tags: ['former'] },
  }),
  'schedules.gone': applied({ destinationType: 'sftp', address: 'files.example.com', meta: { owner: '@acme/gone' } }),
});

const known = selectablesAt([...resources.map(({ address }) => address), 'schedules.gone'], { resources }, state);
const chosen = (...selectors: string[]) =>
  [...resolve(selectors, known)].map((address) => address.replace('schedules.', '')).join(' ');

function refusal(...selectors: string[]): string {
  try {
    return chosen(...selectors);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const said = error.findings.map(({ message, hint }) => `${message} ${hint}`).join(' ');
    return `${error.message} ${error.hint} ${said}`;
  }
}

describe('selectors', () => {
  test('an empty list chooses nothing, and everything only where that is only shown', () => {
    expect(chosen()).toBe('');
    expect(resolveOrAll([], known).size).toBe(7);
    expect(resolveOrAll(['kind:dashboard'], known).size).toBe(1);
  });

  test.each([
    ['an address', ['schedules.stock'], 'stock'],
    ['a loop', ['schedules.regions'], 'regions.emea'],
    ['addresses with stars, in their order', ['schedules.st*', 'schedules.s*'], 'stock sales'],
    ['one of two tags', ['tag:daily', 'tag:board'], 'sales stock board'],
    ['two labels', ['tag:daily', 'tag:board', 'via:email'], 'sales board'],
    ['an address and a label', ['schedules.s*', 'owner:@acme/*'], 'sales'],
    ['an address that a label narrows', ['schedules.sales', 'schedules.stock', 'via:slack'], 'stock'],
    ['an e-mail address in letters of either case', ['to:ana@Example.com'], 'sales'],
    ['a domain', ['to:*@example.com'], 'sales board'],
    ['a Slack id in a text of several', ['to:U0AAAAAAAAA'], 'stock'],
    ['the host of an address that is a secret', ['to:hooks.example.com'], 'export'],
    ['a bucket', ['to:drop'], 'regions.emea'],
    ['a receiver that a sink replaces', ['to:bo@example.com'], 'board'],
    ['the sink', ['to:sink@test.example'], 'board'],
    ['a receiver that was applied', ['to:former@example.com'], 'sales'],
    ['a tag that was applied', ['tag:former'], 'sales'],
    ['a label of what is no longer declared', ['owner:@acme/gone'], 'gone'],
    ['a dashboard', ['dashboard:12db1a0a'], 'sales stock dashboards.sales'],
    ['a dashboard that was applied', ['dashboard:0ld0ld00'], 'sales'],
    ['ways of delivery', ['via:s3', 'via:sftp'], 'regions.emea gone'],
    ['a kind', ['kind:dashboard'], 'dashboards.sales'],
  ])('%s selects what has it', (_, selectors, expected) => {
    expect(chosen(...selectors)).toBe(expected);
  });

  test.each([
    ['to:ana@example.co', 'Did you mean `to:Ana@example.com`?'],
    ['to:partner.com', 'a domain (`to:*@partner.com`)'],
    ['to:*@nobody.org', 'the id of a Slack channel or user'],
    ['to:ana@exampleXcom', '`to:ana@exampleXcom` matches nothing.'],
    ['to:hooks.example.com/t0ken', '`to:hooks.example.com/t0ken` matches nothing.'],
    ['dashboard:12db1a0b', 'Did you mean `dashboard:12db1a0a`?'],
    ['dashboard:https://acme.omniapp.co/dashboards/77aa88bb?x=1', 'Did you mean `dashboard:77aa88bb`?'],
    ['via:mail', 'Did you mean `via:email`?'],
    ['via:fax', 'It is one of webhook, email, sftp, slack, s3.'],
    ['kind:report', 'It is one of '],
    ['Ana@example.com', 'Did you mean `to:Ana@example.com`?'],
    ['77aa88bb', 'Did you mean `dashboard:77aa88bb`?'],
    ['schedules.sale', 'Did you mean `schedules.sales`?'],
    ['reports.*', 'A selector is an address such as schedules.fin-*, or tag: owner: to: dashboard: via: kind:.'],
  ])('the selector %s, which matches nothing, is refused with a hint', (selector, words) => {
    expect(refusal('schedules.sales', selector)).toContain(`\`${selector}\` matches nothing.`);
    expect(refusal('schedules.sales', selector)).toContain(words);
  });

  test('selectors that nothing matches together are refused', () => {
    expect(refusal('schedules.sales', 'via:slack')).toContain(
      'Nothing matches all of schedules.sales, via:slack; nothing was done.',
    );
  });
});
