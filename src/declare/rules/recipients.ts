// Whom a resource names: each e-mail recipient is an address, each recipient in Slack is an id of the right kind, and
// nobody is named twice.

import { deliveries, deliveryOf } from '../../model/fields/delivery.ts';
import type { Json } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { type Pointer, pointerTo, valueAt } from '../../model/values/pointer.ts';
import type { Rule, RuleFinding } from '../findings/rule.ts';
import { checkEmail } from '../formats/check-email.ts';
import { slackFindings } from './slack-recipients.ts';

export const recipientsAreMeant: Rule = ({ kind, value }) => {
  const { destinationType, recipients = null, userGroups, slackRecipientType } = deliveryOf<Json>(kind, value);
  const { people, groups = '' } = deliveries[kind];
  const at = people.find((pointer) => valueAt(value, pointer) === recipients) ?? '';
  switch (destinationType) {
    case 'email':
      return [
        ...(Array.isArray(recipients) ? addressFindings(recipients, at) : []),
        ...(Array.isArray(userGroups) ? groupFindings(userGroups, groups) : []),
      ];
    case 'slack':
      return slackFindings(recipients, slackRecipientType, at);
    default:
      return [];
  }
};

interface Recipient {
  readonly text: string;
  readonly pointer: Pointer;
}

/** `at`: the place of the list. */
export function recipientsIn(list: readonly unknown[], at: Pointer): readonly Recipient[] {
  return list.flatMap((text, index) => (typeof text === 'string' ? [{ text, pointer: at + pointerTo(index) }] : []));
}

/** A team receives many reports. */
const emailFaults = memoize(checkEmail, 10_000);

/** Of a list of e-mail addresses. */
export function addressFindings(addresses: readonly unknown[], at: Pointer): readonly RuleFinding[] {
  const recipients = recipientsIn(addresses, at);
  const faults = recipients.flatMap(({ text, pointer }) => emailFaults(text).map((fault) => ({ ...fault, pointer })));
  return [...faults, ...repeated(recipients, 'address; upper and lower case make no difference')];
}

/** Of the names and ids of user groups. Names are compared exactly, as Omni has them. */
export function groupFindings(groups: readonly unknown[], at: Pointer): readonly RuleFinding[] {
  return repeated(recipientsIn(groups, at), 'user group', (name) => name);
}

export function repeated(
  recipients: readonly Recipient[],
  what: string,
  comparable = (text: string) => text.toLowerCase(),
): readonly RuleFinding[] {
  if (recipients.length < 2) return [];
  const first = new Map<string, number>();
  return recipients.flatMap(({ text, pointer }, index) => {
    const known = first.get(comparable(text));
    first.set(comparable(text), known ?? index);
    if (known === undefined) return [];
    const message = `Recipient ${known + 1} is the same ${what}.`;
    return [{ code: 'duplicate-recipient', message, hint: 'Remove one of them.', pointer }];
  });
}
