// The emulator holds to the vendor's own document, where that is at hand: ALMANAC_OPENAPI names the file. Each operation that the
// document has too answers with a status that it declares, and with a body that fits its schema.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { fullOperations } from '../../src/emulator/operations.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { operations } from '../../src/omni/operations.ts';
import { ids, startFull } from '../support/emulator/start-emulator.ts';
import { hook, routine } from '../support/vocabulary.ts';

const file = process.env['ALMANAC_OPENAPI'] ?? '';
const document = (file === '' ? {} : JSON.parse(readFileSync(file, 'utf8'))) as JsonObject;

const childOf = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** Without the names of parameters, which differ. */
const shapeOf = (path: string) => path.replace(/^\/api/, '').replace(/\{\w+\}/g, '{}');

const published = new Map(
  Object.entries((document['paths'] ?? {}) as JsonObject).flatMap(([path, methods]) =>
    Object.entries(methods as JsonObject).map(([method, each]) => [`${method.toUpperCase()} ${shapeOf(path)}`, each]),
  ),
);

/** The schema of a success, with its references followed to the end. */
function schemaOf(name: string, status: number): Json | undefined {
  const content = childOf(childOf(childOf(published.get(name), 'responses'), String(status)), 'content');
  return resolved(childOf(childOf(content, 'application/json'), 'schema'), 0);
}

function resolved(value: Json | undefined, depth: number): Json | undefined {
  if (Array.isArray(value)) return value.map((each: Json) => resolved(each, depth) ?? null);
  if (!isJsonObject(value)) return value;
  const reference = value['$ref'];
  if (typeof reference === 'string') {
    // A schema that contains itself says nothing below a few turns.
    if (depth > 6) return {};
    const target = reference.slice(2).split('/').reduce<Json | undefined>(childOf, document);
    return resolved(target, depth + 1);
  }
  const entries = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples');
  return Object.fromEntries(entries.map(([key, each]) => [key, resolved(each, depth) ?? null]));
}

const ours = fullOperations.map(({ method, path }) => `${method} ${shapeOf(path)}`);

describe.skipIf(file === '')('the document that ALMANAC_OPENAPI names', () => {
  test('the document has every operation that the program calls, as far as it is as new as the program', () => {
    const called = Object.values(operations).map(({ method, path }) => `${method} ${shapeOf(path)}`);
    const missing = [...new Set(called)].filter((name) => !published.has(name));
    // Documents from before July 2026 lack routines and whoami.
    const isNew = published.has('GET /v1/whoami');
    expect(missing.filter((name) => isNew || !/routines|whoami|drafts/.test(name))).toEqual([]);
    expect(called.filter((name) => !ours.includes(name))).toEqual([]);
  });

  test('every answer of the emulator has a declared status and a body that fits the schema', async () => {
    const { send } = await startFull();
    const ajv = makeAjv();
    const faults: string[] = [];
    const check = async (method: string, path: string, shape: string, body?: object) => {
      const answer = await send(method as 'GET', path, ...(body === undefined ? [] : [body]));
      const name = `${method} ${shape}`;
      const operation = published.get(name);
      if (operation === undefined) return answer;
      const statuses = Object.keys((childOf(operation, 'responses') ?? {}) as JsonObject);
      if (!statuses.includes(String(answer.status)))
        faults.push(`${name} answers ${answer.status}, not ${statuses.join(', ')}`);
      const schema = schemaOf(name, answer.status);
      if (answer.status < 300 && isJsonObject(schema) && !ajv.validate(schema, answer.body))
        faults.push(`${name}: ${ajv.errorsText()}`);
      return answer;
    };
    await check('GET', '/v1/whoami', '/v1/whoami');
    await check('GET', '/v1/documents', '/v1/documents');
    await check('GET', '/v1/documents/12db1a0a/queries', '/v1/documents/{}/queries');
    await check('GET', '/v1/documents/12db1a0a/access-list', '/v1/documents/{}/access-list');
    await check('GET', '/v1/documents/d3ad91f6/drafts', '/v1/documents/{}/drafts');
    await check('GET', '/v1/dashboards/12db1a0a/filters', '/v1/dashboards/{}/filters');
    await check('GET', '/v1/models?modelKind=SHARED', '/v1/models');
    await check('GET', '/v1/users/email-only', '/v1/users/email-only');
    await check('GET', '/scim/v2/Users', '/scim/v2/Users');
    await check('GET', '/scim/v2/Groups', '/scim/v2/Groups');
    const made = await check('POST', '/v1/schedules', '/v1/schedules', hook());
    await check('GET', '/v1/schedules', '/v1/schedules');
    for (const [method, end] of [
      ['GET', ''],
      ['GET', '/recipients'],
      ['PUT', '/pause'],
      ['PUT', '/resume'],
      ['POST', '/trigger'],
      ['DELETE', ''],
    ] as const)
      await check(method, `/v1/schedules/${made.body.id}${end}`, `/v1/schedules/{}${end}`);
    const job = await check('POST', '/v1/ai/jobs', '/v1/ai/jobs', { modelId: ids.model, prompt: 'How many?' });
    await check('GET', `/v1/ai/jobs/${job.body.jobId}`, '/v1/ai/jobs/{}');
    const weekly = await check('POST', '/v1/ai/routines', '/v1/ai/routines', routine());
    await check('GET', '/v1/ai/routines', '/v1/ai/routines');
    await check('POST', `/v1/ai/routines/${weekly.body.id}/trigger`, '/v1/ai/routines/{}/trigger');
    await check('DELETE', `/v1/ai/routines/${weekly.body.id}`, '/v1/ai/routines/{}');
    expect(faults).toEqual([]);
  });
});
