// A small workspace in a temporary folder, with an emulator to apply it to, for the built program or, where that shows the
// same, for the program inside the process of the test, which starts no process for each command.

import { onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { type Finished, type RunOptions, runProgram } from '../program.ts';
import { makeFolder, type Ran, type WorkspaceFolder, workspaceIn } from '../workspace.ts';

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

interface OpenStage extends WorkspaceFolder {
  readonly emulator: Emulator;
  readonly baseUrl: string;
  readonly organizationKey: string;
  readonly personalToken: string;
  readonly environment: Record<string, string>;
}

export interface CliStage extends OpenStage {
  run(argv: string, options?: Partial<RunOptions>): Promise<Finished>;
}

export interface InnerStage extends OpenStage {
  run(argv: string): Promise<Ran>;
}

const small = { 'schedules/all.yaml': declared };

export async function openStage(files: Readonly<Record<string, unknown>> = small): Promise<CliStage> {
  const stage = await open(files);
  const { path: cwd, environment } = stage;
  return {
    ...stage,
    run: (argv, options = {}) => runProgram(wordsOf(argv), { cwd, environment, ...options }),
  };
}

/** The program runs inside this process. */
export async function openInnerStage(files: Readonly<Record<string, unknown>> = small): Promise<InnerStage> {
  const stage = await open(files);
  const { environment, run } = workspaceIn(stage, stage.environment);
  return { ...stage, environment, run: (argv) => run(...wordsOf(argv)) };
}

async function open(files: Readonly<Record<string, unknown>>): Promise<OpenStage> {
  const emulator = createEmulator({ rateLimit: 0 });
  const { baseUrl, organizationKey, personalToken } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const environment: Record<string, string> = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey };
  return { ...makeFolder(files), emulator, baseUrl, organizationKey, personalToken, environment };
}

const wordsOf = (argv: string) => argv.split(' ').filter(Boolean);
