// Which reports `almanac prove` calls proven, and the exit codes: a report is more than the tiles of its dashboard.

import { expect, test } from 'vitest';
import { type Answer, type Asked, ana, personalToken } from '../support/prove/double.ts';
import {
  bySql,
  customerAndAmount,
  dashboardOf,
  filterOf,
  good,
  isNobody,
  list,
  openProof,
  orders,
  type ProofOptions,
  report,
  table,
} from '../support/prove/proving.ts';
import { aiJob, routine, says } from '../support/vocabulary.ts';

const amounts = ['orders.product', 'orders.amount'];
const waived = { 'rows-of-others': { reason: 'A summary without customers.', until: '2027-03-01' } };
const other = '3f9c2b71';
const alsoOn = (identifier: string, ...tiles: Parameters<typeof dashboardOf>[0]) =>
  dashboardOf(tiles, { identifier, name: `Dashboard ${identifier}` });
const csv = report('North Pine');

test.each<[title: string, given: Partial<ProofOptions>, reason: string, code: number]>([
  ['a CSV file', { reports: { a: csv } }, 'proven', 0],
  ['a workbook', { reports: { a: { ...csv, format: 'xlsx' } } }, 'proven', 0],
  ['the JSON of a tile', { reports: { a: { ...csv, format: 'json', queryIdentifierMapKey: 'good' } } }, 'proven', 0],
  ['a PDF', { reports: { a: { ...csv, format: 'pdf', hideTitle: true, paperFormat: 'a4' } } }, 'proven', 0],
  ['a PNG', { reports: { a: { ...csv, format: 'png' } } }, 'png', 1],
  ['a link', { reports: { a: { ...csv, format: 'link_only' } } }, 'link', 1],
  ['a fan-out', { reports: { a: { ...csv, fanOut: true } } }, 'fan-out', 1],
  ['a report that nobody applied', { reports: { a: csv }, isDeclaredOnly: true }, 'not-applied', 1],
  ['a report without a known owner', { reports: { a: { ...csv, owner: undefined } } }, 'rights', 1],
  [
    'a report that is rendered by a member who does not own it',
    {
      reports: { a: { ...csv, owner: undefined } },
      token: personalToken,
      member: '8f1c1a52-0f5b-4c4d-9d3e-3f2d7f6a1b99',
    },
    'rights',
    1,
  ],
  [
    'a report for somebody who may see every row',
    { reports: { a: { ...csv, recipients: ['auditor@kpmg.example'] } }, table: ['*,auditor@kpmg.example'] },
    'every-row',
    1,
  ],
])('of %s, prove says whether it is proven, and exits accordingly', async (_, given, reason, code) => {
  const proof = await openProof({ dashboards: [dashboardOf([good])], ...given });
  const proved = await proof.proved();
  expect(proved.reports, proved.stdout + proved.stderr).toEqual({ a: reason });
  const proven = reason === 'proven' ? 1 : 0;
  const reports = ['png', 'link', 'not-applied', 'every-row'].includes(reason) ? 0 : 1;
  const summary = { proven, reports, notSelected: 1 - reports, provenDashboards: proven, dashboards: reports };
  expect(proved, proved.stdout).toMatchObject({ code, document: { summary } });
  const words = `Proven: ${proven} of ${reports === 1 ? '1 report' : '0 reports'} by every value`;
  expect((await proof.run('prove')).stdout).toEqual(says(words));
});

test.each<[title: string, filterConfig: object, reason: string, code: number]>([
  ['has lost', {}, 'other-filters', 2],
  ['has other values of', { customer: { type: 'string', kind: 'EQUALS', values: ['South Oak'] } }, 'other-filters', 2],
  ['spells otherwise', { customer: { values: ['North Pine'] } }, 'proven', 0],
])(
  'a report of which Omni %s the filters is proven only if they let the same rows through',
  async (_, filterConfig, reason, code) => {
    const proof = await openProof({ dashboards: [dashboardOf([good])], reports: { a: { ...csv, name: 'A' } } });
    proof.double.change('A', { filterConfig });
    const proved = await proof.proved();
    expect(proved.reports, proved.stdout).toEqual({ a: reason });
    expect(proved.code).toBe(code);
    if (code > 0) expect((await proof.run('prove')).stdout).toEqual(says('and `North Pine` was sent.'));
  },
);

test('a report that is gone from Omni is not proven', async () => {
  const instead = ({ path }: Asked): Answer | undefined =>
    /^\/v1\/schedules\/[^/]+$/.test(path) ? { status: 404, body: { error: 'Not found' } } : undefined;
  const proof = await openProof({ dashboards: [dashboardOf([good])], reports: { a: csv }, instead });
  const proved = await proof.proved();
  expect(proved.reports, proved.stdout).toEqual({ a: 'failed' });
  expect(proved.code).toBe(1);
});

test('a PNG, a link, a fan-out, a routine and an AI job are not rendered', async () => {
  const reports = { a: { ...csv, format: 'png' }, b: { ...csv, format: 'link_only' }, c: { ...csv, fanOut: true } };
  const declared = {
    routines: {
      r: routine({ destination: { type: 'email', recipientEmails: ['cfo@northpine.example'] }, accept: waived }),
    },
    aiJobs: { j: aiJob({ webhookUrl: 'https://hooks.northpine.example/in', accept: waived }) },
  };
  const lines = [...table, 'North Pine,hooks.northpine.example'];
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    reports,
    declared,
    table: lines,
    isDeclaredOnly: true,
  });
  const proved = await proof.proved();
  expect(proof.renderings()).toEqual([]);
  expect(proved.reports, proved.stdout + proved.stderr).toEqual({
    a: 'png',
    b: 'link',
    c: 'not-applied',
    'routines.r': 'kind',
    'aiJobs.j': 'kind',
  });
  expect(proved).toMatchObject({ code: 1, document: { summary: { proven: 0, reports: 0, notSelected: 5 } } });
});

test('a report that was changed since it was applied is not proven', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])] });
  const b = report('South Oak', { format: 'xlsx' });
  proof.write({ 'schedules/all.yaml': { schedules: { a: csv, b } } });
  const proved = await proof.proved('--each');
  expect(proved, proved.stdout).toMatchObject({ code: 0, reports: { a: 'proven', b: 'not-applied' } });
});

test('the rights of a report are those of its owner, with whose membership it is rendered', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])] });
  const { document, stdout } = await proof.proved();
  expect(document.dashboards[0]?.reports, stdout).toMatchObject([{ rights: ana.email }, { reason: 'not-rendered' }]);
  expect(proof.renderings().map(({ query }) => query)).toEqual([{ userId: ana.id }, { userId: ana.id }]);
});

test('a PDF has the first page of its dashboard alone, so the tiles of others are not judged', async () => {
  const tiles = [good, bySql(list('t', amounts, { page: 2 }))];
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], reports: { a: { ...csv, format: 'pdf' } } });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, reports: { a: 'proven' }, verdicts: { good: 'limited' } });
  expect(proved.verdicts).not.toHaveProperty('t');
});

test('a CSV file has the tiles of all pages', async () => {
  const tiles = [good, bySql(list('t', amounts, { page: 2 }))];
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], reports: { a: csv } });
  expect(await proof.proved()).toMatchObject({ code: 2, verdicts: { good: 'limited', t: 'not-limited' } });
});

test('the first report by address is rendered whose line is not one of every row', async () => {
  const reports = {
    a: report('North Pine', { recipients: ['auditor@kpmg.example'], filterConfig: undefined }),
    b: report('South Oak'),
    c: csv,
  };
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    reports,
    table: [...table, '*,auditor@kpmg.example'],
  });
  const proved = await proof.proved();
  expect(proof.renderings().map((asked) => filterOf(asked))).toEqual([
    'South Oak',
    expect.stringMatching('almanac-prove-'),
  ]);
  expect(proved, proved.stdout).toMatchObject({ code: 0, reports: { a: 'every-row', b: 'proven', c: 'not-rendered' } });
});

test('a report that is inside is not judged', async () => {
  const reports = { a: csv, b: { ...csv, recipients: ['kim@example.com'], name: 'Inside', filterConfig: undefined } };
  const proof = await openProof({ dashboards: [dashboardOf([good]), alsoOn(other, bySql(good))], reports });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, document: { summary: { reports: 1, dashboards: 1 } } });
  expect(proved.reports).toEqual({ a: 'proven' });
});

test('a dashboard that is everybody’s is not rendered', async () => {
  const shared = { b: report('South Oak', { identifier: other }) };
  const given = { dashboards: [dashboardOf([good]), alsoOn(other, bySql(good))], reports: { a: csv, ...shared } };
  const proof = await openProof({ ...given, rows: { shared: [other] } });
  const proved = await proof.proved();
  expect(proved.code, proved.stdout).toBe(0);
  expect(proof.renderings().map(({ path }) => path)).toEqual([
    proof.renderings()[0]?.path,
    proof.renderings()[0]?.path,
  ]);
});

test('a selector narrows the proof to its reports', async () => {
  const reports = { a: csv, b: report('South Oak'), c: report('East Elm', { identifier: other }) };
  const dashboards = [dashboardOf([good]), alsoOn(other, bySql(good))];
  const proof = await openProof({ dashboards, reports });
  const proved = await proof.proved('schedules.b');
  expect(proved, proved.stdout).toMatchObject({
    code: 0,
    document: { summary: { proven: 1, reports: 1, dashboards: 1 } },
  });
  expect(
    proof
      .renderings()
      .map((asked) => filterOf(asked))
      .filter((value) => !isNobody(value)),
  ).toEqual(['South Oak']);
});

test('--each renders every receiver, and finds what the first one does not show', async () => {
  const mixed = list('t', customerAndAmount, {
    rows: (inEffect) => good.rows(inEffect).map((row) => (row[0] === 'South Oak' ? ['East Elm', 'x', 1] : row)),
  });
  const proof = await openProof({ dashboards: [dashboardOf([mixed])] });
  const first = await proof.proved();
  expect(first, first.stdout).toMatchObject({ code: 0, reports: { a: 'proven', b: 'not-rendered' } });
  const each = await proof.proved('--each');
  expect(each, each.stdout).toMatchObject({ code: 2, verdicts: { t: 'shows-others' } });
  expect(each.reports['b']).toBe('shows-others');
});

test('a report whose file cannot be made takes no proof from the others', async () => {
  const reports = { a: csv, b: report('South Oak'), c: report('East Elm') };
  let isRefused = false;
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    reports,
    instead: (asked) => {
      if (asked.method === 'POST') isRefused = filterOf(asked) === 'South Oak';
      return isRefused && asked.method === 'GET' ? detail(410, 'Job failed to render.') : undefined;
    },
  });
  const proved = await proof.proved('--each');
  expect(proved, proved.stdout).toMatchObject({ code: 1, reports: { a: 'proven', b: 'failed', c: 'proven' } });
});

test('nothing is judged where no report goes outside, and that is no success', async () => {
  const reports = { a: { ...csv, recipients: ['kim@example.com'] } };
  const proof = await openProof({ dashboards: [dashboardOf([good])], reports });
  const ran = await proof.run('prove');
  expect(ran.code, ran.stdout + ran.stderr).toBe(1);
  expect(proof.renderings()).toEqual([]);
});

test('a workspace with an error is not proven', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])] });
  const wrong = report('South Oak', { recipients: ['cfo@northpine.example'] });
  proof.write({ 'schedules/all.yaml': { schedules: { a: csv, b: wrong } } });
  const ran = await proof.run('prove');
  expect(ran.code, ran.stdout + ran.stderr).toBe(1);
  expect(ran.stdout + ran.stderr).toEqual(says('rows-of-others'));
});

test('with operations core, a proof says that it needs the full ones, and asks nothing', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])] });
  proof.write({ 'almanac.yaml': proof.read('almanac.yaml').replace('"full"', '"core"') });
  const ran = await proof.run('prove');
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toEqual(says('full'));
  expect(proof.asked()).toEqual([]);
});

test('without safety.rows there is nothing to prove', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])] });
  proof.write({ 'almanac.yaml': { api: { baseUrl: proof.double.baseUrl, operations: 'full' } } });
  const ran = await proof.run('prove');
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr, ran.stderr).toMatch(/rows/);
  expect(proof.asked()).toEqual([]);
});

test('a key that may not download anything proves nothing', async () => {
  const forbidden = { status: 403, body: { detail: 'User cannot download this dashboard', status: 403 } };
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    instead: ({ method }) => (method === 'POST' ? forbidden : undefined),
  });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 1, reports: { a: 'failed', b: 'not-rendered' } });
});

const detail = (status: number, words: string): Answer => ({ status, body: { detail: words, status } });
const isStart = ({ method, path }: Asked) => method === 'POST' && path === `/v1/dashboards/${other}/download`;
const isFile = ({ method, path }: Asked) => method === 'GET' && path.startsWith(`/v1/dashboards/${other}/download/`);

test.each<[title: string, instead: ProofOptions['instead'], reason: string]>([
  ['cannot be rendered', (asked) => (isFile(asked) ? detail(410, 'Job failed to render.') : undefined), 'failed'],
  ['may not be downloaded', (asked) => (isStart(asked) ? detail(403, 'cannot download') : undefined), 'failed'],
  ['was removed', (asked) => (asked.path.includes(other) ? detail(404, 'does not exist') : undefined), 'failed'],
  ['lost its file', (asked) => (isFile(asked) ? detail(500, 'artifact lost') : undefined), 'failed'],
  [
    'cannot be rendered for nobody',
    (() => {
      let starts = 0;
      return (asked: Asked) => {
        if (isStart(asked)) starts += 1;
        return starts > 1 && isFile(asked) ? detail(410, 'Job failed to render.') : undefined;
      };
    })(),
    'failed',
  ],
  ['is busy', (asked) => (isStart(asked) ? detail(409, 'A download is in progress') : undefined), 'busy'],
])('a dashboard that %s is no success, and the others are judged', async (_, instead, reason) => {
  const reports = { a: csv, b: report('South Oak', { identifier: other }) };
  const proof = await openProof({ dashboards: [dashboardOf([good]), alsoOn(other, good)], reports, ...{ instead } });
  const proved = await proof.proved();
  expect(proved, proved.stdout + proved.stderr).toMatchObject({ code: 1, reports: { a: 'proven', b: reason } });
  expect(proved.document.summary).toMatchObject({ proven: 1, reports: 2, provenDashboards: 1, dashboards: 2 });
  expect((await proof.run('prove')).stdout).toMatch(/^Proven: 1 of 2 reports by every value/);
});

test('what is not limited counts more than what failed', async () => {
  const reports = { a: csv, b: report('South Oak', { identifier: other }) };
  const proof = await openProof({
    dashboards: [dashboardOf([bySql(good)]), alsoOn(other, good)],
    reports,
    instead: (asked) => (isFile(asked) ? detail(410, 'Job failed to render.') : undefined),
  });
  expect(await proof.proved()).toMatchObject({ code: 2, reports: { a: 'not-limited', b: 'failed' } });
});

test('a dashboard whose queries cannot be read is not called proven', async () => {
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    instead: ({ path }) => (path.endsWith('/queries') ? detail(403, 'User cannot view document') : undefined),
  });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({
    code: 1,
    document: { summary: { proven: 0, reports: 1, notSelected: 1 } },
  });
});

test('a dashboard that has no tile is not proven', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([])] });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 1, document: { summary: { proven: 0 } } });
});

test('a tile that only shared tiles stand beside does not make a proof of itself', async () => {
  const facts = orders.filter((order) => order['orders.customer'] === 'West Ash');
  const tiles = [list('t', customerAndAmount, {}, facts), bySql(list('bench', amounts))];
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], rows: { shared: ['7ae01c55/bench'] } });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({
    code: 1,
    verdicts: { t: 'empty', bench: 'shared' },
    reports: { a: 'empty' },
  });
});

test('why one of several reports has no file is said of it, and not of its tiles', async () => {
  let isRefused = false;
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    instead: (asked) => {
      if (asked.method === 'POST') isRefused = filterOf(asked) === 'South Oak';
      return isRefused && asked.method === 'GET' ? detail(410, 'Job failed to render.') : undefined;
    },
  });
  const { document, verdicts } = await proof.proved('--each');
  expect(verdicts).toEqual({ good: 'limited' });
  const [dashboard] = document.dashboards;
  expect(dashboard?.reports).toMatchObject([{ proven: true }, { message: 'Omni could not render it (410).' }]);
  for (const format of ['text', 'markdown'])
    expect((await proof.run('prove', '--each', '-v', '--format', format)).stdout).toEqual(says('Omni answered 410.'));
});

test('rows for nobody count although another rendering of the tile failed', async () => {
  const filters = {
    customer: { field: 'orders.customer' },
    region: { field: 'orders.region', map: { t: false } },
  } as const;
  const a = report('North Pine', {
    filterConfig: { customer: { values: ['North Pine'] }, region: { values: ['Europe'] } },
  });
  let starts = 0;
  const proof = await openProof({
    dashboards: [dashboardOf([list('t', amounts)], { filters })],
    reports: { a },
    rows: { filters: ['customer', 'region'] },
    table: [...table, 'Europe,northpine.example'],
    instead: (asked) => {
      if (asked.method === 'POST') starts += 1;
      return starts === 2 && asked.method === 'GET' ? detail(410, 'Job failed to render.') : undefined;
    },
  });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({
    code: 2,
    verdicts: { t: 'not-limited' },
    reports: { a: 'not-limited' },
  });
});

test('where Omni does not say what is on the first page, all tiles of a PDF are judged, and the reason says so', async () => {
  const tiles = [good, bySql(list('t', amounts, { page: 2 }))];
  const reports = { a: { ...csv, format: 'pdf' } };
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], reports, isClassic: true });
  expect(await proof.proved()).toMatchObject({ code: 2, verdicts: { good: 'limited', t: 'not-limited' } });
  const right = await openProof({ dashboards: [dashboardOf([good])], reports, isClassic: true });
  expect(await right.proved()).toMatchObject({ code: 1, reports: { a: 'pdf' } });
  expect((await right.run('prove')).stdout).toEqual(says('does not say which tiles are on its first page'));
});

test('of a PDF whose files cannot be told apart, the tiles of its first page alone are downloaded', async () => {
  const tiles = [good, list('u', customerAndAmount, { name: good.name, page: 2 })];
  const proof = await openProof({ dashboards: [dashboardOf(tiles)], reports: { a: { ...csv, format: 'pdf' } } });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, verdicts: { good: 'limited' }, reports: { a: 'proven' } });
  const keys = proof.renderings().flatMap(({ body }) => body['queryIdentifierMapKey'] ?? []);
  expect(keys).toEqual(['good', 'good']);
  expect(proved.stderr).toEqual(says('at least 4 more requests'));
});

test.each<[title: string, given: Partial<ProofOptions>, rows: number | undefined]>([
  ['as many rows as its report may have', { reports: { a: { ...csv, overrideRowLimit: true, maxRowLimit: 1 } } }, 1],
  ['fewer', { reports: { a: { ...csv, overrideRowLimit: true, maxRowLimit: 2 } } }, undefined],
  ['no limit', { reports: { a: { ...csv, overrideRowLimit: true } } }, undefined],
  ['a limit that its report does not use', { reports: { a: { ...csv, maxRowLimit: 1 } } }, undefined],
])('of a file with %s, prove says whether there may be more', async (_, given, rows) => {
  const proof = await openProof({ dashboards: [dashboardOf([good])], ...given });
  const { document, stdout } = await proof.proved();
  expect(document.dashboards[0]?.tiles[0]?.firstRows, stdout).toBe(rows);
  const text = (await proof.run('prove')).stdout;
  if (rows === undefined) expect(text).not.toContain('first');
  else expect(text).toEqual(says('first 1 row'));
});

test('a file with as many rows as the query of its tile has at most says so', async () => {
  const facts = Array.from({ length: 1000 }, () => ({ 'orders.customer': 'North Pine' }));
  const proof = await openProof({ dashboards: [dashboardOf([list('t', ['orders.customer'], {}, facts)])] });
  expect((await proof.run('prove')).stdout).toEqual(says('first 1,000 rows'));
});
