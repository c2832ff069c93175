// A first schedule for each destination, as someone would change it into their own. `init` writes it, editors offer it
// as a snippet, and the stubs of `documents` are made from the one for e-mail. Each is valid as it is.

import type { JsonObject } from '../values/json.ts';
import type { Destination } from './field.ts';

interface ExampleSchedule {
  readonly key: string;
  readonly words: string;
  /** The fields in the order of `almanac fmt`. */
  readonly fields: JsonObject;
}

export const exampleSchedules: Readonly<Record<Destination, ExampleSchedule>> = {
  email: {
    key: 'weekly-email',
    words: 'Every Monday at nine, as a PDF.',
    fields: {
      ...common('Weekly report', '0 9 ? * MON *', 'pdf', 'email'),
      recipients: ['ana@example.com'],
      subject: 'Weekly report',
    },
  },
  slack: {
    key: 'daily-slack',
    words: 'Every morning from Monday to Friday, as a link.',
    fields: {
      ...common('Daily link', '30 8 ? * MON-FRI *', 'link_only', 'slack'),
      recipients: 'C0123456789',
      slackRecipientType: 'channel',
    },
  },
  webhook: {
    key: 'daily-webhook',
    words: 'Every day at six, for a program.',
    fields: { ...common('Daily feed', '0 6 * * ? *', 'json', 'webhook'), url: 'https://hooks.example.com/reports' },
  },
  sftp: {
    key: 'daily-sftp',
    words: 'Every day at half past six, as a file.',
    fields: {
      ...common('Daily file', '30 6 * * ? *', 'csv', 'sftp'),
      address: 'sftp.example.com',
      port: 22,
      username: 'reports',
      path: '/incoming',
      passwordUnencrypted: '${env.SFTP_PASSWORD}',
    },
  },
  s3: {
    key: 'monthly-s3',
    words: 'On the first of each month, as an object.',
    fields: {
      ...common('Monthly export', '0 5 1 * ? *', 'csv', 's3'),
      bucketName: 'acme-reports',
      region: 'eu-west-1',
      roleArn: 'arn:aws:iam::123456789012:role/omni-reports',
    },
  },
};

function common(name: string, schedule: string, format: string, destinationType: Destination): JsonObject {
  return { identifier: '12db1a0a', name, schedule, timezone: 'Europe/London', format, destinationType };
}
