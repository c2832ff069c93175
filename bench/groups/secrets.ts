// What secrets add to a plan, in fingerprints: the time of one is that of scrypt in a process that does nothing else.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEmulator } from '../../src/emulator/emulator.ts';
import type { Figure } from '../figure.ts';
import { bareNode, emptyPlan, type Lab } from '../lab.ts';
import { median, type Program, takeTurns, timeOf } from '../measure.ts';
import { writeWorkspace } from '../workspace.ts';

const rounds = 11;
const schedules = 30;
const counts = [0, 1, 10] as const;
const target = 2;
const scrypt = "require('crypto').scrypt('a text', Buffer.alloc(16), 24, () => console.log('done'))";

export async function measureSecrets(lab: Lab): Promise<readonly Figure[]> {
  const bare = await bareNode(lab);
  const fingerprint = await lab.program({
    command: [process.execPath, '-e', scrypt],
    cwd: bare.cwd,
    mustPrint: 'done',
  });
  const plans: Program[] = [];
  for (const count of counts) plans.push(await planWith(lab, count));
  const taken = await takeTurns(rounds, [bare, fingerprint, ...plans]);
  const inFingerprints = (plan: number) =>
    median(taken.map((round) => (at(round, plan) - at(round, 2)) / (at(round, 1) - at(round, 0))));
  const toMilliseconds = median(taken.map((round) => at(round, 1) - at(round, 0)));
  const figure = { unit: '×', to: 'one fingerprint', toMilliseconds } as const;
  return [
    { ...figure, name: 'what one secret adds to a plan', value: inFingerprints(3) },
    { ...figure, name: 'what ten secrets add to a plan', value: inFingerprints(4), target },
  ];
}

function at(round: readonly number[], index: number): number {
  return round[index] ?? 0;
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
