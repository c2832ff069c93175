// The whole workflow on a terminal: the built program, or the executable that an argument names, against an emulator, in a
// temporary copy of this repository's workspace. Leaves nothing behind, even after Ctrl-C.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createEmulator } from '../src/index.ts';

const [executable] = process.argv.slice(2);
const almanacProgram = executable === undefined ? [process.execPath, resolve('dist/cli.cjs')] : [resolve(executable)];
const workspace = mkdtempSync(join(tmpdir(), 'almanac-demo-'));
const emulator = createEmulator({ operations: 'full' });
let running: ChildProcess | undefined;
let signalled: number | undefined;

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    signalled = exitCode;
    running?.kill('SIGKILL');
  });
}

try {
  await demo();
} catch (error) {
  if (signalled === undefined) console.error(`\nThe demo failed: ${(error as Error).message}`);
  process.exitCode = signalled ?? 1;
} finally {
  await emulator.close();
  rmSync(workspace, { recursive: true, force: true });
}

async function demo(): Promise<void> {
  for (const part of ['almanac.yaml', 'schedules']) cpSync(part, join(workspace, part), { recursive: true });
  // As a team with an organization of its own has it.
  edit('almanac.yaml', 'operations: core', 'operations: full');
  const { baseUrl, organizationKey } = await emulator.listen();
  const set = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey, SFTP_PASSWORD: 'a password for the demo' };
  const almanac = (line: string) => show(line, { ...process.env, ...set, NO_PROXY: '127.0.0.1' });

  console.log(`An emulator of the service is listening at ${baseUrl}. The workspace is a copy of schedules/.`);
  heading('Are the declarations valid?');
  await almanac('validate');
  heading('What would change? Everything: nothing has been applied yet.');
  await almanac('plan');
  heading('Apply it.');
  await almanac('apply --auto-approve');
  heading('A second plan is empty.');
  await almanac('plan');
  heading('What Almanac tracks now, with the ids from the service.');
  await almanac('state list');

  heading('Someone moves the weekly report to eight o’clock.');
  const [file, from, to] = ['schedules/sales.yaml', 'schedule: 0 9 ? * MON *', 'schedule: 0 8 ? * MON *'] as const;
  edit(file, from, to);
  console.log(`${file}\n  ${paint('31', `- ${from}`)}\n  ${paint('32', `+ ${to}`)}\n`);
  await almanac('plan');
  console.log('\nThat is all there is to it. README.md says how to use Almanac in your own repository.');
}

/** Runs a command on this terminal, as a user would. */
async function show(line: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (signalled !== undefined) throw new Error('interrupted');
  console.log(paint('2', `$ almanac ${line}`));
  const [program = '', ...args] = [...almanacProgram, ...line.split(' ')];
  running = spawn(program, args, { cwd: workspace, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [exitCode] = await once(running, 'close');
  if (exitCode !== 0) throw new Error(`almanac ${line} ended with exit code ${exitCode}`);
}

function edit(file: string, from: string, to: string): void {
  const before = readFileSync(join(workspace, file), 'utf8');
  if (!before.includes(from)) throw new Error(`${file} does not contain ${from}`);
  writeFileSync(join(workspace, file), before.replace(from, to));
}

function heading(text: string): void {
  console.log(`\n${paint('1', `# ${text}`)}\n`);
}

function paint(code: string, text: string): string {
  return process.stdout.isTTY && !process.env['NO_COLOR'] ? `\u001b[${code}m${text}\u001b[0m` : text;
}
