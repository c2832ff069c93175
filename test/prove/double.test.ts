// The double of the service that the other tests of this folder use: what is applied to it is what it shows, and a download of
// it is a file that others can read.

import { expect, test } from 'vitest';
import { bySql, dashboardOf, good, list, openProof } from '../support/prove/proving.ts';

test('what was applied to the double is what it shows', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])] });
  const { changes } = await proof.plan('--refresh=deep');
  expect(changes.filter(({ requests }) => requests > 0)).toEqual([]);
});

test('the double gives a preview of what was declared', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good, bySql(list('t', ['orders.id']))])] });
  const ran = await proof.run('preview', '--out', 'out', 'kind:schedule');
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'out/schedules.a.zip\nout/schedules.b.zip\n' });
  const one = await proof.run('preview', '--out', 'one.csv', 'schedules.a');
  expect(one.code, one.stderr).toBe(0);
});
