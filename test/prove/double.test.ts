// The double of the service that the other tests of this folder use: what is applied to it is what it shows, and its files have
// the rows that the text of the service says.

import { expect, test } from 'vitest';
import type { Dashboard, Tile } from '../support/prove/dashboards.ts';
import { bySql, dashboardOf, good, list, openProof, report, total } from '../support/prove/proving.ts';

test('what was applied to the double is what it shows', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])] });
  const { changes } = await proof.plan('--refresh=deep');
  expect(changes.filter(({ requests }) => requests > 0)).toEqual([]);
});

const fields = ['orders.customer', 'orders.parent'];
const field = 'orders.customer';
const own = { customer: { type: 'string', kind: 'EQUALS', values: ['North Pine'] } };

test.each<[title: string, tile: Tile, filters: Dashboard['filters'], sent: object, rows: readonly string[]]>([
  ['of the filter', list('t', fields), { customer: { field } }, own, ['North Pine,North Pine']],
  ['of everybody in SQL', bySql(total('t', 0)), { customer: { field } }, own, ['525925.5']],
  ['that are summed', total('t', 0), { customer: { field } }, own, ['87654.25']],
  [
    'of everybody that the map leaves out',
    total('t', 0),
    { customer: { field, map: { t: false } } },
    own,
    ['525925.5'],
  ],
  [
    'of the field to which the map points',
    list('t', fields),
    { customer: { field, map: { t: 'orders.parent' } } },
    own,
    ['North Pine,North Pine', 'East Elm,North Pine', 'Hidden Yew,North Pine'],
  ],
  [
    'of one filter or the other on a field',
    list('t', fields),
    { customer: { field }, billed: { field, values: ['South Oak'] } },
    own,
    ['North Pine,North Pine', 'South Oak,South Oak'],
  ],
  [
    'of the dashboard, where nothing is sent',
    list('t', fields),
    { customer: { field, values: ['South Oak'] } },
    {},
    ['South Oak,South Oak'],
  ],
  [
    'of everybody where the keys of a condition do not fit',
    total('t', 0),
    { customer: { field } },
    { customer: { values: ['North Pine'] } },
    ['525925.5'],
  ],
  [
    'of everybody where a text is compared with numbers',
    total('t', 0),
    { customer: { field: 'orders.account', type: 'number' } },
    { customer: { type: 'string', kind: 'EQUALS', values: ['1000'] } },
    ['525925.5'],
  ],
])('a file of the double has the rows %s', async (_, tile, filters, filterConfig, rows) => {
  const { double } = await openProof({ dashboards: [dashboardOf([tile], { filters })], isDeclaredOnly: true });
  const url = `${double.baseUrl}/v1/dashboards/7ae01c55/download`;
  const headers = { Authorization: 'Bearer omni_osk_t0ken-that-nothing-may-show' };
  const body = JSON.stringify({ format: 'csv', queryIdentifierMapKey: 't', filterConfig });
  const { job_id: job } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { job_id: string };
  const [, ...lines] = (await (await fetch(`${url}/${job}`, { headers })).text()).trimEnd().split('\n');
  expect(lines).toEqual(rows);
});

test('the double packs the tiles of a preview', async () => {
  const proof = await openProof({
    dashboards: [dashboardOf([good, list('u', fields)])],
    reports: { a: report('North Pine') },
  });
  const ran = await proof.run('preview', 'schedules.a', '--out', 'a.zip');
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'a.zip\n' });
  for (const name of ['Orders good.csv', 'Orders u.csv']) expect(proof.read('a.zip')).toContain(name);
});
