// Mistakes that people make when they write their first schedules: one finding, which says what to write.

import { expect, test } from 'vitest';
import { diagnosticsOf } from '../support/apply/loading.ts';

const common = { identifier: '12db1a0a', name: 'Weekly', schedule: '0 9 ? * MON *', timezone: 'UTC', format: 'pdf' };
const byEmail = { destinationType: 'email', recipients: '[ana@example.com]', subject: 'Sales' };
const bySlack = { destinationType: 'slack', recipients: 'C0123456789', slackRecipientType: 'channel' };
const bySftp = { destinationType: 'sftp', address: 'sftp.example.com', port: '22', username: 'almanac', path: '/in' };
const byS3 = {
  destinationType: 's3',
  bucketName: 'acme-reports',
  region: 'eu-west-1',
  roleArn: 'arn:aws:iam::123456789012:role/omni',
};

type Fields = Readonly<Record<string, string | undefined>>;

function sourceOf(fields: Fields): string {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `    ${name}: ${value}\n`,
  );
  return `schedules:\n  weekly:\n${lines.join('')}`;
}

/** `severity code path: hint` of each finding. */
async function foundIn(text: string): Promise<readonly string[]> {
  const diagnostics = await diagnosticsOf({ 'schedules/a.yaml': text });
  return diagnostics.map(
    ({ severity, code, path, message, hint }) => `${severity} ${code} ${path}: ${message} ${hint}`,
  );
}

const found = (fields: Fields) => foundIn(sourceOf({ ...common, ...fields }));

test.each([
  ['1-5', 'SUN-THU', 'MON-FRI'],
  ['1,2,3,4,5', 'SUN-THU', 'MON-FRI'],
  ['1,3,5', 'SUN,TUE,THU', 'MON,WED,FRI'],
  ['6-7', 'FRI,SAT', 'SUN,SAT'],
])('days of the week that are numbered %s are a warning that names both meanings', async (days, written, meant) => {
  const [finding, ...others] = await diagnosticsOf({
    'schedules/a.yaml': sourceOf({ ...common, ...byEmail, schedule: `0 9 ? * ${days} *` }),
  });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ severity: 'warning', code: 'cron-weekday-numbers', column: 23 });
  expect(finding?.hint).toBe(`Did you mean \`${meant}\`? If not, write \`${written}\`.`);
});

test.each(['MON-FRI', 'SUN-THU', '2-6', '1', '2', '6', '7', '1-7', '1,7', '6L', '2#1', '2,4,6', '3-4', '*'])(
  'days of the week that are written %s are what they say',
  async (days) => expect(await found({ ...byEmail, schedule: `"0 9 ? * ${days} *"` })).toEqual([]),
);

test.each([
  ...['0,59 9 * * ? *', '*/15 * * * ? *', '0/59 12 1 1 ? 2100', '0/30 9 * * ? *'].map((often) => [often, 1] as const),
  ...['0 * * * ? *', '59 * * * ? *', '0 0,23 * * ? *', '31/30 9 * * ? *', '5,05 9 * * ? *'].map(
    (not) => [not, 0] as const,
  ),
])('the schedule %s has %i warnings about runs less than an hour apart', async (schedule, count) => {
  const findings = await found({ ...byEmail, schedule: `"${schedule}"` });
  expect(findings.filter((finding) => finding.startsWith('warning cron-too-frequent'))).toHaveLength(count);
});

test.each(['"#sales"', '"@ana"', 'sales', '["#sales"]'])('a Slack delivery to %s is an error', async (recipients) => {
  const findings = await found({ ...bySlack, recipients });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^error invalid-slack-id .* Write the id, such as `C0123456789`/);
});

test.each([
  'sftp://ftp.acme.example',
  'ftp.acme.example:22',
  'ftp.acme.example/in',
  'ana@ftp.acme.example',
  '"[2001:db8::1]"',
])('the address %s of a server is an error that names the fields for what is around a host', async (address) => {
  const findings = await found({ ...bySftp, address });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^error invalid-host .*\/address: .*`port`, `username` and `path`/);
});

test.each(['sftp.example.com', '192.0.2.1', '"2001:db8::1"', 'sftp'])(
  'the address %s of a server is right',
  async (address) => expect(await found({ ...bySftp, address })).toEqual([]),
);

test('a password in the address of a server is not repeated in the message', async () => {
  const findings = await found({ ...bySftp, address: 'sftp://ana:hunter2-hunter2@ftp.acme.example' });
  expect(findings.join('\n')).not.toContain('hunter2');
});

test.each([
  ['name', '“Weekly sales”', 'quotes are part of the text'],
  ['name', '"Weekly sales "', 'ends with a blank'],
  ['subject', '" Weekly"', 'begins with a blank'],
  ['subject', 'Weekly {{currentDate}}', '`{{currentDate}}` is sent as it is written'],
])('a note says that the %s %s is probably not what was meant', async (field, value, words) => {
  const findings = await found({ ...byEmail, [field]: value });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(`note odd-text /schedules/weekly/${field}: `);
  expect(findings[0]).toContain(words);
});

test('an apostrophe, inner quotes and the template of a file name need no note', async () => {
  expect(await found({ ...byEmail, name: 'Ana’s “weekly” sales' })).toEqual([]);
  expect(await found({ ...byS3, filename: '"sales-{{currentDate}}"', format: 'csv' })).toEqual([]);
});

test('a section that says that it is empty needs no note', async () => {
  const source = sourceOf({ ...common, ...byEmail }).replace('schedules', 'x-other');
  expect(await foundIn(`${source}schedules: {}\n`)).toEqual([]);
});

test.each(['schedules:\n', 'audiences:\n'])('a note says that %j declares nothing', async (text) => {
  const findings = await foundIn(`${sourceOf({ ...common, ...byEmail }).replace('schedules', 'x-other')}${text}`);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^note empty-section /);
});

test.each([
  ['subject', '#1 in sales'],
  ['recipients', '#sales'],
])('a %s that begins with # is a comment, and the hint says so', async (field, value) => {
  const findings = await found({ ...(field === 'subject' ? byEmail : bySlack), [field]: value });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(`\`#\` begins a comment. To make it the value, quote it: "${value}".`);
});

test('a value that is empty and has its comment on the next line is only empty', async () => {
  const [finding] = await found({ ...byEmail, subject: '\n      # 1 in sales' });
  expect(finding).toContain('Write a string, or remove the line.');
});

test.each([
  ['@daily', '0 0 * * ? *'],
  ['@weekly', '0 0 ? * SUN *'],
  ['@Monthly # first', '0 0 1 * ? *'],
])('the schedule %s is answered with the expression %s', async (schedule, cron) => {
  const findings = await found({ ...byEmail, schedule });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(`Write \`${cron}\``);
});

test.each([
  ['cron', 'schedule'],
  ['to', 'recipients'],
  ['emails', 'recipients'],
  ['email', 'recipients'],
  ['dashboard', 'identifier'],
  ['dashboard_id', 'identifier'],
  ['title', 'name'],
  ['tz', 'timezone'],
  ['destination', 'destinationType'],
])('the field %s is one error, which names %s', async (written, meant) => {
  const fields: Fields = { ...common, ...byEmail };
  const findings = await found({ ...byEmail, [meant]: undefined, [written]: fields[meant] });
  expect(findings).toEqual([
    `error unknown-field /schedules/weekly/${written}: There is no field \`${written}\` here, so it would have no effect. Did you mean \`${meant}\`?`,
  ]);
});

test.each([
  ['channel', 'recipients', bySlack],
  ['host', 'address', bySftp],
  ['user', 'username', bySftp],
  ['bucket', 'bucketName', byS3],
  ['role', 'roleArn', byS3],
])('the field %s of a destination is one error, which names %s', async (written, meant, destination) => {
  const fields: Fields = { ...common, ...destination };
  const findings = await found({ ...destination, [meant]: undefined, [written]: fields[meant] });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(`Did you mean \`${meant}\`?`);
});

test.each([
  ['cron', 'schedule'],
  ['shedule', 'schedule'],
  ['to', 'recipients'],
])('the field %s is one error, which names %s, also where defaults give that field', async (written, meant) => {
  const fields: Fields = { ...common, ...byEmail };
  const defaults = `defaults:\n  schedules:\n    ${meant}: ${fields[meant]}\n`;
  const source = sourceOf({ ...fields, [meant]: undefined, [written]: fields[meant] });
  expect(await foundIn(defaults + source)).toEqual([
    `error unknown-field /schedules/weekly/${written}: There is no field \`${written}\` here, so it would have no effect. Did you mean \`${meant}\`?`,
  ]);
});

test.each([
  ['[ana@example.com]', 'emails: [ana@example.com]'],
  ['ana@example.com', 'emails: [ana@example.com]'],
  ['C0123456789', 'slack: C0123456789'],
])('an audience that is %s is one error, which shows how to write it', async (written, meant) => {
  const destination = written.startsWith('C') ? bySlack : byEmail;
  const use = sourceOf({ ...common, ...destination, recipients: '${audience.sales}' });
  const findings = await foundIn(`audiences:\n  sales: ${written}\n${use}`);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^error wrong-type \/audiences\/sales: /);
  expect(findings[0]).toContain(`Write \`sales: { ${meant} }\`.`);
});

test.each([
  [byEmail, 'audience.sales'],
  [byEmail, '"{audience.sales}"'],
  [bySlack, 'audience.sales'],
])('recipients that lack the braces of a reference are one error, which has them', async (destination, recipients) => {
  const use = sourceOf({ ...common, ...destination, name: 'B', recipients });
  const findings = await foundIn(use);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain('Did you mean `${audience.sales}`?');
});

test.each([
  ['GMT+1', 'Europe/Berlin'],
  ['UTC-5', 'America/New_York'],
  ['"+05:30"', 'Asia/Kolkata'],
  ['Europe/Munich', 'Europe/Berlin'],
  ['Munich', 'Europe/Berlin'],
  ['America/Boston', 'America/New_York'],
  ['Asia/Mumbai', 'Asia/Kolkata'],
])('the time zone %s is answered with %s', async (timezone, zone) => {
  const findings = await found({ ...byEmail, timezone });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(`\`${zone}\``);
});

test.each(['1,000', "1'000", '1_000', '"1 000"'])('maxRowLimit: %s is answered with digits', async (maxRowLimit) => {
  const findings = await found({ ...byEmail, format: 'csv', overrideRowLimit: 'true', maxRowLimit });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain('Write `1000`, with digits only.');
});

test('the key of a row with accents is answered with the key that import would choose', async () => {
  const loop = sourceOf({ ...common, ...byEmail, name: '${each.key}', forEachRow: '{ file: c.csv, key: code }' });
  const files = { 'schedules/a.yaml': loop, 'schedules/c.csv': 'code\nCafé Zürich\n' };
  const [finding, ...others] = await diagnosticsOf(files);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ code: 'for-each-key', hint: 'Write `cafe-zurich`, for example.' });
});

test('the key of a schedule with accents is answered in the same way', async () => {
  const [finding] = await diagnosticsOf({
    'schedules/a.yaml': sourceOf({ ...common, ...byEmail }).replace('weekly', '"Café Zürich"'),
  });
  expect(finding).toMatchObject({ code: 'invalid-key', hint: 'Write `cafe-zurich`, for example.' });
});
