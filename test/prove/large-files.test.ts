// Downloads that `almanac prove` does not read to their end, or cannot read. At most 64 MiB of a dashboard and 256 MiB
// unpacked are held in memory.

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Answer } from '../support/prove/double.ts';
import {
  bySql,
  customerAndAmount,
  dashboardOf,
  good,
  list,
  openProof,
  type Proof,
  type ProofOptions,
  report,
} from '../support/prove/proving.ts';
import { zipOf } from '../support/prove/zip.ts';
import { atFullSize } from '../support/runs/runs.ts';
import { says } from '../support/vocabulary.ts';

const mebi = 2 ** 20;
const a = report('North Pine');
const ofTile = report('North Pine', { queryIdentifierMapKey: 'good' });

/** A file with a first line, and rows of a customer without end; how many bytes it has is not said. */
function endless(size: number): Readable {
  const row = Buffer.from('North Pine,Gasket 77121,1\n'.repeat(2520));
  return Readable.from(
    (function* pieces() {
      yield Buffer.from('Customer,Product,Amount\n');
      for (let sent = 0; sent < size; sent += row.length) yield row;
    })(),
    { objectMode: false, highWaterMark: 65_536 },
  );
}

const isFile = ({ method, path }: { readonly method: string; readonly path: string }) =>
  method === 'GET' && path.includes('/download/');

async function expectUnjudged(proof: Proof, reason: string): Promise<void> {
  const proved = await proof.proved();
  const told = proved.stdout + proved.stderr;
  expect(proved, told).toMatchObject({ code: 1, reports: { a: reason }, document: { summary: { proven: 0 } } });
  expect(told).not.toContain('bug in almanac');
}

atFullSize.each<[title: string, answer: () => Answer]>([
  ['of 80 MiB, which says its size', () => ({ status: 200, type: 'text/csv', body: Buffer.alloc(80 * mebi, 'x') })],
  ['of 400 MiB, which does not', () => ({ status: 200, type: 'text/csv', body: endless(400 * mebi) })],
])('a tile %s is too large, and is not read to its end', async (_, answer) => {
  const instead = (asked: Parameters<typeof isFile>[0]) => (isFile(asked) ? answer() : undefined);
  const proof = await openProof({ dashboards: [dashboardOf([good])], reports: { a: ofTile }, instead });
  await expectUnjudged(proof, 'too-large');
  expect(proof.double.sentBytes()).toBeLessThan(120 * mebi);
  expect((await proof.run('prove')).stdout).toEqual(says('too large'));
});

atFullSize('a tile of 63 MiB is judged', async () => {
  const wide = 'x'.repeat(63 * mebi - 1000);
  const tile = list('good', customerAndAmount, {
    rows: (inEffect) => good.rows(inEffect).map(([customer]) => [customer ?? null, wide, 1]),
  });
  const proof = await openProof({ dashboards: [dashboardOf([tile])], reports: { a: ofTile } });
  expect(await proof.proved()).toMatchObject({ code: 0, reports: { a: 'proven' } });
});

const zeros = (size: number) => Buffer.alloc(size * mebi);
const packed = new Map<string, Buffer>();
/** Compressing takes a second. */
const once = (name: string, make: () => Buffer) => packed.get(name) ?? packed.set(name, make()).get(name);

atFullSize.each<[title: string, make: () => Buffer]>([
  ['of one file of 257 MiB', () => zipOf([{ name: `${good.name}.csv`, bytes: zeros(257) }])],
  [
    'of two files that have 258 MiB together',
    () => zipOf(['Orders good', 'Orders u'].map((name) => ({ name: `${name}.csv`, bytes: zeros(129) }))),
  ],
  [
    'of 66 MiB that is not compressed',
    () => zipOf([{ name: `${good.name}.csv`, bytes: zeros(66) }], { isStored: true }),
  ],
])('an archive %s is too large', async (title, make) => {
  const proof = await openProof({
    dashboards: [dashboardOf([good, list('u', customerAndAmount)])],
    reports: { a },
    pack: () => once(title, make) ?? Buffer.alloc(0),
  });
  const proved = await proof.proved();
  expect(proved, proved.stdout).toMatchObject({ code: 1, document: { summary: { proven: 0 } } });
  expect(Object.values(proved.verdicts), proved.stdout).toContain('too-large');
});

const packing = (pack: NonNullable<ProofOptions['pack']>) => ({ pack });
test.each<[title: string, given: Partial<ProofOptions>]>([
  ['that ends early', packing((files) => zipOf(files).subarray(0, -30))],
  ['that ends in the middle of a file', packing((files) => zipOf(files).subarray(0, 60))],
  ['that has no byte', packing(() => Buffer.alloc(0))],
  ['that is the page of a proxy', packing(() => Buffer.from('<!doctype html><title>Sign in</title>'))],
  ['with a damaged file', packing((files) => damaged(zipOf(files)))],
])('an archive %s proves nothing, unless each tile is downloaded by itself', async (_, given) => {
  const proof = await openProof({
    dashboards: [dashboardOf([good, list('u', customerAndAmount)])],
    reports: { a },
    ...given,
  });
  const { code, stdout, stderr, document } = await proof.proved();
  const isAlone = proof.renderings().filter(({ body }) => body['queryIdentifierMapKey'] === 'good').length === 2;
  const { proven } = document.summary;
  expect({ code, proven }, stdout + stderr).toEqual(isAlone ? { code: 0, proven: 1 } : { code: 1, proven: 0 });
  expect(stdout + stderr).not.toContain('bug in almanac');
});

test.each([1000, 300 * mebi])(
  'an archive that claims %i bytes more than it has is judged by what it has, or not at all',
  async (more) => {
    const tiles = [good, bySql(list('t', ['orders.amount']))];
    const pack: ProofOptions['pack'] = (files) => zipOf(files, { claimed: (size) => size + more });
    const proof = await openProof({ dashboards: [dashboardOf(tiles)], reports: { a }, pack });
    const { code, stdout, stderr, verdicts } = await proof.proved();
    expect(stdout + stderr).not.toContain('bug in almanac');
    if (code === 2) expect(verdicts, stdout).toEqual({ good: 'limited', t: 'not-limited' });
    else expect(code, stdout).toBe(1);
  },
);

test.each<[title: string, pack: NonNullable<ProofOptions['pack']>]>([
  ['no tile', () => zipOf([])],
  ['one of two tiles', (files) => zipOf(files.slice(1))],
])('what an archive with %s lacks is downloaded by itself, or proves nothing', async (_, pack) => {
  const dashboards = [dashboardOf([good, list('u', customerAndAmount)])];
  const proof = await openProof({ dashboards, reports: { a }, pack });
  const { code, stdout, reports } = await proof.proved();
  const isAlone = proof.renderings().some(({ body }) => body['queryIdentifierMapKey'] === 'good');
  expect({ code, reports }, stdout).toMatchObject(isAlone ? { code: 0, reports: { a: 'proven' } } : { code: 1 });
  expect(reports['a'] === 'proven', stdout).toBe(isAlone);
});

/** A bit of the first file is turned round. */
function damaged(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  const at = 30 + copy.readUInt16LE(26) + 3;
  copy.writeUInt8((copy[at] ?? 0) ^ 0x40, at);
  return copy;
}
