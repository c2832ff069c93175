// The rules of a declaration that join several fields and that JSON Schema can say. Each stands here once, with its
// words: the published schemas carry both, so an editor and the command line say the same.

import type { Kind } from './address.ts';
import type { JsonObject } from './json.ts';
import * as patterns from './patterns.ts';

/** When `if` holds, `then` must; both are JSON Schema (draft-07). */
export interface Condition {
  readonly code: string;
  readonly words: string;
  readonly if: JsonObject;
  readonly then: JsonObject;
}

function having(fields: JsonObject): JsonObject {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { const: value }]));
  return { properties, required: Object.keys(fields) };
}

const queryRequired = (format: string, option: string): Condition => ({
  code: 'query-required',
  words: `With format ${format}, ${option} works for a single tile only: name its query in queryIdentifierMapKey.`,
  if: having({ format, [option]: true }),
  then: { required: ['queryIdentifierMapKey'] },
});

const scheduleConditions: readonly Condition[] = [
  {
    code: 'condition-incomplete',
    words:
      'An alert needs both: conditionType says when to deliver, conditionQueryMapKey which query to watch. conditionQueryMapKey is missing.',
    if: { required: ['conditionType'] },
    then: { required: ['conditionQueryMapKey'] },
  },
  {
    code: 'condition-incomplete',
    words:
      'An alert needs both: conditionType says when to deliver, conditionQueryMapKey which query to watch. conditionType is missing.',
    if: { required: ['conditionQueryMapKey'] },
    then: { required: ['conditionType'] },
  },
  queryRequired('json', 'enableFormatting'),
  queryRequired('json', 'overrideRowLimit'),
  queryRequired('xlsx', 'overrideRowLimit'),
  {
    code: 'test-not-supported',
    words: 'The service has no test delivery for conditionType RESULTS_CHANGED: take testNow out.',
    if: having({ testNow: true, conditionType: 'RESULTS_CHANGED' }),
    then: { properties: { testNow: false } },
  },
  {
    code: 'test-not-supported',
    words: 'The service has no test delivery to S3: take testNow out.',
    if: having({ testNow: true, destinationType: 's3' }),
    then: { properties: { testNow: false } },
  },
  {
    code: 'fit-page-expands',
    words:
      'paperFormat fit_page and expandTablesToShowAllRows true exclude each other: choose a paper size, or leave the tables as they are.',
    if: having({ paperFormat: 'fit_page', expandTablesToShowAllRows: true }),
    then: { properties: { expandTablesToShowAllRows: false } },
  },
  {
    code: 'one-slack-channel',
    words:
      'A schedule delivers to exactly one Slack channel: write one channel id, or use slackRecipientType users, or one schedule a channel.',
    if: having({ destinationType: 'slack', slackRecipientType: 'channel' }),
    then: {
      properties: {
        recipients: {
          type: ['string', 'array'],
          pattern: patterns.oneSlackChannel,
          minItems: 1,
          maxItems: 1,
          items: { type: 'string', pattern: patterns.oneSlackChannel },
        },
      },
    },
  },
];

const dashboardConditions: readonly Condition[] = [
  {
    code: 'nothing-to-update',
    words: 'Nothing is declared for this dashboard: give filters, controls or filterOrder at least one entry.',
    if: {
      not: {
        anyOf: [
          { required: ['filters'], properties: { filters: { minProperties: 1 } } },
          { required: ['controls'], properties: { controls: { minProperties: 1 } } },
          { required: ['filterOrder'], properties: { filterOrder: { minItems: 1 } } },
        ],
      },
    },
    then: { required: ['filters'], properties: { filters: { minProperties: 1 } } },
  },
];

const aiJobConditions: readonly Condition[] = [
  {
    code: 'progress-needs-webhook',
    words: 'progressWebhookEnabled true needs webhookUrl: there is nowhere to send the progress to.',
    if: having({ progressWebhookEnabled: true }),
    then: { required: ['webhookUrl'] },
  },
];

export const conditionsOf: Readonly<Record<Kind, readonly Condition[]>> = {
  schedule: scheduleConditions,
  dashboard: dashboardConditions,
  aiJob: aiJobConditions,
};
