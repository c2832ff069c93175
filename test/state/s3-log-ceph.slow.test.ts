// The log of a state in S3 on a real server: the suite of every log, and processes that race. It takes minutes and
// downloads Ceph, so it runs only where ALMANAC_CEPH is set. ALMANAC_RACES says how many entries are raced for.

import { spawn } from 'node:child_process';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/files/system.ts';
import type { S3Place } from '../../src/model/workspace/state-place.ts';
import { openS3Log } from '../../src/state/s3/s3-log.ts';
import { placeOf } from '../support/place-of.ts';
import { runs } from '../support/runs/runs.ts';
import { type Ceph, startCeph } from '../support/state/start-ceph.ts';
import { conformance } from '../support/state/state-log-conformance.ts';

const races = runs(400);
const writers = 8;
const bucket = 'almanac-state';

describe.runIf(process.env['ALMANAC_CEPH'])('a state in Ceph', () => {
  let ceph: Ceph;
  let prefixes = 0;

  beforeAll(async () => {
    const started = await startCeph();
    if (typeof started === 'string') throw new Error(started);
    ceph = started;
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = ceph.keys;
    const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'us-east-1' });
    expect((await client.fetch(`${ceph.endpoint}/${bucket}`, { method: 'PUT' })).status).toBe(200);
  }, 600_000);
  afterAll(() => ceph?.close());

  const place = (): S3Place => {
    prefixes += 1;
    const prefix = `state/${prefixes}`;
    return placeOf({ backend: 's3', bucket, prefix, endpoint: ceph.endpoint });
  };
  const opener = (where: S3Place) => () =>
    openS3Log({ place: where, root: '/', clock: systemClock, environment: ceph.keys });

  conformance('S3 on Ceph', () => {
    const open = opener(place());
    return { open, again: open, races: Math.min(races, 200) };
  });

  test(`of ${writers} processes that race for ${races} entries in Ceph, one gets each number`, async () => {
    const where = place();
    const started = performance.now();
    const ended = await Promise.all(Array.from({ length: writers }, () => race(where)));
    const winners = ended.flatMap(({ written }) => written).map((text) => text.split(' '));
    winners.sort(([one], [other]) => Number(one) - Number(other));
    expect(winners.map(([n]) => Number(n))).toEqual(Array.from({ length: races }, (_, index) => index + 1));
    const log = await opener(where)();
    const there = (await log.read(0)).map(({ n, bytes }): [number, string] => [n, idOf(bytes)]);
    await log.close();
    const seconds = (performance.now() - started) / 1000;
    const won = winners.map(([n, id]): [number, string] => [Number(n), id ?? '']);
    const refused = ended.reduce((sum, { taken }) => sum + taken, 0);
    expect(there).toEqual(won);
    console.log({
      entries: there.length,
      seconds: Math.round(seconds),
      won: ended.map(({ written }) => written.length),
      taken: refused,
      halfOfAppendsWithinMs: Math.round(Math.max(...ended.map(({ half }) => half))),
    });
  }, 7_200_000);

  interface Raced {
    readonly written: readonly string[];
    readonly taken: number;
    readonly half: number;
  }

  function race(where: S3Place): Promise<Raced> {
    return new Promise((resolve, reject) => {
      const words = ['scripts/run.mjs', 'test/support/state/s3-race-writer.ts', JSON.stringify(where), `${races}`];
      const env = { PATH: process.env['PATH'] ?? '', ...ceph.keys };
      const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const text = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk) => {
        text.stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        text.stderr += chunk;
      });
      child.on('close', (code) => (code === 0 ? resolve(JSON.parse(text.stdout)) : reject(new Error(text.stderr))));
    });
  }
});

function idOf(bytes: Uint8Array): string {
  const { id } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly id: string };
  return id;
}
