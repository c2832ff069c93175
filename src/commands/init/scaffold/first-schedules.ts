// A first schedule of each destination, as someone would change it into their own: valid as it is, and in the canonical
// form of `almanac fmt`.

import type { Destination } from '../../../model/fields/field.ts';

const common = (name: string, schedule: string, format: string): readonly string[] => [
  '# The last part of the URL of your dashboard.',
  'identifier: 12db1a0a',
  `name: ${name}`,
  `schedule: ${schedule}`,
  `format: ${format}`,
];

const schedules: Readonly<
  Record<Destination, { readonly key: string; readonly words: string; readonly lines: readonly string[] }>
> = {
  email: {
    key: 'weekly-email',
    words: 'Every Monday at nine, as a PDF.',
    lines: [
      ...common('Weekly report', '0 9 ? * MON *', 'pdf'),
      'destinationType: email',
      'recipients:',
      '  - ana@example.com',
      'subject: Weekly report',
    ],
  },
  slack: {
    key: 'daily-slack',
    words: 'Every morning from Monday to Friday, as a link.',
    lines: [
      ...common('Daily link', '30 8 ? * MON-FRI *', 'link_only'),
      'destinationType: slack',
      '# The id of the channel, at the end of its details in Slack.',
      'recipients: C0123456789',
      'slackRecipientType: channel',
    ],
  },
  webhook: {
    key: 'daily-webhook',
    words: 'Every day at six, for a program.',
    lines: [
      ...common('Daily feed', '0 6 * * ? *', 'json'),
      'destinationType: webhook',
      'url: https://hooks.example.com/reports',
    ],
  },
  sftp: {
    key: 'daily-sftp',
    words: 'Every day at half past six, as a file.',
    lines: [
      ...common('Daily file', '30 6 * * ? *', 'csv'),
      'destinationType: sftp',
      'address: sftp.example.com',
      'port: 22',
      'username: reports',
      'path: /incoming',
      '# Secrets come from the environment of `almanac apply`, never from a file.',
      'passwordUnencrypted: ${env.SFTP_PASSWORD}',
    ],
  },
  s3: {
    key: 'monthly-s3',
    words: 'On the first of each month, as an object.',
    lines: [
      ...common('Monthly export', '0 5 1 * ? *', 'csv'),
      'destinationType: s3',
      'bucketName: acme-reports',
      'region: eu-west-1',
      'roleArn: arn:aws:iam::123456789012:role/omni-reports',
    ],
  },
};

/** The source file, without its modeline. */
export function firstSchedules(destinations: readonly Destination[]): string {
  const entries = destinations.map((destination) => {
    const { key, words, lines } = schedules[destination];
    return [`  # ${words}`, `  ${key}:`, ...lines.map((line) => `    ${line}`)].join('\n');
  });
  return `schedules:\n${entries.join('\n\n')}\n`;
}

/** The key of the first schedule. */
export function firstKey(destinations: readonly Destination[]): string {
  return schedules[destinations[0] ?? 'email'].key;
}
