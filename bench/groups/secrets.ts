// What ten secrets add to the time of a plan, beside what one adds. One adds one fingerprint, as each distinct secret does.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { type Row, tooNoisy } from '../figure.ts';
import { emptyPlan, type Lab } from '../lab.ts';
import { medianDifference, type Program, takeTurns, timeOf } from '../measure.ts';
import { writeWorkspace } from '../workspace.ts';

const rounds = 17;
const schedules = 30;
const counts = [0, 1, 10] as const;
const target = 2;

export async function measureSecrets(lab: Lab): Promise<readonly Row[]> {
  const plans: Program[] = [];
  for (const count of counts) plans.push(await planWith(lab, count));
  const taken = await takeTurns(rounds, plans);
  const one = medianDifference(taken.map(([none = 0, withOne = 0]) => withOne - none));
  const ten = medianDifference(taken.map(([none = 0, , withTen = 0]) => withTen - none));
  const name = 'what ten secrets add to a plan';
  if (one === undefined || ten === undefined) return [{ name, leftOut: tooNoisy }];
  const times = { value: ten / one, milliseconds: ten, toMilliseconds: one };
  return [{ name, unit: '×', to: 'what one adds', target, ...times }];
}

/** Of a workspace that an apply brought up to date. A file with a secret is not kept, so none of the plans uses what was. */
async function planWith(lab: Lab, secrets: number): Promise<Program> {
  const emulator = createEmulator({ rateLimit: 0 });
  const { baseUrl, organizationKey } = await emulator.listen();
  const cwd = await lab.makeFolder(`secrets-${secrets}`);
  await writeWorkspace(cwd, schedules, { baseUrl });
  await addSecrets(cwd, secrets);
  const hooks = Array.from({ length: secrets }, (_, index) => [`HOOK_${index}`, `a-secret-path-${index}`] as const);
  const env = Object.fromEntries(hooks);
  const apply = { cwd, env: { ...env, OMNI_API_TOKEN: organizationKey } };
  const mustPrint = `Applied ${schedules} changes.`;
  await timeOf(await lab.almanac('cold', { ...apply, args: ['apply', '--auto-approve'], mustPrint }));
  await emulator.close();
  return lab.almanac('warm', { args: ['plan', '--no-cache'], cwd, env, mustPrint: emptyPlan });
}

/** Into the addresses of webhooks. */
async function addSecrets(workspace: string, count: number): Promise<void> {
  let added = 0;
  for (let file = 0; file < schedules / 10; file += 1) {
    const path = join(workspace, 'schedules', `team-${String(file).padStart(4, '0')}.yaml`);
    const text = await readFile(path, 'utf8');
    const replaced = text.replaceAll(/(hooks\.example\.com\/)regions\/\d+/g, (whole, host: string) => {
      if (added === count) return whole;
      added += 1;
      return `${host}\${env.HOOK_${added - 1}}`;
    });
    await writeFile(path, replaced);
  }
}
