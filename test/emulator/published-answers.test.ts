// Answers about routines and user groups have the keys that the vendor publishes. The values have their types, in every
// state that a routine or a schedule may be in. The tables below say in our words what is published; the emulator has
// rules of its own.

import { expect, test } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import type { EmulatedObject, EmulatorData, StoredRoutine } from '../../src/emulator/store.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { ids, startFull } from '../support/emulator/start-emulator.ts';
import { routine } from '../support/vocabulary.ts';

/** All keys are there, and no other one. */
const exactly = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const orNull = (...schemas: JsonObject[]): JsonObject => ({ anyOf: [{ type: 'null' }, ...schemas] });

const text = { type: 'string', minLength: 1 };
const uuid = { type: 'string', pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' };
const instant = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };
const count = { type: 'integer', minimum: 0 };
const flag = { type: 'boolean' };
const email = { type: 'string', pattern: '@' };
const pageInfo = exactly({
  hasNextPage: flag,
  nextCursor: orNull(text),
  pageSize: { type: 'integer', minimum: 1, maximum: 100 },
  totalRecords: count,
});

const ofRoutine = exactly({
  id: uuid,
  name: { ...text, maxLength: 512 },
  description: orNull({ type: 'string', maxLength: 2000 }),
  prompt: text,
  modelId: uuid,
  branchId: orNull(uuid),
  topicName: orNull({ ...text, maxLength: 256 }),
  schedule: { type: 'string', pattern: '^\\S+( \\S+){5}$' },
  timezone: text,
  destination: {
    anyOf: [
      exactly({ type: { const: 'email' }, recipientEmails: listOf(email), userGroupIds: listOf(uuid) }),
      exactly({ type: { const: 'slack' }, recipientId: text, slackRecipientType: { enum: ['channel', 'users'] } }),
    ],
  },
  disabled: flag,
  systemDisabled: flag,
  systemDisabledReason: orNull(text),
  recipientCount: count,
  lastRun: orNull(exactly({ completedAt: orNull(instant), label: text, state: text })),
  createdAt: instant,
  updatedAt: instant,
});
const person = exactly({ email, id: uuid, name: text, emailOnly: flag });
const principal = {
  type: 'object',
  required: ['id', 'name', 'type'],
  properties: { id: uuid, name: text, type: { enum: ['user', 'userGroup'] } },
};
const scimList = (resource: JsonObject) =>
  exactly({
    schemas: listOf(text),
    totalResults: count,
    startIndex: count,
    itemsPerPage: count,
    Resources: listOf(resource),
  });
const scimGroup = {
  schemas: listOf(text),
  id: { type: 'string', pattern: '^\\w{8}$' },
  displayName: text,
  members: listOf(exactly({ value: uuid, display: text })),
};

const ajv = makeAjv();

function expectPublished(schema: JsonObject, body: unknown): void {
  const isValid = ajv.validate(schema, body);
  expect(isValid ? [] : ajv.errors, JSON.stringify(body)).toEqual([]);
}

const at = '2026-02-01T00:00:00.000Z';
const states: readonly Partial<StoredRoutine>[] = [
  {},
  { fields: routine({ description: 'For all', branchId: ids.branch, topicName: 'customers' }) as EmulatedObject },
  { fields: routine({ description: null, destination: { type: 'email' } }) as EmulatedObject },
  { fields: routine({ destination: { type: 'email', userGroupIds: [ids.board] } }) as EmulatedObject },
  {
    fields: routine({
      destination: { type: 'slack', recipientId: 'C1', slackRecipientType: 'channel' },
    }) as EmulatedObject,
  },
  { disabled: true, lastRun: { at, status: 'ERROR' } },
  { systemDisabled: true, systemDisabledReason: 'No such model' },
  { run: { until: '2026-03-01T00:01:00.000Z', status: 'COMPLETE' } },
];

function organization(): EmulatorData {
  const data = demoOrganization();
  data.routines = states.map((state, index) => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${index}`, ownerId: ids.ana, createdAt: at, updatedAt: at },
    fields: routine() as EmulatedObject,
    ...state,
  }));
  return data;
}

test('the six operations of routines answer as published, whatever the state of a routine', async () => {
  const { send } = await startFull({ data: organization() });
  const path = '/v1/ai/routines';
  const list = await send('GET', `${path}?pageSize=5`);
  expectPublished(exactly({ pageInfo, records: listOf(ofRoutine) }), list.body);
  const next = await send('GET', `${path}?pageSize=5&cursor=${list.body.pageInfo.nextCursor}`);
  expectPublished(exactly({ pageInfo, records: listOf(ofRoutine) }), next.body);
  for (const { id } of organization().routines ?? []) {
    expectPublished(ofRoutine, (await send('GET', `${path}/${id}`)).body);
    const changed = await send('PATCH', `${path}/${id}`, { name: 'New' });
    expect(changed.status).toBe(200);
    expectPublished(ofRoutine, changed.body);
  }
  const made = await send('POST', path, routine());
  expect(made.status).toBe(201);
  expectPublished(exactly({ id: uuid }), made.body);
  expectPublished(exactly({ id: uuid }), (await send('POST', `${path}/${made.body.id}/trigger`)).body);
  const gone = await send('DELETE', `${path}/${made.body.id}`);
  expectPublished(exactly({ deleted: { const: true }, id: { const: made.body.id } }), gone.body);
});

test('the operations on recipients, access and groups answer as published', async () => {
  const { send, create } = await startFull();
  const id = await create('email', { recipients: ['ana@example.com', 'x@partner.org'] });
  const named = { userGroupIds: [ids.board], userIds: [ids.cleo] };
  expectPublished(
    exactly({ success: { const: true }, addedRecipientsCount: count, addedGroupRecipientsCount: count }),
    (await send('PUT', `/v1/schedules/${id}/add-recipients`, named)).body,
  );
  expectPublished(
    exactly({
      type: { const: 'email' },
      recipients: listOf(person),
      userGroupRecipients: listOf(exactly({ id: uuid, name: text, recipients: listOf(person) })),
    }),
    (await send('GET', `/v1/schedules/${id}/recipients`)).body,
  );
  expectPublished(
    exactly({ success: { const: true }, removedRecipientsCount: count, removedGroupRecipientsCount: count }),
    (await send('PUT', `/v1/schedules/${id}/remove-recipients`, named)).body,
  );
  const access = await send('GET', '/v1/documents/12db1a0a/access-list?pageSize=1');
  expectPublished(exactly({ pageInfo, principals: listOf(principal) }), access.body);
  expectPublished(scimList(exactly(scimGroup)), (await send('GET', '/scim/v2/Groups')).body);
});
