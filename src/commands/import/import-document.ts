// The result of an import: the document of `import --format json` (schemas/import.schema.json).

import { trackedBySchema } from '../../model/plan/drift-document.ts';
import { summarySchema } from '../../model/plan/plan.ts';
import {
  count,
  described,
  formatVersion,
  listOf,
  oneOf,
  record,
  type TypeOf,
  text,
} from '../../model/values/schema.ts';

/** `identifier` is the dashboard's short one. */
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
export type UnpairedSchedules = TypeOf<typeof unpairedSchema>;

const skippedSchema = record({ ...named, reason: described(text, 'Why no declaration can represent it.') });
export type SkippedSchedule = TypeOf<typeof skippedSchema>;

const variableSchema = record({
  name: text,
  // In a URL, Omni shows the secret.
  kind: oneOf('password', 'url'),
  // A description without the secret.
  holds: text,
  schedules: listOf(text),
});
export type ImportedVariable = TypeOf<typeof variableSchema>;

export const importSchema = record({
  formatVersion,
  files: listOf(record({ path: text, resources: count })),
  'schema?': described(text, 'The schema for editors, if it was written because there was none.'),
  'adoptFile?': described(text, 'The file with the adopt entries of `paired`; omitted with --write-state.'),
  beside: described(
    listOf(record({ path: text, there: text })),
    'Those of these files whose name was taken, with the file that has this name and was not changed.',
  ),
  imported: listOf(importedSchema),
  paired: described(
    listOf(importedSchema),
    'Declarations that nothing tracked, and the schedules and routines found for them.',
  ),
  unpaired: described(
    listOf(unpairedSchema),
    'Declarations and schedules of one name on one dashboard, of which Almanac cannot tell which schedule belongs to which declaration: neither adopted nor declared.',
  ),
  notLookedFor: described(
    listOf(text),
    'Declared routines that nothing tracks, of members whose routines were not asked for: --owners asks for them.',
  ),
  skipped: listOf(skippedSchema),
  following: described(
    count,
    'Filters that are not declared, because they equal those of the dashboard and nobody outside receives the schedule.',
  ),
  'undecided?': described(
    count,
    'Filters that are declared and may be those of the dashboard, because almanac.yaml lists no safety.internalDomains; omitted where there are none.',
  ),
  variables: described(listOf(variableSchema), 'What must be set where almanac apply runs.'),
  tracked: described(count, 'Schedules that are already tracked or named by an adopt entry.'),
  'trackedBy?': described(
    trackedBySchema,
    'How many schedules and routines each neighbour tracks, which is another environment or workspace, or a state that `ignore` names; omitted where there are none.',
  ),
  'ignored?': described(
    count,
    'Schedules that patterns of `ignore` in almanac.yaml leave to others; omitted where there are none.',
  ),
  'undeclared?': described(
    count,
    'With --declared: what is neither declared nor tracked, and was left out; omitted for none.',
  ),
  'only?': described(
    text,
    'The environment that `in` of all written declarations names; omitted where they hold everywhere.',
  ),
  'next?': described(summarySchema, 'What the next plan will do; omitted where the declarations have errors.'),
  requests: described(count, 'Requests sent, including retries.'),
});
export type ImportDocument = TypeOf<typeof importSchema>;
