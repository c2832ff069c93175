// A workspace whose schedules run: the emulator and the program share a clock that the test sets.

import { onTestFinished } from 'vitest';
import type { Outside } from '../../../src/commands/base/world.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/emulator/emulator.ts';
import { makeFolder, type Workspace, workspaceIn } from '../workspace.ts';
import { hook } from './open-stage.ts';

export interface RunningStage extends Workspace {
  readonly emulator: Emulator;
  readonly environment: Record<string, string>;
  /** A day and time of March 2026, UTC. */
  until(day: number, hour: number, minute?: number): void;
  idOf(address: string): string;
  /** What was sent since the last call, without lists. */
  sent(): readonly string[];
}

interface StageOptions extends EmulatorOptions {
  readonly config?: object;
  readonly outside?: Partial<Outside>;
}

/** Applied at midnight of 1 March, with operations full. */
export async function openRunningStage(
  schedules: object,
  { config = {}, outside = {}, ...options }: StageOptions = {},
): Promise<RunningStage> {
  let time = Date.UTC(2026, 2, 1);
  const emulator = createEmulator({ rateLimit: 0, operations: 'full', now: () => time, ...options });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl, operations: 'full', rateLimit: 0 }, ...config },
    'schedules/all.yaml': { schedules },
  });
  const clock = { now: () => time, monotonic: () => time, sleep: async () => undefined };
  const workspace = workspaceIn(folder, { OMNI_API_TOKEN: organizationKey }, { clock, ...outside });
  await workspace.apply();
  let seen = emulator.requests().length;
  return {
    ...workspace,
    emulator,
    until: (day, hour, minute = 0) => {
      time = Date.UTC(2026, 2, day, hour, minute);
    },
    idOf: (address) => workspace.state().resources[address]?.id ?? '',
    sent: () => {
      const all = emulator.requests().slice(seen);
      seen += all.length;
      return all.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
    },
  };
}

/** Every day at 09:00. */
export const daily = { ...hook, schedule: '0 9 * * ? *', timezone: 'UTC' };
