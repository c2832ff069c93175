// Everybody who receives something, with what they receive and why, as documents show it.

import { receiverKinds } from '../model/fields/receiver.ts';
import { described, flag, listOf, oneOf, positive, record, type TypeOf, text } from '../model/values/schema.ts';
import type { Via } from '../model/workspace/resolved.ts';

/** What an address is to the organization. */
const memberships = ['member', 'email-only', 'deactivated', 'unknown'] as const;
export type Membership = (typeof memberships)[number];

const declaredBy = ['resource', 'anchor', 'default', 'variable', 'audience', 'item', 'row', 'text-file', 'sink'];
/** Only the state names them. */
const stateKinds = ['applied', 'unresolved'] as const;

export const viaSchema = described(
  record({
    kind: described(
      oneOf(...(declaredBy as readonly (Via['kind'] | 'row')[]), 'group', ...stateKinds),
      'applied: no declaration names them, and they still receive it, because the change is not applied. unresolved: they may receive it by a change whose outcome is unknown.',
    ),
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
  'sink?': described(text, 'The environment whose sink receives it instead.'),
  via: viaSchema,
  'file?': text,
  'line?': positive,
});
export type ListedDelivery = TypeOf<typeof deliverySchema>;

export const recipientSchema = record({
  recipient: described(text, 'E-mail addresses and hosts are in lower case.'),
  kind: oneOf(...receiverKinds),
  'name?': described(text, 'Of a user group that is known by its id: what Omni called it last.'),
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
