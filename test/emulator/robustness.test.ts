// The server answers any request in JSON with a documented status, and keeps running.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullOperations } from '../../src/emulator/operations.ts';
import { ids, startEmulator } from '../support/emulator/start-emulator.ts';
import { runs } from '../support/runs/runs.ts';
import { bucket, hook, mail, sftp, slack } from '../support/vocabulary.ts';

const statuses = [200, 201, 400, 401, 403, 404, 405, 409, 413, 415];

/** The first id that is made of these numbers. */
const knownSchedule = '88888888-8888-4888-8888-888888888888';

const knownPaths = fc
  .tuple(fc.constantFrom(...fullOperations), fc.constantFrom('12db1a0a', 'd3ad91f6', knownSchedule))
  .map(([{ path }, id]) => path.replace(/\{\w+\}/, id));
const paths = fc.oneof(
  { weight: 4, arbitrary: knownPaths },
  { weight: 1, arbitrary: fc.webPath() },
  {
    weight: 1,
    arbitrary: fc.string().map((text) => `/v1/dashboards/${encodeURIComponent(text)}/filters`),
  },
);
const queries = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.webQueryParameters().map((query) => `?${query}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('userId', 'cursor', 'pageSize', 'include', 'labels', 'q', 'ownerId'),
        fc.string({ unit: 'binary' }),
      )
      .map(([name, value]) => `?${name}=${encodeURIComponent(value)}`),
  },
);

const job = { modelId: ids.model, prompt: 'Why?' };
const transfer = { userId: ids.bo };
const update = { filters: { region: { values: ['EMEA'] } }, clearExistingDraft: true };
/** A valid body with one field replaced by anything: gets past the first check more often than noise does. */
const damagedBodies = fc
  .tuple(
    fc.constantFrom<Record<string, unknown>>(...[hook(), mail(), slack(), sftp(), bucket()], job, update, transfer),
    fc.oneof(fc.constantFrom('schedule', 'timezone', 'filterConfig', 'filters', 'keyPrefix', 'filename'), fc.string()),
    fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })),
    fc.boolean(),
  )
  .map(([body, name, value, replaceKnown]) => {
    const key = replaceKnown ? (Object.keys(body)[name.length % Object.keys(body).length] ?? name) : name;
    return JSON.stringify({ ...body, [key]: value });
  });
const bodies = fc.oneof(damagedBodies, fc.json(), fc.string({ unit: 'binary' }));

test('the emulator survives random requests', async () => {
  const { send, emulator } = await startEmulator({ operations: 'full', random: () => 0.5 });
  await send('POST', '/v1/schedules', mail());
  const methods = fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE');
  await fc.assert(
    fc.asyncProperty(methods, paths, queries, bodies, async (method, path, query, body) => {
      const reply = await send(method, path + query, method === 'GET' ? undefined : body);
      expect(statuses).toContain(reply.status);
      if (reply.status >= 400) expect(reply.body).toEqual({ detail: expect.any(String), status: reply.status });
    }),
    { numRuns: runs(800) },
  );
  expect(emulator.requests().length).toBeGreaterThanOrEqual(runs(800));
  expect((await send('GET', '/v1/documents')).status).toBe(200);
});

test.each([
  ['a long prefix that is encoded many times', { keyPrefix: `%${'25'.repeat(runs(400_000))}2e` }],
  ['many braces', { filename: '{'.repeat(runs(800_000)) }],
  ['many open strings', { name: '"\\'.repeat(runs(200_000)) }],
  ['many dots', { roleArn: `arn:aws:iam::123456789012:role/${'a/'.repeat(runs(400_000))}` }],
])('the emulator answers quickly to %s', async (_, changes) => {
  const { send } = await startEmulator();
  const { status } = await send('POST', '/v1/schedules', bucket(changes));
  expect([200, 400]).toContain(status);
});
