// What an apply takes itself, to an emulator on this machine without a rate limit. An apply includes a plan, so what a
// plan of the same workspace takes is subtracted. The service is the process of the bench, so the processor time is that
// of the apply alone; the other time includes waiting for the service.

import { createEmulator } from '../../src/emulator/emulator.ts';
import { type Row, tooNoisy } from '../figure.ts';
import type { Lab } from '../lab.ts';
import { median, medianDifference, type Usage, usageOf } from '../measure.ts';
import { writeWorkspace } from '../workspace.ts';

const sizes = [500, 2000];
const runs = 5;
/** In milliseconds a change. */
const target = 1;

export async function measureApplies(lab: Lab): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const count of sizes) {
    const taken: PlanAndApply[] = [];
    for (let run = 0; run < runs; run += 1) taken.push(await planAndApply(lab, count));
    const title = `apply of ${count.toLocaleString('en')}`;
    rows.push(ownTime(`${title}, own time a change`, taken, count, (usage) => usage.milliseconds));
    rows.push(ownTime(`${title}, processor a change`, taken, count, (usage) => usage.processorMilliseconds));
  }
  return rows;
}

interface PlanAndApply {
  readonly plan: Usage;
  readonly apply: Usage;
}

function ownTime(name: string, taken: readonly PlanAndApply[], count: number, timeIn: (usage: Usage) => number): Row {
  const own = medianDifference(taken.map(({ plan, apply }) => (timeIn(apply) - timeIn(plan)) / count));
  if (own === undefined) return { name, leftOut: tooNoisy };
  const [milliseconds, toMilliseconds] = (['apply', 'plan'] as const).map((run) =>
    median(taken.map((usages) => timeIn(usages[run]))),
  );
  const times = { milliseconds: milliseconds ?? 0, toMilliseconds: toMilliseconds ?? 0 };
  return { name, value: own, unit: 'ms', to: 'less a plan', target, ...times };
}

async function planAndApply(lab: Lab, count: number): Promise<PlanAndApply> {
  const { cwd, env, end } = await serveApply(lab, count);
  try {
    // An apply uses nothing that was kept, so neither does the plan.
    const plan = { args: ['plan', '--no-cache'], cwd, env, mustPrint: `Plan: ${count} to create.` };
    const apply = { args: ['apply', '--auto-approve'], cwd, env, mustPrint: `Applied ${count} changes.` };
    return {
      plan: await usageOf(await lab.almanac('cold', plan)),
      apply: await usageOf(await lab.almanac('cold', apply)),
    };
  } finally {
    await end();
  }
}

interface Served {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

/** A workspace of which nothing is applied, with a service of its own. */
export async function serveApply(lab: Lab, count: number): Promise<Served> {
  const emulator = createEmulator({ rateLimit: 0 });
  const { baseUrl, organizationKey } = await emulator.listen();
  const cwd = await lab.makeFolder(`apply-${count}`);
  await writeWorkspace(cwd, count, { baseUrl });
  return { cwd, env: { OMNI_API_TOKEN: organizationKey }, end: () => emulator.close() };
}
