// How online checks handle the answers of the service, without a service: the cases that the emulator does not produce.

import { expect, test } from 'vitest';
import { closestDocuments, meantDocuments } from '../../src/declare/online/check-dashboard.ts';
import { checkAgainstService } from '../../src/declare/online/check-online.ts';
import { referencesOf } from '../../src/declare/online/dashboard-references.ts';
import type { ServiceView } from '../../src/model/service/documents.ts';
import { Secret } from '../../src/model/values/secret.ts';
import type { DeclaredObject, Resource } from '../../src/model/workspace/resource.ts';

const origin = { file: 'a.yaml', document: 0, pointer: '/schedules/a' };
const schedule = (attributes: DeclaredObject): Resource => ({
  kind: 'schedule',
  address: 'schedules.a',
  attributes,
  origin,
  line: 1,
});
const document = (identifier: string, name: string) => ({ identifier, name, deleted: false, hasDashboard: true });
const view = (more: Partial<ServiceView> = {}): ServiceView => ({
  documents: [document('board', 'Board')],
  renamed: new Map(),
  ids: new Map(),
  queries: new Map(),
  ...more,
});
const check = (attributes: DeclaredObject, value: ServiceView) =>
  checkAgainstService(
    [schedule(attributes)].flatMap((resource) => referencesOf(resource) ?? []),
    value,
  );

test('the message of a refusal is passed on unless it may hold a secret', () => {
  const refused = view({ ids: new Map([['board', { refused: 'No access to board.', isMissing: false }]]) });
  const filterConfig = { region: {} };
  expect(check({ identifier: 'board', filterConfig }, refused)).toMatchObject([
    { code: 'not-read', message: expect.stringContaining('No access to board.') },
  ]);
  const [found] = check({ identifier: new Secret('board', ['BOARD']), filterConfig }, refused);
  expect(found?.code).toBe('not-read');
  expect(found?.message).not.toContain('No access');
});

test('online checks skip values that are unknown or of a wrong type', () => {
  const answered = view({ queries: new Map([['board', { value: [{ key: '1' }] }]]) });
  const unknown = new Secret(undefined, ['NOT_SET']);
  expect(check({ identifier: unknown }, answered)).toEqual([]);
  expect(check({ identifier: 12 }, answered)).toEqual([]);
  expect(check({ identifier: 'board', queryIdentifierMapKey: unknown, conditionQueryMapKey: 7 }, answered)).toEqual([]);
  expect(check({ identifier: 'board', queryIdentifierMapKey: new Secret('2', ['KEY']) }, answered)).toMatchObject([
    { code: 'unknown-query', message: expect.not.stringContaining('`2`') },
  ]);
});

test('names of JavaScript such as constructor are unknown ids and cause no error', () => {
  const ids = { value: { filters: ['__proto__'], controls: [], own: {} } };
  const filterConfig = JSON.parse('{"__proto__": {}, "constructor": {}}') as DeclaredObject;
  const found = check({ identifier: 'board', filterConfig }, view({ ids: new Map([['board', ids]]) }));
  expect(found.map(({ place }) => place && 'pointer' in place && place.pointer)).toEqual([
    '/schedules/a/filterConfig/constructor',
  ]);
});

test('an online check suggests three similar documents, identifiers before names', () => {
  const dashboards = [
    ...Array.from({ length: 5 }, (_, index) => document(`x${index}`, 'Weekly sales')),
    document('weekly-sale', 'Other'),
    document('y', 'z'.repeat(100)),
  ];
  const close = closestDocuments('Weekly sales', dashboards);
  expect(close.map(({ identifier }) => identifier)).toEqual(['weekly-sale', 'x0', 'x1']);
  expect(meantDocuments(close)).toBe('Did you mean `weekly-sale` (Other), `x0` (Weekly sales) or `x1` (Weekly sales)?');
  expect(meantDocuments([document('y', 'z'.repeat(100))])).toBe(`Did you mean \`y\` (${'z'.repeat(60)}…)?`);
  expect(meantDocuments(closestDocuments('', dashboards))).toBeUndefined();
});
