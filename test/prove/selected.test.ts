// The reports of which a proof speaks. Allowed reasons, ended lines, broken files and the words of the service each have
// their effect on it.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Answer, Asked } from '../support/prove/double.ts';
import {
  customerAndAmount,
  dashboardOf,
  good,
  list,
  openProof,
  type ProofOptions,
  report,
  sales,
  table,
  total,
} from '../support/prove/proving.ts';
import { zipOf } from '../support/prove/zip.ts';
import { says } from '../support/vocabulary.ts';

const a = report('North Pine');
const open = (more: Partial<ProofOptions> = {}) =>
  openProof({ dashboards: [dashboardOf([good])], reports: { a }, ...more });
const ended = (value: string) => `shows,receiver,until\n${value},northpine.example,2026-01-01\n`;
const waiver = { accept: { 'rows-of-others': { reason: 'they renew', until: '2026-12-31' } } };

test('a receiver whose only line has ended may see nothing today, and nothing is rendered', async () => {
  const proof = await open();
  proof.write({ 'tenants.csv': ended('North Pine') });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 2, reports: { a: 'sees-nothing' } });
  expect(proof.renderings()).toEqual([]);
});

test('a line that has ended lets nobody see the rows that a file has', async () => {
  const both = list('t', customerAndAmount, {
    rows: (inEffect) => good.rows(inEffect).flatMap((row) => [row, ['South Oak', 'x', 1]]),
  });
  const proof = await open({ dashboards: [dashboardOf([both])] });
  proof.write({
    'tenants.csv': `shows,receiver,until\nNorth Pine,northpine.example,9999-12-31\nSouth Oak,northpine.example,2026-01-01\n`,
  });
  expect(await proof.proved()).toMatchObject({ code: 2, verdicts: { t: 'shows-others' } });
});

test.each<[title: string, change: (proof: Awaited<ReturnType<typeof open>>) => void, reason: string]>([
  [
    'paused in Omni',
    (proof) => proof.double.change('Sales of North Pine', { disabledAt: '2026-02-01T00:00:00Z' }),
    'paused',
  ],
  [
    'paused in the files',
    (proof) => proof.write({ 'schedules/all.yaml': { schedules: { a: { ...a, paused: true } } } }),
    'paused',
  ],
])('a report that is %s sends nothing to a receiver whose line has ended', async (_, change, reason) => {
  const proof = await open();
  proof.write({ 'tenants.csv': ended('North Pine') });
  change(proof);
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 1, reports: { a: reason } });
});

test('a waiver takes the place of a line that has ended, and is said', async () => {
  const proof = await open({ reports: { a: { ...a, ...waiver } } });
  proof.write({ 'tenants.csv': ended('North Pine') });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, reports: { a: 'proven' } });
  expect(proved.document.dashboards[0]?.reports).toMatchObject([{ waived: true }]);
  expect((await proof.run('prove')).stdout).toEqual(says('by a waiver in place of a line that has ended'));
});

const unproven = { reports: { a, b: report('South Oak', { fanOut: true }) } };

test.each<[allow: readonly string[], code: number]>([
  [[], 1],
  [['--allow', 'unproven=fan-out'], 0],
  [['--allow', 'unproven=pdf+fan-out'], 0],
  [['--allow', 'unproven=pdf', '--allow', 'unproven=fan-out'], 0],
  [['--allow', 'unproven=pdf+empty'], 1],
  [['--allow', 'unproven=all'], 1],
  [['--allow', 'unproven=shows-others'], 1],
  [['--allow', 'unproven=2'], 1],
  [['--allow', 'unproven'], 1],
  [['--allow', 'other=fan-out'], 1],
])('a job may allow reports that are not proven by their reasons: %j', async (allow, code) => {
  const proof = await open(unproven);
  const ran = await proof.run('prove', ...allow);
  expect(ran.code, ran.stdout + ran.stderr).toBe(code);
});

test('no allowance lets pass what is wrong, or a proof of nothing', async () => {
  const proof = await open({ dashboards: [dashboardOf([{ ...good, rows: () => [['South Oak', 'x', 1]] }])] });
  expect((await proof.run('prove', '--allow', 'unproven=cannot-tell+empty')).code).toBe(2);
  const none = await open({ reports: { a: { ...a, format: 'png' } } });
  expect((await none.run('prove', '--allow', 'unproven=rights')).code).toBe(1);
});

test('the first line counts what is proven by values, what has nothing to compare, and first pages', async () => {
  const other = '3f9c2b71';
  const numbers = dashboardOf([total('t', 0, { columns: ['Total amount'] })], { identifier: other, name: 'Numbers' });
  const reports = {
    a,
    b: report('South Oak', { format: 'pdf' }),
    c: report('East Elm', { identifier: other }),
    d: report('West Ash'),
  };
  const proof = await open({ dashboards: [dashboardOf([good]), numbers], reports });
  const { code, stdout } = await proof.run('prove');
  const [first] = stdout.split('\n\n');
  expect(first?.replaceAll(/\s+/g, ' ')).toBe(
    'Proven: 2 of 3 reports by every value; 1 more has only limited tiles; 1 of the 2 by the tiles of its first page.',
  );
  expect(stdout).toEqual(says('more show the same tiles'));
  expect(code, stdout).toBe(0);
});

test('an alert is judged by the tile that it watches as well', async () => {
  const watched = list('w', customerAndAmount, { rows: () => [['South Oak', 'x', 1]] });
  const alert = {
    ...report('North Pine', { queryIdentifierMapKey: 'good' }),
    conditionType: 'RESULTS_PRESENT',
    conditionQueryMapKey: 'w',
  };
  const proof = await open({ dashboards: [dashboardOf([good, watched])], reports: { a: alert } });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 2, verdicts: { good: 'limited', w: 'not-limited' } });
});

test('a column of another field is waived by its name', async () => {
  const tile = list('t', ['orders.customer', 'orders.parent', 'orders.amount'], {
    rows: (inEffect) => (good.rows(inEffect).length > 0 ? [['North Pine', 'South Oak', 1]] : []),
  });
  const proof = await open({ dashboards: [dashboardOf([tile])] });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({
    code: 1,
    verdicts: { t: 'names-others' },
    reports: { a: 'names-others' },
  });
  expect((await proof.run('prove')).stdout).toEqual(says(`shared: [${sales}/t:Parent]`));
  const waived = await open({ dashboards: [dashboardOf([tile])], rows: { shared: [`${sales}/t:Parent`] } });
  expect(await waived.proved()).toMatchObject({ code: 0, reports: { a: 'proven' } });
});

const secretRow = 'query failed at row Gasket 77121, 5';
test('the words of the service are cut to its status, but on a terminal with -v', async () => {
  const isFile = ({ method, path }: Asked) => method === 'GET' && path.includes('/download/');
  const instead = (asked: Asked): Answer | undefined =>
    isFile(asked) ? { status: 410, body: { detail: secretRow, status: 410 } } : undefined;
  const proof = await open({ instead });
  for (const argv of [[], ['-v'], ['--format', 'markdown'], ['--format', 'json']]) {
    const { stdout, stderr, code } = await proof.run('prove', ...argv);
    expect(code).toBe(1);
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).not.toContain('Gasket');
    expect(stdout).toContain('410');
  }
});

const files = (bytes: (isNobody: boolean) => Buffer | string, type = 'text/csv') => {
  let isNobody = false;
  return (asked: Asked): Answer | undefined => {
    if (asked.method === 'POST') isNobody = JSON.stringify(asked.body).includes('almanac-prove-');
    const isFile = asked.method === 'GET' && asked.path.includes(`${sales}/download/`);
    return isFile ? { status: 200, body: Buffer.from(bytes(isNobody)), type } : undefined;
  };
};
const name = good.name;
const heads = 'Customer,Product,Amount\n';
const zipped = Buffer.from(`${heads}North Pine,x,1\n`);
const ofOne = {
  reports: { a: { ...a, queryIdentifierMapKey: 'good' }, b: report('South Oak', { identifier: '3f9c2b71' }) },
};

test.each<[title: string, given: Partial<ProofOptions>]>([
  ['a file that ends within quotes', { instead: files((isNobody) => (isNobody ? heads : `${heads}"North Pi`)) }],
  [
    'a file that ends within a row',
    { instead: files((isNobody) => (isNobody ? heads : `${heads}North Pine,x,1\nNorth Pi`)) },
  ],
  [
    'a file with a quote in the middle of a cell',
    { instead: files((isNobody) => (isNobody ? heads : `${heads}"North" Pine,x,1\n`)) },
  ],
  ['HTML with 200', { instead: files(() => '<!doctype html><title>Sign in</title>', 'text/html') }],
  ['HTML with 200 in the name of CSV', { instead: files(() => '<html>Sign in</html>') }],
  ['a file with a zero byte', { instead: files(() => Buffer.from([0x50, 0, 1, 2])) }],
  [
    'an archive with two files of one name',
    { instead: files(() => zipOf([0, 1].map(() => ({ name: `${name}.csv`, bytes: zipped })))) },
  ],
  [
    'a workbook without cells',
    {
      instead: files(() =>
        zipOf(
          ['[Content_Types].xml', 'xl/workbook.xml', 'xl/worksheets/sheet1.xml'].map((each) => ({
            name: each,
            bytes: Buffer.from('<x/>'),
          })),
        ),
      ),
    },
  ],
  [
    'an archive that ends in the middle',
    { instead: files(() => zipOf([{ name: `${name}.csv`, bytes: zipped }]).subarray(0, 60)) },
  ],
  [
    'a query that Omni does not show',
    {
      instead: ({ path }) =>
        path === `/v1/documents/${sales}/queries` ? { status: 403, body: { detail: 'no' } } : undefined,
    },
  ],
  [
    'a query that Omni does not list',
    {
      instead: ({ path }) =>
        path === `/v1/documents/${sales}/queries` ? { status: 200, body: { queries: [] } } : undefined,
    },
  ],
])('%s cannot be told, with its reason, and the other reports are judged', async (_, given) => {
  const dashboards = [dashboardOf([good]), dashboardOf([good], { identifier: '3f9c2b71', name: 'Other' })];
  const proof = await open({ dashboards, ...ofOne, table, ...given });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({
    code: 1,
    verdicts: { [`${sales}/good`]: 'cannot-tell', '3f9c2b71/good': 'limited' },
    reports: { a: 'cannot-tell', b: 'proven' },
  });
  const [row] = proved.document.dashboards.find(({ identifier }) => identifier === sales)?.tiles ?? [];
  expect(row?.message, proved.stdout).toMatch(/\w{3,}/);
  expect(proved.stdout).not.toContain('bug in almanac');
});

/** Written by `zip -fz`, by `zip -fz -` on a pipe, and with all numbers where ZIP64 has them. */
const zip64 = {
  'of Info-ZIP':
    'UEsDBC0AAAAAABGlfV3bczaK//////////8JADAAU2FsZXMuY3N2VVQJAAPBjQxrwY0Ma3V4CwABBAAAAAAEAAAAAAEAEAAZAAAAAAAAABkAAAAAAAAATmFtZSxUb3RhbApOb3J0aCBQaW5lLDEyClBLAQIeAy0AAAAAABGlfV3bczaKGQAAAP////8JACQAAAAAAAEAAACkgQAAAABTYWxlcy5jc3ZVVAUAA8GNDGt1eAsAAQQAAAAABAAAAAABAAgAGQAAAAAAAABQSwYGLAAAAAAAAAAeAy0AAAAAAAAAAAABAAAAAAAAAAEAAAAAAAAAWwAAAAAAAABwAAAAAAAAAFBLBgcAAAAAywAAAAAAAAABAAAAUEsFBgAAAAABAAEAWwAAAP////8AAA==',
  'on a pipe':
    'UEsDBC0AAAAAABGlfV3bczaK//////////8BABQALQEAEAAZAAAAAAAAABkAAAAAAAAATmFtZSxUb3RhbApOb3J0aCBQaW5lLDEyClBLAQIeAy0AAAAAABGlfV3bczaKGQAAAP////8BAAwAAAAAAAEAAACAEQAAAAAtAQAIABkAAAAAAAAAUEsGBiwAAAAAAAAAHgMtAAAAAAAAAAAAAQAAAAAAAAABAAAAAAAAADsAAAAAAAAATAAAAAAAAABQSwYHAAAAAIcAAAAAAAAAAQAAAFBLBQYAAAAAAQABADsAAAD/////AAA=',
  'with every number elsewhere':
    'UEsDBC0AAAAAAAAAIQDbczaK//////////8JABQAU2FsZXMuY3N2AQAQABkAAAAAAAAAGQAAAAAAAABOYW1lLFRvdGFsCk5vcnRoIFBpbmUsMTIKUEsBAi0ALQAAAAAAAAAhANtzNor//////////wkAHAAAAAAAAAAAAAAA/////1NhbGVzLmNzdgEAGAAZAAAAAAAAABkAAAAAAAAAAAAAAAAAAABQSwYGLAAAAAAAAAAtAC0AAAAAAAAAAAABAAAAAAAAAAEAAAAAAAAAUwAAAAAAAABUAAAAAAAAAFBLBgcAAAAApwAAAAAAAAABAAAAUEsFBgAAAAD///////////////8AAA==',
};

test.each(Object.entries(zip64))('a small archive in the form of ZIP64 is read: %s', async (_, base64) => {
  const proof = await open({
    reports: { a: { ...a, queryIdentifierMapKey: 'good' } },
    instead: files((isNobody) => (isNobody ? 'Name,Total\n' : Buffer.from(base64, 'base64'))),
  });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, verdicts: { good: 'limited' } });
  expect(proved.document.dashboards[0]?.tiles).toMatchObject([{ rows: 1, rowsForNobody: 0 }]);
});

test('the schema of the document is published with each reason and verdict', () => {
  const schema = readFileSync('schemas/prove.schema.json', 'utf8');
  for (const word of ['sees-nothing', 'values-not-compared', 'names-others', 'rowsForNobody', 'receivers', 'applied'])
    expect(schema).toContain(`"${word}"`);
});
