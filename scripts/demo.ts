// The whole workflow on a terminal: the built program against the emulator, in a temporary copy of this repository's
// workspace. Checks every step, and removes the emulator and the copy at the end, even after Ctrl-C.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { PlanDocument } from '../src/index.ts';

const cli = resolve('dist/cli.cjs');
const changed = { file: 'schedules/sales.yaml', from: 'schedule: 0 9 ? * MON *', to: 'schedule: 0 8 ? * MON *' };
const changedAddress = 'schedules.weekly-sales';

type Environment = Readonly<Record<string, string | undefined>>;

const running = new Set<ChildProcess>();
let exitAfterSignal: number | undefined;

for (const [signal, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    exitAfterSignal = exitCode;
    for (const child of running) child.kill('SIGTERM');
  });
}

const folder = await mkdtemp(join(tmpdir(), 'almanac-demo-'));
try {
  await demo(folder);
} catch (error) {
  if (exitAfterSignal === undefined) process.stderr.write(`\nThe demo failed: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
  if (exitAfterSignal !== undefined) process.exitCode = exitAfterSignal;
}

async function demo(workspace: string): Promise<void> {
  for (const part of ['almanac.yaml', 'schedules']) await cp(part, join(workspace, part), { recursive: true });
  await useFull(workspace);
  const service = await startEmulator();
  const environment: Environment = {
    ...process.env,
    OMNI_BASE_URL: service.baseUrl,
    OMNI_API_TOKEN: service.organizationKey,
    SFTP_PASSWORD: 'a password for the demo',
    NO_PROXY: '127.0.0.1',
  };
  const almanac = (line: string) => show(line, workspace, environment);
  const planned = () => readPlan(workspace, environment);

  say(`An emulator of the service is listening at ${service.baseUrl}. The workspace is a copy of schedules/.`);

  heading('Are the declarations valid?');
  await almanac('validate');

  heading('What would change? Everything: nothing has been applied yet.');
  await almanac('plan');

  heading('Apply it.');
  await almanac('apply --auto-approve');

  heading('A second plan is empty.');
  await almanac('plan');
  demand((await planned()).changes.length === 0, 'the plan after the apply is not empty');

  heading('What Almanac tracks now, with the ids from the service.');
  await almanac('state list');

  heading('Someone moves the weekly report to eight o’clock.');
  await change(workspace);
  await almanac('plan');
  const { changes } = await planned();
  const [only] = changes;
  demand(
    changes.length === 1 && only?.address === changedAddress && only.action === 'update',
    `the plan does not update only ${changedAddress}`,
  );

  say('\nThat is all there is to it. README.md says how to use Almanac in your own repository.');
}

async function startEmulator(): Promise<{ baseUrl: string; organizationKey: string }> {
  const emulator = start(['emulator', '--port', '0', '--operations', 'full'], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (emulator.stdout === null) throw new Error('the emulator has no output');
  const lines = createInterface({ input: emulator.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(emulator, 'exit').then(() => {
      throw new Error('the emulator did not start');
    }),
  ]);
  return JSON.parse(line as string) as { baseUrl: string; organizationKey: string };
}

/** Runs a command on this terminal, as a user would. */
async function show(line: string, cwd: string, env: Environment): Promise<void> {
  say(dim(`$ almanac ${line}`));
  const exitCode = await end(start(line.split(' '), { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] }));
  demand(exitCode === 0, `almanac ${line} ended with exit code ${exitCode}`);
}

/** With the whole API, as a team with its own organization has it. */
async function useFull(workspace: string): Promise<void> {
  const path = join(workspace, 'almanac.yaml');
  const before = await readFile(path, 'utf8');
  const after = before.replace('operations: core', 'operations: full');
  demand(after !== before, 'almanac.yaml does not contain operations: core');
  await writeFile(path, after);
}

async function readPlan(cwd: string, env: Environment): Promise<PlanDocument> {
  const child = start(['plan', '--format', 'json'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  demand((await end(child)) === 0, 'almanac plan --format json failed');
  return JSON.parse(text) as PlanDocument;
}

async function change(workspace: string): Promise<void> {
  const path = join(workspace, changed.file);
  const before = await readFile(path, 'utf8');
  const after = before.replace(changed.from, changed.to);
  demand(after !== before, `${changed.file} does not contain ${changed.from}`);
  await writeFile(path, after);
  say(`${changed.file}\n  ${paint('31', `- ${changed.from}`)}\n  ${paint('32', `+ ${changed.to}`)}\n`);
}

function start(args: readonly string[], options: Parameters<typeof spawn>[2]): ChildProcess {
  if (exitAfterSignal !== undefined) throw new Error('interrupted');
  const child = spawn(process.execPath, [cli, ...args], options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function end(child: ChildProcess): Promise<number | null> {
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return exitCode;
}

async function stopAll(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), 2000);
      await gone;
      clearTimeout(impatience);
    }),
  );
}

function demand(fact: boolean, otherwise: string): void {
  if (!fact) throw new Error(otherwise);
}

function heading(text: string): void {
  say(`\n${paint('1', `# ${text}`)}\n`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function dim(text: string): string {
  return paint('2', text);
}

function paint(code: string, text: string): string {
  return process.stdout.isTTY && !process.env['NO_COLOR'] ? `\u001b[${code}m${text}\u001b[0m` : text;
}
