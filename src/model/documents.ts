// The documents that validate, doctor, next, import, fold and state print with `--format json`, and what happens during an
// import.

import {
  constant,
  count,
  described,
  flag,
  formatVersion,
  instant,
  listOf,
  map,
  oneOf,
  orNull,
  record,
  schemaOf,
  type TypeOf,
  text,
} from './values/schema.ts';
import type { Config, IgnoreEntry } from './workspace/config.ts';
import { diagnosticSchema } from './workspace/diagnostic.ts';
import { lockInfoSchema } from './workspace/lock.ts';

/** The document that `validate --format json` prints (schemas/validate.schema.json). */
export const validateSchema = record({
  formatVersion,
  // No errors; with --strict, no warnings either.
  valid: flag,
  summary: record({
    files: count,
    resources: count,
    errors: count,
    warnings: described(count, 'Without those that are accepted.'),
    accepted: described(count, 'Warnings that a declaration accepts.'),
  }),
  'workspace?': described(
    record({
      baseUrl: orNull(text),
      state: described(text, 'The path of the state file, or the name of the shared place.'),
      'backend?': described(oneOf('git', 's3', 'postgres'), 'Omitted if the state is a file.'),
      'safety?': described(schemaOf<Partial<Config['safety']>>(map), 'The limits that differ from the default.'),
      'ignore?': described(listOf(schemaOf<IgnoreEntry>(map)), 'Omitted if empty.'),
      'checks?': described(schemaOf<Config['checks']>(map), 'Omitted if empty.'),
    }),
    'The service and the place of the state that almanac.yaml names, or OMNI_BASE_URL, and the sections that say what is refused, reported or left out; omitted if there is no almanac.yaml or if it has errors.',
  ),
  diagnostics: listOf(diagnosticSchema),
});
export type ValidateDocument = TypeOf<typeof validateSchema>;

// Whether everything is in place for an apply: the document that `doctor --format json` prints
// (schemas/doctor.schema.json).

/** In the order in which they are carried out and shown. */
export const checkNames = [
  'versions',
  'configuration',
  'base-url',
  'token',
  'rights',
  'clock',
  'state',
  'lock',
  'state-branch',
  'secrets',
  'git',
] as const;

export type CheckName = (typeof checkNames)[number];

/** The worst last. */
export const checkStatuses = ['skipped', 'ok', 'warning', 'failed'] as const;

export type CheckStatus = (typeof checkStatuses)[number];

const checkSchema = record({
  name: oneOf(...checkNames),
  status: oneOf(...checkStatuses),
  message: text,
  'hint?': described(text, 'What to do.'),
});
export type Check = TypeOf<typeof checkSchema>;

export const doctorSchema = record({
  formatVersion,
  ok: described(flag, 'No check failed.'),
  checks: described(listOf(checkSchema), 'Every check, always in the same order.'),
});
export type DoctorDocument = TypeOf<typeof doctorSchema>;

// The coming runs of schedules: the document that `next --format json` prints.

const runSchema = record({ at: instant, local: described(text, 'YYYY-MM-DDTHH:MM in the zone.') });
export type NextRun = TypeOf<typeof runSchema>;

const scheduleSchema = record({
  address: text,
  schedule: text,
  timezone: text,
  // The schedule in words: `at 09:00 on Monday`.
  description: text,
  // Ascending; empty if it never runs again, or not on the requested days.
  runs: listOf(runSchema),
});
export type NextSchedule = TypeOf<typeof scheduleSchema>;

export const nextSchema = record({
  formatVersion,
  // The runs come after it, or with --days or --at at it or after it.
  from: instant,
  schedules: listOf(scheduleSchema),
});
export type NextDocument = TypeOf<typeof nextSchema>;

// What an import did: the document that `import --format json` prints (schemas/import.schema.json), and the events that
// a progress display follows.

/** `identifier` is the short one of the dashboard. */
const named = { id: text, name: text, identifier: text };

const importedSchema = record({ address: text, ...named });
export type ImportedSchedule = TypeOf<typeof importedSchema>;

const asListed = { schedule: text, timezone: text, format: text, destinationType: text, 'recipientCount?': count };

const unpairedSchema = record({
  identifier: text,
  name: text,
  declared: listOf(record({ address: text, ...asListed })),
  listed: listOf(record({ id: text, ...asListed })),
});
/** What shares a dashboard and a name. */
export type UnpairedSchedules = TypeOf<typeof unpairedSchema>;

const skippedSchema = record({ ...named, reason: described(text, 'Why no declaration can represent it.') });
export type SkippedSchedule = TypeOf<typeof skippedSchema>;

const variableSchema = record({
  name: text,
  // Of a URL, Omni shows the secret.
  kind: oneOf('password', 'url'),
  // In words and without the secret.
  holds: text,
  schedules: listOf(text),
});
/** An environment variable that the written files refer to. */
export type ImportedVariable = TypeOf<typeof variableSchema>;

export const importSchema = record({
  formatVersion,
  files: listOf(record({ path: text, resources: count })),
  'schema?': described(text, 'The schema for editors, if it was written because there was none.'),
  'adoptFile?': described(text, 'The file with the adopt entries of `paired`; omitted with --write-state.'),
  imported: listOf(importedSchema),
  paired: described(listOf(importedSchema), 'Declarations that nothing tracked, and the schedules found for them.'),
  unpaired: described(
    listOf(unpairedSchema),
    'Declarations and schedules of one name on one dashboard, of which Almanac cannot tell which is which: neither adopted nor declared.',
  ),
  skipped: listOf(skippedSchema),
  variables: described(listOf(variableSchema), 'What must be set where almanac apply runs.'),
  tracked: described(count, 'Schedules that are already tracked or named by an adopt entry.'),
  requests: described(count, 'Requests sent, including retries.'),
});
export type ImportDocument = TypeOf<typeof importSchema>;

/** What happens during an import, in order. */
export type ImportEvent =
  /** Before the details are read: the remaining requests, and the seconds that they take under the rate limit. */
  | {
      readonly type: 'expected';
      readonly requests: number;
      readonly seconds: number;
      readonly schedules: number;
      readonly dashboards: number;
    }
  /** The details of one more schedule or dashboard, called `name`, are read. */
  | { readonly type: 'read'; readonly done: number; readonly total: number; readonly name: string }
  /** All that cannot be declared. */
  | { readonly type: 'skipped'; readonly schedules: readonly SkippedSchedule[] }
  | { readonly type: 'waiting'; readonly seconds: number; readonly why: string }
  | { readonly type: 'note'; readonly message: string }
  /** Notes of one kind. */
  | { readonly type: 'notes'; readonly messages: readonly string[] };

// What `almanac fold --format json` prints: what became one, and what is alike and stays as it is.

const ofFold = {
  // `loop` and the address of its first member, `audience finance`, `default FILE schedules zone`.
  id: described(text, 'The same in each run.'),
  file: described(text, 'Where the result is written.'),
};
const usedBy = described(listOf(text), 'The addresses of the declarations.');

const loopSchema = record({
  ...ofFold,
  kind: constant('loop'),
  address: text,
  instances: listOf(record({ from: text, to: text })),
  values: described(listOf(text), 'The names of the values in its items.'),
});
const audienceSchema = record({ ...ofFold, kind: constant('audience'), name: text, usedBy });
const defaultSchema = record({
  ...ofFold,
  kind: constant('default'),
  section: text,
  field: text,
  value: text,
  usedBy,
});
/** What was folded, for the report. */
export type Fold = TypeOf<typeof loopSchema> | TypeOf<typeof audienceSchema> | TypeOf<typeof defaultSchema>;

// `message` is a whole sentence.
const notFoldedSchema = record({ file: text, addresses: listOf(text), message: text });
export type NotFolded = TypeOf<typeof notFoldedSchema>;

export const foldSchema = record({
  formatVersion,
  // Sorted.
  files: described(listOf(text), 'The files that changed, or would change with --check.'),
  empty: described(listOf(text), 'Those of them that declare nothing any more.'),
  folds: listOf(schemaOf<Fold>({ anyOf: [loopSchema, audienceSchema, defaultSchema] })),
  notFolded: described(listOf(notFoldedSchema), 'What looks alike and was left as it is.'),
  declarations: described(record({ before: count, after: count }), 'A loop is one.'),
  unread: described(listOf(text), 'The states that could not be read: there only declarations were compared.'),
});
export type FoldDocument = TypeOf<typeof foldSchema>;

// What `state history` and `state check` print as JSON (schemas/state-history.schema.json, state-check.schema.json).

const versionSchema = record({
  serial: count,
  lineage: text,
  at: described(instant, 'By the clock of the machine that wrote it.'),
  by: lockInfoSchema,
  changes: described(count, 'How many resources its run changed; 0 for a repair, a push and a move.'),
  'over?': described(lockInfoSchema, 'The run whose lock was taken over.'),
});
/** A state that was written, and by whom. */
export type StateVersion = TypeOf<typeof versionSchema>;

export const stateHistorySchema = record({
  formatVersion,
  state: described(text, 'The name of the place.'),
  versions: described(listOf(versionSchema), 'The newest first.'),
  more: described(flag, 'Whether older ones were left out (--limit).'),
});
export type StateHistoryDocument = TypeOf<typeof stateHistorySchema>;

export const stateCheckSchema = record({
  formatVersion,
  state: described(text, 'The name of the place, or of the file.'),
  shared: described(flag, 'Whether many machines can use it at the same time.'),
  held: described(
    orNull(record({ lineage: text, serial: count, resources: count })),
    'The state that is there; null if there is none.',
  ),
  lock: record({
    held: flag,
    'by?': described(lockInfoSchema, 'Who holds it, or held it last; omitted if the lock does not say.'),
    'expiresIn?': described(count, 'Seconds until another run may take it over, if its run gives no sign.'),
  }),
});
export type StateCheckDocument = TypeOf<typeof stateCheckSchema>;
