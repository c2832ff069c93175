// The document of `almanac who --format json` (schemas/who.schema.json): recipients, deliveries and places.

import { viaSchema } from '../../deliveries/via-document.ts';
import { receiverKinds } from '../../model/fields/receiver.ts';
import { trackedBySchema } from '../../model/plan/neighbours.ts';
import {
  described,
  flag,
  formatVersion,
  listOf,
  oneOf,
  positive,
  record,
  type TypeOf,
  text,
} from '../../model/values/schema.ts';

const memberships = ['member', 'email-only', 'deactivated', 'unknown'] as const;
export type Membership = (typeof memberships)[number];

const deliverySchema = record({
  'address?': described(text, 'Absent where Almanac does not manage it.'),
  'id?': described(text, 'Where the state or the service knows it.'),
  'name?': text,
  'identifier?': text,
  'dashboardName?': described(text, 'What Omni called the dashboard last, where an answer has told it.'),
  'format?': text,
  'schedule?': text,
  'timezone?': text,
  paused: flag,
  'kept?': described(
    listOf(text),
    'Fields of this delivery that `ignoreChanges` keeps as they were applied last, which is what is shown.',
  ),
  managed: described(
    flag,
    'Whether Almanac manages it. If not, `address` is absent; `file` and `line` also where only the state or Omni names the recipient.',
  ),
  'trackedBy?': described(
    trackedBySchema,
    'With --online: the neighbour that tracks it, which is another environment or workspace, or a state that `ignore` names, and its address there. The receivers are those of that state.',
  ),
  'sink?': described(text, 'The environment whose sink receives it instead.'),
  via: viaSchema,
  'file?': text,
  'line?': positive,
});
export type ListedDelivery = TypeOf<typeof deliverySchema>;

const recipientSchema = record({
  recipient: described(text, 'E-mail addresses and hosts are in lower case.'),
  kind: oneOf(...receiverKinds),
  'name?': described(text, 'Of a user group that is known by its id: what Omni called it last.'),
  'membership?': described(
    oneOf(...memberships),
    'Of an e-mail address: what it is to the organization. Absent without --online, and with a token that may not ask.',
  ),
  deliveries: described(
    listOf(deliverySchema),
    'By address, then those that Almanac does not manage, by name and id, and then those that neighbours track.',
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
