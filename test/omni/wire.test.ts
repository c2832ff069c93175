// What is sent for a declaration to each destination.

import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/model/values/secret.ts';
import type { DeclaredObject } from '../../src/model/workspace/resource.ts';
import { pathOf, toRequest } from '../../src/omni/operations.ts';

const common = {
  identifier: '12db1a0a',
  name: 'Weekly sales',
  schedule: '0 9 ? * MON *',
  timezone: 'America/New_York',
  format: 'pdf',
};

const s3 = {
  destinationType: 's3',
  bucketName: 'reports',
  region: 'eu-west-1',
  roleArn: 'arn:aws:iam::123456789012:role/omni',
  keyPrefix: 'sales/',
  filename: '{{entityName}}',
};
const email = { destinationType: 'email', recipients: ['bo@example.com'], subject: 'Sales', textBody: 'See.\n' };
const hook = { destinationType: 'webhook', url: 'https://example.com/hook?a=b' };

describe('a schedule', () => {
  test.each([s3, { ...email, fanOut: false }, hook])('a schedule to %j is sent as written', (destination) => {
    const body = { ...common, ...destination };
    expect(toRequest('schedule', body)).toEqual({ query: {}, body });
  });

  test('a schedule is sent without Almanac’s own fields, and with userId in the query', () => {
    const request = toRequest('schedule', {
      ...common,
      ...hook,
      userId: '987fcdeb-51a2-43d7-9b56-254415f67890',
      paused: true,
      lifecycle: { preventDestroy: true },
      filterConfig: { orders: { values: ['a'] } },
    });
    expect(request.query).toEqual({ userId: '987fcdeb-51a2-43d7-9b56-254415f67890' });
    expect(Object.keys(request.body ?? {})).toEqual([...Object.keys(common), 'destinationType', 'url', 'filterConfig']);
  });

  test('a schedule is sent with extra, which never replaces other fields', () => {
    const extra = { newField: { deep: [1, null] }, name: 'other', ['__proto__']: 'own' };
    const { body } = toRequest('schedule', { extra: Object.fromEntries(Object.entries(extra)), ...common });
    expect(body).toMatchObject({ newField: { deep: [1, null] }, name: 'Weekly sales' });
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });

  test('a schedule is sent with its secrets revealed', () => {
    const request = toRequest('schedule', {
      ...common,
      destinationType: 'sftp',
      passwordUnencrypted: new Secret('hunter2', []),
      recipients: [new Secret('ana@example.com', ['ANA']), 'bo@example.com'],
      filterConfig: { a: { values: [new Secret('x', ['X'])] } },
      userId: new Secret('u-1', ['U']),
    });
    expect(request.body).toMatchObject({
      passwordUnencrypted: 'hunter2',
      recipients: ['ana@example.com', 'bo@example.com'],
      filterConfig: { a: { values: ['x'] } },
    });
    expect(request.query).toEqual({ userId: 'u-1' });
  });

  test('sending an unknown secret, or a field that no table has, is a bug', () => {
    expect(() => toRequest('schedule', { ...common, url: new Secret(undefined, ['X']) })).toThrow(/secret/);
    expect(() => toRequest('schedule', { ...common, colour: 'red' })).toThrow(/colour/);
    expect(() => toRequest('schedule', { ...common, toString: 'red' })).toThrow(/toString/);
  });
});

describe('a dashboard', () => {
  test('a dashboard is sent with its identifier in the path and not in the body', () => {
    const entries = { filters: { status: { values: ['a'] } }, controls: { c: { hidden: true } }, filterOrder: ['c'] };
    expect(
      toRequest('dashboard', { identifier: '12db1a0a', ...entries, clearExistingDraft: true, userId: 'u' }),
    ).toEqual({
      id: '12db1a0a',
      query: { userId: 'u' },
      body: { ...entries, clearExistingDraft: true },
    });
  });

  test.each([
    ['a/b?c#d e', 'a%2Fb%3Fc%23d%20e'],
    ['..', '%2E%2E'],
    ['é', '%C3%A9'],
    ['\ud800', '%EF%BF%BD'],
  ])('the identifier %j of a dashboard is one segment of the path', (identifier, segment) => {
    const { id } = toRequest('dashboard', { identifier, filterOrder: ['a'] });
    expect(pathOf('/v1/dashboards/{dashboardId}/filters', id)).toBe(`/v1/dashboards/${segment}/filters`);
  });
});

test('an internationalised host is sent in ASCII, and everything else of the URL as written', () => {
  const url = 'https://Bücher.example:8443/Füße?q=ü';
  const written: DeclaredObject = { ...common, destinationType: 'webhook', url };
  expect(toRequest('schedule', written).body?.['url']).toBe('https://xn--bcher-kva.example:8443/Füße?q=ü');
});
