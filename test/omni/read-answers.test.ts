// The answers of the service, read by the schemas that name their fields.

import { expect, test } from 'vitest';
import { fieldsRead } from '../../src/model/fields/fields.ts';
import { listedDocumentSchema } from '../../src/model/service/documents.ts';
import {
  aiJobRows,
  filtersSchema,
  listedRoutineSchema,
  listedSchema,
  recipientsSchema,
  remoteScheduleSchema,
} from '../../src/model/service/remote.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { listOf, openRecord, record } from '../../src/model/values/schema.ts';
import { operations } from '../../src/omni/operations.ts';
import { Undocumented } from '../../src/omni/read-by-schema.ts';
import { documentProblem } from '../../src/yaml/document-problem.ts';
import { broken, everyAnswer, type OperationName } from '../support/emulator/every-answer.ts';

const page = (...records: Json[]) => ({ records, pageInfo: { hasNextPage: false } });

test.each<[OperationName, Json | undefined, string]>([
  ['getSchedule', undefined, 'It is not a JSON object.'],
  ['getFilters', null, 'It is not a JSON object.'],
  ['createSchedule', 'text', 'It is not a JSON object.'],
  ['createAiJob', [], 'It is not a JSON object.'],
  ['testDelivery', undefined, 'It is not a JSON object.'],
  ['updateFilters', '<html>', 'It is not a JSON object.'],
  ['getAiJobResult', [], 'It is not a JSON object.'],
  ['createSchedule', {}, 'It has no id.'],
  ['createSchedule', { id: '' }, 'Its id is not an id.'],
  ['createSchedule', { id: 7 }, 'Its id is not an id.'],
  ['createSchedule', { id: 'a b' }, 'Its id is not an id.'],
  ['createSchedule', { id: '\u001b[1m' }, 'Its id is not an id.'],
  ['createAiJob', { id: 'a' }, 'It has no jobId.'],
  ['createAiJob', { jobId: 'a/b' }, 'Its jobId is not an id.'],
  ['listSchedules', { pageInfo: {} }, 'It has no list of records.'],
  ['listSchedules', { records: [] }, 'It does not say whether there are more pages.'],
  ['listEmailOnlyUsers', { ...page(), pageInfo: { hasNextPage: true } }, 'It has a next page but no cursor for it.'],
  ['listSchedules', page({ name: 'A' }), 'One of its schedules has no id.'],
  ['listSchedules', page(null), 'One of its schedules has no id.'],
  ['listDocuments', page({ name: 'A' }), 'One of its documents has no identifier.'],
  ['listQueries', {}, 'It has no list of queries.'],
  ['listQueries', { queries: [{ name: 'A' }] }, 'Its queries have no queryIdentifierMapKey.'],
  ['listUsers', { Resources: [] }, 'It is not a list of SCIM.'],
  ['listUsers', { totalResults: 0, Resources: {} }, 'It is not a list of SCIM.'],
  ['getSchedule', { id: 'a', name: 'A' }, 'It lacks an id, a name or createdAt.'],
  ['getSchedule', { id: 'a', name: 'A', createdAt: 'yesterday' }, 'It lacks an id, a name or createdAt.'],
  ['getRecipients', { recipients: [] }, 'It does not say what type it has.'],
  ['getFilters', { identifier: 'a', filterOrder: null }, 'It has no identifier or no filter order.'],
  ['getFilters', { filterOrder: [] }, 'It has no identifier or no filter order.'],
  ['getAiJob', { state: '' }, 'It does not say what state the job is in.'],
])('the answer to %s, %j, is refused: %s', (name, answer, words) => {
  expect(() => operations[name].read(answer)).toThrow(new Undocumented(words));
});

test('an answer to a change may be empty', () => {
  expect(() => operations.updateFilters.read(undefined)).not.toThrow();
});

test('what an answer lacks is empty or left out, and what has another type counts as missing', () => {
  const given = { id: 'a', name: 'A', createdAt: '2026-03-01T00:00:00Z', timezone: 7, ownerId: '', fanOut: 'no' };
  expect(operations.getSchedule.read({ ...given, destinations: ['x', { metadata: null }] })).toEqual({
    ...{ id: 'a', name: 'A', createdAt: given.createdAt, updatedAt: given.createdAt, schedule: '', timezone: '' },
    ...{ paused: false, fields: {}, metadata: {}, destinations: [{ format: '', metadata: {} }] },
  });
});

test('an id that Omni writes in capitals is read as lists have it, unless it is no UUID', () => {
  const id = '9C3F0A51-6F0E-4D52-8A43-2B7C1D9E0F11';
  const plain = id.toLowerCase();
  const [row] = operations.listSchedules.read(page({ id, ownerId: id })).records;
  expect(row).toMatchObject({ id: plain, ownerId: plain });
  expect(operations.createSchedule.read({ id })).toMatchObject({ id: plain });
  const recipients = { type: 'email', userGroupRecipients: [{ id, name: id }] };
  expect(operations.getRecipients.read(recipients).groups).toEqual([{ id: plain, name: id, emails: [] }]);
  expect(operations.listModels.read(page({ id: 'VRyUNQ7i' })).records).toMatchObject([{ id: 'VRyUNQ7i' }]);
});

test('the list is read with every field that a look compares by it', () => {
  const names = Object.keys(listedSchema['properties'] as object);
  expect(names).toEqual(expect.arrayContaining(fieldsRead('schedule', 'list').map(([name]) => name)));
});

test('a routine is read whole, and what the service does not say differs from what is not set', () => {
  const read = (row: object) =>
    operations.listRoutines.read({ records: [{ id: 'a', ...row }], pageInfo: { hasNextPage: false } }).records[0];
  const texts = { modelId: '', name: '', prompt: '', schedule: '', timezone: '' };
  expect(read({})).toEqual({ id: 'a', ...texts, paused: false });
  const lastRun = { completedAt: '2026-03-01T00:00:00Z', label: 'Delivered', state: 'COMPLETE' };
  const stopped = {
    disabled: true,
    systemDisabled: true,
    systemDisabledReason: 'No access to https://a.example/secret',
  };
  expect(read({ branchId: null, topicName: '', description: null, lastRun, ...stopped })).toEqual({
    ...{ id: 'a', ...texts, branchId: null, topicName: null, description: null },
    ...{ paused: true, stopped: 'No access to a.example' },
    ...{ lastCompletedAt: lastRun.completedAt, lastLabel: 'Delivered', lastStatus: 'COMPLETE' },
  });
  const destination = { type: 'email', recipientEmails: ['a@x.com', 7], userGroupIds: [] };
  expect(read({ destination })?.destination).toEqual({ ...destination, recipientEmails: ['a@x.com'] });
});

const listed = openRecord({ records: listOf(listedSchema) });
const schemas: Partial<Record<OperationName, JsonObject>> = {
  listSchedules: listed,
  listDocuments: openRecord({ records: listOf(listedDocumentSchema) }),
  getSchedule: remoteScheduleSchema,
  getRecipients: recipientsSchema,
  getFilters: filtersSchema,
  getAiJob: record(aiJobRows),
  listRoutines: openRecord({ records: listOf(listedRoutineSchema) }),
};

test('every answer of the emulator with one value broken is read as the schema says, or refused as undocumented', async () => {
  const problems: string[] = [];
  let [read, refused] = [0, 0];
  for (const [name, answer] of await everyAnswer()) {
    expect(() => operations[name].read(answer)).not.toThrow();
    for (const { how, answer: each } of broken(answer)) {
      try {
        const value: unknown = operations[name].read(each);
        const problem = documentProblem(schemas[name] ?? {}, JSON.parse(JSON.stringify(value ?? null)));
        if (problem !== undefined) problems.push(`${name}, ${how}: ${problem}`);
        read += 1;
      } catch (error) {
        if (!(error instanceof Undocumented)) problems.push(`${name}, ${how}: ${String(error)}`);
        refused += 1;
      }
    }
  }
  expect(problems).toEqual([]);
  expect([read > 1000, refused > 100]).toEqual([true, true]);
});
