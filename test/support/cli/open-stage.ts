// A small workspace in a temporary folder, with an emulator to apply it to, for the built program.

import { onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { type Finished, type RunOptions, runProgram } from '../program.ts';
import { makeFolder, type WorkspaceFolder } from '../workspace.ts';

export const weekly = {
  identifier: '12db1a0a',
  name: 'Weekly sales',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Weekly sales',
};
export const hook = {
  identifier: '3f9c2b71',
  name: 'Stock feed',
  schedule: '30 6 * * ? *',
  timezone: 'UTC',
  format: 'json',
  destinationType: 'webhook',
  url: 'https://hooks.example.com/stock',
};
export const sales = { identifier: '12db1a0a', filters: { region: { values: ['Europe'] } } };
export const declared = { schedules: { hook, weekly }, dashboards: { sales } };

export interface CliStage extends WorkspaceFolder {
  readonly emulator: Emulator;
  readonly baseUrl: string;
  readonly organizationKey: string;
  readonly personalToken: string;
  readonly environment: Record<string, string>;
  run(argv: string, options?: Partial<RunOptions>): Promise<Finished>;
}

export async function openStage(
  files: Readonly<Record<string, unknown>> = { 'schedules/all.yaml': declared },
): Promise<CliStage> {
  const emulator = createEmulator({ rateLimit: 0 });
  const { baseUrl, organizationKey, personalToken } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const folder = makeFolder(files);
  const environment: Record<string, string> = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey };
  return {
    ...folder,
    emulator,
    baseUrl,
    organizationKey,
    personalToken,
    environment,
    run: (argv, options = {}) =>
      runProgram(argv.split(' ').filter(Boolean), { cwd: folder.path, environment, ...options }),
  };
}
