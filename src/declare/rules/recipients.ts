// Whom a resource names: each e-mail recipient is an address, each recipient in Slack is an id of the right kind, and
// nobody is named twice.

import { destinationOf, partAt, receiversAt, slackTypeAt } from '../../model/fields/delivery.ts';
import { memoize } from '../../model/values/memoize.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { addressesInCell } from '../expand/cells.ts';
import { fieldName } from '../findings/place-name.ts';
import type { ReferredAt, Rule, RuleFinding } from '../findings/rule.ts';
import { checkEmail } from '../formats/check-email.ts';
import { quote } from '../formats/quote.ts';
import { columnOf } from '../walk-field.ts';
import { slackFindings } from './slack-recipients.ts';

export const recipientsAreMeant: Rule = ({ kind, value, referredAt }) => {
  const { email = '', group = '', slack = '' } = receiversAt(kind);
  switch (destinationOf({ kind, attributes: value })) {
    case 'email': {
      const [addresses, groups] = [partAt(value, email), partAt(value, group)];
      return [
        ...(Array.isArray(addresses) ? addressFindings(addresses, email, group, referredAt) : []),
        ...(Array.isArray(groups) ? groupFindings(groups, group) : []),
      ];
    }
    case 'slack':
      return slackFindings(partAt(value, slack), partAt(value, slackTypeAt(kind)) === 'users', slack);
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
export const emailFaults = memoize(checkEmail, 10_000);

/** Of a list of e-mail addresses. User groups belong at `groupsAt`. */
export function addressFindings(
  addresses: readonly unknown[],
  at: Pointer,
  groupsAt: Pointer,
  referredAt: ReferredAt = () => undefined,
): readonly RuleFinding[] {
  const recipients = recipientsIn(addresses, at);
  const wayOut = (text: string, pointer: Pointer): string | undefined => {
    if (text !== '' && !text.includes('@')) return `A user group belongs in ${quote(fieldName(groupsAt))}.`;
    const column = addressesInCell(text).length > 1 ? columnOf(referredAt(pointer)) : undefined;
    return column && `A cell with several is a list of its own: \`${fieldName(at)}: \${each.${column}}\`.`;
  };
  const faults = recipients.flatMap(({ text, pointer }) =>
    emailFaults(text).map(({ hint, ...fault }) => {
      const hints = [hint, wayOut(text, pointer)].filter((each) => each !== undefined);
      return { ...fault, ...(hints.length > 0 && { hint: hints.join(' ') }), pointer };
    }),
  );
  return [...faults, ...repeated(recipients, 'address; upper and lower case make no difference')];
}

/** Of the names and ids of user groups. Names are compared exactly, as Omni has them. */
export function groupFindings(groups: readonly unknown[], at: Pointer): readonly RuleFinding[] {
  const named = recipientsIn(groups, at);
  const addresses = named.filter(({ text }) => text.includes('@') && emailFaults(text).length === 0);
  return [
    ...addresses.map(({ text, pointer }) => ({
      code: 'group-is-address' as const,
      message: `${quote(text)} looks like an e-mail address, and is taken for the name of a user group.`,
      hint: 'Write it into `recipients`, or into `emails` of an audience.',
      pointer,
    })),
    ...repeated(named, 'user group', (name) => name),
  ];
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
