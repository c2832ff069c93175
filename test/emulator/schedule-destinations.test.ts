import { expect, test } from 'vitest';
import { scheduleBody, startEmulator } from '../support/emulator/start-emulator.ts';

type Destination = NonNullable<Parameters<typeof scheduleBody>[0]>;

const fields: Record<Destination, { required: string[]; optional: object }> = {
  webhook: { required: ['url'], optional: {} },
  email: { required: ['recipients', 'subject'], optional: { textBody: 'Hello', fanOut: true } },
  slack: { required: ['recipients', 'slackRecipientType'], optional: { textBody: '' } },
  sftp: { required: ['address', 'port', 'username', 'path'], optional: { passwordUnencrypted: 'hunter2' } },
  s3: { required: ['bucketName', 'region', 'roleArn'], optional: { keyPrefix: 'reports/', filename: 'sales' } },
};

test.each(Object.keys(fields) as Destination[])(
  'a schedule to %s has its required, allowed and forbidden fields',
  async (type) => {
    const { send } = await startEmulator();
    const { required, optional } = fields[type];
    expect((await send('POST', '/v1/schedules', scheduleBody(type))).status).toBe(200);
    expect((await send('POST', '/v1/schedules', scheduleBody(type, optional))).status).toBe(200);
    for (const name of required) {
      const reply = await send('POST', '/v1/schedules', scheduleBody(type, { [name]: undefined }));
      expect(reply.body).toEqual({ detail: `${name}: Required`, status: 400 });
    }
    for (const other of Object.keys(fields) as Destination[]) {
      const foreign = { ...scheduleBody(other), ...fields[other].optional };
      for (const name of [...fields[other].required, ...Object.keys(fields[other].optional)]) {
        if (required.includes(name) || name in optional) continue;
        const reply = await send('POST', '/v1/schedules', scheduleBody(type, { [name]: foreign[name as 'name'] }));
        expect(reply.body).toEqual({ detail: `${name} cannot be used with destination type ${type}`, status: 400 });
      }
    }
  },
);

const refused: [Destination, object, string][] = [
  ['webhook', { url: 'ftp://example.com/in' }, 'url: Invalid url'],
  ['webhook', { url: 'example.com' }, 'url: Invalid url'],
  ['webhook', { url: 'https:/example.com' }, 'url: Invalid url'],
  ['webhook', { url: 'https:\\\\example.com' }, 'url: Invalid url'],
  ['webhook', { url: 'https://' }, 'url: Invalid url'],
  ['webhook', { url: ' https://example.com' }, 'url: Invalid url'],
  ['webhook', { url: 'https://exa mple.com' }, 'url: Invalid url'],
  ['webhook', { url: 'https://example.com:70000' }, 'url: Invalid url'],
  ['webhook', { url: 'https://999.1.1.1' }, 'url: Invalid url'],
  ['webhook', { url: 'https://0x7f.1' }, 'url: Invalid url'],
  ['webhook', { url: 'https://a..b' }, 'url: Invalid url'],
  ['webhook', { url: 'javascript:alert(1)' }, 'url: Invalid url'],
  ['webhook', { url: 1 }, 'url: Expected string, received number'],
  ['email', { recipients: [] }, 'recipients: Array must contain at least 1 element(s)'],
  ['email', { recipients: 'ana@example.com' }, 'recipients: Expected array, received string'],
  ['email', { recipients: ['ana@example.com', 'bo'] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['Ana <ana@example.com>'] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['ana@example.com\nBcc: x@example.com'] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['ana@@example.com'] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['ana.@example.com'] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['ana@exa_mple.com'] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['ana@example..com'] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['ana@-example.com'] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['ana\u200b@example.com'] }, 'recipients: Invalid email address'],
  ['email', { recipients: [`${'a'.repeat(65)}@example.com`] }, 'recipients: Invalid email address'],
  ['email', { recipients: [`a@${'b'.repeat(64)}.com`] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['@example.com'] }, 'recipients: Invalid email address'],
  ['email', { recipients: ['ana@'] }, 'recipients: Invalid email address'],
  ['email', { recipients: [''] }, 'recipients: Invalid email address'],
  ['email', { recipients: [{ email: 'ana@example.com' }] }, 'recipients: Expected string, received object'],
  ['email', { subject: '' }, 'subject: String must contain at least 1 character(s)'],
  ['slack', { recipients: ['C1', 'C2'] }, 'recipients: Only one Slack channel can be specified'],
  ['slack', { recipients: 'C1,C2' }, 'recipients: Only one Slack channel can be specified'],
  ['slack', { recipients: ['C1,C2'] }, 'recipients: Only one Slack channel can be specified'],
  ['slack', { recipients: [] }, 'recipients: At least one Slack recipient must be provided'],
  ['slack', { recipients: ['U 1'], slackRecipientType: 'users' }, 'recipients: Invalid Slack ID'],
  ['slack', { recipients: ' C1 ' }, 'recipients: Invalid Slack ID'],
  ['slack', { recipients: ['C1', ''] }, 'recipients: At least one Slack recipient must be provided'],
  [
    'slack',
    { recipients: ' , ', slackRecipientType: 'users' },
    'recipients: At least one Slack recipient must be provided',
  ],
  [
    'slack',
    { slackRecipientType: 'Channel' },
    "slackRecipientType: Invalid enum value. Expected 'channel' | 'users', received 'Channel'",
  ],
  ['sftp', { port: '22' }, 'port: Expected number, received string'],
  ['sftp', { port: 0 }, 'port: Number must be greater than or equal to 1'],
  ['sftp', { port: 65536 }, 'port: Number must be less than or equal to 65535'],
  ['sftp', { address: '' }, 'address: String must contain at least 1 character(s)'],
  ['sftp', { username: '' }, 'username: String must contain at least 1 character(s)'],
  ['sftp', { path: '' }, 'path: String must contain at least 1 character(s)'],
  ['s3', { testNow: true }, 'Test delivery not supported for destination type s3'],
  ['s3', { bucketName: 'ab' }, 'bucketName: Invalid S3 bucket name'],
  ['s3', { bucketName: 'a'.repeat(64) }, 'bucketName: Invalid S3 bucket name'],
  ['s3', { bucketName: 'Acme' }, 'bucketName: Invalid S3 bucket name'],
  ['s3', { bucketName: 'ac_me' }, 'bucketName: Invalid S3 bucket name'],
  ['s3', { bucketName: 'acme\n' }, 'bucketName: Invalid S3 bucket name'],
  ['s3', { region: 'virginia' }, 'region: Invalid AWS region'],
  ['s3', { region: 'us-east' }, 'region: Invalid AWS region'],
  ['s3', { region: 'US-EAST-1' }, 'region: Invalid AWS region'],
  ['s3', { region: 'fips-us-east-1' }, 'region: Invalid AWS region'],
  ['s3', { region: 'us-east-1-fips' }, 'region: Invalid AWS region'],
  ['s3', { region: 'eu-west-10' }, 'region: Invalid AWS region'],
  ['s3', { roleArn: `arn:aws:iam::123456789012:role/${'a'.repeat(511)}/Writer` }, 'roleArn: Invalid IAM role ARN'],
  ['s3', { roleArn: 'arn:aws:iam::12345:role/Writer' }, 'roleArn: Invalid IAM role ARN'],
  ['s3', { roleArn: 'arn:aws:iam::123456789012:user/Writer' }, 'roleArn: Invalid IAM role ARN'],
  ['s3', { roleArn: 'arn:aws:s3:::acme' }, 'roleArn: Invalid IAM role ARN'],
  ['s3', { roleArn: 'arn:aws:iam::123456789012:role/' }, 'roleArn: Invalid IAM role ARN'],
  ['s3', { roleArn: `arn:aws:iam::123456789012:role/${'a'.repeat(65)}` }, 'roleArn: Invalid IAM role ARN'],
  ['s3', { keyPrefix: 'a/%252e%252e/b' }, 'keyPrefix: Path traversal is not allowed'],
  ['s3', { filename: '{{today}}' }, 'filename: Unknown template variable: today'],
  ['s3', { filename: '{{CurrentDate}}' }, 'filename: Unknown template variable: CurrentDate'],
  ['s3', { filename: '{{#format}}x{{/format}}' }, 'filename: Unknown template variable: #format'],
  ['s3', { filename: '{{{format}}}' }, 'filename: Unknown template variable: {format'],
  ['s3', { filename: 'sales-{{currentDate' }, 'filename: Invalid template: a {{ is not closed'],
  ['s3', { filename: '' }, 'filename: String must contain at least 1 character(s)'],
  ['s3', { filename: ' ' }, 'filename: String must contain at least 1 character(s)'],
  ['s3', { filename: 'sales.csv' }, 'filename: The file name must not have an extension'],
  ['s3', { filename: 'sales.{{format}}' }, 'filename: The file name must not have an extension'],
];

test.each(refused)('a schedule to %s is answered with 400 for %j', async (type, changes, detail) => {
  const { send } = await startEmulator();
  expect((await send('POST', '/v1/schedules', scheduleBody(type, changes))).body).toEqual({ detail, status: 400 });
});

test.each<[Destination, object]>([
  ['webhook', { url: 'http://localhost:8080/in?x=1#y' }],
  ['webhook', { url: 'https://user:word@[::1]:8443/in' }],
  ['webhook', { url: 'HTTPS://Example.com' }],
  ['webhook', { url: 'https://10.0.0.1/in' }],
  ['webhook', { url: 'https://bücher.example/ein' }],
  ['email', { recipients: ["o'neil+omni@mail.example.co.uk"] }],
  ['email', { recipients: ['ana@example.com', 'ANA@example.com'] }],
  ['email', { recipients: ['用户@例子.example', '"a b"@example.com'] }],
  ['slack', { recipients: ['C0123456789'] }],
  ['slack', { recipients: 'U1, U2', slackRecipientType: 'users' }],
  ['slack', { recipients: ['U1', 'U2'], slackRecipientType: 'users' }],
  [
    's3',
    { bucketName: 'a.b-c.1', region: 'us-gov-west-1', roleArn: 'arn:aws-us-gov:iam::123456789012:role/a/b/c+=,.@_-' },
  ],
  ['s3', { region: 'ap-southeast-7', roleArn: 'arn:aws-iso-b:iam::123456789012:role/W' }],
  ['slack', { recipients: 'U1,,U2', slackRecipientType: 'users' }],
  ['s3', { keyPrefix: '' }],
  ['s3', { keyPrefix: `%${'25'.repeat(40)}2e` }],
  ['s3', { keyPrefix: 'a..b/..backup/.../100%/ü%C3%BC' }],
  ['s3', { filename: '{{scheduledTaskName}} {{ currentDate }} v1.2 }}' }],
  [
    's3',
    {
      filename:
        '{{currentTime}}{{currentYear}}{{currentMonth}}{{currentDay}}{{yesterdayDate}}{{timeZone}}{{entityName}}{{format}}',
    },
  ],
])('a schedule to %s accepts %j', async (type, changes) => {
  const { send } = await startEmulator();
  expect((await send('POST', '/v1/schedules', scheduleBody(type, changes))).body).toHaveProperty('id');
});
