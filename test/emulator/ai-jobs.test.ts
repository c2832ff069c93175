import { expect, test } from 'vitest';
import { ids, startEmulator } from '../support/emulator/start-emulator.ts';

const jobs = '/v1/ai/jobs';
const body = { modelId: ids.model, prompt: 'Summarise sales by region for the third quarter.' };

test('the emulator queues an AI job and says where to watch it', async () => {
  const { send, emulator } = await startEmulator();
  const reply = await send('POST', jobs, {
    ...body,
    branchId: ids.branch,
    topicName: 'order_items',
    progressWebhookEnabled: true,
    webhookUrl: 'https://hooks.example.com/ai',
    webhookSigningSecret: 'top-secret',
    webhookMetadata: { any: ['thing', { deep: null }] },
  });
  expect(reply.status).toBe(201);
  const { jobId, conversationId, omniChatUrl } = reply.body;
  expect(Object.keys(reply.body)).toEqual(['jobId', 'conversationId', 'omniChatUrl']);
  expect(omniChatUrl).toBe(`https://demo.omniapp.co/chat/${conversationId}`);
  expect(emulator.data().jobs.at(-1)).toMatchObject({
    id: jobId,
    conversationId,
    status: 'QUEUED',
    ownerId: null,
    hasSigningSecret: true,
  });
  expect(JSON.stringify(emulator.data())).not.toContain('top-secret');
});

test('a conversation continues after its jobs have ended, one job at a time', async () => {
  const { send, emulator } = await startEmulator();
  const next = { ...body, conversationId: ids.conversation };
  expect((await send('POST', jobs, next)).body.conversationId).toBe(ids.conversation);
  const refused = await send('POST', jobs, next);
  expect(refused.status).toBe(409);
  expect(refused.body).toEqual({ detail: expect.stringContaining('active job'), status: 409 });
  emulator.edit((data) => {
    for (const job of data.jobs) job.status = 'FAILED';
  });
  expect((await send('POST', jobs, next)).status).toBe(201);
});

test.each<[string, object, number, string]>([
  ['no model', { modelId: undefined }, 400, 'Bad Request: modelId: Required'],
  ['no prompt', { prompt: undefined }, 400, 'Bad Request: prompt: Required'],
  ['an empty prompt', { prompt: '' }, 400, 'Bad Request: prompt: String must contain at least 1 character(s)'],
  ['a model that is not a UUID', { modelId: 'commerce' }, 400, 'Bad Request: modelId: Invalid uuid'],
  ['a branch that is not a UUID', { branchId: 'x' }, 400, 'Bad Request: branchId: Invalid uuid'],
  ['a conversation that is not a UUID', { conversationId: 'x' }, 400, 'Bad Request: conversationId: Invalid uuid'],
  ['a topic of another type', { topicName: 1 }, 400, 'Bad Request: topicName: Expected string, received number'],
  [
    'a topic of 257 characters',
    { topicName: 'x'.repeat(257) },
    400,
    'Bad Request: topicName: String must contain at most 256 character(s)',
  ],
  [
    'a flag as text',
    { progressWebhookEnabled: 'true' },
    400,
    'Bad Request: progressWebhookEnabled: Expected boolean, received string',
  ],
  [
    'progress without a webhook',
    { progressWebhookEnabled: true },
    400,
    'Bad Request: webhookUrl: Required when progressWebhookEnabled is true',
  ],
  ['a webhook that is no URL', { webhookUrl: 'hooks' }, 400, 'Bad Request: webhookUrl: Invalid url'],
  ['a webhook over ftp', { webhookUrl: 'ftp://example.com' }, 400, 'Bad Request: webhookUrl: Invalid url'],
  [
    'a secret of another type',
    { webhookSigningSecret: 1 },
    400,
    'Bad Request: webhookSigningSecret: Expected string, received number',
  ],
  ['metadata as a list', { webhookMetadata: [] }, 400, 'Bad Request: webhookMetadata: Expected object, received array'],
  ['an unknown key', { model: 'x' }, 400, "Bad Request: Unrecognized key(s) in object: 'model'"],
  ['an unknown model', { modelId: ids.stranger }, 404, `Model with id ${ids.stranger} does not exist`],
  [
    'a branch of no such model',
    { branchId: ids.stranger },
    404,
    `Branch with id ${ids.stranger} does not belong to model ${ids.model}`,
  ],
  ['an unknown topic', { topicName: 'Order_items' }, 404, `Topic "Order_items" does not exist in model ${ids.model}`],
  [
    'an unknown conversation',
    { conversationId: ids.stranger },
    404,
    `Conversation with id ${ids.stranger} does not exist`,
  ],
])('the emulator refuses an AI job with %s', async (_, changes, status, detail) => {
  const { send } = await startEmulator();
  const reply = await send('POST', jobs, { ...body, ...changes });
  expect(reply.body).toEqual({ detail, status });
});

test.each<[string, object]>([
  ['the least', {}],
  ['a uuid in capitals', { modelId: ids.model.toUpperCase() }],
  ['a webhook without a secret', { webhookUrl: 'http://localhost:8080/events' }],
  ['progress that is off, without a webhook', { progressWebhookEnabled: false }],
])('the emulator accepts an AI job with %s', async (_, changes) => {
  const { send } = await startEmulator();
  expect((await send('POST', jobs, { ...body, ...changes })).status).toBe(201);
});

test('userId of an AI job may be set to a member by an organization key, and not by a personal token', async () => {
  const { send, emulator, personalToken } = await startEmulator();
  const personal = { Authorization: `Bearer ${personalToken}` };
  expect((await send('POST', `${jobs}?userId=${ids.bo}`, body)).status).toBe(201);
  expect(emulator.data().jobs.at(-1)?.ownerId).toBe(ids.bo);
  expect((await send('POST', jobs, body, personal)).status).toBe(201);
  expect(emulator.data().jobs.at(-1)?.ownerId).toBe(ids.ana);
  expect((await send('POST', `${jobs}?userId=${ids.ana}`, body, personal)).status).toBe(403);
  expect((await send('POST', `${jobs}?userId=bo`, body)).body.detail).toBe('Bad Request: userId: Invalid uuid');
  expect((await send('POST', `${jobs}?userId=${ids.stranger}`, body)).status).toBe(404);
});
