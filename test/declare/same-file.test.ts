// When two schedules write one file: each part of the same place and of the same name, and what makes them differ.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { bucket, mail, sftp } from '../support/vocabulary.ts';

type Two = readonly [one: JsonObject, other: JsonObject];

const values = (customer: string) => ({ filterConfig: { customer: { values: [customer] } } });
const times = { schedule: '0 7 1 * ? *', timezone: 'UTC' };
const onServer = (fields: JsonObject = {}) =>
  sftp({
    ...times,
    address: 'sftp.acme.example',
    port: 22,
    username: 'omni',
    path: '/in/usage.csv',
    passwordUnencrypted: '${env.SFTP}',
    ...fields,
  });
const inBucket = (fields: JsonObject = {}) => bucket({ ...times, keyPrefix: 'exports', filename: 'usage', ...fields });

/** The findings of two schedules that show different rows, unless they say otherwise. */
async function found(
  of: (fields: JsonObject) => JsonObject,
  [one, other]: Two,
  files: Readonly<Record<string, string>> = {},
) {
  const schedules = {
    a: of({ name: 'A', ...values('North Pine'), ...one }),
    b: of({ name: 'B', ...values('South Oak'), ...other }),
  };
  const all = await diagnosticsOf({ 'schedules/a.yaml': JSON.stringify({ schedules }), ...files });
  return all
    .filter(({ code }) => code === 'same-file')
    .map(({ severity, path, message }) => `${severity} ${path} ${/^(.*?) (?:and|write)/.exec(message)?.[1]}`);
}

const atPath = ['warning /schedules/b/path `schedules.a`'];
const atName = ['warning /schedules/b/filename `schedules.a`'];

test.each<[string, Two, boolean]>([
  ['the same path', [{}, {}], true],
  ['a host in other letters', [{}, { address: 'SFTP.Acme.example' }], true],
  ['a host with a scheme', [{}, { address: 'sftp://sftp.acme.example' }], true],
  ['a host with a dot at its end', [{}, { address: 'sftp.acme.example.' }], true],
  ['another host', [{}, { address: 'sftp2.acme.example' }], false],
  ['another port', [{}, { port: 2222 }], false],
  ['another user', [{}, { username: 'other' }], false],
  ['the same user by a variable', [{ username: '${env.U}' }, { username: '${env.U}' }], true],
  ['a folder in the address', [{}, { address: 'sftp://sftp.acme.example/in' }], false],
  ['a path in other letters', [{}, { path: '/in/Usage.csv' }], false],
  ['a path without the slash', [{}, { path: 'in/usage.csv' }], false],
  ['a folder as the path', [{ path: '/in/' }, { path: '/in/' }], false],
  ['another time', [{}, { schedule: '0 9 2 * ? *' }], true],
])('two schedules on a server with %s write one file', async (_, two, isSame) => {
  expect(await found(onServer, two)).toEqual(isSame ? atPath : []);
});

const dated = { filename: 'usage-{{currentDate}}' };
const named = { filename: '{{scheduledTaskName}}' };

test.each<[string, Two, boolean]>([
  ['the same name', [{}, {}], true],
  ['a slash at the end of the folder', [{}, { keyPrefix: 'exports/' }], true],
  ['a slash before the folder', [{}, { keyPrefix: '/exports' }], true],
  ['the folder in other letters', [{}, { keyPrefix: 'Exports' }], false],
  ['no folder, and an empty one', [{ keyPrefix: '' }, { keyPrefix: '/' }], true],
  [
    'a folder in the name',
    [
      { keyPrefix: 'a/b', filename: 'c' },
      { keyPrefix: 'a', filename: 'b/c' },
    ],
    true,
  ],
  ['another bucket', [{}, { bucketName: 'other' }], false],
  ['another role and region', [{}, { roleArn: 'arn:aws:iam::210987654321:role/x', region: 'eu-central-1' }], true],
  ['another format', [{ format: 'csv' }, { format: 'xlsx' }], false],
  ['the name of the schedule', [named, named], false],
  [
    'the name of two schedules with one name',
    [
      { ...named, name: 'N' },
      { ...named, name: 'N' },
    ],
    true,
  ],
  ['a name that the template of the other makes', [{ ...named, name: 'usage' }, {}], true],
  ['what is delivered', [{ filename: '{{entityName}}' }, { filename: '{{ entityName }}' }], true],
  [
    'what is delivered, of two dashboards',
    [{ filename: '{{entityName}}' }, { filename: '{{entityName}}', identifier: 'ffff0000' }],
    false,
  ],
  [
    'the format',
    [
      { filename: '{{format}}', format: 'csv' },
      { filename: 'csv', format: 'csv' },
    ],
    true,
  ],
  ['the zone', [{ filename: '{{timeZone}}' }, { filename: '{{timeZone}}', timezone: 'Europe/London' }], false],
  ['no name', [{ filename: undefined as never }, { filename: undefined as never }], false],
  ['a day, in the same minute', [dated, dated], true],
  ['a day, in the same minute by other words', [dated, { ...dated, schedule: '00 07 01 * ? *' }], true],
  ['a day, in another minute', [dated, { ...dated, schedule: '5 7 1 * ? *' }], false],
  ['a day, on a day that they share', [dated, { ...dated, schedule: '0 7 ? * MON *' }], true],
  ['a day, at an hour of another zone', [dated, { ...dated, schedule: '0 8 1 * ? *', timezone: 'Africa/Lagos' }], true],
  ['another day', [dated, { filename: 'usage-{{yesterdayDate}}' }], false],
  ['no day, in another minute', [{}, { schedule: '5 7 1 * ? *' }], true],
])('two schedules in a bucket with %s write one file', async (_, two, isSame) => {
  expect(await found(inBucket, two)).toEqual(isSame ? atName : []);
});

test.each<[string, JsonObject, boolean]>([
  ['the same content', values('North Pine'), false],
  [
    'the same content in other words',
    { filterConfig: { customer: { type: 'string', kind: 'EQUALS', values: ['North Pine'] } } },
    false,
  ],
  ['other texts', { ...values('North Pine'), description: undefined as never, name: 'Other' }, false],
  ['another tile', { ...values('North Pine'), queryIdentifierMapKey: '1' }, true],
  ['another dashboard', { ...values('North Pine'), identifier: 'ffff0000' }, true],
  ['other columns', { ...values('North Pine'), hideHiddenFields: true }, true],
  ['other rows', {}, true],
  ['other rows, and a pause', { paused: true }, false],
  ['other rows, in another environment', { in: ['staging'] }, false],
  ['other rows, in an environment of both', { in: ['staging', 'production'] }, true],
])('two schedules that write one file with %s', async (_, other, isFinding) => {
  const config = 'api: { operations: full }\nenvironments: { production: {}, staging: {} }\n';
  const one = { format: 'csv', in: ['production'] };
  expect(await found(onServer, [one, { ...one, ...other }], { 'almanac.yaml': config })).toEqual(
    isFinding ? atPath : [],
  );
});

const loop = (fields: JsonObject) => ({
  usage: inBucket({
    forEachRow: { file: 'c.csv', key: 'code' },
    name: 'Usage, ${each.code}',
    filterConfig: { customer: { values: ['${each.customer}'] } },
    ...fields,
  }),
});
const table = 'code,customer,file\nnp,North Pine,x\nso,South Oak,y\nwe,West Elm,x\n';

async function ofLoop(fields: JsonObject, files: Readonly<Record<string, string>> = {}) {
  const sources = {
    'schedules/a.yaml': JSON.stringify({ schedules: loop(fields) }, null, 1),
    'schedules/c.csv': table,
  };
  const all = await diagnosticsOf({ ...sources, ...files });
  return all.filter(({ code }) => code === 'same-file');
}

test('the instances of a loop that write one file are one finding at the field, and by a cell one at the cell', async () => {
  const [whole, ...others] = await ofLoop({});
  expect([whole?.path, whole?.message.split(' write')[0], others]).toEqual([
    '/schedules/usage/filename',
    '`schedules.usage.np` and 1 more',
    [],
  ]);
  expect((await ofLoop({ filename: '${each.file}' })).map(({ file, line }) => `${file}:${line}`)).toEqual([
    'schedules/c.csv:4',
  ]);
  expect(await ofLoop({ filename: '${each.code}' })).toEqual([]);
});

test('a file of a place that the table of permissions judges is an error where the rows differ, which nothing lowers', async () => {
  const rows = { filters: ['customer'], allow: 'tenants.csv' };
  const config = { safety: { internalDomains: ['acme.example'], rows }, checks: { 'same-file': 'off' } };
  const tenants = 'shows,receiver\nNorth Pine,reports\nSouth Oak,reports\nWest Elm,reports\n';
  const files = { 'almanac.yaml': JSON.stringify(config), 'tenants.csv': tenants };
  expect((await ofLoop({ accept: { 'same-file': 'Meant.' } }, files)).map(({ severity }) => severity)).toEqual([
    'error',
  ]);
  const every = { ...files, 'tenants.csv': 'shows,receiver\n*,reports\n' };
  expect(await ofLoop({}, every)).toEqual([]);
});

test('a file that is meant is accepted by one of the two, and other kinds of delivery write none', async () => {
  const one = { accept: { 'same-file': 'One file for all.' } };
  const all = await diagnosticsOf({
    'schedules/a.yaml': JSON.stringify({
      schedules: { a: onServer({ name: 'A', ...values('x'), ...one }), b: onServer({ name: 'B', ...values('y') }) },
    }),
  });
  expect(all.map(({ code, accepted }) => [code, accepted])).toContainEqual(['same-file', 'One file for all.']);
  expect(await found((fields) => mail({ ...times, ...fields }), [{}, {}])).toEqual([]);
});
