// A table of permissions for an organization: it is written from what is declared, and then holds it.

import { expect, test } from 'vitest';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const config = (checks: string) =>
  `api: { operations: full }\nsafety: { internalDomains: [acme.com], rows: { filters: [region], allow: tenants.csv } }\n${checks}`;

/** Of one customer in each of its destinations. */
function schedulesOf(customer: number): string {
  const ways = [
    `destinationType: email, subject: x, recipients: [ana@acme.com, cfo@c${customer}.example], userGroups: ["Group ${customer}"]`,
    `destinationType: webhook, url: "https://hooks.example/c${customer}/in?x=1"`,
    `destinationType: sftp, address: sftp.example, port: 22, username: u, path: /in/c${customer}/report.csv`,
    `destinationType: s3, region: eu-west-1, roleArn: "arn:aws:iam::123456789012:role/omni", bucketName: exports, keyPrefix: c${customer}/weekly`,
    'destinationType: slack, slackRecipientType: channel, recipients: C0123456789',
  ];
  return ways
    .map(
      (way, index) =>
        `  c${customer}-${index}: { identifier: 12db1a0a, name: Report ${customer}-${index}, schedule: 0 9 ? * MON *, timezone: UTC, format: csv, filterConfig: { region: { values: ["Customer, ${customer}"] } }, ${way} }\n`,
    )
    .join('');
}

test('who --rows writes a table for 300 schedules, with which all of them are right', async () => {
  const schedules = `schedules:\n${[...Array(60).keys()].map(schedulesOf).join('')}`;
  const folder = makeFolder({ 'almanac.yaml': config(''), 'schedules/all.yaml': schedules });
  const { run, write } = workspaceIn(folder, {});
  expect((await run('validate')).code).toBe(1);
  const { stdout: table, stderr } = await run('who', '--rows', '--format', 'csv');
  expect(stderr).toBe('');
  expect(table.split('\r\n').filter((line) => line.startsWith('"Customer, 7",'))).toEqual([
    '"Customer, 7",Group 7',
    '"Customer, 7",cfo@c7.example',
    '"Customer, 7",exports/c7/weekly',
    '"Customer, 7",hooks.example/c7/in?x=1',
    '"Customer, 7",u@sftp.example/in/c7',
  ]);
  write({ 'tenants.csv': table, 'almanac.yaml': config('checks: { recipient-not-inside: error }\n') });
  const { stdout, stderr: beside } = await run('validate');
  expect({ stdout, beside }).toEqual({ stdout: 'No errors in 1 file.\n', beside: '' });
  write({ 'tenants.csv': table.replace('hooks.example/c7/in', 'hooks.example/c8') });
  expect((await run('validate')).stdout).toContain('Nobody says what `hooks.example` may receive.');
});

test('who --rows says nothing beside the rows with --quiet', async () => {
  const folder = makeFolder({
    'almanac.yaml': config(''),
    'tenants.csv': 'shows,receiver\nNobody,unused.example\n',
    'schedules/all.yaml': `schedules:\n${schedulesOf(1)}`,
  });
  const { run, write } = workspaceIn(folder, {});
  const said = await run('who', '--rows');
  for (const words of ['unused.example', 'almanac prove']) expect(said.stderr).toContain(words);
  expect(await run('who', '--rows', '-q')).toEqual({ ...said, stderr: '' });
  write({ 'schedules/all.yaml': `schedules:\n${schedulesOf(1).replaceAll(/filterConfig: .*? } }, /g, '')}` });
  expect((await run('who', '--rows', '--format', 'csv')).stderr).toContain('no value');
  expect((await run('who', '--rows', '--format', 'csv', '-q')).stderr).toBe('');
});
