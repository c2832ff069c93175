// Servers for S3 that cannot keep a shared state. A command refuses such a server before it writes a state there.

import { expect, test } from 'vitest';
import { rehearsal } from '../../src/state/log/new-entry.ts';
import type { NewEntry } from '../../src/state/state-log.ts';
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

test('a server for S3 that keeps no metadata is fit, and an apply is read there from its newest state on', async () => {
  const { failure, double, open, clock } = await probe({ keepsMetadata: false });
  expect(failure).toBe('Error: nothing failed');
  const log = await open();
  for (const [index, entry] of rehearsal(clock).entries()) await log.append(index + 1, entry);
  await log.close();
  expect(double.objects.get('almanac/production/latest')?.bytes.toString()).toBe('3');
  expect((await (await open()).read(0)).map(({ n }) => n)).toEqual([3]);
});

test.each(['000000000002', 'latest'])(
  'a server for S3 that changes what was written, such as %s of a trial, is refused before an apply',
  async (name) => {
    const stage = await s3Stage();
    const { objects } = stage.double;
    const set = objects.set.bind(objects);
    objects.set = (key, { bytes, headers }) => {
      const changed = name === 'latest' ? '2' : bytes.toString().replace('Zoë', 'Zoe');
      return set(key, { bytes: key.endsWith(name) ? Buffer.from(changed) : bytes, headers });
    };
    const failure = await failureOf((await stage.open()).probe());
    expect(failure).toMatch(name === 'latest' ? /^state-unreadable: / : /^state-backend-unfit: /);
    if (name !== 'latest') {
      expect(failure).toContain('gave back another entry than the one that was written');
      expect(failure).toContain('Nobody could read the state again.');
    }
  },
);

test('a probe writes what an apply writes, with every header of an entry, below the folder probe', async () => {
  const { double, open, clock } = await s3Stage();
  const log = await open();
  await log.append(1, rehearsal(clock)[0] as NewEntry);
  await log.probe();
  const entries = double.seen.filter(({ method, key }) => method === 'PUT' && /\/0{11}\d$/.test(key));
  const headersOf = ({ headers }: (typeof entries)[number]) =>
    Object.keys(headers).filter((name) => !/^(?:authorization|content-length|host|connection)$/.test(name));
  const [real, ...trials] = entries;
  expect(real?.key).toBe('almanac/production/000000000001');
  expect(trials.map(({ key }) => key.replace(/probe\/[^/]*/, 'probe/ID'))).toEqual(
    [1, 2, 3].map((n) => `almanac/production/probe/ID/00000000000${n}`),
  );
  for (const trial of trials) expect(headersOf(trial)).toEqual(headersOf(real as typeof trial));
});

test('a probe runs ten races of eight writers each', async () => {
  const { double } = await probe();
  const creates = double.seen.filter(({ method, key }) => method === 'PUT' && key.includes('/race-'));
  const races = [...new Set(creates.map(({ key }) => key))];
  expect(races.map((race) => creates.filter(({ key }) => key === race).length)).toEqual(Array(10).fill(8));
});

test('a race whose answers were lost is run again', async () => {
  const { double, open } = await s3Stage();
  double.fail(['lose-answer', { status: 503, code: 'SlowDown' }], ({ key }) => key.includes('/race-'));
  const log = await open();
  await log.probe();
  const races = new Set(double.seen.filter(({ key }) => key.includes('/race-')).map(({ key }) => key));
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
