// A workspace, and an Omni in which somebody changes schedules after they were applied.

import type { StoredSchedule } from '../../../src/emulator/store.ts';
import { start } from '../workspace.ts';
import { type Declared, type Fields, openWorld } from '../world.ts';

export async function stage(files: Declared, config = '', environment: Readonly<Record<string, string>> = {}) {
  const workspace = await openWorld(files, { config, environment });
  const { emulator, change, drift, expectQuiet } = workspace;
  const apply = async (...argv: readonly string[]) => {
    const { changes } = await workspace.plan(...argv);
    if (changes.length > 0) await workspace.apply(...argv);
  };
  const write = (...argv: readonly string[]) => drift('--deep', '--write', ...argv);
  return { emulator, workspace, apply, change, drift, write, expectQuiet };
}

export const paused = (_: Fields, schedule: StoredSchedule) => {
  schedule.disabledAt = new Date(start).toISOString();
};
export const at = (schedule: string) => (fields: Fields) => {
  fields['schedule'] = schedule;
};
export const to =
  (...recipients: readonly string[]) =>
  (fields: Fields) => {
    fields['recipients'] = recipients;
  };
