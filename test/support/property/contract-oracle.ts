// What the contract of the service forbids in a request, written again independently of validator and emulator, so that
// both can be checked against it. It states only what is certain: where the contract leaves room, nothing is forbidden.

import type { Json, JsonObject } from '../../../src/model/values/json.ts';

export interface Request {
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

type Rule = readonly [name: string, isBroken: (body: JsonObject) => boolean];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isText = (value: Json | undefined): value is string => typeof value === 'string';
const isGiven = (value: Json | undefined): value is Json => value !== undefined;
const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const required = (...names: string[]): Rule[] =>
  names.map((name) => [`${name} is required`, (body) => body[name] === undefined || body[name] === '']);
const typed = (type: string, isRight: (value: Json) => boolean, ...names: string[]): Rule[] =>
  names.map((name) => [`${name} is ${type}`, (body) => isGiven(body[name]) && !isRight(body[name])]);
const text = (...names: string[]) => typed('a text', isText, ...names);
const flag = (...names: string[]) => typed('a boolean', (value) => typeof value === 'boolean', ...names);
const integer = (...names: string[]) => typed('an integer', Number.isInteger, ...names);
const map = (...names: string[]) => typed('a map', isMap, ...names);
const uuids = (...names: string[]) => typed('a UUID', (value) => isText(value) && uuid.test(value), ...names);
const choice = (name: string, ...values: string[]) =>
  typed('a choice', (value) => values.includes(value as string), name);
const onlyFor = (property: string, values: string, ...names: string[]): Rule[] =>
  names.map((name) => [
    `${name} is for ${property} ${values}`,
    (body) => isGiven(body[name]) && !values.split(' ').includes(body[property] as string),
  ]);
const together = (name: string, isBroken: (body: JsonObject) => boolean): Rule => [name, isBroken];

const noHttpUrl = (value: Json | undefined) =>
  isGiven(value) && !(isText(value) && /^https?:\/\/[^/?#\s]/i.test(value) && URL.canParse(value) && !/\s/.test(value));

const cloudCron = (value: Json | undefined) =>
  isText(value) && value.split(' ').length === 6 && /^[\w*?,/#-]+( [\w*?,/#-]+){5}$/.test(value);

function isZone(value: Json | undefined): boolean {
  try {
    return isText(value) && /^[A-Za-z]/.test(value) && Boolean(new Intl.DateTimeFormat('en', { timeZone: value }));
  } catch {
    return false;
  }
}

const filenameVariables =
  /^(currentDate|currentTime|currentYear|currentMonth|currentDay|yesterdayDate|timeZone|entityName|format|scheduledTaskName)$/;

const slackIds = (recipients: Json | undefined) =>
  [recipients].flat().flatMap((part) => (isText(part) ? part.split(',').filter((id) => id.trim() !== '') : []));

const scheduleRules: readonly Rule[] = [
  ...required('identifier', 'name', 'schedule', 'timezone', 'format', 'destinationType'),
  ...text('identifier', 'name', 'conditionQueryMapKey', 'queryIdentifierMapKey', 'subject', 'textBody', 'address'),
  ...text('username', 'path', 'passwordUnencrypted', 'bucketName', 'region', 'roleArn', 'keyPrefix', 'filename'),
  ...typed('a cron expression', cloudCron, 'schedule'),
  ...typed('a time zone', isZone, 'timezone'),
  ...choice('format', 'csv', 'link_only', 'json', 'pdf', 'png', 'xlsx'),
  ...choice('destinationType', 'webhook', 'email', 'sftp', 'slack', 's3'),
  ...choice('conditionType', 'RESULTS_PRESENT', 'RESULTS_CHANGED', 'RESULTS_MISSING', 'RESULTS_UNCHANGED'),
  ...choice('paperFormat', 'a3', 'a4', 'letter', 'legal', 'fit_page', 'tabloid'),
  ...choice('paperOrientation', 'portrait', 'landscape'),
  ...choice('slackRecipientType', 'channel', 'users'),
  ...flag('killJobsOnFailure', 'testNow', 'hideTitle', 'hideHiddenFields', 'enableFormatting', 'overrideRowLimit'),
  ...flag('showContentLink', 'showFilters', 'expandTablesToShowAllRows', 'singleColumnLayout', 'fanOut'),
  ...integer('maxRowLimit', 'port'),
  ...map('filterConfig'),

  ...onlyFor('format', 'pdf png', 'hideTitle', 'expandTablesToShowAllRows', 'singleColumnLayout'),
  ...onlyFor('format', 'csv xlsx', 'hideHiddenFields'),
  ...onlyFor('format', 'csv json xlsx', 'enableFormatting', 'overrideRowLimit', 'maxRowLimit'),
  ...onlyFor('format', 'csv json pdf png xlsx', 'showContentLink'),
  ...onlyFor('format', 'json pdf png xlsx', 'showFilters'),
  ...onlyFor('format', 'pdf', 'paperFormat', 'paperOrientation'),
  ...onlyFor('destinationType', 'webhook', 'url'),
  ...onlyFor('destinationType', 'email slack', 'recipients', 'textBody'),
  ...onlyFor('destinationType', 'email', 'subject', 'fanOut'),
  ...onlyFor('destinationType', 'slack', 'slackRecipientType'),
  ...onlyFor('destinationType', 'sftp', 'address', 'port', 'username', 'path', 'passwordUnencrypted'),
  ...onlyFor('destinationType', 's3', 'bucketName', 'region', 'roleArn', 'keyPrefix', 'filename'),

  together(
    'conditionType needs conditionQueryMapKey',
    (b) => isGiven(b['conditionType']) && !isGiven(b['conditionQueryMapKey']),
  ),
  together(
    'conditionQueryMapKey needs conditionType',
    (b) => isGiven(b['conditionQueryMapKey']) && !isGiven(b['conditionType']),
  ),
  together('a single tile is named', (body) => {
    const { format, enableFormatting, overrideRowLimit, queryIdentifierMapKey } = body;
    const needed =
      (format === 'json' && enableFormatting === true) ||
      ((format === 'json' || format === 'xlsx') && overrideRowLimit === true);
    return needed && !isGiven(queryIdentifierMapKey);
  }),
  together('no test of a change', (b) => b['testNow'] === true && b['conditionType'] === 'RESULTS_CHANGED'),
  together('no test to s3', (b) => b['testNow'] === true && b['destinationType'] === 's3'),
  together(
    'fit_page does not expand',
    (b) => b['paperFormat'] === 'fit_page' && b['expandTablesToShowAllRows'] === true,
  ),
];

const destinationRules: Readonly<Record<string, readonly Rule[]>> = {
  webhook: [...required('url'), together('url is an http URL', ({ url }) => noHttpUrl(url))],
  email: [
    ...required('recipients', 'subject'),
    together('recipients are addresses', ({ recipients }) =>
      isGiven(recipients)
        ? !(Array.isArray(recipients) && recipients.length > 0 && recipients.every(looksLikeAddress))
        : false,
    ),
  ],
  slack: [
    ...required('recipients', 'slackRecipientType'),
    together('recipients are texts', ({ recipients }) => isGiven(recipients) && ![recipients].flat().every(isText)),
    together('there is a recipient', ({ recipients }) => slackIds(recipients).length === 0),
    together('one channel', (b) => b['slackRecipientType'] === 'channel' && slackIds(b['recipients']).length !== 1),
  ],
  sftp: required('address', 'port', 'username', 'path'),
  s3: [
    ...required('bucketName', 'region', 'roleArn'),
    ...typed('a bucket name', (value) => isText(value) && /^[a-z0-9.-]{3,63}$/.test(value), 'bucketName'),
    ...typed(
      'the ARN of a role',
      (value) => isText(value) && /^arn:aws[a-z-]*:iam::\d{12}:role\/\S+$/.test(value),
      'roleArn',
    ),
    ...typed('a region', (value) => isText(value) && /^[a-z]+-[a-z-]+-\d+$/.test(value), 'region'),
    together(
      'keyPrefix stays in the bucket',
      ({ keyPrefix }) => isText(keyPrefix) && /(^|[/\\])\.\.($|[/\\])/.test(keyPrefix),
    ),
    together('filename has known variables', ({ filename }) =>
      isText(filename)
        ? [...filename.matchAll(/\{\{([^{}]*)\}\}/g)].some(([, name = '']) => !filenameVariables.test(name.trim()))
        : false,
    ),
    together('filename has no extension', ({ filename, format }) =>
      isText(filename) ? new RegExp(`\\.(${String(format)}|csv|json|pdf|png|xlsx)$`, 'i').test(filename) : false,
    ),
  ],
};

function looksLikeAddress(value: Json): boolean {
  return isText(value) && /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(value);
}

const jobRules: readonly Rule[] = [
  ...required('modelId', 'prompt'),
  ...uuids('modelId', 'conversationId', 'branchId'),
  ...text('prompt', 'topicName', 'webhookSigningSecret'),
  together('topicName is short', ({ topicName }) => isText(topicName) && [...topicName].length > 256),
  ...flag('progressWebhookEnabled'),
  ...map('webhookMetadata'),
  together('webhookUrl is a URL', ({ webhookUrl }) => noHttpUrl(webhookUrl)),
  together('progress has somewhere to go', (b) => b['progressWebhookEnabled'] === true && !isGiven(b['webhookUrl'])),
];

const filterRules: readonly Rule[] = [
  ...flag('clearExistingDraft'),
  ...map('filters', 'controls'),
  ...typed('a list of texts', (value) => Array.isArray(value) && value.every(isText), 'filterOrder'),
  together('there is something to update', ({ filters, controls, filterOrder }) =>
    [filters, controls, filterOrder].every((part) => Object.keys(part ?? {}).length === 0),
  ),
  together('entries are maps', ({ filters, controls }) =>
    [filters, controls].some((part) => isMap(part) && !Object.values(part).every(isMap)),
  ),
  together('values are texts', ({ filters }) =>
    isMap(filters)
      ? Object.values(filters).some((entry) => {
          const values = isMap(entry) ? entry['values'] : undefined;
          return isGiven(values) && !(Array.isArray(values) && values.every(isText));
        })
      : false,
  ),
];

/** The rules of the contract that a request breaks, by name. */
export function forbiddenIn(kind: 'schedule' | 'dashboard' | 'aiJob', { query, body }: Request): readonly string[] {
  const destination = destinationRules[String(body['destinationType'])];
  const rules = {
    schedule: [
      ...scheduleRules,
      ...(Object.hasOwn(destinationRules, String(body['destinationType'])) ? (destination ?? []) : []),
    ],
    dashboard: filterRules,
    aiJob: jobRules,
  }[kind];
  const broken = rules.filter(([, isBroken]) => isBroken(body)).map(([name]) => name);
  const userId = query['userId'];
  return kind !== 'dashboard' && userId !== undefined && !uuid.test(userId) ? [...broken, 'userId is a UUID'] : broken;
}

/** Every rule by name. */
export const contractRules: ReadonlySet<string> = new Set(
  [...scheduleRules, ...Object.values(destinationRules).flat(), ...jobRules, ...filterRules].map(([name]) => name),
);
