// The rules beyond the schema, in the order of their findings.

import { fieldsOf, stateOnlyFields } from '../model/fields/fields.ts';
import type { Kind } from '../model/values/address.ts';
import { isJsonObject } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { meantReference, type Rule, type RuleFinding, textOf } from './findings/rule.ts';
import { didYouMean } from './findings/suggest.ts';
import { checkUrl } from './formats/check-url.ts';
import { quote } from './formats/quote.ts';
import { draftIsKept, textsAsMeant, webhookIsSigned } from './rules/cautions.ts';
import { deliveryOptionsFit } from './rules/delivery-options.ts';
import { emailRecipients } from './rules/email-recipients.ts';
import { filtersHaveShape } from './rules/filter-shape.ts';
import { s3Destination } from './rules/s3-destination.ts';
import { scheduleFires } from './rules/schedule-fires.ts';
import { secretsComeFromOutside, urlsHoldNoSecret } from './rules/secrets.ts';
import { timeZoneExists } from './rules/time-zone.ts';

// The URLs that the service calls.

const webAddresses: Rule = ({ kind, value }) => {
  const fields = kind === 'schedule' ? ['url'] : kind === 'aiJob' ? ['webhookUrl'] : [];
  return fields.flatMap((field) => {
    const url = textOf(value, field);
    return url === undefined ? [] : checkUrl(url).map((problem) => ({ ...problem, pointer: `/${field}` }));
  });
};

// The recipients of a Slack delivery are ids. Names of channels and people change, and the service does not look them up.

const slackIds: Rule = ({ kind, value }) => {
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

// The identifier of a dashboard is the last part of its URL. The likeliest mistake of all is to paste the whole URL.

const identifierIsShort: Rule = ({ kind, value }) => {
  const identifier = kind === 'aiJob' ? undefined : textOf(value, 'identifier');
  if (identifier === undefined || !/[/:]/.test(identifier)) return [];
  const last = lastPart(identifier);
  return [
    {
      code: 'identifier-is-url',
      message: 'An identifier contains neither `/` nor `:`; this is an address.',
      hint: last === '' ? 'Write only the last part of the URL of the dashboard.' : `Write \`${last}\`.`,
      pointer: '/identifier',
    },
  ];
};

/** Of the path: neither the host nor anything after `?` or `#`. */
function lastPart(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  const parts = path.split(/[/:]/).filter((part) => part !== '');
  const afterKind = parts[parts.lastIndexOf('dashboards') + 1];
  return (parts.includes('dashboards') ? afterKind : parts.at(-1)) ?? '';
}

// Almanac's own fields: extra must not contain known fields, and ignoreChanges must name existing fields.

const extraHoldsNoKnownField: Rule = ({ kind, value }) => {
  const extra = value['extra'];
  if (!isJsonObject(extra)) return [];
  return Object.keys(extra)
    .filter((name) => Object.hasOwn(fieldsOf[kind], name))
    .map((name) => ({
      code: 'extra-known-field',
      message: `\`${name}\` is a field of its own; inside extra it would not be checked.`,
      hint: `Move ${name} out of extra.`,
      pointer: pointerTo('extra', name),
      at: 'key',
    }));
};

const ignoredFieldsExist: Rule = ({ kind, value }) => {
  const lifecycle = value['lifecycle'];
  const ignored = isJsonObject(lifecycle) ? lifecycle['ignoreChanges'] : undefined;
  if (!Array.isArray(ignored)) return [];
  return ignored.flatMap((name: unknown, index) => {
    const complaint = typeof name === 'string' ? complaintAbout(name, kind) : undefined;
    return complaint === undefined ? [] : [{ ...complaint, pointer: pointerTo('lifecycle', 'ignoreChanges', index) }];
  });
};

function complaintAbout(name: string, kind: Kind): Omit<RuleFinding, 'pointer'> | undefined {
  const names = Object.keys(fieldsOf[kind]).filter((other) => !stateOnlyFields.includes(other));
  if (!names.includes(name)) {
    return {
      code: 'unknown-ignored-field',
      message: `\`${name}\` is not a field whose changes can be ignored, so the entry has no effect.`,
      hint: didYouMean(name, names) ?? 'Name a field of this resource, such as `recipients`.',
    };
  }
  const field = fieldsOf[kind][name];
  if (!field?.decisive && !field?.literal) return undefined;
  return {
    code: 'unignorable-field',
    message: `\`${name}\` decides what is sent and how the other fields are read. If its changes were ignored, Almanac would apply something other than what is declared.`,
    hint: 'Remove it from ignoreChanges.',
  };
}

export const rules: readonly Rule[] = [
  identifierIsShort,
  scheduleFires,
  timeZoneExists,
  deliveryOptionsFit,
  emailRecipients,
  slackIds,
  webAddresses,
  s3Destination,
  filtersHaveShape,
  draftIsKept,
  webhookIsSigned,
  textsAsMeant,
  secretsComeFromOutside,
  urlsHoldNoSecret,
  ignoredFieldsExist,
  extraHoldsNoKnownField,
];
