// An emulator and a program that share a clock: each wait of the program passes at once, and carries the emulator along.

import { onTestFinished } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { Clock } from '../../src/model/outside.ts';
import { connectHttpApi } from '../../src/service/http/http-api.ts';
import { makeFolder, start, type Workspace, workspaceIn } from './workspace.ts';

export interface Timed {
  readonly emulator: Emulator;
  readonly clock: Clock;
  /** Every wait that the program took, in milliseconds. */
  readonly slept: readonly number[];
  readonly workspace: Workspace;
  /** Lets time pass, for the emulator too. */
  pass(milliseconds: number): Promise<void>;
  /** `GET /ai/jobs/ID`, in their order. */
  sent(): readonly string[];
}

export interface TimedOptions {
  readonly declared: object;
  readonly api?: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly emulator?: EmulatorOptions;
  readonly world?: Partial<Outside>;
}

/** Jobs take ten seconds. Ended with the test. */
export async function startTimed(options: TimedOptions): Promise<Timed> {
  let time = start;
  const slept: number[] = [];
  const emulator = createEmulator({
    rateLimit: 0,
    operations: 'full',
    jobDurationMs: 10_000,
    now: () => time,
    ...options.emulator,
  });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const pass = async (milliseconds: number) => {
    time += milliseconds;
    await emulator.tick();
  };
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    sleep: async (milliseconds, signal) => {
      if (signal?.aborted) return;
      slept.push(milliseconds);
      await pass(milliseconds);
    },
  };
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl, operations: 'full', rateLimit: 0, ...options.api } },
    'schedules/all.yaml': options.declared,
  });
  const environment = { OMNI_API_TOKEN: organizationKey, ...options.environment };
  const connect: Outside['connect'] = (settings) => connectHttpApi({ ...settings, clock, version: '0', environment });
  return {
    emulator,
    clock,
    slept,
    pass,
    workspace: workspaceIn(folder, environment, { clock, connect, ...options.world }),
    sent: () =>
      emulator
        .requests()
        .map(({ method, path }) => `${method} ${path.replace(/^\/api\/v1/, '').replace(/[0-9a-f-]{36}/, 'ID')}`),
  };
}
