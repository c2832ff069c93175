// The snippets that editors offer for a new schedule, one per destination with all required fields, for a loop and for an
// audience. Placeholders use
// the snippet syntax (`${1:text}`), so a literal `${` is written `\${`.

import type { Destination } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';

const starts: Readonly<
  Record<Destination, { readonly words: string; readonly format: string; readonly fields: JsonObject }>
> = {
  email: {
    words: 'A schedule that is sent by e-mail.',
    format: 'pdf',
    fields: { recipients: ['${6:ana@example.com}'], subject: '${7:Weekly report}' },
  },
  slack: {
    words: 'A schedule that is posted to a Slack channel.',
    format: 'link_only',
    fields: { recipients: '${6:C0123456789}', slackRecipientType: '${7|channel,users|}' },
  },
  webhook: {
    words: 'A schedule that is posted to an address.',
    format: 'csv',
    fields: { url: '${6:https://hooks.example.com/reports}' },
  },
  sftp: {
    words: 'A schedule that is uploaded to an SFTP server.',
    format: 'csv',
    fields: {
      address: '${6:sftp.example.com}',
      port: 22,
      username: '${7:reports}',
      path: '${8:/incoming}',
      passwordUnencrypted: '\\${env.${9:SFTP_PASSWORD}}',
    },
  },
  s3: {
    words: 'A schedule that is written to an S3 bucket.',
    format: 'csv',
    fields: {
      bucketName: '${6:acme-reports}',
      region: '${7:eu-west-1}',
      roleArn: '${8:arn:aws:iam::123456789012:role/omni-reports}',
    },
  },
};

/** `defaultSnippets` of the schedules section. They are text, because editors indent a map twice. */
export function scheduleSnippets(): readonly Json[] {
  const ofDestinations = Object.entries(starts).map(([destination, { words, format, fields }]) => ({
    label: `new ${destination} schedule`,
    description: words,
    body: bodyOf({ ...common, format, destinationType: destination, ...fields }),
  }));
  return [...ofDestinations, loopSnippet];
}

const common: JsonObject = {
  identifier: '${2:12db1a0a}',
  name: '${3:Weekly report}',
  schedule: '${4:0 9 ? * MON *}',
  timezone: '${5:Europe/London}',
};

/** The references are the user's, so their dollar sign is escaped. */
const loopSnippet: Json = {
  label: 'new schedule for each item',
  description: 'One schedule for each team, region or customer, with its own recipients.',
  body: bodyOf(
    {
      ...common,
      name: '${3:Weekly report}, \\${each.key}',
      format: 'pdf',
      destinationType: 'email',
      recipients: '\\${each.to}',
      subject: '${3:Weekly report}, \\${each.key}',
    },
    ['  forEach:', '    ${6:emea}: { to: [${7:ana@example.com}] }', '    ${8:apac}: { to: [${9:bo@example.com}] }'],
  ),
};

/** `defaultSnippets` of the audiences. */
export const audienceSnippets: readonly Json[] = [
  {
    label: 'new audience',
    description: 'People who receive reports together, named by schedules as `${audience.NAME}`.',
    body: ['${1:finance}:', '  emails:', '    - ${2:ana@example.com}'].join('\n'),
  },
];

function bodyOf(fields: JsonObject, before: readonly string[] = []): string {
  const names = Object.keys(fieldsOf.schedule);
  const lines = Object.entries(fields)
    .sort(([a], [b]) => names.indexOf(a) - names.indexOf(b))
    .map(([name, value]) => `  ${name}: ${Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}`);
  return ['${1:weekly-report}:', ...before, ...lines].join('\n');
}
