// That the cost stays linear: the time of a schedule among 100,000, beside one among 10,000.

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figure } from '../figure.ts';
import { emptyPlan, type Lab, type Temperature } from '../lab.ts';
import { compare, type Program, peakOf } from '../measure.ts';

const small = 10_000;
const large = 100_000;
/** A linear cost has the ratio 1; the rest is what garbage collection takes in a larger heap. */
const target = 1.2;
const stateFile = 'almanac.state.json';
const first = 'schedules.region-report-0';

export async function measureLarge(lab: Lab): Promise<readonly Figure[]> {
  const measured = async (name: string, rounds: number, programOf: (count: number) => Promise<Program>) => {
    const [one, other] = [await programOf(small), await programOf(large)];
    const compared = await compare(rounds, one, [other]);
    const megabytes = name.startsWith('plan') ? { megabytes: await peakOf(other, 1) } : {};
    return compared.map(({ value, ...times }): Figure => {
      const perSchedule = { value: value / (large / small), ...times, ...megabytes };
      return { name, unit: '×', to: 'among 10,000', target, ...perSchedule };
    });
  };
  const planOf = (temperature: Temperature) => async (count: number) =>
    lab.almanac(temperature, { args: ['plan'], cwd: await lab.applied(count), mustPrint: emptyPlan });
  const listIn = async (count: number) =>
    lab.almanac('warm', { args: ['state', 'list'], cwd: await lab.applied(count), mustPrint: first });
  return [
    ...(await measured('plan: a schedule among 100,000, cold', 1, planOf('cold'))),
    ...(await measured('plan: a schedule among 100,000, warm', 3, planOf('warm'))),
    ...(await measured('state list: a schedule among 100,000', 3, listIn)),
    ...(await measured('state mv: a schedule among 100,000', 3, (count) => moveIn(lab, count))),
  ];
}

/** Each run finds the same state. */
async function moveIn(lab: Lab, count: number): Promise<Program> {
  const [from, cwd] = [await lab.applied(count), await lab.makeFolder(`moved-${count}`)];
  const copied = (file: string) => copyFile(join(from, file), join(cwd, file));
  await copied('almanac.yaml');
  const args = ['state', 'mv', first, 'schedules.moved'];
  return lab.almanac('warm', { args, cwd, mustPrint: 'is now schedules.moved', prepare: () => copied(stateFile) });
}
