// The plan: an ordered list of changes from state to desired state. It is a value: whatever shows, saves or applies
// it takes the same one. Its published form is schemas/plan.schema.json. Beside it: what a change shows of its resource, and
// what `drift` adds.

import type { Kind } from '../values/address.ts';
import type { JsonObject } from '../values/json.ts';
import {
  anything,
  constant,
  count,
  countRows,
  described,
  digest,
  flag,
  formatVersion,
  instant,
  keyOf,
  listOf,
  map,
  oneOf,
  orNull,
  positive,
  type RecordOf,
  record,
  type TypeOf,
  text,
} from '../values/schema.ts';
import { dashboardUrl } from '../values/urls.ts';
import type { Operations } from '../workspace/config.ts';
import { diagnosticSchema } from '../workspace/diagnostic.ts';
import { type Action, actionNames, actionSchema } from './action.ts';
import { dangerSchema } from './danger.ts';
import { type Orphan, orphanSchema } from './state.ts';

/** Why a change is planned; a closed list. */
export const reasons = {
  'not-in-state': 'it is declared and not in the state',
  'only-ran-before': 'so far it only ran once; now it is declared as recurring',
  changed: 'its declaration changed',
  'cannot-update':
    'its declaration changed, and operations core cannot update a schedule: the new one is created and the old one keeps running',
  requested: 'it was asked for with --replace',
  'identifier-changed': 'it now names another dashboard',
  'owner-changed': 'it is to belong to somebody else',
  'state-only': 'only what Almanac keeps in the state changed',
  'as-declared': 'Omni has it as declared already',
  'not-declared': 'it is no longer declared',
  'not-in-environment': 'it does not exist in this environment',
  removed: 'a removed entry releases it',
  'moved-entry': 'a moved entry names it',
  'equal-content': 'a resource of equal content is no longer declared',
  'adopt-entry': 'an adopt entry names it',
  sink: 'the sink of this environment receives it',
  'new-content': 'it has not run with this content',
  unresolved: 'an earlier apply did not finish it, or its answer was lost',
  drifted: 'it was changed outside of Almanac',
  'changed-and-drifted': 'its declaration changed, and it was changed outside of Almanac as well',
  missing: 'it is gone from Omni',
  refreshed: 'the state is brought in line with what is there',
  replaced: 'it was replaced, and an earlier apply ended before it was deleted',
} as const;

export type Reason = keyof typeof reasons;

const fieldDiffSchema = record({
  path: described(text, 'A JSON pointer inside the attributes.'),
  op: oneOf('add', 'remove', 'change'),
  // Omitted if there is no such value.
  'before?': anything,
  'after?': anything,
  sensitive: described(
    flag,
    'It holds a secret. `before` and `after` name its variables (`${env.NAME}`) and never show their values; where both are equal, only the value has changed. `(sensitive)` is a secret that is written in a file.',
  ),
});
/** One field's difference. */
export type FieldDiff = TypeOf<typeof fieldDiffSchema>;

const lookedFor = described(
  constant(true),
  'Nobody has to act: almanac apply looks in Omni for what an earlier apply sent, and goes on.',
);

const changeSchema = record({
  address: text,
  kind: oneOf<Kind>('schedule', 'dashboard', 'aiJob'),
  action: actionSchema,
  reason: keyOf(reasons),
  'id?': text,
  'previousAddress?': text,
  'file?': text,
  'line?': positive,
  before: described(orNull(map), 'The current attributes. Secrets show the names of their variables.'),
  after: described(orNull(map), 'The new attributes. Secrets show the names of their variables.'),
  diff: listOf(fieldDiffSchema),
  'ownedBy?': described(text, 'Of a transfer: the name of who owns it so far. Omitted without a refresh.'),
  requests: described(count, 'The number of requests if nothing fails.'),
  'blocked?': described(text, 'Why it cannot be applied, and how to resolve it.'),
  // It is blocked only until an apply.
  'lookedFor?': lookedFor,
  // In a document.
  'digest?': described(
    digest,
    'SHA-256 of this change alone, which `almanac apply --expect-changes` compares; the same with and without the secrets. Omitted if only the value of a secret differs: nobody needs to review that, where Omni lists the schedule as the state has it.',
  ),
});
export type Change = TypeOf<typeof changeSchema>;

const unresolvedNoteSchema = record({
  address: text,
  action: actionSchema,
  since: instant,
  'lookedFor?': lookedFor,
});
export type UnresolvedNote = TypeOf<typeof unresolvedNoteSchema>;

/** How many changes there are of each action; `noop` counts the resources that stay as they are. */
const summarySchema = record(countRows<Action | 'noop'>([...actionNames, 'noop']));
export type PlanSummary = TypeOf<typeof summarySchema>;

const planRows = {
  formatVersion,
  toolVersion: text,
  digest: described(digest, 'SHA-256 of what the plan does; the same wherever it is planned.'),
  baseUrl: orNull(text),
  operations: oneOf<Operations>('core', 'full'),
  state: record({
    lineage: orNull(text),
    serial: count,
    'commit?': described(text, 'The last commit whose declarations were all applied; omitted if the state names none.'),
    'place?': described(text, 'Where the state is kept, if several machines share it; omitted for a state file.'),
    'writtenBy?': described(text, 'Who wrote the state there last; omitted for a run of CI, and for a state file.'),
  }),
  summary: summarySchema,
  'sink?': described(
    record({ environment: text, recipients: count, 'skipped?': positive }),
    'The environment whose sink replaced recipients, how many, and how many resources `skip` leaves out there; omitted where deliveries go to those who are declared.',
  ),
  dangers: described(listOf(dangerSchema), 'What a reviewer must see first, the gravest first.'),
  diagnostics: listOf(diagnosticSchema),
  orphans: listOf(orphanSchema),
  unresolved: listOf(unresolvedNoteSchema),
  drift: listOf(record({ address: text, diff: listOf(fieldDiffSchema) })),
  changes: listOf(changeSchema),
  'lists?': described(
    positive,
    'The number of requests with which almanac apply first lists what exists; at least, where it lists everything. Omitted for none.',
  ),
};
/** The document that `plan --format json` prints. */
export type PlanDocument = RecordOf<typeof planRows>;

/** What the planner decides; digest, versions and diagnostics are added around it. */
export type Plan = Pick<
  PlanDocument,
  'baseUrl' | 'operations' | 'state' | 'summary' | 'orphans' | 'unresolved' | 'drift' | 'changes'
>;

const refreshSchema = record({
  // deep: the details of all schedules; list: only of those that the list shows as changed.
  depth: oneOf('list', 'deep'),
  // Only bring the state in line with what was observed.
  only: flag,
});
/** How the service is observed before a plan is made. */
export type Refresh = TypeOf<typeof refreshSchema>;

const savedRows = {
  'refresh?': described(refreshSchema, 'Only in a saved plan: how the service was observed.'),
  'targets?': described(listOf(text), 'Only in a saved plan: the addresses that it was limited to.'),
  'desiredDigest?': described(text, 'Only in a saved plan: the digest of the declarations from which it was made.'),
};
/** A plan file: the document, the digest of the desired state that it was made from, and how it was refreshed. */
export type SavedPlan = PlanDocument & RecordOf<typeof savedRows> & { readonly desiredDigest: string };

/**
 * Which changes leave a schedule running untracked: operations core can neither update nor delete. A schedule that a
 * `removed` entry releases is let go on purpose.
 */
export function leavesOrphan({ action, kind, id, reason }: Change, operations: Operations): boolean {
  if (operations !== 'core' || kind !== 'schedule' || id === undefined) return false;
  return action === 'replace' || (action === 'forget' && reason !== 'removed');
}

/** The orphans that a plan leaves as they are: those that it deletes are among its changes. */
export function remainingOrphans({ orphans, changes }: Plan): readonly Orphan[] {
  const dealtWith = new Set(changes.flatMap(({ action, id }) => (action === 'delete' ? id : [])));
  return orphans.filter(({ id }) => !dealtWith.has(id));
}

/**
 * What a change shows of its resource: how people know it, and the fields that come, go, stay or change. Decided here once
 * for every report; renderers only lay it out.
 */
type ChangeBody =
  /** The whole declaration: as it comes (`+`), as it goes (`-`), or as it is. */
  | { readonly shows: 'declaration'; readonly sign: '+' | '-' | ' '; readonly attributes: JsonObject }
  /** The fields that differ; the others are counted. */
  | { readonly shows: 'difference'; readonly diff: readonly FieldDiff[] }
  /** Only the fields that people know the resource by; the others are counted. */
  | { readonly shows: 'names'; readonly attributes: JsonObject };

const namingFields: readonly string[] = ['identifier', 'name'];

export function bodyOf({ action, before, after, diff }: Change): ChangeBody {
  switch (action) {
    case 'create':
      return { shows: 'declaration', sign: '+', attributes: after ?? {} };
    case 'adopt':
      return { shows: 'declaration', sign: ' ', attributes: after ?? {} };
    case 'run':
      return before === null
        ? { shows: 'declaration', sign: ' ', attributes: after ?? {} }
        : { shows: 'difference', diff };
    case 'delete':
      return { shows: 'declaration', sign: '-', attributes: before ?? {} };
    case 'update':
    case 'replace':
      return { shows: 'difference', diff };
    case 'forget':
    case 'move': {
      const named = Object.entries(before ?? {}).filter(([name]) => namingFields.includes(name));
      return { shows: 'names', attributes: Object.fromEntries(named) };
    }
  }
}

interface ReportName {
  readonly name: string;
  /** The dashboard. */
  readonly url?: string;
}

/** As it will be, or as it was; of a dashboard its identifier. Undefined for an AI job. */
export function reportName(change: Change, baseUrl: string | null): ReportName | undefined {
  const identifier = textOf(change, 'identifier');
  const name = nameOf(change) ?? identifier;
  if (name === undefined) return undefined;
  const url = identifier === undefined ? undefined : dashboardUrl(baseUrl, identifier);
  return { name, url };
}

export function nameOf(change: Change): string | undefined {
  return textOf(change, 'name');
}

function textOf({ before, after }: Change, field: string): string | undefined {
  const value = after?.[field] ?? before?.[field];
  return typeof value === 'string' ? value : undefined;
}

// What `drift --format json` prints: the plan of a look at the service, how far that look went, and on request what it
// found beside the tracked resources.

// What the service does not tell is left out.
const untrackedSchema = record({
  id: text,
  'name?': text,
  'identifier?': described(text, "The dashboard's short identifier, as almanac import --identifier takes it."),
  'dashboardName?': text,
  'owner?': text,
  'lastRunAt?': described(text, 'As the service writes it; omitted if it never ran.'),
});
/** A schedule that no declaration, no adopt entry and no state knows. */
export type UntrackedSchedule = TypeOf<typeof untrackedSchema>;

const writtenSchema = record({
  address: text,
  path: described(text, 'Of the field, in the resource.'),
  file: text,
  line: positive,
});
/** A field of a resource that now has the value that Omni has, and the place that was edited for it. */
export type WrittenField = TypeOf<typeof writtenSchema>;

/** Why a change cannot be written into the source files; a closed list. */
const notWrittenReasons = {
  gone: 'it is gone from Omni',
  'not-declared': 'it is not declared',
  'declaration-changed': 'its declaration was changed as well',
  secret: 'the value is secret',
  sink: 'the sink of the environment replaces the value',
  'partly-reference': 'the value is partly a reference',
  'filter-gone': 'the dashboard does not have the filter any more',
  'no-value': 'the declaration gives a value, and no value means none',
  'used-elsewhere': 'the same text is the value of something else that did not change alike',
  items: 'the items of the loop cannot hold the value, or all of them would have to be rewritten',
  invalid: 'the declaration would not be valid',
  'read-only': 'the file is read-only',
  layout: 'the layout of the file cannot be edited',
  unproven: 'the plan would still differ',
} as const;

export type NotWrittenReason = keyof typeof notWrittenReasons;

const notWrittenSchema = record({
  address: text,
  path: described(text, 'Of the field, in the resource; empty for the whole resource.'),
  reason: keyOf(notWrittenReasons),
  // In full sentences, with the way out.
  message: text,
});
export type NotWrittenField = TypeOf<typeof notWrittenSchema>;

const driftRows = {
  'detailsNotCompared?': described(
    count,
    'Only from almanac drift: the schedules of which only the row in the list was compared; 0 with --deep.',
  ),
  'secretsNotCompared?': described(
    positive,
    'Only from almanac drift: the schedules with a secret that could not be compared, because its fingerprint in the state is missing or was made with another key; omitted for none.',
  ),
  'filtersNotCompared?': described(
    positive,
    'Only from almanac drift: the schedules whose filters could not be compared, or not all of them, because Omni did not return them or those of their dashboard; omitted for none.',
  ),
  'filterSpellings?': described(
    listOf(record({ identifier: text, id: text })),
    'Only from almanac drift: filters that read otherwise in all schedules of a dashboard, by its identifier, than in the filters of the dashboard. That counts as a spelling of Omni, not as drift; omitted for none.',
  ),
  'asDeclared?': described(
    listOf(text),
    'Only from almanac drift: what others changed to what is declared now. It is not drift; the state learns it from the next almanac apply --refresh. Omitted for none.',
  ),
  // Sorted by dashboard, name and id.
  'untracked?': described(
    listOf(untrackedSchema),
    'Only from almanac drift --untracked: the schedules that no declaration, no adopt entry and no state knows.',
  ),
  'written?': described(
    listOf(writtenSchema),
    'Only from almanac drift --write: the fields that now have the value that Omni has, and the place that was edited.',
  ),
  'notWritten?': described(
    listOf(notWrittenSchema),
    'Only from almanac drift --write: what could not be written, and why.',
  ),
  'ignored?': described(
    count,
    'Only from almanac drift: how many more are untracked and may stay so, by `ignore` in almanac.yaml.',
  ),
};
export type DriftDocument = PlanDocument & RecordOf<typeof driftRows> & { readonly detailsNotCompared: number };

/** What `plan` and `drift --format json` print, or `plan --out` saves. */
export const planSchema = record({ ...planRows, ...driftRows, ...savedRows });
