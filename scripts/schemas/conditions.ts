// The rules between several fields of a declaration, as JSON Schema. Each is defined here once, with its message. The
// published schemas contain both, so editors and the command line say the same.

import * as patterns from '../../src/model/fields/patterns.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Advised } from './shape-schema.ts';

/** When `if` holds, `then` must; both are JSON Schema (draft-07). The first field that `if` requires is the rarest. */
export interface Condition {
  readonly code: string;
  readonly words: string | Advised;
  readonly if: JsonObject;
  readonly then: JsonObject;
  /** The defaults of a file may give what it asks for. */
  readonly mayBeMetByDefault?: true;
}

function having(fields: JsonObject): { properties: JsonObject; required: string[] } {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { const: value }]));
  return { properties, required: Object.keys(fields) };
}

/** A value that is never valid: for `not: {}` or a bound, editors would report a message of their own. */
function refused(code: string, words: Advised): JsonObject {
  return { const: null, doNotSuggest: true, errorMessage: words, 'x-code': code };
}

const queryRequired = (format: string, option: string): Condition => ({
  code: 'query-required',
  words: {
    message: `With format ${format}, ${option} works only for a single tile.`,
    hint: 'Name its query in queryIdentifierMapKey.',
  },
  if: having({ [option]: true, format }),
  then: { required: ['queryIdentifierMapKey'] },
  mayBeMetByDefault: true,
});

const incomplete = (given: string, missing: string): Condition => ({
  code: 'condition-incomplete',
  words: `An alert needs two fields: conditionType says when to deliver, and conditionQueryMapKey says which query to watch. ${missing} is missing.`,
  if: { required: [given] },
  then: { required: [missing] },
  mayBeMetByDefault: true,
});

const noTest = (what: string, fields: JsonObject): Condition => ({
  code: 'test-not-supported',
  words: { message: `The service has no test delivery ${what}.`, hint: 'Remove testNow.' },
  if: having({ testNow: true, ...fields }),
  then: { properties: { testNow: false } },
});

const oneChannel: Advised = {
  message: 'A schedule delivers to exactly one Slack channel.',
  hint: 'Write one channel id, use slackRecipientType users, or declare one schedule per channel.',
};

const oneChannelId = {
  pattern: patterns.oneSlackChannel,
  patternErrorMessage: oneChannel,
  'x-code': 'one-slack-channel',
} as const satisfies JsonObject;

/** If the recipients of a channel delivery match `recipients`, they must also match `then`. */
function slackChannel(recipients: JsonObject, then: JsonObject): Condition {
  const { properties, required } = having({ slackRecipientType: 'channel', destinationType: 'slack' });
  return {
    code: 'one-slack-channel',
    words: oneChannel,
    if: { properties: { ...properties, recipients }, required: [...required, 'recipients'] },
    then: { properties: { recipients: then } },
  };
}

export const scheduleConditions: readonly Condition[] = [
  incomplete('conditionType', 'conditionQueryMapKey'),
  incomplete('conditionQueryMapKey', 'conditionType'),
  queryRequired('json', 'enableFormatting'),
  queryRequired('json', 'overrideRowLimit'),
  queryRequired('xlsx', 'overrideRowLimit'),
  noTest('for conditionType RESULTS_CHANGED', { conditionType: 'RESULTS_CHANGED' }),
  noTest('to S3', { destinationType: 's3' }),
  {
    code: 'fit-page-expands',
    words: {
      message: 'paperFormat fit_page and expandTablesToShowAllRows true cannot be combined.',
      hint: 'Choose a paper size, or remove expandTablesToShowAllRows.',
    },
    if: having({ expandTablesToShowAllRows: true, paperFormat: 'fit_page' }),
    then: { properties: { expandTablesToShowAllRows: false } },
  },
  slackChannel({ maxItems: 1 }, { ...oneChannelId, items: oneChannelId }),
  slackChannel({ type: 'array', minItems: 2 }, refused('one-slack-channel', oneChannel)),
];

const nothingDeclared: Advised = {
  message: 'Nothing is declared for this dashboard.',
  hint: 'Add at least one entry to filters, controls or filterOrder.',
};

export const dashboardConditions: readonly Condition[] = [
  {
    code: 'nothing-to-update',
    words: nothingDeclared,
    if: {
      not: {
        anyOf: [
          { required: ['filters'], properties: { filters: { minProperties: 1 } } },
          { required: ['controls'], properties: { controls: { minProperties: 1 } } },
          { required: ['filterOrder'], properties: { filterOrder: { minItems: 1 } } },
        ],
      },
    },
    then: { required: ['filters'], properties: { filters: refused('nothing-to-update', nothingDeclared) } },
    mayBeMetByDefault: true,
  },
];

const nobody: Advised = {
  message: 'Nobody receives this routine.',
  hint: 'Add an address to recipientEmails, or a group to userGroupIds.',
};

export const routineConditions: readonly Condition[] = [
  {
    code: 'required-field',
    words: nobody,
    if: {
      properties: {
        destination: {
          type: 'object',
          ...having({ type: 'email' }),
          // Another name is a mistake of its own, and most likely stands for one of these.
          propertyNames: { enum: ['type', 'recipientEmails', 'userGroupIds'] },
          not: {
            anyOf: [
              { required: ['recipientEmails'], properties: { recipientEmails: { minItems: 1 } } },
              { required: ['userGroupIds'], properties: { userGroupIds: { minItems: 1 } } },
            ],
          },
        },
      },
      required: ['destination'],
    },
    then: { properties: { destination: refused('required-field', nobody) } },
  },
];

export const aiJobConditions: readonly Condition[] = [
  {
    code: 'progress-needs-webhook',
    words: 'progressWebhookEnabled true needs webhookUrl: progress events have nowhere to go.',
    if: having({ progressWebhookEnabled: true }),
    then: { required: ['webhookUrl'] },
    mayBeMetByDefault: true,
  },
];

/** An audience that nobody is in would silently deliver to nobody. */
export const audienceIsSomebody: Condition = {
  code: 'required-field',
  words: {
    message: 'An audience needs `emails`, `userGroups` or `slack`.',
    hint: 'Add what its schedules need.',
  },
  if: { not: { anyOf: [{ required: ['emails'] }, { required: ['userGroups'] }, { required: ['slack'] }] } },
  then: { required: ['emails'] },
};
