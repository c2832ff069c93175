// The schemas of the documents that commands print as JSON. The program checks a saved plan with that of the plan.

import type { AiJobDocument } from '../../src/model/plan/ai-job-document.ts';
import type { ApplyDocument, ApplyResult, JobEnd } from '../../src/model/plan/apply-outcome.ts';
import type { ImportDocument, ImportedSchedule, SkippedSchedule } from '../../src/model/plan/import.ts';
import type { NextDocument, NextRun, NextSchedule } from '../../src/model/plan/next.ts';
import {
  type Change,
  type FieldDiff,
  type PlanDocument,
  type Refresh,
  reasons,
  type SavedPlan,
  type UnresolvedNote,
} from '../../src/model/plan/plan.ts';
import type { DocumentsDocument, ListedDocument, PageInfo } from '../../src/model/service/documents.ts';

import type { JsonObject } from '../../src/model/values/json.ts';
import { codes } from '../../src/model/workspace/codes.ts';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';
import type { ValidateDocument } from '../../src/model/workspace/validate-document.ts';
import { digestForm } from '../../src/parse/text-forms.ts';
import { action, documentSchema, instant, orphan, stateSchema } from './state-schemas.ts';
import {
  anything,
  constant,
  count,
  described,
  flag,
  keyOf,
  listOf,
  map,
  mapOf,
  number,
  oneOf,
  orNull,
  positive,
  record,
  schemaOf,
  text,
} from './typed-schema.ts';

const kind = oneOf('schedule', 'dashboard', 'aiJob');
const formatVersion = described(
  constant(1),
  'Rises when a field changes its meaning or goes; new fields do not raise it.',
);

const diagnostic = record<Diagnostic>({
  severity: oneOf('error', 'warning', 'note'),
  code: keyOf(codes),
  summary: described(text, 'The fixed words of the code.'),
  message: text,
  'file?': described(text, 'Relative to the workspace, with /.'),
  'line?': positive,
  'column?': positive,
  'endLine?': positive,
  'endColumn?': positive,
  'address?': text,
  'path?': described(text, 'A JSON pointer inside the YAML document.'),
  'hint?': described(text, 'What to do.'),
});

const fieldDiff = record<FieldDiff>({
  path: described(text, 'A JSON pointer inside the attributes.'),
  op: oneOf('add', 'remove', 'change'),
  'before?': anything,
  'after?': anything,
  sensitive: described(flag, 'The value is secret: before and after are left out.'),
});

const change = record<Change>({
  address: text,
  kind,
  action,
  reason: keyOf(reasons),
  'id?': text,
  'previousAddress?': text,
  'file?': text,
  'line?': positive,
  before: described(orNull(map), 'The attributes until now, secrets masked.'),
  after: described(orNull(map), 'The attributes from now on, secrets masked.'),
  diff: listOf(fieldDiff),
  requests: described(count, 'How many requests it takes when all goes well.'),
  'blocked?': described(text, 'Why it can not be applied, and the way out.'),
});

const saidFailure = record<{ readonly code: string; readonly message: string; readonly hint?: string }>({
  code: text,
  message: text,
  'hint?': text,
});

/** What `plan --format json` prints, or `plan --out` saves. */
export const planSchema = documentSchema(
  'What almanac plan --format json prints, and a saved plan',
  record<PlanDocument & Partial<SavedPlan>>({
    formatVersion,
    toolVersion: text,
    digest: described(
      schemaOf({ ...text, pattern: digestForm.pattern }),
      'SHA-256 over what the plan does: the same wherever it is planned.',
    ),
    baseUrl: orNull(text),
    operations: oneOf('core', 'full'),
    state: record<PlanDocument['state']>({ lineage: orNull(text), serial: count }),
    summary: record<PlanDocument['summary']>({
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
    unresolved: listOf(record<UnresolvedNote>({ address: text, action, since: instant })),
    drift: listOf(record<PlanDocument['drift'][number]>({ address: text, diff: listOf(fieldDiff) })),
    changes: listOf(change),
    'refresh?': described(
      record<Refresh>({ depth: oneOf('list', 'deep'), only: flag }),
      'In a saved plan only: how the service was looked at.',
    ),
    'desiredDigest?': described(text, 'In a saved plan only: the digest of the declarations it was made from.'),
  }),
);

const listedDocument = record<ListedDocument>({
  identifier: text,
  name: text,
  'type?': text,
  'scope?': text,
  'url?': text,
  'description?': text,
  'hasDashboard?': described(flag, 'Left out where the service does not say.'),
  deleted: flag,
  'updatedAt?': text,
  'connectionId?': text,
  'folder?': record<NonNullable<ListedDocument['folder']>>({
    'id?': text,
    'name?': text,
    'path?': text,
    'scope?': text,
  }),
  'owner?': record<NonNullable<ListedDocument['owner']>>({
    'id?': described(text, 'A membership id.'),
    'name?': text,
  }),
  'labels?': described(listOf(text), 'With --include labels.'),
  '_count?': described(mapOf(number), 'With --include _count: favorites and views.'),
});

const applyResult = record<ApplyResult>({
  address: text,
  action,
  status: oneOf('applied', 'failed', 'skipped', 'unknown'),
  'id?': text,
  'outputs?': map,
  requests: count,
  'error?': saidFailure,
  'job?': record<JobEnd>({
    state: described(orNull(text), 'COMPLETE, FAILED, CANCELLED; null where its end was not seen.'),
    'resultSummary?': text,
    'error?': record<NonNullable<JobEnd['error']>>({ 'code?': text, message: text }),
  }),
});

/** The published schemas of documents by file name. */
export const documentSchemas: Readonly<Record<string, JsonObject>> = {
  'plan.schema.json': planSchema,
  'validate.schema.json': documentSchema(
    'What almanac validate --format json prints',
    record<ValidateDocument>({
      formatVersion,
      valid: flag,
      summary: record<ValidateDocument['summary']>({ files: count, resources: count, errors: count, warnings: count }),
      diagnostics: listOf(diagnostic),
    }),
  ),
  'apply.schema.json': documentSchema(
    'What almanac apply --format json prints',
    record<ApplyDocument>({
      formatVersion,
      digest: text,
      results: listOf(applyResult),
      orphans: listOf(orphan),
      summary: record<ApplyDocument['summary']>({ applied: count, failed: count, skipped: count, unknown: count }),
    }),
  ),
  'ai-job.schema.json': documentSchema(
    'What almanac ai status, result and cancel --format json print',
    record<AiJobDocument>({
      formatVersion,
      address: text,
      id: text,
      state: text,
      'conversationId?': text,
      'omniChatUrl?': text,
      'progress?': record<NonNullable<AiJobDocument['progress']>>({ 'iteration?': number, 'message?': text }),
      'error?': record<NonNullable<AiJobDocument['error']>>({ 'code?': text, 'message?': text, 'detail?': text }),
      'resultSummary?': text,
      'result?': described(map, 'As the service answers it.'),
    }),
  ),
  'import.schema.json': documentSchema(
    'What almanac import --format json prints',
    record<ImportDocument>({
      formatVersion,
      files: listOf(record<ImportDocument['files'][number]>({ path: text, resources: count })),
      imported: listOf(record<ImportedSchedule>({ address: text, id: text, name: text, identifier: text })),
      skipped: listOf(
        record<SkippedSchedule>({
          id: text,
          name: text,
          identifier: text,
          reason: described(text, 'Why no declaration can hold it.'),
        }),
      ),
      tracked: described(count, 'Schedules that are tracked, or named by an adopt entry, already.'),
      requests: described(count, 'Requests sent, repeats included.'),
    }),
  ),
  'next.schema.json': documentSchema(
    'What almanac next --format json prints',
    record<NextDocument>({
      formatVersion,
      from: instant,
      schedules: listOf(
        record<NextSchedule>({
          address: text,
          schedule: text,
          timezone: text,
          description: text,
          runs: listOf(record<NextRun>({ at: instant, local: described(text, 'YYYY-MM-DDTHH:MM in the zone.') })),
        }),
      ),
    }),
  ),
  'documents.schema.json': documentSchema(
    'What almanac documents --format json prints',
    record<DocumentsDocument>({
      formatVersion,
      documents: listOf(listedDocument),
      'pageInfo?': described(
        record<PageInfo>({
          hasNextPage: flag,
          'nextCursor?': described(text, 'For --cursor, with the same --sort.'),
          pageSize: count,
          'totalRecords?': count,
        }),
        'Where the list stopped before its end; left out where it is whole.',
      ),
    }),
  ),
  'state.schema.json': stateSchema,
  'error.schema.json': documentSchema(
    'Instead of a document: why a command failed before it had one',
    record<{
      readonly formatVersion: 1;
      readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
      readonly diagnostics: readonly Diagnostic[];
    }>({ formatVersion, error: saidFailure, diagnostics: listOf(diagnostic) }),
  ),
};
