// Whom a resource names: each e-mail recipient is an address, each recipient in Slack is an id of the right kind, and
// nobody is named twice.

import { memoize } from '../../model/values/memoize.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { type Rule, type RuleFinding, textOf } from '../findings/rule.ts';
import { checkEmail } from '../formats/check-email.ts';
import { slackFindings } from './slack-recipients.ts';

export const recipientsAreMeant: Rule = ({ value }) => {
  const { recipients, userGroups } = value;
  switch (textOf(value, 'destinationType')) {
    case 'email':
      return [
        ...(Array.isArray(recipients) ? addressFindings(recipients, 'recipients') : []),
        ...(Array.isArray(userGroups) ? groupFindings(userGroups) : []),
      ];
    case 'slack':
      return slackFindings(value);
    default:
      return [];
  }
};

interface Recipient {
  readonly text: string;
  readonly pointer: Pointer;
}

export function recipientsIn(list: readonly unknown[], field: string): readonly Recipient[] {
  return list.flatMap((text, index) => (typeof text === 'string' ? [{ text, pointer: pointerTo(field, index) }] : []));
}

/** A team receives many reports. */
const emailFaults = memoize(checkEmail, 10_000);

/** Of a list of e-mail addresses. */
export function addressFindings(addresses: readonly unknown[], field: string): readonly RuleFinding[] {
  const recipients = recipientsIn(addresses, field);
  const faults = recipients.flatMap(({ text, pointer }) => emailFaults(text).map((fault) => ({ ...fault, pointer })));
  return [...faults, ...repeated(recipients, 'address; upper and lower case make no difference')];
}

/** Of the names and ids of user groups. Names are compared exactly, as Omni has them. */
export function groupFindings(groups: readonly unknown[]): readonly RuleFinding[] {
  return repeated(recipientsIn(groups, 'userGroups'), 'user group', (name) => name);
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
