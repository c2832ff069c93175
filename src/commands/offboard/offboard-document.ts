// The document of `almanac offboard EMAIL --format json` (schemas/offboard.schema.json): a leaver's reports, and the
// edits.

import { viaSchema } from '../../deliveries/via-document.ts';
import {
  constant,
  described,
  flag,
  formatVersion,
  listOf,
  oneOf,
  orNull,
  positive,
  record,
  type TypeOf,
  text,
} from '../../model/values/schema.ts';

const ownedSchema = record({
  'address?': text,
  id: text,
  'name?': text,
  'identifier?': text,
  managed: flag,
  'trackedBy?': described(text, 'The neighbour whose state tracks it.'),
  'ignored?': described(constant(true), 'A pattern of `ignore` leaves it to others.'),
});
export type OwnedSchedule = TypeOf<typeof ownedSchema>;

// An untracked schedule has an id, but neither an address nor a place.
const receivedSchema = record({
  'address?': described(text, 'Of a managed schedule.'),
  'id?': text,
  'name?': text,
  'identifier?': text,
  managed: flag,
  via: viaSchema,
  'file?': text,
  'line?': positive,
});
export type Received = TypeOf<typeof receivedSchema>;

const appliedSchema = record({
  address: text,
  'environment?': described(text, 'Whose state it is; omitted for the workspace without --env.'),
  'neighbour?': described(text, 'The other workspace whose state it is, by its folder; omitted for this one.'),
  as: oneOf('receiver', 'owner'),
});
/** A person's resources in the state of an environment. */
export type AppliedTo = TypeOf<typeof appliedSchema>;

const editSchema = record({
  file: text,
  'line?': positive,
  path: described(text, 'A JSON pointer inside the document; in a CSV file the row from 0 and the column.'),
  before: described(text, 'As written.'),
  after: described(orNull(text), 'Null where it is removed.'),
});
export type OffboardEdit = TypeOf<typeof editSchema>;

const blockedSchema = record({
  address: described(text, 'The address of a resource, or `audiences.NAME` or `environments.NAME`.'),
  // In full sentences.
  reason: text,
});
export type BlockedAddress = TypeOf<typeof blockedSchema>;

const transferredSchema = record({
  'address?': text,
  id: text,
  'name?': text,
  status: described(
    oneOf('transferred', 'failed', 'unknown', 'skipped'),
    'skipped: not sent. unknown: the answer was lost, and the owner is not known.',
  ),
  'message?': described(text, 'Why it was not transferred, or why it is not known whether it was.'),
  'hint?': described(text, 'What to do.'),
});
export type Transferred = TypeOf<typeof transferredSchema>;

export const offboardSchema = record({
  formatVersion,
  email: described(text, 'In lower case.'),
  owns: described(listOf(ownedSchema), 'Managed ones first, by address. Empty with --offline.'),
  receives: described(
    listOf(receivedSchema),
    'One for each schedule: by address, and then those that are untracked, by name.',
  ),
  applied: described(
    listOf(appliedSchema),
    'What the states have of them: until an apply changes it, they receive or own it, and the exit code is 1.',
  ),
  'unread?': described(
    listOf(text),
    'What was not read, of the states of neighbours or of Omni: whether anything of the person is in it is not known, and the exit code is 1. Omitted for none.',
  ),
  // Sorted by file and line.
  edits: described(listOf(editSchema), 'Proven, and with --write made.'),
  // Sorted by address.
  blocked: described(listOf(blockedSchema), 'What cannot be edited.'),
  'also?': described(
    listOf(text),
    'Addresses in files or states that are the same mailbox in most mail systems, such as ana+board@example.com; they are not edited. Omitted for none.',
  ),
  'nobody?': described(
    record({ message: text, 'hint?': text }),
    'Neither files, nor states, nor the members of the organization have the address: it may be misspelled, and the exit code is 1.',
  ),
  'transfers?': described(
    listOf(transferredSchema),
    'With --apply: what became of each schedule that was to be transferred.',
  ),
});
export type OffboardDocument = TypeOf<typeof offboardSchema>;
