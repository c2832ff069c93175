// The words of the tests: the schedule, dashboard, job or routine that a test declares where it does not matter which, and
// what a report says however its lines break. A test names only the fields that it is about.

import { expect } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';

/** A dashboard of the demo organization. */
export const sales = '12db1a0a';
const model = '770e8400-e29b-41d4-a716-446655440002';

export const daily = '0 9 * * ? *';
/** Every Monday at nine. */
export const weekly = '0 9 ? * MON *';

type More = Readonly<Record<string, JsonObject[string] | undefined>>;

/** A field that is undefined is left out. */
const scheduled = (fields: More, more: More): JsonObject =>
  defined({
    ...{ identifier: sales, name: 'Weekly sales', schedule: weekly, timezone: 'Europe/London', format: 'pdf' },
    ...fields,
    ...more,
  });

function defined(fields: More): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export const mail = (more: More = {}): JsonObject =>
  scheduled({ destinationType: 'email', recipients: ['ana@example.com'], subject: 'Weekly sales' }, more);

/** The value of a filter of that dashboard. */
export const region = (...values: readonly string[]) => ({ region: { values } });

/** To a channel. */
export const slack = (more: More = {}): JsonObject =>
  scheduled({ destinationType: 'slack', slackRecipientType: 'channel', recipients: 'C0123456789' }, more);

/** A webhook. */
export const hook = (more: More = {}): JsonObject =>
  scheduled({ destinationType: 'webhook', url: 'https://hooks.example.com/in' }, more);

export const sftp = (more: More = {}): JsonObject =>
  scheduled(
    {
      ...{ format: 'csv', destinationType: 'sftp', address: 'sftp.example.com', port: 22, username: 'almanac' },
      ...{ path: '/in', passwordUnencrypted: '${env.SFTP_PASSWORD}' },
    },
    more,
  );

/** A bucket of S3. */
export const bucket = (more: More = {}): JsonObject =>
  scheduled(
    {
      ...{
        format: 'csv',
        destinationType: 's3',
        bucketName: 'reports',
        region: 'eu-west-1',
        filename: '{{entityName}}',
      },
      ...{ roleArn: 'arn:aws:iam::123456789012:role/omni', keyPrefix: 'sales/' },
    },
    more,
  );

export const dashboard = (more: More = {}): JsonObject =>
  defined({ identifier: sales, filters: { status: { values: ['shipped'] } }, ...more });

export const aiJob = (more: More = {}): JsonObject => defined({ modelId: model, prompt: 'Summarise sales.', ...more });

export const routine = (more: More = {}): JsonObject =>
  defined({
    ...{ modelId: model, name: 'Weekly summary', prompt: 'Summarise.', schedule: weekly, timezone: 'UTC' },
    destination: { type: 'email', recipientEmails: ['ana@example.com'] },
    ...more,
  });

/** Matches a text that has these words in this order and next to each other, whatever breaks its lines. */
export function says(words: string): string {
  const pattern = words.trim().split(/\s+/).map(escaped);
  return expect.stringMatching(new RegExp(pattern.join('\\s+'))) as string;
}

/** Whatever breaks its lines. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
