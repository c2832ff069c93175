// The recipients of a resource: valid addresses, and Slack ids of the right kind, without repetition.

import { destinationOf, partAt, receiversAt, slackTypeAt } from '../../model/fields/delivery.ts';
import { memoize } from '../../model/values/collections.ts';
import { type Pointer, pointerTo } from '../../model/values/pointer.ts';
import { quote } from '../../model/values/words.ts';
import type { FindingWords } from '../../model/workspace/diagnostic.ts';
import { fieldName, type ReferredAt, type Rule, type RuleFinding } from '../findings/rule.ts';
import { bareReferenceHint } from '../findings/suggest.ts';
import { checkEmail } from '../formats/check-email.ts';
import { isSeveralAddresses } from '../rows/permissions.ts';
import { columnOf } from '../walk-places.ts';

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

/** Checks a list of e-mail addresses. User groups belong at `groupsAt`. */
export function addressFindings(
  addresses: readonly unknown[],
  at: Pointer,
  groupsAt: Pointer,
  referredAt: ReferredAt = () => undefined,
): readonly RuleFinding[] {
  if (soundLists.has(addresses)) return [];
  const recipients = recipientsIn(addresses, at);
  const wayOut = (text: string, pointer: Pointer): string | undefined => {
    const column = columnOf(referredAt(at)) ?? columnOf(referredAt(pointer));
    if (text !== '' && !text.includes('@')) {
      const blank = column === undefined ? '' : 'Leave the cell empty where there is nobody. ';
      return `${blank}A user group belongs in ${quote(fieldName(groupsAt))}.`;
    }
    if (column === undefined || !isSeveralAddresses(text)) return undefined;
    return `A cell with several is a list of its own: write \`${fieldName(at)}: \${each.${column}}\`, and \`;\` between them.`;
  };
  const faults = recipients.flatMap(({ text, pointer }) =>
    emailFaults(text).map(({ hint, ...fault }) => {
      const reference = bareReferenceHint(text);
      const hints =
        reference === undefined ? [hint, wayOut(text, pointer)].filter((each) => each !== undefined) : [reference];
      return { ...fault, ...(hints.length > 0 && { hint: hints.join(' ') }), pointer };
    }),
  );
  const findings = [...faults, ...repeated(recipients, 'address; upper and lower case make no difference')];
  if (findings.length === 0) soundLists.add(addresses);
  return findings;
}

/** Lists without a mistake are judged once: thousands of resources may share one. */
const soundLists = new WeakSet<readonly unknown[]>();

/** A team receives many reports. */
export const emailFaults = memoize(checkEmail, 10_000);

/** Checks names and ids of user groups. Names are compared exactly, as Omni has them. */
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

/** Requires ids: names change, and the service does not look them up. `at` is the place of the recipients. */
function slackFindings(recipients: unknown, arePeople: boolean, at: Pointer): readonly RuleFinding[] {
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

/** The forms in which Slack shows an id: in messages, and in links to a channel, a message or a person. */
const slackForms = [
  /^<?[#@]?([A-Z][A-Z0-9]{8,})(?:\||>)/,
  /^<?https:\/\/[a-z0-9.-]+\.slack\.com\/(?:archives|team|client\/[A-Z0-9]+)\/([A-Z][A-Z0-9]{8,})(?![A-Za-z0-9])/,
];

function idFault(id: string): FindingWords | undefined {
  if (/^[A-Z0-9]+$/.test(id)) return undefined;
  const inner = slackForms.map((form) => form.exec(id)?.[1]).find((found) => found !== undefined);
  return {
    code: 'invalid-slack-id',
    message: `${quote(id)} is not the id of a Slack channel or user, which is made of capitals and digits.`,
    hint:
      (inner && `Write ${quote(inner)}.`) ??
      bareReferenceHint(id) ??
      'Write the id, such as `C0123456789`. Slack shows it in the details of a channel, and in the profile of a person.',
  };
}

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

function kindFault(id: string, type: keyof typeof fitting): FindingWords | undefined {
  const { letters, words, example } = fitting[type];
  if (letters.includes(id.charAt(0))) return undefined;
  // A name in capitals is not an id, whatever it begins with.
  const kind = /\d/.test(id) ? kindsOfId[id.charAt(0)] : undefined;
  const fittingType =
    kind === undefined ? undefined : Object.entries(fitting).find(([, each]) => each.words === kind)?.[0];
  return {
    code: 'slack-id-kind',
    message: `${quote(id)} ${kind === undefined ? `does not look like the id of ${words}` : `is the id of ${kind}`}, and \`slackRecipientType: ${type}\` takes the id of ${words}.`,
    hint:
      fittingType === undefined
        ? `Write an id such as \`${example}\`.`
        : `Write an id such as \`${example}\`, or \`slackRecipientType: ${fittingType}\`.`,
  };
}

interface Recipient {
  readonly text: string;
  readonly pointer: Pointer;
}

/** `at` is the place of the list. */
function recipientsIn(list: readonly unknown[], at: Pointer): readonly Recipient[] {
  return list.flatMap((text, index) => (typeof text === 'string' ? [{ text, pointer: at + pointerTo(index) }] : []));
}

function repeated(
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
