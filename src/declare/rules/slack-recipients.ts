// The recipients of a Slack delivery are ids. Names of channels and people change, and the service does not look them up.

import type { Pointer } from '../../model/values/pointer.ts';
import { meantReference } from '../findings/bare-reference.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';
import { recipientsIn, repeated } from './recipients.ts';

/** `at`: the place of the recipients. */
export function slackFindings(recipients: unknown, arePeople: boolean, at: Pointer): readonly RuleFinding[] {
  const texts = Array.isArray(recipients)
    ? recipientsIn(recipients, at)
    : typeof recipients === 'string'
      ? [{ text: recipients, pointer: at }]
      : [];
  const ids = texts.flatMap(({ text, pointer }) =>
    text.split(/[\s,]+/).flatMap((id) => (id === '' ? [] : [{ text: id, pointer }])),
  );
  const wrong = ids.flatMap(({ text, pointer }) => {
    const fault = idFault(text) ?? kindFault(text, arePeople ? 'users' : 'channel');
    return fault === undefined ? [] : [{ ...fault, pointer }];
  });
  return [...wrong, ...repeated(ids, 'id')];
}

type SlackFault = Omit<RuleFinding, 'pointer'>;

function idFault(id: string): SlackFault | undefined {
  if (/^[A-Z0-9]+$/.test(id)) return undefined;
  // The form in which Slack's own messages hold a channel.
  const [, inner] = /^<?[#@]?([A-Z][A-Z0-9]{8,})(?:\||>)/.exec(id) ?? [];
  return {
    code: 'invalid-slack-id',
    message: `${quote(id)} is not the id of a Slack channel or user, which is made of capitals and digits.`,
    hint:
      (inner && `Write ${quote(inner)}.`) ??
      meantReference(id) ??
      'Write the id, such as `C0123456789`. Slack shows it in the details of a channel, and in the profile of a person.',
  };
}

/** What the first letter of an id means. */
const kindsOfId: Readonly<Record<string, string>> = {
  C: 'a channel',
  G: 'a private channel',
  D: 'a direct message',
  U: 'a person',
  W: 'a person',
  T: 'a workspace',
  S: 'a user group',
  B: 'a bot',
  A: 'an app',
};

const fitting = {
  channel: { letters: 'CGD', words: 'a channel', example: 'C0123456789' },
  users: { letters: 'UW', words: 'a person', example: 'U0123456789' },
} as const;

function kindFault(id: string, type: keyof typeof fitting): SlackFault | undefined {
  const { letters, words, example } = fitting[type];
  if (letters.includes(id.charAt(0))) return undefined;
  // A name in capitals is no id, whatever it begins with.
  const kind = /\d/.test(id) ? kindsOfId[id.charAt(0)] : undefined;
  const other = kind === undefined ? undefined : Object.entries(fitting).find(([, each]) => each.words === kind)?.[0];
  return {
    code: 'slack-id-kind',
    message: `${quote(id)} ${kind === undefined ? `does not look like the id of ${words}` : `is the id of ${kind}`}, and \`slackRecipientType: ${type}\` takes the id of ${words}.`,
    hint:
      other === undefined
        ? `Write an id such as \`${example}\`.`
        : `Write an id such as \`${example}\`, or \`slackRecipientType: ${other}\`.`,
  };
}
