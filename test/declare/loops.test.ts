// A loop costs no more than what it stands for: its instances are read and planned as fast as plain declarations.

import { expect, test } from 'vitest';
import type { Desired, SealedResource } from '../../src/model/workspace/resource.ts';
import { loadFiles, schedule } from '../support/apply/loading.ts';
import { plan } from '../support/plan/planning.ts';
import { processorTime } from '../support/processor-time.ts';

const [loops, itemsOfEach] = [10, 500];

const indices = (count: number) => [...Array(count).keys()];
const plain = `schedules:\n${indices(loops * itemsOfEach)
  .map((index) => schedule(`s${index}`))
  .join('')}`;
const items = indices(itemsOfEach)
  .map((index) => `i${index}: { n: ${index} }`)
  .join(', ');
const looped = `schedules:\n${indices(loops)
  .map((index) => schedule(`s${index}`, `, forEach: { ${items} }`).replace(/name: \w+/, `name: "s${index} \${each.n}"`))
  .join('')}`;

/** In milliseconds of processor time. */
async function timeOf(text: string): Promise<number> {
  const began = processorTime();
  const { desired, findings } = await loadFiles({ 'schedules/a.yaml': text });
  const { changes } = plan(desired as Desired<SealedResource>, undefined, {});
  const time = processorTime() - began;
  expect(findings).toEqual([]);
  expect(changes).toHaveLength(loops * itemsOfEach);
  return time;
}

test('5,000 instances of loops are read and planned in about the time of 5,000 plain schedules', async () => {
  const times: { readonly ofPlain: number; readonly ofLoops: number }[] = [];
  for (let round = 0; round < 2; round += 1)
    times.push({ ofPlain: await timeOf(plain), ofLoops: await timeOf(looped) });
  const least = (of: readonly number[]) => Math.min(...of);
  const ratio = least(times.map(({ ofLoops }) => ofLoops)) / least(times.map(({ ofPlain }) => ofPlain));
  // Far from what a quiet machine measures, so that a busy one does not matter.
  expect(ratio).toBeLessThan(3);
});
