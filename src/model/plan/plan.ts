// The plan: an ordered list of changes from state to desired state. It is a value: whatever shows, saves or applies
// it takes the same one.

import { type Kind, kindOfSection, kinds, sections } from '../values/address.ts';
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
  mapOf,
  oneOf,
  orNull,
  positive,
  type RecordOf,
  record,
  type TypeOf,
  text,
} from '../values/schema.ts';
import type { Operations } from '../workspace/config.ts';
import { diagnosticSchema } from '../workspace/diagnostic.ts';
import { type Action, actionNames, actionSchema } from './action.ts';
import { dangerSchema } from './danger.ts';
import { namesByIdSchema } from './names.ts';
import { type Orphan, orphanSchema } from './state.ts';

/** The reasons why a change is planned; a closed list. */
export const reasons = {
  'not-in-state': 'it is declared and not in the state',
  'only-ran-before': 'so far it only ran once; now it is declared as recurring',
  changed: 'its declaration changed',
  'cannot-update':
    'its declaration changed, and operations core cannot update a schedule: the new one is created and the old one keeps running',
  requested: 'it was asked for with --replace',
  'identifier-changed': 'it now names a different dashboard',
  'identity-changed': 'it now names a different model, branch, topic or owner',
  'owner-changed': 'it is to belong to somebody else',
  'state-only': 'only what Almanac keeps in the state changed',
  'as-declared': 'Omni has it as declared already',
  unread: "its filter may be the dashboard's until it is sent",
  'not-declared': 'it is no longer declared',
  'not-in-environment': 'it does not exist in this environment',
  removed: 'a removed entry releases it',
  'moved-entry': 'a moved entry names it',
  'split-table': 'its row now belongs to a different loop over the same table',
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

const keptSchema = record({
  field: text,
  declared: described(anything, 'Null where it is not declared.'),
  'applied?': described(anything, 'What was applied last, if that is a different value; null for none.'),
  'found?': described(
    anything,
    'What a look found in Omni, if that differs from what was applied: this value is kept.',
  ),
});
/** A value that stays, or goes out, in place of the declared one. */
export type KeptValue = TypeOf<typeof keptSchema>;

const lookedFor = described(
  constant(true),
  'Nobody has to act: almanac apply looks in Omni for what an earlier apply sent, and goes on.',
);

const changeSchema = record({
  address: text,
  kind: oneOf<Kind>(...sections.map((section) => kindOfSection[section])),
  action: actionSchema,
  reason: keyOf(reasons),
  'id?': text,
  'previousAddress?': text,
  'file?': text,
  'line?': positive,
  before: described(orNull(map), 'The current attributes. Secrets show the names of their variables.'),
  after: described(orNull(map), 'The new attributes. Secrets show the names of their variables.'),
  diff: listOf(fieldDiffSchema),
  'kept?': described(
    listOf(keptSchema),
    'The fields under `ignoreChanges` that are kept with a value that differs from the declared one. A request that carries the whole resource sends the kept value.',
  ),
  'leftOut?': described(
    text,
    'Of a row that is still in its table, and that `only` or `except` of the loop leaves out: the cell that decides it.',
  ),
  'ownedBy?': described(text, 'Of a transfer: the name of who owns it so far. Omitted without a refresh.'),
  'groups?': described(
    mapOf(text),
    'By declared name, the ids that the state has of the user groups that it is sent to. A name without an id is looked up when it is applied.',
  ),
  requests: described(count, 'The number of requests that send it if nothing fails.'),
  'blocked?': described(text, 'Why it cannot be applied, and how to resolve it.'),
  'left?': described(
    text,
    'Why an apply does not send it, and how to resolve it. Other changes are sent; of this one only what takes something away.',
  ),
  'takes?': described(
    text,
    'What an apply sends all the same of a change that is left: `paused`, `taken off: eve@example.com`, or both. Omitted for a change of which nothing is sent.',
  ),
  // It is blocked only until an apply.
  'lookedFor?': lookedFor,
  // Only a document has it.
  'digest?': described(
    digest,
    'SHA-256 of this change alone, which `almanac apply --expect-changes` compares; the same with and without the secrets. Omitted if only the value of a secret differs: nobody needs to review that, where Omni lists the schedule as the state has it.',
  ),
});
export type Change = TypeOf<typeof changeSchema>;

/** The words about a change that is left: `Not sent: ` and why, or what is sent of it, and why the rest is left. */
export function leftWords({ left, takes }: { readonly left: string; readonly takes?: string | undefined }): string {
  return takes === undefined ? `Not sent: ${left}` : partWords(takes, left);
}

/** `Sent in part: taken off: eve@example.com; the rest is left, because nobody has reviewed it.` */
export function partWords(takes: string, left: string): string {
  const words = left.replace(/^Not started: /, '');
  const isName = /^(?:Omni|Almanac)\b/.test(words);
  const why = isName ? words : `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  return `Sent in part: ${takes}; the rest is left, because ${why}`;
}

const unresolvedNoteSchema = record({
  address: text,
  action: actionSchema,
  since: instant,
  'lookedFor?': lookedFor,
  'sentAgain?': described(constant(true), 'Nobody has to act: almanac apply sends it again.'),
});
export type UnresolvedNote = TypeOf<typeof unresolvedNoteSchema>;

/** The number of changes that an apply makes or leaves, by action; `noop` counts unchanged resources. */
export const summarySchema = record(countRows<Action | 'left' | 'noop'>([...actionNames, 'left', 'noop']));
export type PlanSummary = TypeOf<typeof summarySchema>;

export const planRows = {
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
  requests: described(
    count,
    'The number of requests of an apply if nothing fails and Omni has what the state has: the lists and what it looks at first, what its changes send, and what it looks at again after ten minutes. An adoption may take one more, for its receivers.',
  ),
  dangers: described(listOf(dangerSchema), 'What a reviewer must see first, the gravest first.'),
  diagnostics: listOf(diagnosticSchema),
  orphans: listOf(orphanSchema),
  unresolved: listOf(unresolvedNoteSchema),
  drift: listOf(record({ address: text, diff: listOf(fieldDiffSchema) })),
  changes: listOf(changeSchema),
  'names?': namesByIdSchema,
};
/** The document that `plan --format json` prints. */
export type PlanDocument = RecordOf<typeof planRows>;

/** The decisions of the planner; digest, versions and diagnostics are added around them. */
export type Plan = Pick<
  PlanDocument,
  'baseUrl' | 'operations' | 'state' | 'summary' | 'orphans' | 'unresolved' | 'drift' | 'changes'
>;

const refreshSchema = record({
  // deep: the details of all schedules; list: only of those that the list shows as changed.
  depth: oneOf('list', 'deep'),
  // The state is only brought in line with what was observed.
  only: flag,
});
/** The way in which the service is observed before a plan is made. */
export type Refresh = TypeOf<typeof refreshSchema>;

export const savedRows = {
  'selection?': described(
    record({
      'environment?': described(text, 'The environment that it was made for; omitted without --env.'),
      'targets?': described(listOf(text), 'The addresses that it was limited to.'),
      'refresh?': described(refreshSchema, 'How the service was observed.'),
    }),
    'Only in a saved plan: what it is about.',
  ),
  'workspace?': described(
    record({
      'stateFile?': described(text, 'The file of the state, omitted if several machines share it.'),
      sources: described(listOf(text), 'The patterns of the source files.'),
      'reads?': described(listOf(text), 'The tables and texts that the sources name.'),
    }),
    'Only in a saved plan: what it was made from, each path from the folder of almanac.yaml.',
  ),
};
/** A plan file: the document, and what it is about. */
export type SavedPlan = PlanDocument &
  Required<Pick<RecordOf<typeof savedRows>, 'selection'>> &
  Pick<RecordOf<typeof savedRows>, 'workspace'>;

/**
 * True for a change that leaves a schedule running untracked: operations core can neither update nor delete. A schedule
 * that a `removed` entry releases is let go on purpose.
 */
export function leavesOrphan({ action, kind, id, reason }: Change, operations: Operations): boolean {
  if (operations !== 'core' || kinds[kind].life !== 'recurring' || id === undefined) return false;
  return action === 'replace' || (action === 'forget' && reason !== 'removed');
}

/** The orphans that a plan leaves as they are: those that it deletes are among its changes. */
export function remainingOrphans({ orphans, changes }: Plan): readonly Orphan[] {
  const dealtWith = new Set(changes.flatMap(({ action, id }) => (action === 'delete' ? id : [])));
  return orphans.filter(({ id }) => !dealtWith.has(id));
}
