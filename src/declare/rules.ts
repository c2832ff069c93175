// The rules beyond the schema, in the order of their findings.

import { fieldsOf, secretFieldsOf, stateOnlyFields } from '../model/fields/fields.ts';
import type { Kind } from '../model/values/address.ts';
import { isJsonObject, type JsonObject } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import { hookWords, secretsInUrl, type UrlSecret } from '../model/values/urls.ts';
import type { Operations } from '../model/workspace/config.ts';
import { type Rule, type RuleFinding, textOf } from './findings/rule.ts';
import { didYouMean } from './findings/suggest.ts';
import { checkUrl } from './formats/check-url.ts';
import { filtersHaveShape } from './rules/filter-shape.ts';
import { filtersHaveValues } from './rules/filter-values.ts';
import { recipientsAreMeant } from './rules/recipients.ts';
import { s3Destination } from './rules/s3-destination.ts';
import { scheduleFires } from './rules/schedule-fires.ts';
import { textsAsMeant } from './rules/texts.ts';
import { timeZonesExist } from './rules/time-zones.ts';

// A password in a file stays in the history of the repository forever, also as a part of a URL.

const secretsComeFromOutside: Rule = ({ kind, value, fromEnvironment }) =>
  secretFieldsOf[kind]
    .filter((name) => textOf(value, name) && !fromEnvironment.has(`/${name}`))
    .map((name) => ({
      code: 'secret-in-plain-text',
      message: `${name} is written in the file, so everyone who can read the repository can read it, now and in its history.`,
      hint: `Write \`${name}: \${env.NAME}\`, set the variable where almanac apply runs, and replace the secret.`,
      pointer: `/${name}`,
      at: 'key',
    }));

const urlFields = { schedule: ['url'], aiJob: ['webhookUrl'], dashboard: [] } as const;

/** A URL with a part from the environment is not judged: it does not show which part that is. */
const urlsHoldNoSecret: Rule = ({ kind, value, fromEnvironment }) =>
  urlFields[kind].flatMap((name) => {
    const url = textOf(value, name);
    if (url === undefined || fromEnvironment.has(`/${name}`)) return [];
    return secretPartsOf(url).map((part) => ({
      code: 'secret-in-plain-text' as const,
      message: `${name} contains ${part}. Everyone who can read the repository can read it, now and in its history.`,
      hint: 'Write `${env.NAME}` for a secret in the path or the query, set the variable where almanac apply runs, and replace the secret.',
      pointer: `/${name}`,
      at: 'key' as const,
    }));
  });

/** In words, without the secret. */
export function secretPartsOf(url: string): readonly string[] {
  return [...new Set(secretsInUrl(url).map(inWords))];
}

function inWords({ kind, parameter, service }: UrlSecret): string {
  switch (kind) {
    case 'user-information':
      return 'user information before the host';
    case 'parameter':
      return `the query parameter \`${parameter}\``;
    case 'hook':
      return `the path of ${hookWords(service ?? '')}, which is a secret`;
    case 'random':
      return 'a part of the path that looks like a token';
  }
}

// The URLs that the service calls.

const webAddresses: Rule = ({ kind, value }) => {
  return urlFields[kind].flatMap((field) => {
    const url = textOf(value, field);
    return url === undefined ? [] : checkUrl(url).map((problem) => ({ ...problem, pointer: `/${field}` }));
  });
};

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

// What is allowed but deserves a second look.

const draftIsKept: Rule = ({ kind, value }) =>
  kind === 'dashboard' && value['clearExistingDraft'] === true
    ? [
        {
          code: 'discards-draft',
          message: 'An unpublished draft of this dashboard would be discarded. All of its editors share one draft.',
          hint: 'Remove clearExistingDraft once the draft is published or discarded.',
          pointer: '/clearExistingDraft',
          at: 'key',
        },
      ]
    : [];

const webhookIsSigned: Rule = ({ kind, value }) =>
  kind === 'aiJob' && textOf(value, 'webhookUrl') !== undefined && value['webhookSigningSecret'] === undefined
    ? [
        {
          code: 'unsigned-webhook',
          message: 'Without a signature, the receiver cannot tell whether Omni sent an event.',
          hint: 'Add `webhookSigningSecret: ${env.NAME}`.',
          pointer: '/webhookUrl',
          at: 'key',
        },
      ]
    : [];

// Options of a schedule that have no effect, that the service reportedly rejects, or that this workspace cannot apply.

interface Option extends Pick<RuleFinding, 'code' | 'message' | 'hint'> {
  /** The field that the finding is about. */
  readonly field: string;
  readonly isWrong: (schedule: JsonObject, operations: Operations) => boolean;
}

const options: readonly Option[] = [
  {
    field: 'maxRowLimit',
    isWrong: ({ maxRowLimit, overrideRowLimit }) => maxRowLimit !== undefined && overrideRowLimit !== true,
    code: 'row-limit-without-override',
    message: 'maxRowLimit is used only together with overrideRowLimit true, so it has no effect here.',
    hint: 'Add `overrideRowLimit: true`, or remove maxRowLimit.',
  },
  {
    field: 'singleColumnLayout',
    isWrong: ({ paperFormat, singleColumnLayout }) => paperFormat === 'fit_page' && singleColumnLayout === true,
    code: 'fit-page-single-column',
    message: 'According to its documentation, Omni rejects paperFormat fit_page together with singleColumnLayout true.',
    hint: 'Choose a paper size, or remove singleColumnLayout.',
  },
  {
    field: 'testNow',
    isWrong: ({ testNow }) => testNow === true,
    code: 'one-off-schedule',
    message: 'With testNow true, applying sends one delivery and creates no recurring schedule.',
    hint: 'Remove testNow for a recurring schedule.',
  },
  {
    field: 'paused',
    isWrong: ({ paused }, operations) => paused !== undefined && operations === 'core',
    code: 'paused-needs-full',
    message: 'This workspace uses operations core, which cannot pause a schedule.',
    hint: 'Set `api: { operations: full }` in almanac.yaml, or remove paused.',
  },
  {
    field: 'timezoneOverride',
    isWrong: ({ timezoneOverride }, operations) => timezoneOverride !== undefined && operations === 'core',
    code: 'override-needs-full',
    message: 'This workspace uses operations core, which does not include a time zone for queries.',
    hint: 'Set `api: { operations: full }` in almanac.yaml, or remove timezoneOverride.',
  },
  {
    field: 'owner',
    isWrong: ({ owner }, operations) => owner !== undefined && operations === 'core',
    code: 'owner-needs-full',
    message: 'This workspace uses operations core, which cannot transfer a schedule.',
    hint: 'Set `api: { operations: full }` in almanac.yaml, or remove owner.',
  },
  {
    field: 'userId',
    // An address and an id may name the same person, and nobody can tell without asking Omni.
    isWrong: ({ owner, userId }) =>
      owner !== undefined && userId !== undefined && String(owner).toLowerCase() !== String(userId).toLowerCase(),
    code: 'owner-conflict',
    message: 'owner and userId do not name the same user in the same way.',
    hint: 'Remove userId: a new schedule is created for its owner.',
  },
];

const deliveryOptionsFit: Rule = ({ kind, value }, { operations }) =>
  options
    .filter(({ isWrong }) => kind === 'schedule' && isWrong(value, operations))
    .map(({ field, isWrong: _, ...words }) => ({ ...words, pointer: `/${field}`, at: 'key' }));

export const rules: readonly Rule[] = [
  identifierIsShort,
  scheduleFires,
  timeZonesExist,
  deliveryOptionsFit,
  recipientsAreMeant,
  webAddresses,
  s3Destination,
  filtersHaveShape,
  filtersHaveValues,
  draftIsKept,
  webhookIsSigned,
  textsAsMeant,
  secretsComeFromOutside,
  urlsHoldNoSecret,
  ignoredFieldsExist,
  extraHoldsNoKnownField,
];
