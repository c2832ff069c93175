// The schemas of the documents that commands print as JSON. The program checks a saved plan with that of the plan.

import type { AiJobDocument, ApplyDocument, ApplyResult, JobEnd } from '../../src/model/plan/apply-outcome.ts';
import { type Danger, type DangerItem, dangerGravity } from '../../src/model/plan/danger.ts';
import {
  type DriftDocument,
  type NotWrittenField,
  type NotWrittenReason,
  notWrittenReasons,
  type UntrackedSchedule,
  type WrittenField,
} from '../../src/model/plan/drift-document.ts';
import type { Fold, FoldDocument, NotFolded } from '../../src/model/plan/fold-document.ts';
import type {
  ImportDocument,
  ImportedSchedule,
  ImportedVariable,
  SkippedSchedule,
} from '../../src/model/plan/import.ts';
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
import type { StateCheckDocument, StateHistoryDocument, StateVersion } from '../../src/model/plan/state-documents.ts';
import type { DocumentsDocument, ListedDocument, PageInfo } from '../../src/model/service/documents.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { codes } from '../../src/model/workspace/codes.ts';
import type { Config, IgnoreEntry } from '../../src/model/workspace/config.ts';
import type { Diagnostic, RelatedDiagnostic } from '../../src/model/workspace/diagnostic.ts';
import {
  type Check,
  checkNames,
  checkStatuses,
  type DoctorDocument,
} from '../../src/model/workspace/doctor-document.ts';
import type { LockInfo } from '../../src/model/workspace/lock-info.ts';
import type { ValidateDocument } from '../../src/model/workspace/validate-document.ts';
import { digestForm } from '../../src/yaml/text-forms.ts';
import { deliverySchemas } from './delivery-schemas.ts';
import { peopleSchemas } from './people-schemas.ts';
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
  'Increases when a field changes its meaning or is removed; new fields do not increase it.',
);

const fold = {
  id: described(text, 'The same in each run.'),
  file: described(text, 'Where the result is written.'),
};
type FoldKind<K extends Fold['kind']> = Extract<Fold, { readonly kind: K }>;
const loopFold = record<FoldKind<'loop'>>({
  ...fold,
  kind: constant('loop'),
  address: text,
  instances: listOf(record<FoldKind<'loop'>['instances'][number]>({ from: text, to: text })),
  values: described(listOf(text), 'The names of the values in its items.'),
});
const audienceFold = record<FoldKind<'audience'>>({
  ...fold,
  kind: constant('audience'),
  name: text,
  usedBy: described(listOf(text), 'The addresses of the declarations.'),
});
const defaultFold = record<FoldKind<'default'>>({
  ...fold,
  kind: constant('default'),
  section: text,
  field: text,
  value: text,
  usedBy: described(listOf(text), 'The addresses of the declarations.'),
});

const relatedPlace = record<RelatedDiagnostic>({
  message: text,
  file: text,
  'line?': positive,
  'column?': positive,
  'endLine?': positive,
  'endColumn?': positive,
  'path?': text,
});

const diagnostic = record<Diagnostic>({
  severity: oneOf('error', 'warning', 'note'),
  code: keyOf(codes),
  summary: described(text, 'The fixed words of the code.'),
  message: text,
  'file?': described(text, 'Relative to the workspace, with forward slashes.'),
  'line?': positive,
  'column?': positive,
  'endLine?': positive,
  'endColumn?': positive,
  'address?': text,
  'concerns?': described(
    listOf(text),
    'The addresses of resources that it is also about: those that have the default, or the other one of two.',
  ),
  'path?': described(text, 'A JSON pointer inside the YAML document.'),
  'hint?': described(text, 'What to do.'),
  'related?': described(
    listOf(relatedPlace),
    'Other places that it is about, such as the field of a loop that uses a wrong value of an item.',
  ),
  'accepted?': described(text, 'The reason for which the declaration accepts the warning; it fails nothing.'),
});

const fieldDiff = record<FieldDiff>({
  path: described(text, 'A JSON pointer inside the attributes.'),
  op: oneOf('add', 'remove', 'change'),
  'before?': anything,
  'after?': anything,
  sensitive: described(
    flag,
    'It holds a secret. `before` and `after` name its variables (`${env.NAME}`) and never show their values; where both are equal, only the value has changed. `(sensitive)` is a secret that is written in a file.',
  ),
});

const lookedFor = described(
  constant(true),
  'Nobody has to act: almanac apply looks in Omni for what an earlier apply sent, and goes on.',
);

const digest = schemaOf<string>({ ...text, pattern: digestForm.pattern });

const change = record<Change>({
  address: text,
  kind,
  action,
  reason: keyOf(reasons),
  'id?': text,
  'previousAddress?': text,
  'file?': text,
  'line?': positive,
  before: described(orNull(map), 'The current attributes. Secrets show the names of their variables.'),
  after: described(orNull(map), 'The new attributes. Secrets show the names of their variables.'),
  diff: listOf(fieldDiff),
  'ownedBy?': described(text, 'Of a transfer: the name of who owns it so far. Omitted without a refresh.'),
  requests: described(count, 'The number of requests if nothing fails.'),
  'blocked?': described(text, 'Why it cannot be applied, and how to resolve it.'),
  'lookedFor?': lookedFor,
  'digest?': described(
    digest,
    'SHA-256 of this change alone, which `almanac apply --expect-changes` compares; the same with and without the secrets. Omitted if only the value of a secret differs, which needs no review.',
  ),
});

const danger = record<Danger>({
  code: keyOf(dangerGravity),
  gravity: described(oneOf('grave', 'caution'), 'Deletes, new outside destinations and new outside owners are grave.'),
  title: described(text, 'In words, with the number of items.'),
  items: listOf(
    record<DangerItem>({
      subject: described(text, 'An address, a recipient, a domain, a host, a variable.'),
      'detail?': described(text, 'Why, or which resources it concerns; names are in backticks.'),
    }),
  ),
});

interface SaidFailure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

const said = { code: text, message: text, 'hint?': text };
const saidFailure = record<SaidFailure>(said);

const untrackedSchedule = record<UntrackedSchedule>({
  id: text,
  'name?': text,
  'identifier?': described(text, "The dashboard's short identifier, as almanac import --identifier takes it."),
  'dashboardName?': text,
  'owner?': text,
  'lastRunAt?': described(text, 'As the service writes it; omitted if it never ran.'),
});

/** What `plan` and `drift --format json` print, or `plan --out` saves. */
export const planSchema = documentSchema(
  'What almanac plan and almanac drift --format json print, and a saved plan',
  record<PlanDocument & Partial<SavedPlan> & Partial<DriftDocument>>({
    formatVersion,
    toolVersion: text,
    digest: described(digest, 'SHA-256 of what the plan does; the same wherever it is planned.'),
    baseUrl: orNull(text),
    operations: oneOf('core', 'full'),
    state: record<PlanDocument['state']>({
      lineage: orNull(text),
      serial: count,
      'commit?': described(
        text,
        'The last commit whose declarations were all applied; omitted if the state names none.',
      ),
      'place?': described(text, 'Where the state is kept, if several machines share it; omitted for a state file.'),
      'writtenBy?': described(text, 'Who wrote the state there last; omitted for a run of CI, and for a state file.'),
    }),
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
    'sink?': described(
      record<NonNullable<PlanDocument['sink']>>({ environment: text, recipients: count }),
      'The environment whose sink replaced recipients, and how many; omitted where deliveries go to those who are declared.',
    ),
    dangers: described(listOf(danger), 'What a reviewer must see first, the gravest first.'),
    diagnostics: listOf(diagnostic),
    orphans: listOf(orphan),
    unresolved: listOf(record<UnresolvedNote>({ address: text, action, since: instant, 'lookedFor?': lookedFor })),
    drift: listOf(record<PlanDocument['drift'][number]>({ address: text, diff: listOf(fieldDiff) })),
    changes: listOf(change),
    'detailsNotCompared?': described(
      count,
      'Only from almanac drift: the schedules of which only the row in the list was compared; 0 with --deep.',
    ),
    'secretsNotCompared?': described(
      positive,
      'Only from almanac drift: the schedules with a secret that could not be compared, because its fingerprint in the state is missing or was made with another key; omitted for none.',
    ),
    'asDeclared?': described(
      listOf(text),
      'Only from almanac drift: what others changed to what is declared now. It is not drift; the state learns it from the next almanac apply --refresh. Omitted for none.',
    ),
    'untracked?': described(
      listOf(untrackedSchedule),
      'Only from almanac drift --untracked: the schedules that no declaration, no adopt entry and no state knows.',
    ),
    'written?': described(
      listOf(
        record<WrittenField>({
          address: text,
          path: described(text, 'Of the field, in the resource.'),
          file: text,
          line: positive,
        }),
      ),
      'Only from almanac drift --write: the fields that now have the value that Omni has, and the place that was edited.',
    ),
    'notWritten?': described(
      listOf(
        record<NotWrittenField>({
          address: text,
          path: described(text, 'Of the field, in the resource; empty for the whole resource.'),
          reason: oneOf(...(Object.keys(notWrittenReasons) as NotWrittenReason[])),
          message: text,
        }),
      ),
      'Only from almanac drift --write: what could not be written, and why.',
    ),
    'ignored?': described(
      count,
      'Only from almanac drift: how many more are untracked and may stay so, by `ignore` in almanac.yaml.',
    ),
    'refresh?': described(
      record<Refresh>({ depth: oneOf('list', 'deep'), only: flag }),
      'Only in a saved plan: how the service was observed.',
    ),
    'targets?': described(listOf(text), 'Only in a saved plan: the addresses that it was limited to.'),
    'desiredDigest?': described(text, 'Only in a saved plan: the digest of the declarations from which it was made.'),
  }),
);

const listedDocument = record<ListedDocument>({
  identifier: text,
  name: text,
  'type?': text,
  'scope?': text,
  'url?': text,
  'description?': text,
  'hasDashboard?': described(flag, 'Omitted if the service does not report it.'),
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
  'labels?': described(listOf(text), 'Present with --include labels.'),
  '_count?': described(mapOf(number), 'Favorites and views; present with --include _count.'),
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
    state: described(orNull(text), 'COMPLETE, FAILED or CANCELLED; null if its end was not observed.'),
    'resultSummary?': text,
    'error?': record<NonNullable<JobEnd['error']>>({ 'code?': text, message: text }),
  }),
});

const lockInfo = record<LockInfo>({
  who: text,
  host: text,
  pid: positive,
  command: text,
  since: described(instant, 'When it took the lock.'),
  'runUrl?': described(text, 'In CI: the address of that run.'),
});

/** The published schemas of documents by file name. */
export const documentSchemas: Readonly<Record<string, JsonObject>> = {
  'plan.schema.json': planSchema,
  'validate.schema.json': documentSchema(
    'What almanac validate --format json prints',
    record<ValidateDocument>({
      formatVersion,
      valid: flag,
      summary: record<ValidateDocument['summary']>({
        files: count,
        resources: count,
        errors: count,
        warnings: described(count, 'Without those that are accepted.'),
        accepted: described(count, 'Warnings that a declaration accepts.'),
      }),
      'workspace?': described(
        record<NonNullable<ValidateDocument['workspace']>>({
          baseUrl: orNull(text),
          state: described(text, 'The path of the state file, or the name of the shared place.'),
          'backend?': described(oneOf('git', 's3', 'postgres'), 'Omitted if the state is a file.'),
          'safety?': described(schemaOf<Partial<Config['safety']>>(map), 'The limits that differ from the default.'),
          'ignore?': described(listOf(schemaOf<IgnoreEntry>(map)), 'Omitted if empty.'),
          'checks?': described(schemaOf<Config['checks']>(map), 'Omitted if empty.'),
        }),
        'The service and the place of the state that almanac.yaml names, or OMNI_BASE_URL, and the sections that say what is refused, reported or left out; omitted if there is no almanac.yaml or if it has errors.',
      ),
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
      'result?': described(map, 'As returned by the service.'),
    }),
  ),
  'import.schema.json': documentSchema(
    'What almanac import --format json prints',
    record<ImportDocument>({
      formatVersion,
      files: listOf(record<ImportDocument['files'][number]>({ path: text, resources: count })),
      'schema?': described(text, 'The schema for editors, if it was written because there was none.'),
      imported: listOf(record<ImportedSchedule>({ address: text, id: text, name: text, identifier: text })),
      skipped: listOf(
        record<SkippedSchedule>({
          id: text,
          name: text,
          identifier: text,
          reason: described(text, 'Why no declaration can represent it.'),
        }),
      ),
      variables: described(
        listOf(
          record<ImportedVariable>({
            name: text,
            kind: oneOf('password', 'url'),
            holds: text,
            schedules: listOf(text),
          }),
        ),
        'What must be set where almanac apply runs.',
      ),
      tracked: described(count, 'Schedules that are already tracked or named by an adopt entry.'),
      requests: described(count, 'Requests sent, including retries.'),
    }),
  ),
  'fold.schema.json': documentSchema(
    'What almanac fold --format json prints',
    record<FoldDocument>({
      formatVersion,
      files: described(listOf(text), 'The files that changed, or would change with --check.'),
      empty: described(listOf(text), 'Those of them that declare nothing any more.'),
      folds: listOf(schemaOf<Fold>({ anyOf: [loopFold, audienceFold, defaultFold] })),
      notFolded: described(
        listOf(record<NotFolded>({ file: text, addresses: listOf(text), message: text })),
        'What looks alike and was left as it is.',
      ),
      declarations: described(record<FoldDocument['declarations']>({ before: count, after: count }), 'A loop is one.'),
      unread: described(listOf(text), 'The states that could not be read: there only declarations were compared.'),
    }),
  ),
  ...peopleSchemas,
  ...deliverySchemas,
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
          'nextCursor?': described(text, 'Pass it to --cursor, with the same --sort.'),
          pageSize: count,
          'totalRecords?': count,
        }),
        'Where the list stopped before its end; omitted if the list is complete.',
      ),
    }),
  ),
  'doctor.schema.json': documentSchema(
    'What almanac doctor --format json prints',
    record<DoctorDocument>({
      formatVersion,
      ok: described(flag, 'No check failed.'),
      checks: described(
        listOf(
          record<Check>({
            name: oneOf(...checkNames),
            status: oneOf(...checkStatuses),
            message: text,
            'hint?': described(text, 'What to do.'),
          }),
        ),
        'Every check, always in the same order.',
      ),
    }),
  ),
  'state.schema.json': stateSchema,
  'state-history.schema.json': documentSchema(
    'What almanac state history --format json prints',
    record<StateHistoryDocument>({
      formatVersion,
      state: described(text, 'The name of the place.'),
      versions: described(
        listOf(
          record<StateVersion>({
            serial: count,
            lineage: text,
            at: described(instant, 'By the clock of the machine that wrote it.'),
            by: lockInfo,
            changes: described(count, 'How many resources its run changed; 0 for a repair, a push and a move.'),
            'over?': described(lockInfo, 'The run whose lock was taken over.'),
          }),
        ),
        'The newest first.',
      ),
      more: described(flag, 'Whether older ones were left out (--limit).'),
    }),
  ),
  'state-check.schema.json': documentSchema(
    'What almanac state check --format json prints for a place that is fit',
    record<StateCheckDocument>({
      formatVersion,
      state: described(text, 'The name of the place, or of the file.'),
      shared: described(flag, 'Whether many machines can use it at the same time.'),
      held: described(
        orNull(record<NonNullable<StateCheckDocument['held']>>({ lineage: text, serial: count, resources: count })),
        'The state that is there; null if there is none.',
      ),
      lock: record<StateCheckDocument['lock']>({
        held: flag,
        'by?': described(lockInfo, 'Who holds it, or held it last; omitted if the lock does not say.'),
        'expiresIn?': described(count, 'Seconds until another run may take it over, if its run gives no sign.'),
      }),
    }),
  ),
  'error.schema.json': documentSchema(
    'Why a command failed before it had a document; printed instead of the document',
    record<{
      readonly formatVersion: 1;
      readonly error: SaidFailure & { readonly addresses?: readonly string[] };
      readonly diagnostics: readonly Diagnostic[];
    }>({
      formatVersion,
      error: record<SaidFailure & { readonly addresses?: readonly string[] }>({
        ...said,
        'addresses?': described(listOf(text), 'The resources whose changes were refused, for the code not-reviewed.'),
      }),
      diagnostics: listOf(diagnostic),
    }),
  ),
};
