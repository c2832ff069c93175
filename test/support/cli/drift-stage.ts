// A workspace, and an Omni in which somebody changes schedules after they were applied.

import { expect, onTestFinished } from 'vitest';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import type { DriftDocument } from '../../../src/model/plan/plan.ts';
import { makeFolder, start, workspaceIn } from '../workspace.ts';

const config = (baseUrl: string, more = '') =>
  `api: { baseUrl: ${baseUrl}, operations: full, rateLimit: 0 } # our Omni\n${more}`;

export type Fields = Record<string, unknown>;

export async function stage(
  files: Readonly<Record<string, string>>,
  more = '',
  secrets: Readonly<Record<string, string>> = {},
) {
  const emulator = createEmulator({ rateLimit: 0, now: () => start, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const folder = makeFolder({ 'almanac.yaml': config(baseUrl, more), ...files });
  const workspace = workspaceIn(folder, { ...secrets, OMNI_API_TOKEN: organizationKey });
  const apply = async (...argv: readonly string[]) => {
    const { changes } = await workspace.plan(...argv);
    if (changes.length > 0) await workspace.apply(...argv);
  };
  /** Somebody changes a schedule in Omni. */
  const change = (name: string, edit: (fields: Fields, schedule: Fields) => void) =>
    emulator.edit(({ schedules }) => {
      const found = schedules.filter(({ fields }) => fields['name'] === name);
      if (found.length === 0) throw new Error(`no schedule ${name}`);
      for (const schedule of found) edit(schedule.fields as Fields, schedule as unknown as Fields);
    });
  const drift = async (...argv: readonly string[]) => {
    const ran = await workspace.run('drift', '--format', 'json', ...argv);
    if (ran.stdout === '') throw new Error(ran.stderr);
    if (ran.code === 1) throw new Error(ran.stdout + ran.stderr);
    return { code: ran.code, document: JSON.parse(ran.stdout) as DriftDocument };
  };
  const write = (...argv: readonly string[]) => drift('--deep', '--write', ...argv);
  /** The plan after it sends nothing. */
  const expectQuiet = async (...argv: readonly string[]) => {
    const { changes } = await workspace.plan('--refresh=deep', ...argv);
    expect(changes.filter(({ requests }) => requests > 0)).toEqual([]);
  };
  return { emulator, workspace, apply, change, drift, write, expectQuiet };
}

export const paused = (_: Fields, schedule: Fields) => {
  schedule['disabledAt'] = new Date(start).toISOString();
};
export const at = (schedule: string) => (fields: Fields) => {
  fields['schedule'] = schedule;
};
export const to =
  (...recipients: readonly string[]) =>
  (fields: Fields) => {
    fields['recipients'] = recipients;
  };
