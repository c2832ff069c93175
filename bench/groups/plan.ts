// Plans without changes, beside the work of the yaml package alone on the same files: on all cores, and on one.

import { resolve } from 'node:path';
import type { Figure, Row } from '../figure.ts';
import { emptyPlan, type Lab, type Temperature, temperatures } from '../lab.ts';
import { compare, type Program, peakOf } from '../measure.ts';
import { findProgram } from '../peers.ts';

const rounds = 5;
const sizes = [2500, 5000, 10_000];
const largest = 10_000;
/** Of the largest. */
const targets: Readonly<Record<Temperature, { readonly ratio: number; readonly megabytes: number }>> = {
  cold: { ratio: 1, megabytes: 200 },
  warm: { ratio: 0.25, megabytes: 120 },
};
/** What the last version without threads took. */
const oneCoreTarget = 1.8;

export async function measurePlans(lab: Lab): Promise<readonly Figure[]> {
  const [ratios, peaks]: [Figure[], Figure[]] = [[], []];
  for (const count of sizes) {
    const workspace = await lab.applied(count);
    const yaml = await yamlAlone(lab, workspace, count);
    const plans = await lab.coldAndWarm({ args: ['plan'], cwd: workspace, mustPrint: emptyPlan });
    const compared = await compare(rounds, yaml, plans);
    for (const [index, temperature] of temperatures.entries()) {
      const [plan, times] = [plans[index], compared[index]];
      if (plan === undefined || times === undefined) continue;
      const name = `plan of ${count.toLocaleString('en')}, ${temperature}`;
      const megabytes = await peakOf(plan, count === largest ? 3 : 1);
      const { ratio, megabytes: most } = targets[temperature];
      const limit = count === largest ? { target: ratio } : {};
      ratios.push({ name, unit: '×', to: 'yaml alone', ...limit, ...times, megabytes });
      if (count === largest) peaks.push({ name: `memory of a ${name}`, unit: 'MB', value: megabytes, target: most });
    }
  }
  return [...ratios, ...peaks];
}

/** Both are bound to the same core. */
export async function measureOneCore(lab: Lab): Promise<readonly Row[]> {
  const name = `plan of ${largest.toLocaleString('en')} on one core, cold`;
  const taskset = await findProgram('taskset');
  if (taskset === undefined) return [{ name, leftOut: 'taskset is not installed' }];
  const bound = (program: Program): Program => ({
    ...program,
    command: [taskset, '--cpu-list', '0', ...program.command],
  });
  const workspace = await lab.applied(largest);
  const yaml = await yamlAlone(lab, workspace, largest);
  const plan = await lab.almanac('cold', { args: ['plan'], cwd: workspace, mustPrint: emptyPlan });
  const compared = await compare(rounds, bound(yaml), [bound(plan)]);
  return compared.map((times) => ({ name, unit: '×', to: 'yaml alone', target: oneCoreTarget, ...times }));
}

function yamlAlone(lab: Lab, workspace: string, count: number): Promise<Program> {
  const script = resolve('bench/yaml-alone.mjs');
  const mustPrint = `${count / 10} documents`;
  return lab.program({ command: [process.execPath, script, workspace], cwd: workspace, mustPrint });
}
