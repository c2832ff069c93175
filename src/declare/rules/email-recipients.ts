// The recipients of an e-mail delivery: each is an address, and none appears twice.

import { pointerTo } from '../../model/values/pointer.ts';
import { type Rule, type RuleContext, type RuleFinding, textOf } from '../findings/rule.ts';

export const emailRecipients: Rule = ({ kind, value }, { email }) => {
  const recipients = value['recipients'];
  if (kind !== 'schedule' || textOf(value, 'destinationType') !== 'email' || !Array.isArray(recipients)) return [];
  return addressFindings(recipients, 'recipients', email);
};

/** Of a list of e-mail addresses. */
export function addressFindings(
  addresses: readonly unknown[],
  field: string,
  email: RuleContext['email'],
): readonly RuleFinding[] {
  const findings: RuleFinding[] = [];
  const first = new Map<string, number>();
  addresses.forEach((address, index) => {
    if (typeof address !== 'string') return;
    const pointer = pointerTo(field, index);
    for (const problem of email(address)) findings.push({ ...problem, pointer });
    const known = first.get(address.toLowerCase());
    if (known === undefined) first.set(address.toLowerCase(), index);
    else
      findings.push({
        code: 'duplicate-recipient',
        message: `Recipient ${known + 1} is the same address; upper and lower case make no difference.`,
        hint: 'Remove one of them.',
        pointer,
      });
  });
  return findings;
}
