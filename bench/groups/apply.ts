// What an apply takes itself, to an emulator on this machine without a rate limit. An apply includes a plan, so the time
// of planning the same workspace is subtracted.

import { createEmulator } from '../../src/emulator/emulator.ts';
import type { Figure } from '../figure.ts';
import type { Lab } from '../lab.ts';
import { median, timeOf } from '../measure.ts';
import { writeWorkspace } from '../workspace.ts';

const sizes = [500, 2000];
const runs = 3;
/** In milliseconds a change. */
const target = 1;

export async function measureApplies(lab: Lab): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of sizes) {
    const own: number[] = [];
    const whole: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const { cwd, env, end } = await serveApply(lab, count);
      // An apply uses nothing that was kept, so neither does the plan.
      const plan = { args: ['plan', '--no-cache'], cwd, env, mustPrint: `Plan: ${count} to create.` };
      const apply = { args: ['apply', '--auto-approve'], cwd, env, mustPrint: `Applied ${count} changes.` };
      const planned = await timeOf(await lab.almanac('cold', plan));
      const applied = await timeOf(await lab.almanac('cold', apply));
      whole.push(applied);
      own.push((applied - planned) / count);
      await end();
    }
    const name = `apply of ${count.toLocaleString('en')}, own time a change`;
    figures.push({ name, unit: 'ms', value: median(own), target, milliseconds: median(whole) });
  }
  return figures;
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
