// Whom a schedule names: each e-mail recipient is an address, each recipient in Slack is an id of the right kind, and
// nobody is named twice.

import type { JsonObject } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { meantReference, type Rule, type RuleFinding, textOf } from '../findings/rule.ts';
import { checkEmail } from '../formats/check-email.ts';
import { quote } from '../formats/quote.ts';

export const recipientsAreMeant: Rule = ({ kind, value }) => {
  if (kind !== 'schedule') return [];
  const { recipients } = value;
  switch (textOf(value, 'destinationType')) {
    case 'email':
      return Array.isArray(recipients) ? addressFindings(recipients, 'recipients') : [];
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

function recipientsIn(list: readonly unknown[], field: string): readonly Recipient[] {
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

function repeated(recipients: readonly Recipient[], what: string): readonly RuleFinding[] {
  const first = new Map<string, number>();
  return recipients.flatMap(({ text, pointer }, index) => {
    const known = first.get(text.toLowerCase());
    first.set(text.toLowerCase(), known ?? index);
    if (known === undefined) return [];
    const message = `Recipient ${known + 1} is the same ${what}.`;
    return [{ code: 'duplicate-recipient', message, hint: 'Remove one of them.', pointer }];
  });
}

// The recipients of a Slack delivery are ids. Names of channels and people change, and the service does not look them up.

function slackFindings(value: JsonObject): readonly RuleFinding[] {
  const { recipients, slackRecipientType } = value;
  const texts = Array.isArray(recipients)
    ? recipientsIn(recipients, 'recipients')
    : typeof recipients === 'string'
      ? [{ text: recipients, pointer: pointerTo('recipients') }]
      : [];
  const ids = texts.flatMap(({ text, pointer }) =>
    text.split(/[\s,]+/).flatMap((id) => (id === '' ? [] : [{ text: id, pointer }])),
  );
  const wrong = ids.flatMap(({ text, pointer }) => {
    const fault = idFault(text) ?? kindFault(text, slackRecipientType === 'users' ? 'users' : 'channel');
    return fault === undefined ? [] : [{ ...fault, pointer }];
  });
  return [...wrong, ...repeated(ids, 'id')];
}

type Fault = Omit<RuleFinding, 'pointer'>;

function idFault(id: string): Fault | undefined {
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

function kindFault(id: string, type: keyof typeof fitting): Fault | undefined {
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
