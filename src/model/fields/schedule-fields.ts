// The table of a schedule's fields: every field of the service's create operation under its own name, in the order in
// which a file lists them, and the few that are Almanac's.

import { withCommonFields } from './common-fields.ts';
import * as patterns from './patterns.ts';
import {
  choice,
  dashboardIdentifier,
  deliveryFilter,
  emailAddress,
  filled,
  flag,
  listedId,
  timeZone,
  webAddress,
} from './shapes.ts';
import { awsRegions, suggestedCrons } from './suggestions.ts';

export const scheduleFields = withCommonFields({
  identifier: {
    shape: dashboardIdentifier,
    required: true,
    decides: 'rows',
    widens: 'any',
    read: 'list',
    words:
      'The dashboard to deliver: its identifier, the last part of its URL, such as `12db1a0a`. Quote one that looks like a number.',
  },
  name: filled({
    required: true,
    ignorable: true,
    decides: 'text',
    read: 'list',
    words: 'The name of the schedule, as people see it in Omni and in the delivery.',
  }),
  schedule: {
    shape: {
      type: 'string',
      pattern: patterns.cronShape,
      patternWords:
        'Six fields of an AWS EventBridge cron expression, one space between: `minutes hours day-of-month month day-of-week year`, such as `0 9 ? * MON *`. Exactly one of day-of-month and day-of-week is `?`.',
      code: 'invalid-cron',
      explained: true,
      suggested: suggestedCrons,
    },
    required: true,
    meaning: 'cron',
    ignorable: true,
    decides: 'when',
    read: 'list',
    words:
      'When it runs: six fields of an AWS EventBridge cron expression, `minutes hours day-of-month month day-of-week year`. Exactly one of day-of-month and day-of-week is `?`; 1 is Sunday. `0 9 ? * MON *` is every Monday at nine, `30 6 L * ? *` the last day of each month at half past six. Quote one that begins with `*`.',
  },
  timezone: {
    shape: timeZone,
    required: true,
    meaning: 'clocks',
    ignorable: true,
    decides: 'when',
    read: 'list',
    words:
      'The time zone of `schedule`: an IANA name such as `Europe/London` or `UTC`. Offsets such as `+05:30` are not zones.',
  },
  format: {
    shape: choice({
      csv: 'comma-separated values; several tiles come as a ZIP',
      link_only: 'a link to the dashboard and no file',
      json: 'the rows as JSON',
      pdf: 'the dashboard as a PDF, or its default page where it has several',
      png: 'the dashboard as a picture, or its default page where it has several',
      xlsx: 'an Excel workbook',
    }),
    required: true,
    literal: true,
    decides: 'file',
    widens: 'fuller',
    read: 'list',
    words: 'What is delivered. It decides which other fields apply, so it cannot be interpolated.',
  },
  destinationType: {
    shape: choice({
      webhook: 'an HTTP POST to `url`',
      email: 'an e-mail to `recipients`',
      sftp: 'a file on an SFTP server',
      slack: 'a message in a Slack channel or to Slack users; Slack must be connected to Omni first',
      s3: 'an object in an S3 bucket, written with a role of your account',
    }),
    required: true,
    literal: true,
    decides: 'who',
    read: 'list',
    words: 'Where it is delivered. It decides which other fields apply, so it cannot be interpolated.',
  },

  url: {
    shape: webAddress,
    secretsIn: 'path-and-query',
    required: true,
    destinations: ['webhook'],
    decides: 'who',
    read: 'details',
    words:
      'The address that receives the POST. Slack, SFTP and webhook deliveries are not signed, so keep the address private: its path and query may hold `${env.NAME}`.',
  },
  recipients: {
    shape: { type: 'textOrList', pattern: patterns.slackUsers, patternWords: 'One id or several.' },
    shapeFor: {
      email: { type: 'list', items: emailAddress, minItems: 1 },
      slack: {
        type: 'textOrList',
        pattern: patterns.slackUsers,
        patternWords:
          'A Slack id such as `C0123456789`. Several user ids may be separated by commas or written as a list.',
      },
    },
    required: true,
    set: true,
    destinations: ['email', 'slack'],
    decides: 'who',
    read: 'details',
    readApart: true,
    words:
      'Who receives it. For e-mail: a list of addresses. For Slack with `slackRecipientType: channel`: exactly one channel id. With `slackRecipientType: users`: one or more user ids, as a list or separated by commas.',
  },
  userGroups: {
    shape: { type: 'list', items: { type: 'string', minLength: 1 } },
    set: true,
    exact: true,
    default: [],
    sent: 'never',
    destinations: ['email'],
    mayLack: true,
    decides: 'who',
    read: 'details',
    readApart: true,
    words:
      'The user groups of Omni that receive it as well: their names, exactly as Omni shows them, or their ids: a UUID, or `id:` and any other id, such as `id:VRyUNQ7i`. A group that is named must have access to the dashboard. `${audience.NAME}` stands for the groups of an audience. Needs `operations: full`.',
  },
  subject: filled({
    required: true,
    destinations: ['email'],
    ignorable: true,
    decides: 'text',
    read: 'never',
    words: 'The subject of the e-mail.',
  }),
  textBody: {
    shape: { type: 'string' },
    cleared: '',
    destinations: ['email', 'slack'],
    mayLack: true,
    ignorable: true,
    decides: 'text',
    read: 'never',
    words: 'The text of the message. For Slack, it may contain Slack markup.',
  },
  fanOut: flag({
    destinations: ['email'],
    decides: 'rights',
    widens: 'off',
    read: 'details',
    readApart: true,
    words:
      'When `true`, each recipient gets a separate e-mail, generated with their own access rights. A setting of the organization can override this field.',
  }),
  slackRecipientType: {
    shape: choice({
      channel: 'one channel; the bot must be invited to a private one',
      users: 'one or more people, by direct message',
    }),
    required: true,
    destinations: ['slack'],
    decides: 'who',
    read: 'list',
    words: 'Whether `recipients` is a channel or people.',
  },
  address: {
    shape: {
      type: 'string',
      minLength: 1,
      pattern: patterns.serverWithoutLogin,
      patternWords:
        'A host name or an IP address such as `sftp.example.com`, or a URL such as `sftp://sftp.example.com/incoming`. The port and the user have fields of their own: `port` and `username`.',
      code: 'invalid-host',
    },
    required: true,
    meaning: 'server',
    destinations: ['sftp'],
    decides: 'who',
    read: 'details',
    words:
      'The SFTP server: a host name or an IP address, or a URL such as `sftp://sftp.example.com/incoming`. `sftp.example.com` and `sftp://sftp.example.com` mean the same.',
  },
  port: {
    shape: { type: 'integer', minimum: 1, maximum: 65535 },
    required: true,
    destinations: ['sftp'],
    decides: 'who',
    read: 'details',
    words: 'The port of the SFTP server, usually 22.',
  },
  username: filled({
    secretsIn: 'text',
    required: true,
    destinations: ['sftp'],
    decides: 'who',
    read: 'details',
    words: 'The user to log in as. It may hold `${env.NAME}`.',
  }),
  path: filled({
    required: true,
    destinations: ['sftp'],
    decides: 'file',
    read: 'never',
    words: 'The path of the file on the SFTP server.',
  }),
  passwordUnencrypted: filled({
    secret: true,
    destinations: ['sftp'],
    decides: 'nothing',
    read: 'never',
    words:
      'The password of the SFTP user. Write `${env.NAME}` and set the environment variable where `almanac apply` runs. A password in a file is a warning. The password is never shown and never written to the state.',
  }),
  bucketName: {
    shape: {
      type: 'string',
      pattern: patterns.bucketName,
      patternWords: 'Three to 63 lower-case letters, digits, hyphens and periods.',
      code: 'invalid-bucket-name',
    },
    required: true,
    destinations: ['s3'],
    decides: 'who',
    read: 'details',
    words: 'The S3 bucket: three to 63 lower-case letters, digits, hyphens and periods.',
  },
  region: {
    shape: { type: 'string', minLength: 1, suggested: awsRegions },
    required: true,
    destinations: ['s3'],
    decides: 'who',
    read: 'details',
    words: 'The AWS region of the bucket, such as `eu-west-1`.',
  },
  roleArn: {
    shape: {
      type: 'string',
      minLength: 1,
      pattern: patterns.arn,
      patternWords: 'The ARN of a role, such as `arn:aws:iam::123456789012:role/omni-reports`.',
      code: 'invalid-role-arn',
    },
    required: true,
    destinations: ['s3'],
    decides: 'who',
    read: 'details',
    words:
      'The IAM role of your account that may write to the bucket. Its trust policy must name the `delivererRoleArn` and `externalId` that Almanac shows after the first apply.',
  },
  keyPrefix: {
    shape: { type: 'string' },
    destinations: ['s3'],
    decides: 'who',
    read: 'details',
    words: 'The folder inside the bucket, such as `reports/weekly`. It must not leave the bucket with `..`.',
  },
  filename: {
    shape: { type: 'string', minLength: 1, code: 'invalid-filename' },
    destinations: ['s3'],
    decides: 'file',
    read: 'details',
    words:
      'The name of the file without its extension, as a Mustache template of `{{currentDate}}`, `{{currentTime}}`, `{{currentYear}}`, `{{currentMonth}}`, `{{currentDay}}`, `{{yesterdayDate}}`, `{{timeZone}}`, `{{entityName}}`, `{{format}}` and `{{scheduledTaskName}}`.',
  },

  filterConfig: {
    shape: { type: 'object', entries: deliveryFilter, mayBeUnset: true },
    isConditions: true,
    cleared: {},
    decides: 'rows',
    read: 'details',
    readApart: true,
    words:
      'Filter values for this delivery: a map of the dashboard’s filter ids, case-sensitive, to maps such as `{ values: [Europe] }`. Almanac adds `type: string, kind: EQUALS` to texts. Every id must exist on the dashboard.',
  },
  timezoneOverride: {
    shape: timeZone,
    meaning: 'clocks',
    cleared: null,
    decides: 'rows',
    read: 'metadata',
    words:
      'The time zone of the queries: an IANA name such as `Europe/London`. When the delivery runs, `timezone` says. Needs `operations: full`.',
  },
  queryIdentifierMapKey: filled({
    decides: 'rows',
    widens: 'any',
    read: 'list',
    readApart: true,
    words:
      'Delivers a single tile: the id of its query on the dashboard, such as `Jmn2r3KV`. Quote one that is a number.',
  }),
  conditionType: {
    shape: choice({
      RESULTS_PRESENT: 'deliver when the query returns rows',
      RESULTS_CHANGED: 'deliver when the rows differ from the last check',
      RESULTS_MISSING: 'deliver when the query returns no rows',
      RESULTS_UNCHANGED: 'deliver when the rows are the same as at the last check',
    }),
    decides: 'when',
    widens: 'removed',
    read: 'list',
    words:
      'Turns the schedule into an alert: each run checks the condition and delivers only when it holds. Needs `conditionQueryMapKey`.',
  },
  conditionQueryMapKey: filled({
    decides: 'when',
    read: 'details',
    words: 'The id of the query on the dashboard that an alert watches. Needs `conditionType`.',
  }),

  showContentLink: {
    shape: { type: 'boolean' },
    default: true,
    formats: ['csv', 'json', 'pdf', 'png', 'xlsx'],
    decides: 'file',
    read: 'metadata',
    words: 'Whether the delivery shows a link to the dashboard.',
  },
  showFilters: {
    shape: { type: 'boolean' },
    default: true,
    formats: ['json', 'pdf', 'png', 'xlsx'],
    decides: 'columns',
    widens: 'on',
    read: 'metadata',
    words: 'Whether the delivery shows the filter values that were used.',
  },
  hideTitle: flag({
    formats: ['pdf', 'png'],
    mayLack: true,
    ignorable: true,
    decides: 'file',
    read: 'metadata',
    words: 'When `true`, the title of the dashboard is left out.',
  }),
  hideHiddenFields: flag({
    formats: ['csv', 'xlsx'],
    decides: 'columns',
    widens: 'off',
    read: 'metadata',
    words: 'When `true`, fields that are marked as hidden are left out.',
  }),
  enableFormatting: flag({
    formats: ['csv', 'json', 'xlsx'],
    decides: 'columns',
    widens: 'off',
    read: 'metadata',
    words:
      'When `true`, numbers and dates keep their formatting. With `format: json` it needs `queryIdentifierMapKey`.',
  }),
  overrideRowLimit: flag({
    formats: ['csv', 'json', 'xlsx'],
    decides: 'rows',
    widens: 'on',
    read: 'metadata',
    words:
      'When `true`, the delivery may contain more rows than the default limit. With `format: json` or `xlsx` it needs `queryIdentifierMapKey`.',
  }),
  maxRowLimit: {
    shape: { type: 'integer' },
    formats: ['csv', 'json', 'xlsx'],
    decides: 'rows',
    widens: 'higher',
    read: 'metadata',
    words: 'The maximum number of rows to deliver. It has an effect only with `overrideRowLimit: true`.',
  },
  expandTablesToShowAllRows: flag({
    formats: ['pdf', 'png'],
    mayLack: true,
    decides: 'rows',
    widens: 'on',
    read: 'metadata',
    words: 'When `true`, tables show up to 1,000 rows. Cannot be combined with `paperFormat: fit_page`.',
  }),
  singleColumnLayout: flag({
    formats: ['pdf', 'png'],
    mayLack: true,
    ignorable: true,
    decides: 'file',
    read: 'metadata',
    words: 'When `true`, tiles are arranged in a single column.',
  }),
  paperFormat: {
    shape: choice({
      a3: 'A3',
      a4: 'A4',
      letter: 'US letter',
      legal: 'US legal',
      fit_page: 'one page as large as the dashboard; cannot be combined with `expandTablesToShowAllRows`',
      tabloid: 'US tabloid',
    }),
    formats: ['pdf'],
    mayLack: true,
    ignorable: true,
    decides: 'file',
    read: 'metadata',
    words: 'The paper size.',
  },
  paperOrientation: {
    shape: choice({ portrait: 'upright', landscape: 'sideways' }),
    formats: ['pdf'],
    mayLack: true,
    ignorable: true,
    decides: 'file',
    read: 'metadata',
    words: 'The paper orientation.',
  },
  killJobsOnFailure: flag({
    mayLack: true,
    decides: 'when',
    read: 'details',
    words: 'When `true`, the whole delivery stops if one of its queries fails.',
  }),
  testNow: flag({
    decides: 'when',
    read: 'never',
    words:
      'When `true`, one delivery is sent immediately and no recurring schedule is created. Not available with `conditionType: RESULTS_CHANGED`, nor for S3.',
  }),

  userId: {
    shape: listedId('people'),
    sent: 'query',
    requestOption: true,
    decides: 'rights',
    read: 'never',
    words:
      'The membership id of the user who is to own the schedule. Needs an organization API key. This is an option of the request: changing only this field changes nothing.',
  },
  owner: {
    shape: {
      type: 'string',
      pattern: patterns.owner,
      patternWords: 'An e-mail address, such as `bo@example.com`, or a membership id.',
    },
    meaning: 'id',
    sent: 'never',
    decides: 'rights',
    read: 'list',
    readApart: true,
    words:
      'Who owns the schedule: an e-mail address, or a membership id. A schedule that belongs to somebody else is transferred, and a new one is created for this person. Needs `operations: full` and an organization API key. When omitted, the owner stays as it is.',
  },
  paused: flag({
    sent: 'never',
    mayLack: true,
    ignorable: true,
    decides: 'when',
    read: 'list',
    words: 'When `true`, the schedule is paused. Needs `operations: full`.',
  }),
});
