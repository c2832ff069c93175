// The validator and the emulator, checked against each other on random declarations. The two were written separately.
// The declarations are realistic or broken.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { publishedSchemas } from '../../scripts/schemas/published-schemas.ts';
import { parseResources } from '../../src/declare/parse-resources.ts';
import { validate } from '../../src/declare/validate.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { commonFields } from '../../src/model/fields/common-fields.ts';
import type { Field } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import type { Code } from '../../src/model/workspace/codes.ts';
import { type Finding, severityOf } from '../../src/model/workspace/diagnostic.ts';
import type { DeclaredObject } from '../../src/model/workspace/resource.ts';
import { operations, pathOf, toRequest } from '../../src/omni/operations.ts';
import { parseSource } from '../../src/yaml/parse-source.ts';
import {
  arbitraryAiJob,
  arbitraryDashboard,
  arbitraryRoutine,
  arbitrarySchedule,
  type DemoDashboard,
  demoDashboards,
  secretVariables,
} from '../support/property/arbitrary-declarations.ts';
import { arbitraryBroken, type Declaration } from '../support/property/break-declaration.ts';
import { runs } from '../support/runs/runs.ts';

const now = Date.UTC(2026, 2, 1);
const sectionOf = { schedule: 'schedules', dashboard: 'dashboards', routine: 'routines', aiJob: 'aiJobs' } as const;

let emulator: Emulator;
let baseUrl: string;
let authorization: string;
beforeAll(async () => {
  emulator = createEmulator({ rateLimit: 0, now: () => now, operations: 'full' });
  const listening = await emulator.listen();
  baseUrl = listening.baseUrl;
  authorization = `Bearer ${listening.organizationKey}`;
});
afterAll(() => emulator.close());

const arbitraryDeclaration: fc.Arbitrary<Declaration> = fc.oneof(
  { weight: 6, arbitrary: fc.boolean().chain((testNow) => as('schedule', arbitrarySchedule({ testNow, full: true }))) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...demoDashboards.filter(({ filters }) => filters.length > 0))
      .chain((dashboard: DemoDashboard) => as('dashboard', arbitraryDashboard(dashboard))),
  },
  { weight: 2, arbitrary: as('aiJob', arbitraryAiJob) },
  { weight: 3, arbitrary: as('routine', arbitraryRoutine) },
);

function as(kind: Declaration['kind'], fields: fc.Arbitrary<JsonObject>): fc.Arbitrary<Declaration> {
  return fields.map((given) => ({ kind, fields: given }));
}

test('random schedules hold every field that a request may hold', () => {
  const sent = Object.entries<Field>(fieldsOf.schedule).filter(
    ([name, field]) => field.sent === undefined && !(name in commonFields),
  );
  const arbitrary = fc.boolean().chain((testNow) => arbitrarySchedule({ testNow, full: true }));
  const held = new Set(fc.sample(arbitrary, { numRuns: 500, seed: 1 }).flatMap(Object.keys));
  expect(
    sent.flatMap(([name]) => (held.has(name) ? [] : name)),
    'test/support/property/arbitrary-declarations.ts never makes these fields.',
  ).toEqual([]);
});

interface Checked {
  readonly findings: readonly Finding[];
  readonly attributes: DeclaredObject;
}

/** What `almanac validate` finds in a file with this declaration alone, and what an apply would send. */
async function check({ kind, fields }: Declaration): Promise<Checked> {
  const text = JSON.stringify({ [sectionOf[kind]]: { it: fields } });
  const source = parseSource({ path: 'schedules/it.yaml', text });
  const environment = (name: string) =>
    (secretVariables as readonly string[]).includes(name) ? `value-of-${name}` : undefined;
  const readFile = () => ({ code: 'unreadable-reference' as const, message: '' });
  const parsed = parseResources(source.value, [], () => ({
    variables: {},
    environment,
    isReserved: () => false,
    readFile,
  }));
  const { value, findings } = await validate(
    { documents: source.value, resources: parsed.value },
    { operations: 'full', now },
  );
  return {
    findings: [...source.findings, ...parsed.findings, ...findings],
    attributes: value.resources[0]?.attributes ?? {},
  };
}

interface Request {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** The request of an apply that doesn't look at the findings: fields that don't exist are sent all the same. */
function requestOf(kind: Declaration['kind'], attributes: DeclaredObject): Request {
  const entries = Object.entries(attributes);
  const isKnown = ([name, value]: (typeof entries)[number]) =>
    Object.hasOwn(fieldsOf[kind], name) && (name !== 'extra' || isJsonObject(value));
  const identifier: DeclaredObject = kind === 'dashboard' ? { identifier: '' } : {};
  const known = toRequest(kind, { ...identifier, ...Object.fromEntries(entries.filter(isKnown)) });
  const unknown = Object.fromEntries(entries.filter((entry) => !isKnown(entry))) as JsonObject;
  const { path } = {
    schedule: operations.createSchedule,
    aiJob: operations.createAiJob,
    routine: operations.createRoutine,
    dashboard: operations.updateFilters,
  }[kind];
  return { path: pathOf(path, known.id), query: known.query, body: { ...known.body, ...unknown } };
}

interface Answer {
  readonly status: number;
  readonly detail: string;
}

async function send(kind: Declaration['kind'], { path, query, body }: Request): Promise<Answer> {
  const response = await fetch(`${baseUrl}${path}?${new URLSearchParams(query)}`, {
    method: kind === 'dashboard' ? 'PATCH' : 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { detail = '' } = (await response.json()) as { detail?: string };
  return { status: response.status, detail };
}

/** What only the organization knows: the ids of its documents, filters, queries, members and models. */
function isAboutIds({ status, detail }: Answer): boolean {
  return (
    status === 404 || /^(?:Invalid filter keys|Couldn't find query|\w+: Unknown IDs|Document does not)/.test(detail)
  );
}

const codesOf = (findings: readonly Finding[], severity: 'error' | 'warning'): readonly Code[] =>
  findings.filter((finding) => severityOf(finding) === severity).map(({ code }) => code);

// The documentation forbids it and the contract does not, so the validator only warns.
const refusedByVendor: Code = 'fit-page-single-column';

test('a valid declaration has no error and is accepted by the emulator', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryDeclaration, async (declaration) => {
      const { findings, attributes } = await check(declaration);
      expect(codesOf(findings, 'error')).toEqual([]);
      fc.pre(!codesOf(findings, 'warning').includes(refusedByVendor));
      const request = requestOf(declaration.kind, attributes);
      const answer = await send(declaration.kind, request);
      expect(answer, answer.detail).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
    }),
    { numRuns: runs(300) },
  );
});

const arbitraryOdd = arbitraryDeclaration.chain(arbitraryBroken);

test('the emulator refuses nothing that the validator accepts', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryOdd, async (declaration) => {
      const { findings, attributes } = await check(declaration);
      // The content of extra is up to the user and the service.
      fc.pre(declaration.fields['extra'] === undefined);
      if (codesOf(findings, 'error').length > 0 || codesOf(findings, 'warning').includes(refusedByVendor)) return;
      const answer = await send(declaration.kind, requestOf(declaration.kind, attributes));
      if (!isAboutIds(answer)) expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
    }),
    { numRuns: runs(750) },
  );
});

// Texts that some mail system or client would trip over, or that would get two extensions, and filters of which nobody
// says what the service makes of them: stricter on purpose.
const stricterThanService: readonly Code[] = [
  'invalid-email',
  'invalid-url',
  'invalid-filename',
  'invalid-slack-id',
  'filter-shape',
];

test('the validator refuses nothing that the emulator accepts, except on purpose', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryOdd, async (declaration) => {
      const { findings, attributes } = await check(declaration);
      const errors = codesOf(findings, 'error').filter((code) => !stricterThanService.includes(code));
      // Fields that a create does not hold, or that the service doesn't mind: an empty password is one to it.
      const isOwn = ['in', 'lifecycle', 'accept', 'meta', 'owner', 'paused', 'extra', 'userGroups'].some(
        (name) => declaration.fields[name] !== undefined,
      );
      const hasEmptySecret = ['passwordUnencrypted', 'webhookSigningSecret'].some(
        (name) => declaration.fields[name] === '',
      );
      // The service takes null for no zone of the queries; a declaration leaves the field out.
      const hasNullZone = declaration.fields['timezoneOverride'] === null;
      fc.pre(errors.length > 0 && !isOwn && !hasEmptySecret && !hasNullZone);
      const answer = await send(declaration.kind, requestOf(declaration.kind, attributes));
      expect(answer.status, errors.join()).toBeGreaterThanOrEqual(400);
    }),
    { numRuns: runs(750) },
  );
});

const validatePublished = makeAjv().compile(publishedSchemas()['resources.schema.json'] ?? {});

test('the validator refuses what an editor marks', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryOdd, async (declaration) => {
      const value: Json = { [sectionOf[declaration.kind]]: { it: declaration.fields } };
      if (validatePublished(value)) return;
      expect(
        codesOf((await check(declaration)).findings, 'error'),
        JSON.stringify(validatePublished.errors),
      ).not.toEqual([]);
    }),
    { numRuns: runs(750) },
  );
});
