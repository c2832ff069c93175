// What a proof costs: how many requests it sends and how fast, what is said and asked before, and how long it waits for others.

import { expect, test } from 'vitest';
import type { Answer, Asked } from '../support/prove/double.ts';
import {
  bySql,
  customerAndAmount,
  dashboardOf,
  good,
  list,
  openProof,
  type ProofOptions,
  report,
  sales,
} from '../support/prove/proving.ts';
import { says } from '../support/vocabulary.ts';

const minute = 60_000;
const identifiers = [sales, '3f9c2b71', '12db1a0a', 'b4d86e20'];
const tiles = [good, list('u', ['orders.customer', 'orders.region']), list('w', customerAndAmount)];

/** As many reports, each for another customer, on the first dashboards. */
function many(count: number, dashboards: number, more: Partial<ProofOptions> = {}): ProofOptions {
  const places = identifiers.slice(0, dashboards);
  const numbers = Array.from({ length: count }, (_, index) => index);
  const facts = numbers.map((number) => ({ 'orders.customer': `Customer ${number}`, 'orders.region': 'Europe' }));
  const own = tiles.map(({ key, fields }) => list(key, fields, {}, facts));
  return {
    dashboards: places.map((identifier) => dashboardOf(own, { identifier, name: `Dashboard ${identifier}` })),
    table: numbers.map((number) => `Customer ${number},c${number}.example`),
    reports: Object.fromEntries(
      numbers.map((number) => [
        `c${String(number).padStart(3, '0')}`,
        report(`Customer ${number}`, {
          identifier: places[number % dashboards],
          recipients: [`cfo@c${number}.example`],
        }),
      ]),
    ),
    ...more,
  };
}

const said = (text: string) =>
  [...text.matchAll(/(\d[\d,]*) requests?\b/g)].map(([, n]) => Number(n?.replace(',', '')));
/** The most that were sent in any minute. */
function mostInAMinute(asked: readonly Asked[]): number {
  return Math.max(...asked.map(({ at }) => asked.filter((each) => each.at >= at && each.at < at + minute).length));
}

test('a proof of 40 reports on 4 dashboards takes at most 4 requests a rendering, which is said before', async () => {
  const proof = await openProof(many(40, 4));
  const proved = await proof.proved();
  expect(proved.document.summary, proved.stdout).toMatchObject({
    proven: 4,
    reports: 4,
    notSelected: 36,
    provenDashboards: 4,
    dashboards: 4,
  });
  expect(proof.renderings()).toHaveLength(8);
  expect(proof.asked().length).toBeLessThanOrEqual(4 * 8);
  expect(Math.max(...said(proved.stderr)), proved.stderr).toBeGreaterThanOrEqual(proof.asked().length);
  expect(Math.min(...said(proved.stderr)), proved.stderr).toBeLessThanOrEqual(proof.asked().length);
});

test('each dashboard is asked once for what it consists of, whoever receives it', async () => {
  const proof = await openProof(many(12, 2));
  await proof.proved('--each');
  const look = proof.asked().filter(({ path }) => !path.includes('/download'));
  const count = (pattern: RegExp) => look.filter(({ path }) => pattern.test(path)).length;
  expect([count(/\/queries$/), count(/^\/v2\/documents\//), count(/\/filters$/)].every((each) => each <= 2)).toBe(true);
  expect(proof.asked().length).toBeLessThanOrEqual(4 * proof.renderings().length);
});

test('a proof goes at half of api.rateLimit', async () => {
  const proof = await openProof(many(30, 1, { api: { rateLimit: 20 } }));
  const proved = await proof.proved('--each');
  expect(proof.asked().length, proved.stderr).toBeGreaterThan(60);
  expect(mostInAMinute(proof.asked())).toBeLessThanOrEqual(10);
});

test('above 500 requests, a proof without a terminal needs --most, and renders nothing', async () => {
  const proof = await openProof(many(252, 1));
  const ran = await proof.run('prove', '--each');
  expect(ran.code, ran.stdout).toBe(1);
  expect(ran.stdout).toBe('');
  expect(ran.stderr).toEqual(says('--most'));
  expect(Math.max(...said(ran.stderr)), ran.stderr).toBeGreaterThan(500);
  expect(proof.renderings()).toEqual([]);
});

test('tiles that must be downloaded one by one count for the 500 requests', async () => {
  const same = Array.from({ length: 140 }, (_, index) => list(`k${index}`, customerAndAmount, { name: 'Orders' }));
  const proof = await openProof({ dashboards: [dashboardOf(same)], reports: { a: report('North Pine') } });
  const ran = await proof.run('prove');
  expect(ran.code, ran.stdout + ran.stderr).toBe(1);
  expect(ran.stderr).toEqual(says('--most'));
  expect(proof.asked().length).toBeLessThanOrEqual(500);
});

test('--most allows a price without a terminal, and one that is lower than the least renders nothing', async () => {
  const proof = await openProof(many(252, 1));
  const ran = await proof.run('prove', '--each', '--most', '60');
  expect(ran.code, ran.stdout).toBe(1);
  expect(ran.stderr).toEqual(says('--most'));
  expect(proof.renderings()).toEqual([]);
  const proved = await proof.proved('--each', '--most', '900');
  expect(proved.document.summary).toMatchObject({ reports: 252 });
  expect(proof.renderings().length).toBeGreaterThanOrEqual(252);
  expect(proof.asked().length).toBeLessThanOrEqual(900);
});

test('a proof that takes longer than --most allows ends there, says so, and is no success', async () => {
  const proof = await openProof(many(60, 1, { pending: 1 }));
  const proved = await proof.proved('--each', '--most', '190');
  expect(proof.asked().length, proved.stderr).toBeLessThanOrEqual(193);
  const reasons = Object.values(proved.reports);
  expect(reasons.filter((reason) => reason === 'stopped').length, proved.stdout).toBeGreaterThan(10);
  expect(reasons.filter((reason) => reason === 'proven').length, proved.stdout).toBeGreaterThan(30);
  expect(proved.code).toBe(1);
});

test('with a terminal, a proof above 500 requests is asked for with its price', async () => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return 'no';
  };
  const proof = await openProof(many(252, 1, { outside: { asker: () => ask } }));
  const ran = await proof.run('prove', '--each');
  expect(ran.code).toBe(1);
  expect(asked).toHaveLength(1);
  expect(Math.max(...said(ran.stderr + asked[0])), ran.stderr + asked[0]).toBeGreaterThan(500);
  expect(proof.renderings()).toEqual([]);
});

test('with a terminal, a proof that is confirmed is made', async () => {
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    outside: { asker: () => async () => 'yes' },
  });
  expect(await proof.proved()).toMatchObject({ code: 0, reports: { a: 'proven', b: 'not-rendered' } });
});

const busy: Answer = { status: 409, body: { detail: 'A download of this dashboard is in progress', status: 409 } };
const isStart = ({ method, path }: Asked) => method === 'POST' && path === `/v1/dashboards/${sales}/download`;

test('a dashboard that is busy for ever is given up after two minutes', async () => {
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    instead: (asked) => (isStart(asked) ? busy : undefined),
  });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 1, reports: { a: 'busy', b: 'not-rendered' } });
  expect(proof.waited()).toBeGreaterThanOrEqual(110_000);
  expect(proof.waited()).toBeLessThanOrEqual(130_000);
  expect((await proof.run('prove')).stdout).toEqual(says('busy'));
});

test('a dashboard that is busy for a minute is waited for', async () => {
  const began: number[] = [];
  const proof = await openProof({
    dashboards: [dashboardOf([good])],
    instead: (asked) => {
      if (!isStart(asked)) return undefined;
      began.push(asked.at);
      return asked.at < (began[0] ?? 0) + minute ? busy : undefined;
    },
  });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, reports: { a: 'proven', b: 'not-rendered' } });
  expect(proof.waited()).toBeGreaterThanOrEqual(minute);
});

test('a file that takes three minutes to render is waited for', async () => {
  const proof = await openProof({ dashboards: [dashboardOf([good])], pending: 36 });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 0, reports: { a: 'proven', b: 'not-rendered' } });
});

test('downloads of one dashboard and user never meet', async () => {
  const proof = await openProof({
    dashboards: [dashboardOf([good, bySql(list('t', ['orders.id']))])],
    reports: {
      a: report('North Pine', { queryIdentifierMapKey: 'good' }),
      b: report('South Oak'),
      c: report('East Elm', { format: 'pdf' }),
    },
    pending: 2,
    api: { concurrency: 8 },
  });
  const { stdout } = await proof.proved('--each');
  const asked = proof.asked().filter(({ path }) => path.includes('/download'));
  const running = asked.reduce(
    ({ most, open }, { method, path }, index) => {
      const isLast = method === 'GET' && asked.findLastIndex((each) => each.path === path) === index;
      const now = open + (method === 'POST' ? 1 : 0);
      return { most: Math.max(most, now), open: now - (isLast ? 1 : 0) };
    },
    { most: 0, open: 0 },
  );
  expect(running.most, stdout).toBe(1);
});
