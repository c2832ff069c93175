// The recipients of a Slack delivery are ids. Names of channels and people change, and the service does not look them up.

import { pointerTo } from '../../model/values/pointer.ts';
import { meantReference } from '../findings/meant-reference.ts';
import { type Rule, type RuleFinding, textOf } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';

export const slackIds: Rule = ({ kind, value }) => {
  if (kind !== 'schedule' || textOf(value, 'destinationType') !== 'slack') return [];
  const { recipients } = value;
  if (!Array.isArray(recipients)) return wrongId(recipients, '/recipients');
  return recipients.flatMap((each, index) => wrongId(each, pointerTo('recipients', index)));
};

/** Of one text, which may hold several ids. */
function wrongId(text: unknown, pointer: string): readonly RuleFinding[] {
  if (typeof text !== 'string') return [];
  const wrong = text.split(/[\s,]+/).find((id) => id !== '' && !/^[A-Z0-9]+$/.test(id));
  if (wrong === undefined) return [];
  return [
    {
      code: 'invalid-slack-id',
      message: `${quote(wrong)} is not the id of a Slack channel or user, which is made of capitals and digits.`,
      hint:
        meantReference(wrong) ??
        'Write the id, such as `C0123456789`. Slack shows it in the details of a channel, and in the profile of a person.',
      pointer,
    },
  ];
}
