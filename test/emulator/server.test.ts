import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { ids, startEmulator, startFull } from '../support/emulator/start-emulator.ts';
import { mail, slack } from '../support/vocabulary.ts';

test('the emulator listens on loopback and says how to reach it', async () => {
  const emulator = createEmulator();
  const { baseUrl, organizationKey, personalToken } = await emulator.listen();
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(organizationKey).toMatch(/^omni_osk_/);
  expect(personalToken).not.toMatch(/^omni_osk_/);
  await emulator.close();
  await expect(fetch(`${baseUrl}/v1/documents`)).rejects.toThrow();
});

test('closing the emulator drops an open connection of a client, and can be repeated', async () => {
  const emulator = createEmulator();
  const { baseUrl } = await emulator.listen();
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.on('connect', resolve));
  await emulator.close();
  await closed;
  expect(socket.destroyed).toBe(true);
  await expect(emulator.close()).resolves.toBeUndefined();
});

test.each([
  ['GET', '/v1/schedules/00000000-0000-4000-8000-000000000000'],
  ['GET', '/v1/documents/12db1a0a/queries'],
  ['GET', '//v1/documents'],
])('the emulator answers 404 for %s %s, which core does not have', async (method, path) => {
  const { send } = await startEmulator();
  expect((await send(method, path)).body).toEqual({ detail: expect.any(String), status: 404 });
});

test.each([
  ['core', 'GET', '/v1/schedules', 'POST'],
  ['full', 'PATCH', `/v1/schedules/${ids.stranger}`, 'GET, PUT, DELETE'],
] as const)('an emulator with operations %s answers 405 for %s %s', async (operations, method, path, allowed) => {
  const { send } = await startEmulator({ operations });
  const reply = await send(method, path);
  expect(reply.status).toBe(405);
  expect(reply.headers.get('allow')).toBe(allowed);
});

test.each<[string, unknown, Record<string, string>, number]>([
  ['malformed JSON', '{"name":', {}, 400],
  ['an empty body', '', {}, 400],
  ['a body nested too deep', '['.repeat(300) + ']'.repeat(300), {}, 400],
  ['a body that is not an object', '[]', {}, 400],
  ['another media type', '{}', { 'Content-Type': 'text/plain' }, 415],
  ['more than a megabyte', JSON.stringify({ name: 'x'.repeat(1_000_001) }), {}, 413],
])('the emulator refuses %s', async (_, body, headers, status) => {
  const { send } = await startEmulator();
  const reply = await send('POST', '/v1/schedules', body, headers);
  expect(reply.status).toBe(status);
  expect(reply.body).toEqual({ detail: expect.any(String), status });
});

test.each([
  ['replace', '[]', 'Expected object, received array'],
  ['merge', 'null', 'Expected object, received null'],
] as const)('a PUT that is to %s a schedule refuses the body %s', async (put, body, detail) => {
  const { send, create } = await startFull({ put });
  expect((await send('PUT', `/v1/schedules/${await create()}`, body)).body).toEqual({ detail, status: 400 });
});

test('the emulator accepts a media type with parameters and a body just below a megabyte', async () => {
  const { send } = await startEmulator();
  const body = mail({ textBody: '["\\'.repeat(160_000) });
  const reply = await send('POST', '/v1/schedules', body, { 'Content-Type': 'Application/JSON; charset=utf-8' });
  expect(reply.status).toBe(200);
});

test('the emulator answers in JSON to a request that is not HTTP', async () => {
  const { baseUrl } = await startEmulator();
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.end('nonsense\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text).toContain('HTTP/1.1 400');
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({ detail: expect.any(String), status: 400 });
});

test('the emulator counts the rate of each token in a sliding window and says when to retry', async () => {
  let time = 1_000_000;
  const { send, personalToken } = await startEmulator({ rateLimit: 2, now: () => time });
  const ask = async (headers = {}) => (await send('GET', '/v1/documents', undefined, headers)).status;
  expect(await ask()).toBe(200);
  time += 20_500;
  expect(await ask()).toBe(200);
  const refused = await send('GET', '/v1/documents');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('40');
  expect(refused.body).toEqual({ detail: expect.any(String), status: 429 });
  expect(await ask({ Authorization: `Bearer ${personalToken}` })).toBe(200);
  expect(await ask({ Authorization: 'Bearer omni_osk_demo_second_key' })).toBe(200);
  time += 39_499;
  expect(await ask()).toBe(429);
  time += 1;
  expect(await ask()).toBe(200);
  expect(await ask()).toBe(429);
});

test('the emulator allows 60 requests a minute by default, and 0 means no limit', async () => {
  const limited = createEmulator({ now: () => 0 });
  const { baseUrl, organizationKey } = await limited.listen();
  const statuses: number[] = [];
  for (let count = 0; count < 61; count++) {
    const response = await fetch(`${baseUrl}/v1/documents`, {
      headers: { Authorization: `Bearer ${organizationKey}` },
    });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  await limited.close();
  expect(statuses.lastIndexOf(200)).toBe(59);
  expect(statuses[60]).toBe(429);

  const { send } = await startEmulator({ rateLimit: 0 });
  for (let count = 0; count < 100; count++) expect((await send('GET', '/v1/documents')).status).toBe(200);
});

test('the emulator records requests without their tokens', async () => {
  const { send, emulator, personalToken } = await startEmulator();
  await send('POST', `/v1/schedules?userId=${ids.bo}`, mail());
  await send('GET', '/v1/documents?pageSize=1', undefined, { Authorization: `Bearer ${personalToken}` });
  await send('GET', '/v1/documents', undefined, { Authorization: 'Bearer no' });
  expect(emulator.requests()).toMatchObject([
    { method: 'POST', path: '/api/v1/schedules', query: { userId: ids.bo }, body: mail(), status: 200 },
    { method: 'GET', path: '/api/v1/documents', query: { pageSize: '1' }, body: undefined, token: 'personal' },
    { status: 401, token: undefined },
  ]);
  expect(JSON.stringify(emulator.requests())).not.toContain('omni_');
});

test('the emulator keeps the last 10,000 requests', async () => {
  const { baseUrl, emulator } = await startEmulator();
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const paths = Array.from({ length: 10_005 }, (_, index) => `/api/${index}`);
  const last = 'Connection: close\r\n';
  socket.write(
    paths
      .map((path, index) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${index === 10_004 ? last : ''}\r\n`)
      .join(''),
  );
  for await (const _ of socket);
  expect(emulator.requests().map(({ path }) => path)).toEqual(paths.slice(5));
});

test('the emulator starts with the given data, returns copies and reports changes', async () => {
  const data = demoOrganization();
  data.organization.slackConnected = false;
  const changes: number[] = [];
  const { send, emulator } = await startEmulator({ data, onChange: (now) => changes.push(now.schedules.length) });
  expect((await send('POST', '/v1/schedules', slack())).body.detail).toMatch(/Slack/);
  await send('POST', '/v1/schedules', mail());
  emulator.data().schedules.length = 0;
  await send('POST', '/v1/schedules', mail());
  emulator.edit((live) => live.schedules.pop());
  expect(changes).toEqual([1, 2, 1]);
  expect(data.schedules).toEqual([]);
  expect(JSON.parse(JSON.stringify(emulator.data()))).toEqual(emulator.data());
});

test('the emulator makes its ids from the given numbers', async () => {
  const { send } = await startEmulator({ random: () => 0.5 });
  const reply = await send('POST', '/v1/schedules', mail());
  expect(reply.body.id).toBe('88888888-8888-4888-8888-888888888888');
});

test('time passes by itself in an emulator by default', async () => {
  const { emulator, send } = await startFull({ now: Date.now, sleep: async () => {}, jobDurationMs: 5 });
  const { jobId } = (await send('POST', '/v1/ai/jobs', { modelId: ids.model, prompt: 'How are sales?' })).body;
  await expect.poll(() => emulator.data().jobs.find(({ id }) => id === jobId)?.status).toBe('COMPLETE');
  expect((await send('GET', `/v1/ai/jobs/${jobId}`)).status).toBe(200);
});
