// The document that `drift --format json` prints. It has the plan of a look at the service, how far that look went, and
// on request what exists there untracked.

import type { Reasoned } from '../values/refusal.ts';
import {
  constant,
  count,
  described,
  flag,
  keyOf,
  listOf,
  positive,
  type RecordOf,
  record,
  type TypeOf,
  text,
} from '../values/schema.ts';
import { unappliedSchema } from './names.ts';
import { type PlanDocument, planRows, savedRows } from './plan.ts';

// Fields that the service does not tell are left out.
const untrackedSchema = record({
  id: text,
  'name?': text,
  'identifier?': described(text, "The dashboard's short identifier, as almanac import --identifier takes it."),
  'dashboardName?': text,
  'owner?': text,
  'lastRunAt?': described(text, 'As the service writes it; omitted if it never ran.'),
  'receivers?': described(
    listOf(text),
    'Only with --deep, where safety.rows judges: who receives it, as the table of permissions names them. Omitted where Omni does not tell.',
  ),
});
/** A schedule that no declaration, no adopt entry and no state knows. */
export type UntrackedSchedule = TypeOf<typeof untrackedSchema>;

export const noStateSchema = described(
  record({
    neverApplied: described(
      flag,
      'Whether that is expected: nothing is declared, or Omni has none of the declared schedules. Otherwise a state may be lost: some of the declared schedules exist, or it is not known whether they do.',
    ),
    existing: described(
      listOf(text),
      'The declared schedules that have the name of an untracked one on the same dashboard, as far as Omni was asked.',
    ),
  }),
  'Only where there is no state to compare with.',
);
/** The part of the document that is known without a state. */
export type NoState = TypeOf<typeof noStateSchema>;

const writtenSchema = record({
  address: text,
  path: described(text, 'Of the field, in the resource.'),
  file: text,
  line: positive,
});
/** A field of a resource that now has the value that Omni has, and the place that was edited for it. */
export type WrittenField = TypeOf<typeof writtenSchema>;

/** The reasons why a change cannot be written into the source files; a closed list. */
const notWrittenReasons = {
  gone: 'it is gone from Omni',
  'not-declared': 'it is not declared',
  'declaration-changed': 'its declaration was changed as well',
  secret: 'the value is secret',
  sink: 'the sink of the environment replaces the value',
  'partly-reference': 'the value is partly a reference',
  'filter-gone': 'the dashboard no longer has the filter',
  'no-value': 'the declaration gives a value, and the field cannot be unset',
  'used-elsewhere': 'the same text is the value of something else that did not change alike',
  items: 'the items of the loop cannot hold the value, or all of them would have to be rewritten',
  invalid: 'the declaration would not be valid',
  'read-only': 'the file is read-only',
  layout: 'the layout of the file cannot be edited',
  unproven: 'the plan would still differ',
} as const;

export type NotWrittenReason = keyof typeof notWrittenReasons;

export const trackedBySchema = listOf(record({ who: text, count: positive }));

const notWrittenSchema = record({
  address: text,
  path: described(text, 'Of the field, in the resource; empty for the whole resource.'),
  reason: keyOf(notWrittenReasons),
  // The message is in full sentences, with the way out.
  message: text,
});
/** A field of a resource; without a path, the resource. */
export type DriftedField = Pick<TypeOf<typeof notWrittenSchema>, 'address' | 'path'>;
export type NotWritten = Reasoned<DriftedField, NotWrittenReason>;

export const driftRows = {
  'noState?': noStateSchema,
  'detailsNotCompared?': described(
    count,
    'Only from almanac drift: the schedules of which only the row in the list was compared; 0 with --deep.',
  ),
  'foundNone?': described(
    constant(true),
    'Only from almanac drift: Omni shows none of the tracked schedules. A token of another organization, or one that may not see them, gives the same picture.',
  ),
  'secretsNotCompared?': described(
    positive,
    'Only from almanac drift: the schedules with a secret that could not be compared, because its fingerprint in the state is missing or was made with another key; omitted for none.',
  ),
  'leftUnread?': described(
    positive,
    'Only from almanac drift: the resources with filters that an import left unread, which are not compared until an update sends them; omitted for none.',
  ),
  'neverShown?': described(
    listOf(text),
    'Only from almanac drift --deep: the applied fields that Omni shows in no answer, so that nothing can compare them; omitted for none.',
  ),
  'filterSpellings?': described(
    listOf(record({ identifier: text, id: text })),
    'Only from almanac drift: filters that Omni writes differently in all schedules of a dashboard, by its identifier, than in the filters of the dashboard. Such a spelling does not count as drift; omitted for none.',
  ),
  'asDeclared?': described(
    listOf(text),
    'Only from almanac drift: what others changed to the value that is declared now. Such a change does not count as drift, and the next almanac apply --refresh records it in the state. Omitted for none.',
  ),
  'unapplied?': unappliedSchema,
  // Sorted by dashboard, name and id.
  'untracked?': described(
    listOf(untrackedSchema),
    'Only from almanac drift --untracked: the schedules that no declaration, no adopt entry and no state knows.',
  ),
  'untrackedNotJudged?': described(
    positive,
    'Only from almanac drift --deep --untracked, where safety.rows judges: the untracked schedules whose receivers or rows Omni does not tell; omitted for none.',
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
    'Only from almanac drift: how many other schedules are untracked and left out, because `ignore` in almanac.yaml names them.',
  ),
  'trackedBy?': described(
    trackedBySchema,
    'Only from almanac drift: how many other schedules each neighbour tracks, which is another environment or workspace, or a state that `ignore` names; omitted for none.',
  ),
  'probes?': described(
    positive,
    'Only from almanac drift: how many schedules of a probe, which never run, were left out; omitted for none.',
  ),
};
export type DriftDocument = PlanDocument & RecordOf<typeof driftRows> & { readonly detailsNotCompared: number };

// The published form of a plan, schemas/plan.schema.json: with what `drift` adds, and what only a saved plan has.

/** The document that `plan` and `drift --format json` print, or `plan --out` saves. */
export const planSchema = record({ ...planRows, ...driftRows, ...savedRows });

/** The dashboards and tiles that are gone, with those who receive nothing. */
export function goneIn({ dangers }: Pick<DriftDocument, 'dangers'>): DriftDocument['dangers'] {
  return dangers.filter(({ code }) => code === 'dashboard-gone' || code === 'tile-gone');
}
