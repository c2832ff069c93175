// The schemas of what programs read: the documents that commands print as JSON, and the state file.

import { actions } from '../../src/model/plan/action.ts';
import { reasons } from '../../src/model/plan/plan.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { codes } from '../../src/model/workspace/codes.ts';

const draft = 'http://json-schema.org/draft-07/schema#';
const text: JsonObject = { type: 'string' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const instant: JsonObject = { type: 'string', format: 'date-time' };
const map: JsonObject = { type: 'object' };
const flag: JsonObject = { type: 'boolean' };
const kind: JsonObject = { enum: ['schedule', 'dashboard', 'aiJob'] };
const action: JsonObject = { enum: Object.keys(actions) };

const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const orNull = (schema: JsonObject): JsonObject => ({ ...schema, type: [schema['type'] as string, 'null'] });
const formatVersion: JsonObject = {
  description: 'Rises when a field changes its meaning or goes; new fields do not raise it.',
  const: 1,
};

/** A closed object; a name that ends in ? is optional. */
function record(fields: Readonly<Record<string, Json>>): JsonObject {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), fields[name] ?? {}])),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}

function documentSchema(title: string, schema: JsonObject): JsonObject {
  return { $schema: draft, title, ...schema };
}

const diagnostic = record({
  severity: { enum: ['error', 'warning', 'note'] },
  code: { enum: Object.keys(codes) },
  summary: { ...text, description: 'The fixed words of the code.' },
  message: text,
  'file?': { ...text, description: 'Relative to the workspace, with /.' },
  'line?': { type: 'integer', minimum: 1 },
  'column?': { type: 'integer', minimum: 1 },
  'endLine?': { type: 'integer', minimum: 1 },
  'endColumn?': { type: 'integer', minimum: 1 },
  'address?': text,
  'path?': { ...text, description: 'A JSON pointer inside the YAML document.' },
  'hint?': { ...text, description: 'What to do.' },
});

const fieldDiff = record({
  path: { ...text, description: 'A JSON pointer inside the attributes.' },
  op: { enum: ['add', 'remove', 'change'] },
  'before?': {},
  'after?': {},
  sensitive: { ...flag, description: 'The value is secret: before and after are left out.' },
});

const orphan = record({
  id: text,
  address: text,
  identifier: text,
  name: text,
  since: instant,
  'replaced?': {
    const: true,
    description: 'Its replacement is there: the next apply with operations full deletes it.',
  },
});

const change = record({
  address: text,
  kind,
  action,
  reason: { enum: Object.keys(reasons) },
  'id?': text,
  'previousAddress?': text,
  'file?': text,
  'line?': { type: 'integer', minimum: 1 },
  before: { ...orNull(map), description: 'The attributes until now, secrets masked.' },
  after: { ...orNull(map), description: 'The attributes from now on, secrets masked.' },
  diff: listOf(fieldDiff),
  requests: { ...count, description: 'How many requests it takes when all goes well.' },
  'blocked?': { ...text, description: 'Why it can not be applied, and the way out.' },
});

const failure = documentSchema(
  'Instead of a document: why a command failed before it had one',
  record({
    formatVersion,
    error: record({ code: text, message: text, 'hint?': text }),
    diagnostics: listOf(diagnostic),
  }),
);

const planFields = {
  formatVersion,
  toolVersion: text,
  digest: {
    ...text,
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 over what the plan does: the same wherever it is planned.',
  },
  baseUrl: orNull(text),
  operations: { enum: ['core', 'full'] },
  state: record({ lineage: orNull(text), serial: count }),
  summary: record({
    create: count,
    update: count,
    replace: count,
    delete: count,
    forget: count,
    move: count,
    adopt: count,
    run: count,
    noop: count,
  }),
  diagnostics: listOf(diagnostic),
  orphans: listOf(orphan),
  unresolved: listOf(record({ address: text, action, since: instant })),
  drift: listOf(record({ address: text, diff: listOf(fieldDiff) })),
  changes: listOf(change),
  'refresh?': {
    ...record({ depth: { enum: ['list', 'deep'] }, only: flag }),
    description: 'In a saved plan only: how the service was looked at.',
  },
  'desiredDigest?': { ...text, description: 'In a saved plan only: the digest of the declarations it was made from.' },
} as const;

const listedDocument = record({
  identifier: text,
  name: text,
  'type?': text,
  'scope?': text,
  'url?': text,
  'description?': text,
  'hasDashboard?': { ...flag, description: 'Left out where the service does not say.' },
  deleted: flag,
  'updatedAt?': text,
  'connectionId?': text,
  'folder?': record({ 'id?': text, 'name?': text, 'path?': text, 'scope?': text }),
  'owner?': record({ 'id?': { ...text, description: 'A membership id.' }, 'name?': text }),
  'labels?': { ...listOf(text), description: 'With --include labels.' },
  '_count?': {
    type: 'object',
    additionalProperties: { type: 'number' },
    description: 'With --include _count: favorites and views.',
  },
});

const attributesOfResource = record({
  'id?': text,
  attributes: map,
  'outputs?': map,
  createdAt: instant,
  updatedAt: instant,
});

/** The published schemas of documents by file name. */
export const documentSchemas: Readonly<Record<string, JsonObject>> = {
  'plan.schema.json': documentSchema('What almanac plan --format json prints, and a saved plan', record(planFields)),
  'validate.schema.json': documentSchema(
    'What almanac validate --format json prints',
    record({
      formatVersion,
      valid: flag,
      summary: record({ files: count, resources: count, errors: count, warnings: count }),
      diagnostics: listOf(diagnostic),
    }),
  ),
  'apply.schema.json': documentSchema(
    'What almanac apply --format json prints',
    record({
      formatVersion,
      digest: text,
      results: listOf(
        record({
          address: text,
          action,
          status: { enum: ['applied', 'failed', 'skipped', 'unknown'] },
          'id?': text,
          'outputs?': map,
          requests: count,
          'error?': record({ code: text, message: text, 'hint?': text }),
          'job?': record({
            state: { ...orNull(text), description: 'COMPLETE, FAILED, CANCELLED; null where its end was not seen.' },
            'resultSummary?': text,
            'error?': record({ 'code?': text, message: text }),
          }),
        }),
      ),
      orphans: listOf(orphan),
      summary: record({ applied: count, failed: count, skipped: count, unknown: count }),
    }),
  ),
  'ai-job.schema.json': documentSchema(
    'What almanac ai status, result and cancel --format json print',
    record({
      formatVersion,
      address: text,
      id: text,
      state: text,
      'conversationId?': text,
      'omniChatUrl?': text,
      'progress?': record({ 'iteration?': { type: 'number' }, 'message?': text }),
      'error?': record({ 'code?': text, 'message?': text, 'detail?': text }),
      'resultSummary?': text,
      'result?': { ...map, description: 'As the service answers it.' },
    }),
  ),
  'import.schema.json': documentSchema(
    'What almanac import --format json prints',
    record({
      formatVersion,
      files: listOf(record({ path: text, resources: count })),
      imported: listOf(record({ address: text, id: text, name: text, identifier: text })),
      skipped: listOf(
        record({
          id: text,
          name: text,
          identifier: text,
          reason: { ...text, description: 'Why no declaration can hold it.' },
        }),
      ),
      tracked: { ...count, description: 'Schedules that are tracked, or named by an adopt entry, already.' },
      requests: { ...count, description: 'Requests sent, repeats included.' },
    }),
  ),
  'next.schema.json': documentSchema(
    'What almanac next --format json prints',
    record({
      formatVersion,
      from: instant,
      schedules: listOf(
        record({
          address: text,
          schedule: text,
          timezone: text,
          description: text,
          runs: listOf(record({ at: instant, local: { ...text, description: 'YYYY-MM-DDTHH:MM in the zone.' } })),
        }),
      ),
    }),
  ),
  'documents.schema.json': documentSchema(
    'What almanac documents --format json prints',
    record({
      formatVersion,
      documents: listOf(listedDocument),
      'pageInfo?': {
        ...record({
          hasNextPage: flag,
          'nextCursor?': { ...text, description: 'For --cursor, with the same --sort.' },
          pageSize: count,
          'totalRecords?': count,
        }),
        description: 'Where the list stopped before its end; left out where it is whole.',
      },
    }),
  ),
  'state.schema.json': documentSchema(
    'The state file',
    record({
      version: { const: 1 },
      lineage: text,
      serial: count,
      toolVersion: text,
      baseUrl: text,
      salt: text,
      resources: { type: 'object', additionalProperties: attributesOfResource },
      orphans: listOf(orphan),
      unresolved: listOf(
        record({
          address: text,
          action,
          'identifier?': text,
          'name?': text,
          since: instant,
          'attributes?': map,
          'replaced?': { ...text, description: 'Of a replacement that deletes the old schedule: its id.' },
        }),
      ),
    }),
  ),
  'error.schema.json': failure,
};
