// Servers for S3 that cannot keep a shared state. A command refuses such a server before it writes a state there.

import { expect, test } from 'vitest';
import type { S3DoubleOptions } from '../support/state/s3-double.ts';
import { failureOf, s3Stage } from '../support/state/s3-stage.ts';

const probe = async (options: S3DoubleOptions = {}) => {
  const stage = await s3Stage(options);
  return { ...stage, failure: await failureOf((await stage.open()).probe()) };
};

test('a fit server passes the probe, and nothing of the probe stays', async () => {
  const { double, failure } = await probe();
  expect(failure).toBe('Error: nothing failed');
  expect([...double.objects.keys()]).toEqual([]);
});

test.each<readonly [string, S3DoubleOptions, string]>([
  ['ignores the condition', { condition: 'ignoring' }, 'ignores the condition If-None-Match'],
  ['does not know the condition', { condition: 'unknown' }, 'does not know the condition If-None-Match'],
  ['looks first and writes then', { condition: 'racing' }, 'writers create the same object'],
])('a server for S3 that %s is refused with its name and those of fit ones', async (_, options, words) => {
  const { failure } = await probe({ ...options, server: 'Unfit/1.2' });
  expect(failure).toMatch(/^state-backend-unfit: s3:.* cannot keep a shared state: /);
  expect(failure).toContain(`(Unfit/1.2) `);
  expect(failure).toContain(words);
  expect(failure).toContain('Amazon S3 and Ceph');
});

test('a probe runs ten races of eight writers each', async () => {
  const { double } = await probe();
  const creates = double.seen.filter(({ method, key }) => method === 'PUT' && key.includes('-race-'));
  const races = [...new Set(creates.map(({ key }) => key))];
  expect(races.map((race) => creates.filter(({ key }) => key === race).length)).toEqual(Array(10).fill(8));
});

test('a race whose answers were lost is run again', async () => {
  const { double, open } = await s3Stage();
  double.fail(['lose-answer', { status: 503, code: 'SlowDown' }], ({ key }) => key.includes('-race-'));
  const log = await open();
  await log.probe();
  const races = new Set(double.seen.filter(({ key }) => key.includes('-race-')).map(({ key }) => key));
  expect(races.size).toBeGreaterThan(10);
});

test('a probe whose first answers are lost still passes', async () => {
  const { double, open } = await s3Stage();
  double.fail(['lose-answer', 'lose-answer'], ({ method }) => method === 'PUT');
  await (await open()).probe();
});

test('a probe that may not delete leaves only objects below the folder probe, and passes again', async () => {
  const { double, open } = await s3Stage();
  double.deny(({ method }) => method === 'DELETE');
  const log = await open();
  await log.probe();
  await log.probe();
  expect(double.objects.size).toBeGreaterThan(0);
  for (const key of double.objects.keys()) expect(key).toMatch(/^almanac\/production\/probe\//);
  expect(await log.read(0)).toEqual([]);
  expect(double.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
});
