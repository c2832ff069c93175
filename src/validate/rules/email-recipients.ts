// The recipients of an e-mail delivery: each is an address, and none appears twice.

import { pointerTo } from '../../model/values/pointer.ts';
import { type Rule, type RuleFinding, textOf } from '../findings/rule.ts';

export const emailRecipients: Rule = ({ kind, value }, { email }) => {
  const recipients = value['recipients'];
  if (kind !== 'schedule' || textOf(value, 'destinationType') !== 'email' || !Array.isArray(recipients)) return [];
  const findings: RuleFinding[] = [];
  const first = new Map<string, number>();
  recipients.forEach((recipient: unknown, index) => {
    if (typeof recipient !== 'string') return;
    const pointer = pointerTo('recipients', index);
    for (const problem of email(recipient)) findings.push({ ...problem, pointer });
    const known = first.get(recipient.toLowerCase());
    if (known === undefined) first.set(recipient.toLowerCase(), index);
    else
      findings.push({
        code: 'duplicate-recipient',
        message: `Recipient ${known + 1} is the same address; upper and lower case make no difference.`,
        hint: 'Remove one of them.',
        pointer,
      });
  });
  return findings;
};
