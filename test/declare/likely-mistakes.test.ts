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

test.each<[Fields, string]>([
  [
    { ...byEmail, schedule: '0 9 ? * 1,3,5 *' },
    'warning cron-weekday-numbers /schedules/weekly/schedule: Here 1 is Sunday and 7 is Saturday, so `1,3,5` is SUN,TUE,THU. In unix cron, it is MON,WED,FRI. Did you mean `MON,WED,FRI`? If not, write `SUN,TUE,THU`.',
  ],
  [{ ...byEmail, schedule: '0 9 ? * 6-7 *' }, 'Did you mean `SUN,SAT`? If not, write `FRI,SAT`.'],
  [{ ...byEmail, schedule: '"0,59 9 * * ? *"' }, 'warning cron-too-frequent'],
  [{ ...byEmail, schedule: '"0/59 12 1 1 ? 2100"' }, 'warning cron-too-frequent'],
  [{ ...byEmail, schedule: '@Monthly # first' }, 'Write `0 0 1 * ? *`'],
  [{ ...bySlack, recipients: '"@ana"' }, 'error invalid-slack-id'],
  [{ ...bySlack, recipients: '["#sales"]' }, 'Write the id, such as `C0123456789`'],
  [{ ...bySlack, recipients: 'https://acme.slack.com/archives/C0ABCDEF12' }, 'Write `C0ABCDEF12`.'],
  [{ ...bySlack, recipients: 'https://acme.slack.com/archives/C0ABCDEF12/p1700000000000000' }, 'Write `C0ABCDEF12`.'],
  [{ ...bySlack, recipients: 'https://acme.enterprise.slack.com/team/U0ABCDEF12' }, 'Write `U0ABCDEF12`.'],
  [{ ...bySlack, recipients: 'https://app.slack.com/client/T0ABCDEF12/C0ABCDEF12' }, 'Write `C0ABCDEF12`.'],
  [{ ...bySlack, recipients: 'https://acme.example/archives/C0ABCDEF12' }, 'Write the id, such as `C0123456789`'],
  [{ ...bySlack, recipients: '#sales' }, '`#` begins a comment. To make it the value, quote it: "#sales".'],
  [{ ...byEmail, subject: '" Weekly"' }, 'begins with a blank'],
  [{ ...byEmail, subject: '\n      # 1 in sales' }, 'Write a string, or remove the line.'],
  [
    { ...byEmail, identifier: undefined, dashboard_id: '12db1a0a' },
    'error unknown-field /schedules/weekly/dashboard_id: There is no field `dashboard_id` here, so it would have no effect. Did you mean `identifier`?',
  ],
  [{ ...byEmail, destinationType: undefined, destination: 'email' }, 'Did you mean `destinationType`?'],
  [{ ...bySlack, recipients: undefined, channel: 'C0123456789' }, 'Did you mean `recipients`?'],
  [{ ...bySftp, address: undefined, host: 'sftp.example.com' }, 'Did you mean `address`?'],
  [{ ...byS3, bucketName: undefined, bucket: 'acme-reports' }, 'Did you mean `bucketName`?'],
  [{ ...byEmail, orientation: 'landscape' }, 'Did you mean `paperOrientation`?'],
  [{ ...bySlack, recipients: 'audience.sales' }, 'Did you mean `${audience.sales}`?'],
  [{ ...byEmail, recipients: '"{audience.sales}"' }, 'Did you mean `${audience.sales}`?'],
  [{ ...byEmail, recipients: `["{{ env_var('TO') }}"]` }, 'Did you mean `${env.TO}`?'],
  [{ ...byEmail, recipients: `'{{ env_var("TO", "x") }}'` }, 'Did you mean `${env.TO}`?'],
  [{ ...bySlack, recipients: `"{{ var('channel') }}"` }, 'Did you mean `${var.channel}`?'],
  [{ ...byEmail, recipients: '["{{ team }}"]' }, 'Did you mean `${var.team}`?'],
  [{ ...byEmail, format: '"{{ format }}"' }, 'Did you mean `${var.format}`?'],
  [{ ...byEmail, format: 'csv', overrideRowLimit: 'true', maxRowLimit: "1'000" }, 'Write `1000`, with digits only.'],
  [{ ...bySlack, recipients: 'U0123456789' }, 'warning slack-id-kind /schedules/weekly/recipients: `U0123456789`'],
  [{ ...bySlack, recipients: 'T0123456789' }, 'is the id of a workspace'],
  [{ ...bySlack, recipients: 'SALES' }, '`SALES` does not look like the id of a channel'],
  [{ ...bySlack, slackRecipientType: 'users', recipients: 'C0123456789' }, 'is the id of a channel'],
  [{ ...bySlack, slackRecipientType: 'users', recipients: '[S0123456789]' }, 'is the id of a user group'],
  [
    { ...bySlack, slackRecipientType: 'users', recipients: '[U0123456789, U0123456789]' },
    'warning duplicate-recipient',
  ],
  [{ ...bySlack, recipients: '"C0123456789|#sales"' }, 'Write `C0123456789`.'],
  [{ ...bySlack, recipients: '"<#C0123456789|sales>"' }, 'Write `C0123456789`.'],
  [{ ...byEmail, recipients: '[ana@example.com;]' }, 'Leave out the `;`.'],
  [{ ...byEmail, recipients: '[Sales]' }, 'A user group belongs in `userGroups`.'],
  [{ ...byEmail, groups: '[Sales]' }, 'Did you mean `userGroups`?'],
  [{ ...byEmail, schedule: '0 9 ? * MON/2 *' }, 'No expression means every second week.'],
  [
    { ...byEmail, recipients: '[ana@example.com bo@example.com]' },
    'Write each address as a separate entry of the list.',
  ],
  [
    { ...byEmail, recipients: '\n      - ana@example.com\n        - bo@example.com' },
    'Write each address as a separate entry of the list. A line that is indented deeper continues the text above it.',
  ],
  [{ ...byEmail, recipients: '["ana@ex\\u0430mple.com"]' }, '`а` (U+0430) among Latin letters'],
  [{ ...byEmail, enabled: 'false' }, 'Write `paused: true` to pause the schedule'],
  [{ ...byEmail, cc: '[bo@example.com]' }, 'Add the address to `recipients`'],
  [{ ...byEmail, tags: '[sales]' }, 'Write it below `meta`'],
  [{ ...byEmail, format: 'excel' }, 'Did you mean `xlsx`?'],
  [{ ...byS3, keyPrefix: 'reports/{{currentYear}}' }, 'warning not-a-template /schedules/weekly/keyPrefix'],
  [{ ...bySftp, path: '"/in/sales-{{currentDate}}.csv"' }, 'warning not-a-template /schedules/weekly/path'],
  [{ ...byS3, filename: 'sales-%Y-%m-%d' }, 'warning not-a-template /schedules/weekly/filename: `%Y`'],
  [{ ...byS3, filename: '"sales-{currentDate}"' }, 'Write `{{currentDate}}`.'],
  [{ ...byS3, keyPrefix: 's3://acme-reports/weekly' }, 'Write `weekly`.'],
  [{ ...byS3, keyPrefix: '/reports/weekly' }, 'Write `reports/weekly`.'],
  [{ ...byS3, keyPrefix: 'reports//weekly/' }, 'Write `reports/weekly/`.'],
  [{ ...bySftp, path: 'sftp://sftp.example.com/in' }, 'Write `/in`.'],
  [{ ...bySftp, path: '"/in/sales\\u00a0"' }, 'note odd-text /schedules/weekly/path'],
  [{ ...byEmail, schedule: '"0 9 ? * 1 *"' }, 'warning day-by-number /schedules/weekly/schedule'],
  [{ ...byEmail, schedule: '"0 9 ? * 01L *"' }, 'warning day-by-number /schedules/weekly/schedule'],
  [{ ...byEmail, schedule: '"0 9 ? * 7 *"' }, 'note day-by-number /schedules/weekly/schedule'],
  [{ ...byEmail, schedule: '"0 9 ? * 6L *"' }, 'Write `FRIL`, so that nobody has to count.'],
  [{ ...byEmail, schedule: '"0 9 ? * 2#1 *"' }, 'so the day of `2#1` is Monday. In unix cron, 2 is Tuesday.'],
])('the schedule with %j has one finding: %s', async (fields, words) => {
  const findings = await found(fields);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(words);
});

test.each<Fields>([
  ...'MON-FRI SUN-THU 2-6 SUN SAT 1-7 FRIL MON#1 2,4,6 *'
    .split(' ')
    .map((days) => ({ ...byEmail, schedule: `"0 9 ? * ${days} *"` })),
  ...['0 * * * ? *', '0 0,23 * * ? *', '31/30 9 * * ? *'].map((often) => ({ ...byEmail, schedule: `"${often}"` })),
  ...['192.0.2.1', '"2001:db8::1"', 'sftp'].map((address) => ({ ...bySftp, address })),
  { ...byEmail, name: 'Ana’s “weekly” sales' },
  { ...byS3, filename: '"sales-{{currentDate}}"', format: 'csv' },
  { ...byS3, keyPrefix: 'reports/weekly/', filename: '100% of sales' },
  ...['G0123456789', 'D0123456789'].map((recipients) => ({ ...bySlack, recipients })),
  { ...bySlack, slackRecipientType: 'users', recipients: 'U0123456789, W0123456789' },
])('the schedule with %j is what it says', async (fields) => expect(await found(fields)).toEqual([]));

test('a password in the address of a server is not repeated in the message', async () => {
  const findings = await found({ ...bySftp, address: 'sftp://ana:hunter2-hunter2@ftp.acme.example' });
  expect(findings.join('\n')).not.toContain('hunter2');
});

test('a section that says that it is empty needs no note, and one that is left over does', async () => {
  const source = sourceOf({ ...common, ...byEmail }).replace('schedules', 'x-other');
  expect(await foundIn(`${source}schedules: {}\n`)).toEqual([]);
  expect(await foundIn(`${source}audiences:\n`)).toMatchObject([expect.stringMatching(/^note empty-section /)]);
});

test.each([
  ['shedule', 'schedule'],
  ['to', 'recipients'],
])('the field %s is one error, which names %s, also where defaults give that field', async (written, meant) => {
  const fields: Fields = { ...common, ...byEmail };
  const defaults = `defaults:\n  schedules:\n    ${meant}: ${fields[meant]}\n`;
  const findings = await foundIn(defaults + sourceOf({ ...fields, [meant]: undefined, [written]: fields[meant] }));
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(`Did you mean \`${meant}\`?`);
});

test.each([
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
