// A line of the table of permissions that ends: its last day is a day in UTC. What follows for plans and applies is in
// transcripts/apply/ended-permissions.txt.

import { afterEach, describe, expect, test } from 'vitest';
import { divisionOf, judgeRows } from '../../src/declare/rows/judge-rows.ts';
import { readPermissions } from '../../src/declare/rows/read-permissions.ts';
import { deliveryOf } from '../../src/model/fields/delivery.ts';
import { diagnosticsOf, loadFiles } from '../support/apply/loading.ts';
import { processorTime } from '../support/processor-time.ts';

const rule = (more = '') =>
  `safety: { internalDomains: [acme.com], rows: { filters: [customer], allow: tenants.csv${more} } }\n`;
const north = 'filterConfig: { customer: { type: string, values: [North Pine] } }';
const mail = (to: string) => `destinationType: email, subject: x, recipients: [${to}]`;
const schedule = (more: string, key = 'a') =>
  `  ${key}: { identifier: 12db1a0a, name: ${key}, schedule: 0 9 ? * MON *, timezone: UTC, format: csv, ${more} }\n`;
const one = (more = `${mail('cfo@northpine.example')}, ${north}`) => `schedules:\n${schedule(more)}`;

type Files = Readonly<Record<string, string>>;

interface Said {
  readonly line?: string;
  readonly until?: string;
  readonly files?: Files;
  readonly time?: string;
}

const today = '2026-11-21T12:00:00Z';

async function said({ line = 'North Pine,cfo@northpine.example', until = '2026-11-20', files, time = today }: Said) {
  const table = `shows,receiver,until\n${line},${until}\n`;
  const all = { 'almanac.yaml': rule(), 'tenants.csv': table, 'schedules/a.yaml': one(), ...files };
  const found = await diagnosticsOf(all, undefined, { time, ended: 'counts' });
  return found.map(({ severity, code, file, line: at }) => `${severity} ${code} ${file}:${at}`);
}

const note = ['note permission-ends tenants.csv:2'];
const over = ['warning rows-of-others schedules/a.yaml:2'];

test.each([
  ['2026-11-20', over],
  ['2026-11-21', note],
  ['2026-11-22', note],
  ['2026-12-21', note],
  ['2026-12-22', []],
  ['9999-12-31', []],
])('on 2026-11-21, a line until %s leaves these findings: %j', async (until, expected) => {
  expect(await said({ until })).toEqual(expected);
});

describe('the clock of the machine', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata', 'UTC'])(
    'in the zone %s, the last day counts until its end in UTC',
    async (zone) => {
      process.env['TZ'] = zone;
      expect(await said({ until: '2026-11-21', time: '2026-11-21T00:00:00Z' })).toEqual(note);
      expect(await said({ until: '2026-11-21', time: '2026-11-21T23:59:59.999Z' })).toEqual(note);
      expect(await said({ until: '2026-11-21', time: '2026-11-22T00:00:00Z' })).toEqual(over);
    },
  );
});

test.each([
  ['2026-02-30', 'The day `2026-02-30` does not exist', 'Write a day such as `2027-03-31`'],
  ['2027-02-29', 'The day `2027-02-29` does not exist', 'Write a day such as `2027-03-31`'],
  ['31.12.2026', 'The day `31.12.2026` is not written as year, month and day', 'Write `2026-12-31`'],
  ['soon', 'The day `soon` is not written as year, month and day', 'Write a day such as `2027-03-31`'],
  ['20270331', 'The day `20270331` is not written as year, month and day', 'Write `2027-03-31`'],
  ['2027/03/31', 'The day `2027/03/31` is not written as year, month and day', 'Write `2027-03-31`'],
  ['', 'The line does not say when it ends', 'Write the last day on which it counts'],
])('the day %j is an error at its cell that says what to write', async (until, message, hint) => {
  const files = { 'almanac.yaml': rule(), 'schedules/a.yaml': one() };
  const table = `shows,receiver,until\nNorth Pine,cfo@northpine.example,${until}\n`;
  const [found, ...others] = await diagnosticsOf({ ...files, 'tenants.csv': table });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: 'rows-table', severity: 'error', file: 'tenants.csv', line: 2, column: 34 });
  expect(found?.message).toContain(message);
  expect(found?.hint).toContain(hint);
});

const ofTable = (...lines: readonly string[]) => ({ 'tenants.csv': ['shows,receiver,until', ...lines, ''].join('\n') });
const address = 'cfo@northpine.example';
const s3 =
  'destinationType: s3, region: eu-west-1, roleArn: "arn:aws:iam::123456789012:role/omni", bucketName: pine-exports';

test.each<[string, Said, readonly string[]]>([
  ['the line of a domain', { line: 'North Pine,northpine.example' }, over],
  ['a line for every row', { line: `*,${address}` }, over],
  [
    'a host',
    {
      line: 'North Pine,hooks.pine.example',
      files: { 'schedules/a.yaml': one(`destinationType: webhook, url: "https://hooks.pine.example/x", ${north}`) },
    },
    over,
  ],
  ['a bucket', { line: 'North Pine,pine-exports', files: { 'schedules/a.yaml': one(`${s3}, ${north}`) } }, over],
  [
    'a user group',
    {
      line: 'North Pine,Pine people',
      files: {
        'almanac.yaml': `api: { operations: full }\n${rule()}`,
        'schedules/a.yaml': one(`${mail('me@acme.com')}, userGroups: [Pine people], ${north}`),
      },
    },
    over,
  ],
  ['a receiver that nothing limits', { line: `*,${address}`, files: { 'schedules/a.yaml': one(mail(address)) } }, over],
  [
    'a dashboard whose rows belong to nobody',
    { files: { 'almanac.yaml': rule(', shared: [12db1a0a]'), 'schedules/a.yaml': one(mail(address)) } },
    over,
  ],
  [
    'a line that nothing uses',
    { line: 'South Oak,cfo@southoak.example', files: { 'schedules/a.yaml': one(mail('me@acme.com')) } },
    [],
  ],
  [
    'a new line that says the same',
    { files: ofTable(`North Pine,${address},2026-11-20`, `North Pine,${address},2027-12-31`) },
    [],
  ],
  ['another line for every row', { files: ofTable(`North Pine,${address},2026-11-20`, `*,${address},2027-12-31`) }, []],
  [
    'a line of the domain',
    { files: ofTable(`North Pine,${address},2026-11-20`, 'North Pine,northpine.example,2027-12-31') },
    [],
  ],
  [
    'a line that ends soon, and another for longer',
    { files: ofTable(`North Pine,${address},2026-11-25`, `North Pine,${address},2027-12-31`) },
    [],
  ],
  [
    'a line for every row that has ended, and one for another value',
    { files: ofTable(`*,${address},2026-11-20`, `South Oak,${address},2027-12-31`) },
    over,
  ],
  [
    'another value than that of the line',
    { line: `South Oak,${address}` },
    ['error rows-of-others schedules/a.yaml:2'],
  ],
  [
    'the longer path of a host, beside a shorter one that counts',
    {
      files: {
        ...ofTable('North Pine,hooks.pine.example/north,2026-11-20', '*,hooks.pine.example,2027-12-31'),
        'schedules/a.yaml': one(`destinationType: webhook, url: "https://hooks.pine.example/north/x", ${north}`),
      },
    },
    over,
  ],
  ['a check that is off', { files: { 'almanac.yaml': `${rule()}checks: { rows-of-others: off }\n` } }, []],
  ['a check that says error', { files: { 'almanac.yaml': `${rule()}checks: { rows-of-others: error }\n` } }, over],
  [
    'a waiver that has ended as well',
    {
      files: {
        'schedules/a.yaml': one(
          `${mail(address)}, ${north}, accept: { rows-of-others: { reason: r, until: 2026-11-20 } }`,
        ),
      },
    },
    over,
  ],
  [
    'the sink of the environment, which nothing else concerns',
    { line: 'North Pine,other@pine.example', files: { 'schedules/a.yaml': one(mail('me@acme.com')) } },
    [],
  ],
])('with a line until yesterday, %s leaves these findings', async (_, given, expected) => {
  expect(await said(given)).toEqual(expected);
});

test('a line that has ended is named with its file and line, and the hint has all columns of its row', async () => {
  const table = `note,shows,receiver,until\n"contract 7, part 2",North Pine,${address},2026-11-20\n`;
  const files = { 'almanac.yaml': rule(), 'tenants.csv': table, 'schedules/a.yaml': one() };
  const [found] = await diagnosticsOf(files, undefined, { time: today });
  expect(found?.message).toBe(
    `The line \`North Pine,${address}\` ended on 2026-11-20, tenants.csv:2, and this goes to \`${address}\`.`,
  );
  const row = `"contract 7, part 2",North Pine,${address},2027-11-21`;
  expect(found?.hint).toContain(`such as \`${row}\``);
  const renewed = { ...files, 'tenants.csv': `note,shows,receiver,until\n${row}\n` };
  expect(await diagnosticsOf(renewed, undefined, { time: today })).toEqual([]);
});

test('the line that a hint adds has all columns of the table', async () => {
  const table = 'receiver,owner,shows,until\nother@pine.example,Ana,North Pine,2027-12-31\n';
  const files = { 'almanac.yaml': rule(), 'tenants.csv': table, 'schedules/a.yaml': one() };
  const [found] = await diagnosticsOf(files, undefined, { time: today });
  expect(found?.hint).toContain(`adds the line \`${address},,North Pine,2027-11-21\``);
});

test('in a loop, each instance has a finding of its own at its cell', async () => {
  const customers = ['code,customer,to', 'np,North Pine,cfo@northpine.example', 'so,South Oak,cfo@southoak.example'];
  const declaration = `schedules:\n  cust:\n    forEachRow: { file: customers.csv, key: code }\n    identifier: 12db1a0a\n    name: S \${each.code}\n    schedule: 0 9 ? * MON *\n    timezone: UTC\n    format: csv\n    destinationType: email\n    subject: x\n    recipients: ["\${each.to}"]\n    filterConfig: { customer: { type: string, values: ["\${each.customer}"] } }\n`;
  const lines = ['North Pine,cfo@northpine.example,2026-11-20', 'South Oak,cfo@southoak.example,2026-11-20'];
  const files = {
    ...ofTable(...lines),
    'schedules/a.yaml': declaration,
    'schedules/customers.csv': customers.join('\n'),
  };
  expect(await said({ files })).toEqual([2, 3].map((line) => `warning rows-of-others schedules/customers.csv:${line}`));
});

test('the sink of an environment whose line has ended is named there', async () => {
  const config = `${rule()}environments: { staging: { deliver: { email: qa@partner.example } } }\n`;
  const files = {
    'almanac.yaml': config,
    ...ofTable('*,qa@partner.example,2026-11-20'),
    'schedules/a.yaml': one(mail('me@acme.com')),
  };
  const found = await diagnosticsOf(files, undefined, { time: today, environmentName: 'staging' });
  expect(found.map(({ severity, code, file, line, message }) => [severity, code, `${file}:${line}`, message])).toEqual([
    [
      'warning',
      'rows-of-others',
      'almanac.yaml:2',
      'The line `*,qa@partner.example` ended on 2026-11-20, tenants.csv:2, and whatever the environment staging delivers goes to `qa@partner.example`.',
    ],
  ]);
});

test('with ended: pause, a schedule whose line has ended is declared paused, and a routine is not', async () => {
  const config = `api: { operations: full }\n${rule(', ended: pause')}`;
  const routine =
    'routines:\n  r: { name: R, modelId: 770e8400-e29b-41d4-a716-446655440002, prompt: x, schedule: 0 9 ? * MON *, timezone: UTC, owner: me@acme.com, destination: { type: email, recipientEmails: [cfo@northpine.example] } }\n';
  const files = {
    'almanac.yaml': config,
    ...ofTable(`*,${address},2026-11-20`, `*,other@pine.example,2027-12-31`),
    'schedules/a.yaml': `${one()}${schedule(`${mail('other@pine.example')}, ${north}`, 'b')}${routine}`,
  };
  const { desired } = await loadFiles(files, undefined, { time: today });
  expect(desired.resources.map(({ address: at, attributes }) => [at, attributes['paused']])).toEqual([
    ['schedules.a', true],
    ['schedules.b', undefined],
    ['routines.r', undefined],
  ]);
});

test('what thousands of receivers and ended lines take grows with their number, and not with its square', () => {
  const timeOf = (count: number) => {
    const start = processorTime();
    const values = Array.from({ length: count }, (_, index) => `C${index}`);
    const lines = values.map((value) => `${value},pine.example,2026-11-20\n`).join('');
    const text = `shows,receiver,until\n${lines}`;
    const { value: permissions } = readPermissions({ path: 'tenants.csv', text }, '2026-11-21');
    const rules = { ...divisionOf({ filters: ['customer'], shared: [] } as never, [], ['acme.com']), permissions };
    const delivery = deliveryOf('schedule', {
      destinationType: 'email',
      recipients: values.map((value) => `${value}@pine.example`),
      filterConfig: { customer: { values } },
    });
    const faults = judgeRows('schedule', delivery, rules);
    const taken = processorTime() - start;
    expect(new Set(faults.map(({ kind, receiver }) => `${kind} ${receiver.shown}`)).size).toBe(count);
    return taken;
  };
  timeOf(500);
  expect(timeOf(8000) / timeOf(2000)).toBeLessThan(4 * 2);
});
