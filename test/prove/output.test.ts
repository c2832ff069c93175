// What `almanac prove` prints: a first line with the numbers, Markdown for an auditor, JSON with counts, and never a value of
// another customer that the table does not have, a cell of a row, or a secret.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Dashboard } from '../support/prove/dashboards.ts';
import { organizationKey } from '../support/prove/double.ts';
import {
  bySql,
  cells,
  customerAndAmount,
  customers,
  dashboardOf,
  good,
  list,
  openProof,
  type Proof,
  report,
  sales,
  unknown,
} from '../support/prove/proving.ts';
import { says } from '../support/vocabulary.ts';

const forms = [
  ['--format', 'text'],
  ['--format', 'markdown'],
  ['--format', 'json'],
  ['-v'],
  ['--each'],
  ['--each', '--format', 'markdown', '-v'],
] as const;

/** All that it can print. */
async function printed(proof: Proof): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const options of forms) {
    const { stdout, stderr } = await proof.run('prove', ...options);
    texts.push(`${options.join(' ')}\n${stdout}${stderr}`);
  }
  return texts;
}

/** As a page shows it. */
const shown = (markdown: string) =>
  markdown.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('\u200b', '');
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

test.each<[title: string, dashboard: Dashboard]>([
  ['in SQL', dashboardOf([good, bySql(list('t', customerAndAmount))])],
  [
    'that points the filter elsewhere',
    dashboardOf([list('t', customerAndAmount)], {
      filters: { customer: { field: 'orders.customer', map: { t: 'orders.parent' } } },
    }),
  ],
  ['whose rows are right', dashboardOf([good])],
])('of a tile %s, at most three values of the table are printed, and no other cell', async (_, dashboard) => {
  const proof = await openProof({ dashboards: [dashboard], reports: { a: report('North Pine') } });
  for (const text of await printed(proof)) {
    for (const hidden of [unknown, ...cells, '9100', '87,654']) expect(flat(text)).not.toContain(hidden);
    const others = Object.keys(customers).filter((customer) => customer !== 'North Pine');
    expect(others.filter((customer) => flat(text).includes(customer)).length, text).toBeLessThanOrEqual(3);
  }
});

test('the JSON has counts, and no cell of a row but values of the table', async () => {
  const proof = await openProof({
    dashboards: [
      dashboardOf([list('t', customerAndAmount)], {
        filters: { customer: { field: 'orders.customer', map: { t: false } } },
      }),
    ],
    reports: { a: report('North Pine', { name: 'Sales' }) },
  });
  const { stdout, document } = await proof.proved();
  for (const hidden of [unknown, ...cells]) expect(stdout).not.toContain(hidden);
  expect(document.dashboards[0]?.tiles).toMatchObject([{ tile: 't', name: 'Orders t', others: 5 }]);
});

test('no secret is printed, not even one that Omni says back', async () => {
  const secret = 'Pine-Account-7731';
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    reports: {
      a: report('North Pine'),
      b: {
        ...report('South Oak', { recipients: undefined, subject: undefined, destinationType: 'sftp' }),
        ...{ address: 'sftp.southoak.example', port: 22, username: 'u', path: '/in/x.csv' },
        passwordUnencrypted: '${env.SFTP_PASSWORD}',
      },
    },
    table: ['North Pine,northpine.example', 'South Oak,sftp.southoak.example'],
    environment: { SFTP_PASSWORD: secret },
    instead: ({ method }) =>
      method === 'POST'
        ? { status: 403, body: { detail: `Not with ${organizationKey} or ${secret}`, status: 403 } }
        : undefined,
  });
  for (const text of await printed(proof)) {
    expect(text).not.toContain(organizationKey);
    expect(text).not.toContain(secret);
  }
});

test('the numbers of what is proven are the first line of the text', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])] });
  expect((await proof.run('prove')).stdout).toMatch(/^Proven: 1 of 1 report by every value\.\n/);
  const bad = await openProof({ dashboards: [dashboardOf([bySql(good)])] });
  expect((await bad.run('prove')).stdout).toMatch(/^Proven: 0 of 1 report by every value\.\n/);
});

test('the text names the tile that is not limited, its dashboard and its reports', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good, bySql(list('t', ['orders.amount']))])] });
  const { code, stdout } = await proof.run('prove');
  expect(code).toBe(2);
  for (const words of [sales, 'Orders t', 'not limited', 'schedules.a']) expect(stdout).toEqual(says(words));
});

test('another spelling takes the proof away', async () => {
  const tile = list('t', customerAndAmount, {
    rows: (inEffect) => good.rows(inEffect).map(([customer, ...rest]) => [String(customer).toUpperCase(), ...rest]),
  });
  const proof = await openProof({ dashboards: [dashboardOf([tile])] });
  const { code, stdout, stderr } = await proof.run('prove');
  expect(code, stdout).toBe(1);
  expect(stdout + stderr).toMatch(/case|spelled|written/);
});

test('the Markdown is for an auditor: when, where, of which files and table, with whose rights, and what was not tried', async () => {
  const reports = {
    a: report('North Pine'),
    b: report('South Oak', { format: 'png' }),
    c: report('East Elm', { fanOut: true }),
  };
  const proof = await openProof({ dashboards: [dashboardOf([good])], reports });
  const { code, stdout } = await proof.run('prove', '--format', 'markdown');
  expect(code, stdout).toBe(1);
  const digest = createHash('sha256').update(proof.read('tenants.csv')).digest('hex');
  expect(stdout).toMatch(/2026-03-01/);
  for (const words of [proof.double.baseUrl.replace('/api', ''), digest.slice(0, 8), 'tenants.csv', 'ana@example.com'])
    expect(shown(stdout)).toContain(words);
  for (const address of ['schedules.a', 'schedules.b', 'schedules.c']) expect(stdout).toContain(address);
  expect(flat(stdout)).toMatch(/Proven: 1 of 2 reports by every value/);
});

test.each(['--format=text', '--format=markdown'])('the name of a tile is text and no more with %s', async (format) => {
  const name = '<img src=x>|[go](https://evil.example)`\u001b[31m\u202e@team ::error::';
  const tiles = [list('good', customerAndAmount, { name, rows: () => [['North Pine', 'x', 1]] })];
  const proof = await openProof({ dashboards: [dashboardOf(tiles, { name })], reports: { a: report('North Pine') } });
  const { code, stdout, stderr } = await proof.run('prove', format);
  expect(code, stdout + stderr).toBe(2);
  for (const character of ['\u001b', '\u202e']) expect(stdout + stderr).not.toContain(character);
  if (format === '--format=markdown') expect(stdout).not.toMatch(/<img|(?<!\\)\]\(https|(?<!\\)\|\[/);
});

test('prove writes nothing into the workspace', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])] });
  const state = proof.read('almanac.state.json');
  await printed(proof);
  expect(proof.read('almanac.state.json')).toBe(state);
  expect(() => proof.read('.almanac/previews/.gitignore')).toThrow('ENOENT');
});
