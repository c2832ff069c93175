// What `almanac who` and `almanac offboard` print with `--format json`: who receives what, and what leaves with a person.

import {
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
} from './values/schema.ts';
import type { Via } from './workspace/origins.ts';

// What `almanac who --format json` prints: everybody who receives something, with what they receive and why.

/** How a recipient is reached; what it is called by is an address, an id, a host or a bucket. */
export const recipientKinds = ['email', 'slack', 'webhook', 'sftp', 's3'] as const;
export type RecipientKind = (typeof recipientKinds)[number];

/** What an address is to the organization. */
const memberships = ['member', 'email-only', 'deactivated', 'unknown'] as const;
export type Membership = (typeof memberships)[number];

const viaKinds = ['resource', 'anchor', 'default', 'variable', 'audience', 'item', 'row', 'text-file', 'sink', 'group'];

const viaSchema = described(
  record({
    kind: oneOf(...(viaKinds as readonly (Via['kind'] | 'row' | 'group')[])),
    'name?': described(text, 'Of an audience, a variable or a user group; of an item or a row its key.'),
  }),
  'What names the recipient.',
);
/** Why somebody receives something. */
export type DeliveryVia = TypeOf<typeof viaSchema>;

const deliverySchema = record({
  'address?': described(text, 'Absent where Almanac does not manage it.'),
  'id?': described(text, 'Where the state or the service knows it.'),
  'name?': text,
  'identifier?': text,
  'format?': text,
  'schedule?': text,
  'timezone?': text,
  paused: flag,
  managed: described(flag, 'Whether it is declared here. If not, `address`, `file` and `line` are absent.'),
  'sink?': described(text, 'The environment whose sink receives it instead.'),
  via: viaSchema,
  'file?': text,
  'line?': positive,
});
export type Delivery = TypeOf<typeof deliverySchema>;

const recipientSchema = record({
  recipient: described(text, 'E-mail addresses and hosts are in lower case.'),
  kind: oneOf(...recipientKinds),
  'membership?': described(
    oneOf(...memberships),
    'Of an e-mail address: what it is to the organization. Absent without --online, and with a token that may not ask.',
  ),
  deliveries: described(
    listOf(deliverySchema),
    'By address, and then those that Almanac does not manage, by name and id.',
  ),
});
export type Recipient = TypeOf<typeof recipientSchema>;

export const whoSchema = record({
  formatVersion,
  // Sorted.
  recipients: listOf(recipientSchema),
  'notRead?': described(
    positive,
    'With --online: how many schedules are missing, because --limit left them or their recipients cannot be read.',
  ),
});
export type WhoDocument = TypeOf<typeof whoSchema>;

// What `almanac offboard EMAIL --format json` prints: what leaves with a person, and what is edited so that they can.

const ownedSchema = record({ 'address?': text, id: text, 'name?': text, 'identifier?': text, managed: flag });
export type OwnedSchedule = TypeOf<typeof ownedSchema>;

// What is untracked has an id, and neither an address nor a place.
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

const editSchema = record({
  file: text,
  'line?': positive,
  path: described(text, 'A JSON pointer inside the document; in a CSV file the row from 0 and the column.'),
  before: described(text, 'As written.'),
  after: described(orNull(text), 'Null where it is removed.'),
});
export type OffboardEdit = TypeOf<typeof editSchema>;

const blockedSchema = record({
  address: described(text, 'Of a resource; otherwise `audiences.NAME` or `environments.NAME`.'),
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
    'skipped: not sent. unknown: the answer was lost, and it is not known who owns it.',
  ),
  'message?': described(text, 'Why it was not transferred, or why that is not known.'),
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
  // By file and line.
  edits: described(listOf(editSchema), 'Proven, and with --write made.'),
  // By address.
  blocked: described(listOf(blockedSchema), 'What cannot be edited.'),
  'transfers?': described(
    listOf(transferredSchema),
    'With --apply: what became of each schedule that was to be transferred.',
  ),
});
export type OffboardDocument = TypeOf<typeof offboardSchema>;
